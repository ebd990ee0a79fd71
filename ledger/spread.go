package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// spreadState says what is known of how far a change goes.
type spreadState string

// The states. What of a change may be too much is not told before all of it is
// counted; what is too much is held until somebody has decided; and what was taken
// back is held until the channel is to show again what it did.
const (
	spreadCounting spreadState = "counting"
	spreadHeld     spreadState = "held"
	spreadUndone   spreadState = "undone"
)

// spread is how far a change goes at a channel: the nights of counters that it
// raises, and those of mappings that it opens or reprices. Each is a cell. A change
// that is worked out in one step, and is not too much, leaves none.
type spread struct {
	ledgerdb.Spread
	stock, rates lineNights
	sample       []spreadCell
	grown        bool // by the item that is at work
}

// spreadCell is one of the cells of a change, for whoever decides.
type spreadCell struct {
	hotel.Cell
	Shown  *int64
	Wanted int64
}

// mostSampled is how many cells of a change are shown to whoever decides.
const mostSampled = 5

func newSpread(channel, change string, sequence int64) *spread {
	return &spread{Spread: ledgerdb.Spread{ChannelID: channel, Change: change, Sequence: sequence, State: string(spreadCounting)}, stock: lineNights{}, rates: lineNights{}}
}

func spreadOf(row ledgerdb.Spread) (*spread, error) {
	s := &spread{Spread: row, stock: lineNights{}, rates: lineNights{}}
	for _, of := range []struct {
		text string
		into lineNights
	}{{row.Stock, s.stock}, {row.Rates, s.rates}} {
		var lines map[int64][]hotel.Span
		if err := json.Unmarshal([]byte(of.text), &lines); err != nil {
			return nil, fmt.Errorf("nights of change %s: %w", row.Change, err)
		}
		for line, spans := range lines {
			of.into[line] = nightSet{}
			for _, span := range spans {
				of.into[line].addSpan(span)
			}
		}
	}
	if err := json.Unmarshal([]byte(row.Sample), &s.sample); err != nil {
		return nil, fmt.Errorf("sample of change %s: %w", row.Change, err)
	}
	return s, nil
}

func spreadsOf(rows []ledgerdb.Spread, err error) ([]*spread, error) {
	if err != nil {
		return nil, fmt.Errorf("read how far changes go: %w", err)
	}
	list := make([]*spread, len(rows))
	for i, row := range rows {
		if list[i], err = spreadOf(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s *spread) is(state spreadState) bool { return s.State == string(state) }

// of returns the nights of the kind that a cell is of.
func (s *spread) of(c hotel.Cell) lineNights {
	if c.Group == hotel.Availability {
		return s.stock
	}
	return s.rates
}

func (s *spread) has(c hotel.Cell) bool {
	_, there := s.of(c)[c.Line][c.Night]
	return there
}

func (s *spread) add(c spreadCell) {
	if s.has(c.Cell) {
		return
	}
	s.of(c.Cell).mark([]int64{c.Line}, c.Night)
	if s.grown = true; len(s.sample) < mostSampled {
		s.sample = append(s.sample, c)
	}
}

// join takes in what was counted of the same change.
func (s *spread) join(counted *spread) {
	for _, of := range []struct{ into, from lineNights }{{s.stock, counted.stock}, {s.rates, counted.rates}} {
		for line, nights := range of.from {
			for d := range nights {
				if _, there := of.into[line][d]; !there {
					of.into.mark([]int64{line}, d)
					s.grown = true
				}
			}
		}
	}
	s.sample = append(s.sample, counted.sample[:min(len(counted.sample), mostSampled-min(mostSampled, len(s.sample)))]...)
}

// size counts the cells.
func (s *spread) size() (n int) {
	for _, of := range []lineNights{s.stock, s.rates} {
		for _, nights := range of {
			n += len(nights)
		}
	}
	return n
}

// spans lists the nights by line, as they are stored.
func (n lineNights) spans() map[int64][]hotel.Span {
	lines := make(map[int64][]hotel.Span, len(n))
	for line, nights := range n {
		lines[line] = nights.spans()
	}
	return lines
}

func (t *tx) putSpread(s *spread) error {
	for _, of := range []struct {
		into *string
		from any
	}{{&s.Stock, s.stock.spans()}, {&s.Rates, s.rates.spans()}, {&s.Sample, append([]spreadCell{}, s.sample...)}} {
		text, err := json.Marshal(of.from)
		if err != nil {
			return err
		}
		*of.into = string(text)
	}
	if err := t.q.PutSpread(t.ctx, ledgerdb.PutSpreadParams(s.Spread)); err != nil {
		return fmt.Errorf("store how far change %s goes: %w", s.Change, err)
	}
	return nil
}

// dropSpread forgets a change at a channel. What was held of it, or of anything else
// there, is told or judged again.
func (t *tx) dropSpread(s *spread, property string) error {
	if err := t.q.DeleteSpread(t.ctx, ledgerdb.DeleteSpreadParams{ChannelID: s.ChannelID, Change: s.Change}); err != nil {
		return fmt.Errorf("forget change %s: %w", s.Change, err)
	}
	if s.is(spreadCounting) {
		return nil
	}
	t.effects.touchOffers(property)
	seq := t.heads.sequence
	if err := t.q.ReleaseStock(t.ctx, ledgerdb.ReleaseStockParams{Sequence: seq, ChannelID: s.ChannelID}); err != nil {
		return fmt.Errorf("release rooms of %s: %w", s.ChannelID, err)
	}
	if err := t.q.ReleaseProducts(t.ctx, ledgerdb.ReleaseProductsParams{Sequence: &seq, ChannelID: s.ChannelID}); err != nil {
		return fmt.Errorf("release products of %s: %w", s.ChannelID, err)
	}
	if err := t.q.ReleaseClosings(t.ctx, ledgerdb.ReleaseClosingsParams{Sequence: &seq, ChannelID: s.ChannelID}); err != nil {
		return fmt.Errorf("release closings of %s: %w", s.ChannelID, err)
	}
	if err := t.q.ReleaseGuests(t.ctx, ledgerdb.ReleaseGuestsParams{Sequence: &seq, ChannelID: s.ChannelID}); err != nil {
		return fmt.Errorf("release prices of %s: %w", s.ChannelID, err)
	}
	return nil
}

// over reports whether all that follows from the change has been worked out at the
// channel, which has followed the journal through an entry.
func (s *spread) over(through int64) bool { return s.Until != nil && through >= *s.Until }

// changeKinds are the entries by which somebody changes what the house or a channel
// sells. What follows from bookings, and from the time, is never too much, nor what a plan has
// shown before: a channel goes live, or is mapped anew, by one alone.
var changeKinds = []Kind{
	StockChanged, GivenChanged, ShownChanged, PricesChanged, RestrictionsChanged,
	PropertyUpdated, PoolCreated, PoolUpdated, PoolArchived, RoomTypeCreated, RoomTypeUpdated, RoomTypeArchived,
	RatePlanCreated, RatePlanUpdated, RatePlanArchived, PricingRuleCreated, PricingRuleUpdated, PricingRuleDeleted,
	ChannelUpdated,
}

// changeOf names the change that an entry is of: the update that made it, or the
// entry itself; "" for what is no such change.
func changeOf(e Entry) (string, error) {
	if !slices.Contains(changeKinds, e.Kind) {
		return "", nil
	}
	body, err := decode[struct {
		UpdateID string `json:"update_id"`
	}](e)
	if body.UpdateID == "" {
		return fmt.Sprint(e.Sequence), err
	}
	return body.UpdateID, err
}
