package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// stands says how a group stands with the channel.
func (s *sighting) stands(k knownGroup) hotel.SightState {
	switch {
	case k.state == inFlight:
		return hotel.InFlight
	case k.state == left, s.aboveGrant(k):
		return hotel.Drifted
	case k.state == unknown:
		return hotel.Unclear
	case k.state == rejected:
		return hotel.Rejected
	case k.state == withheld, k.dirty() && !s.told(k):
		return hotel.HeldBack
	case k.dirty() && k.state == seen:
		return hotel.Drifted
	case k.dirty():
		return hotel.Pending
	}
	return hotel.InSync
}

// judge says how a group stands with the channel, and why. sent is what it was
// sent last, nil when that is nothing.
func (s *sighting) judge(g *hotel.GroupSight, k knownGroup, sent *sentValue) (err error) {
	g.State = s.stands(k)
	switch g.State {
	case hotel.InFlight:
		g.Code, g.Reason = "under_way", "a call that carries it is not answered yet"
		if sent != nil {
			g.Reason = fmt.Sprintf("call %s has carried it since %s and is not answered yet", sent.call.ID, clock(sent.call.SentAt))
		}
	case hotel.Drifted:
		g.Code, g.Reason = s.drifted(k)
	case hotel.Unclear:
		g.Code, g.Reason = s.doubt(k, sent)
	case hotel.Rejected:
		g.Code, g.Reason = "refused", fmt.Sprintf("the channel refuses the value: %s; it is sent again when the value changes", s.refusal(k, sent))
	case hotel.HeldBack:
		g.Code, g.Reason, err = s.heldBack(k)
	case hotel.Pending:
		g.Code, g.Reason = "waits", waiting(k)
	case hotel.InSync:
		g.Code, g.Reason = remark(k)
	}
	return err
}

// drifted says what the channel showed that it should not have.
func (s *sighting) drifted(k knownGroup) (code, why string) {
	switch {
	case s.aboveGrant(k):
		return "above_grant", "it showed more rooms than it was granted when it was asked, so that somebody has raised the number there; it is closed, and its bookings are listed"
	case k.state == left:
		return "left_standing", "it showed something else when it was asked, and that stands until another value is wanted or its conflict is settled"
	}
	return "put_right", "it showed something else when it was asked; it is told again"
}

// heldBack says why a value is not sent.
func (s *sighting) heldBack(k knownGroup) (code, why string, err error) {
	switch {
	case k.state != withheld:
		code, why = s.standstill()
	case waitsOf(s.changes, k.cell):
		code, why = "blast_radius", "it is of a change that goes further than the limit of the channel, and is sent when somebody has said that it is meant so"
	default:
		code = "price_guard"
		if why, err = s.found(PricesHeld, k); err == nil {
			why = fmt.Sprintf("the channel's price guard keeps the price from being sent: %s; it is judged again when the price or the guard changes", guardWords(why))
		}
	}
	return code, why, err
}

// aboveGrant reports whether somebody has raised a guarded count, and the channel has not
// confirmed yet that it is closed.
func (s *sighting) aboveGrant(k knownGroup) bool {
	if !k.guarded || k.shownSince() == nil {
		return false
	}
	if k.state == seen {
		return true
	}
	p := s.parties[partyNight{k.cell.Line, k.cell.Night}]
	if k.state != unknown || p == nil || p.now.Doing != exposure.Closing || p.now.Accepted == 0 {
		return false
	}
	e, known := p.now.Exposure(p.live)
	return known && int(*k.shown) > e
}

// told reports whether the channel is told anything of the group at present.
func (s *sighting) told(k knownGroup) bool {
	return s.channel.Told() && (s.channel.Status != hotel.Paused || k.cell.Group == hotel.Availability)
}

// standstill says why a channel is told nothing.
func (s *sighting) standstill() (code, why string) {
	if s.channel.Shadow {
		return "shadow", "the channel is in shadow: what it would be told is worked out, and nothing is sent"
	}
	switch s.channel.Status {
	case hotel.Paused:
		if s.channel.Frozen {
			return "frozen", "the channel is frozen: it is left as it stands and told nothing"
		}
		return "paused", "the channel is paused and kept closed; only its room counts are told"
	case hotel.Draft, hotel.Testing, hotel.ChannelActive, hotel.Disconnected:
	}
	return "not_active", fmt.Sprintf("the channel is %s and told nothing: activate it by its plan", s.channel.Status)
}

// doubt says why it is not known what the channel shows.
func (s *sighting) doubt(k knownGroup, sent *sentValue) (code, why string) {
	switch {
	case sent == nil:
		return "never_sent", "nothing was sent under this code yet, and what it shows is not known; it is told with the next call"
	case k.cell.Group == hotel.Availability && k.ownSeq > sent.call.Sequence:
		return "counted_itself", "the channel has sold or taken back a booking since and may have counted it itself; it is told the number with the next call"
	case sent.became == DeliveryUnknown:
		return "no_answer", fmt.Sprintf("no answer is known to call %s of %s (%s): the old or the new value may be shown; it is told again",
			sent.call.ID, clock(sent.call.SentAt), orElse(sent.call.Error, "the answer left it out"))
	case sent.became == DeliveryNotSent:
		return "not_sent", fmt.Sprintf("call %s of %s did not leave (%s); it is tried again", sent.call.ID, clock(sent.call.SentAt), orElse(sent.call.Error, "no reason is known"))
	case sent.became == DeliveryRejected:
		return "refused_before", fmt.Sprintf("the channel refused the value before this one (%s), so what it shows is not known; the new one is told with the next call", orElse(sent.words, "it did not say why"))
	}
	return "in_doubt", "somebody asked for everything to be told again, or the code stands for something else now; it is told with the next call"
}

// waiting says what a value waits for.
func waiting(k knownGroup) string {
	why := "it has changed, and waits for its turn"
	if k.held == nil {
		why = "it was never told, and waits for its turn"
	}
	if _, more := remark(k); more != "" {
		why += "; " + more
	}
	return why
}

// remark says what else is worth knowing of a group; mostly nothing.
func remark(k knownGroup) (code, why string) {
	o := k.offered
	open := o != nil && o.told != nil && !hotel.DecodeOffer(hotel.Closures, *o.told, "").Closed.Closed
	switch {
	case k.asked != nil && k.want != nil && k.cell.Group == hotel.Price:
		return "capped", "the price guard keeps what the house asks for; the nearest price that it lets pass is sent in its place, as somebody has decided"
	case k.asked != nil && k.want != nil:
		return "left_standing", "of what it showed when it was asked, " + fieldWords(hotel.FieldsBetween(k.cell.Group, *k.asked, *k.want)) + " stands until another value is wanted or its conflict is settled"
	case k.cell.Group == hotel.Price && k.want == nil:
		return "missing_price", "the night has no price; what the channel was told last stays there, and the night is closed"
	case open && o.cut != nil:
		return "other_route", "the channel may show more rooms than it is to, and is told so by closing the night until it has confirmed the count"
	case open && o.waits == hasNone:
		return "missing_price", "the night has no price, and is closed until it has one"
	case open && o.waits == unconfirmed:
		return "price_unconfirmed", "the night is closed until the channel has confirmed a price for it"
	case open && o.amiss != 0:
		return "price_unconfirmed", "the night is closed: the channel shows a price for some number of guests that it should not"
	case k.cell.Group == hotel.Availability && k.guarded && k.held != nil && *k.held != 0:
		return "granted", "rooms are granted here before they are shown; what it sells of them it counts itself, so the number that it acknowledged may be higher by now than what it shows"
	}
	return "", ""
}

// fieldWords lists fields.
func fieldWords(fields []hotel.Field) string {
	words := make([]string, len(fields))
	for i, f := range fields {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}

// refusal is why a value is refused: the channel's own words, or why it could not
// be said to it at all.
func (s *sighting) refusal(k knownGroup, sent *sentValue) string {
	if sent != nil && sent.became == DeliveryRejected && k.next() != nil && sent.value == *k.next() {
		return orElse(sent.words, orElse(sent.call.Error, "it did not say why"))
	}
	if why, err := s.found(CellsRefused, k); err == nil {
		return why
	}
	return "it cannot be said in its protocol"
}

// found looks up what was last found about a value that was to be sent.
func (s *sighting) found(kind Kind, k knownGroup) (string, error) {
	rows, err := s.q.TouchesBefore(s.ctx, ledgerdb.TouchesBeforeParams{
		Kind: string(kind), Subject: s.row.ID, Month: monthOf(k.cell.Night), Before: s.newest + 1, AtMost: touchesPage,
	})
	if err != nil {
		return "", fmt.Errorf("read what was found about values of %s: %w", s.row.ID, err)
	}
	for _, sequence := range rows {
		row, err := s.q.GetEntry(s.ctx, sequence)
		if errors.Is(err, sql.ErrNoRows) {
			break // cut away, and so are all before
		}
		if err != nil {
			return "", fmt.Errorf("read journal entry %d: %w", sequence, err)
		}
		body, err := decode[cellsBody](entryOf(row))
		if err != nil {
			return "", err
		}
		for _, r := range body.Cells {
			if r.Line == k.cell.Line && r.Group == k.cell.Group && r.Occupancy == k.cell.Occupancy && r.From <= k.cell.Night && k.cell.Night <= r.To {
				return r.Words, nil
			}
		}
	}
	return "the reason is no longer kept", nil
}

// guardWords makes a sentence of what a price guard has found.
func guardWords(found string) string {
	reason, by, _ := strings.Cut(found, ": ")
	switch reason {
	case price.BelowFloor:
		return "it is below the " + by
	case price.AboveCeiling:
		return "it is above the " + by
	case price.FellTooFar:
		return "it is lower than the last one by more than " + by
	case price.RoseTooFar:
		return "it is higher than the last one by more than " + by
	}
	return found
}

// clock writes an instant of a sentence.
func clock(micros int64) string { return instant(micros).UTC().Format(time.RFC3339) }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
