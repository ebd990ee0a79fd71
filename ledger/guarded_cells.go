package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// beginGuarded pays for what a call grants, and notes what it closes, before it is
// sent. What cannot be paid is not sent: the plan has been outrun.
func (t *tx) beginGuarded(channel ledgerdb.Channel, cells []SentCell, deadline time.Time) error {
	terms, err := termsOf(channel)
	if err != nil {
		return err
	}
	level := exposure.LevelOf(terms)
	of, err := t.sellerOf(channel)
	if err != nil {
		return err
	}
	return t.withParties(channel, cells, func(held *holdings, a exposure.Ability, c SentCell, h *holding) error {
		if c.Value == 0 {
			h.now = h.now.Close(0, a, t.steady)
			return held.put(h)
		}
		s, err := t.structure(channel.PropertyID)
		if err != nil {
			return err
		}
		risk := of.atRisk(s)
		if level != exposure.Guaranteed && level != exposure.OneWay && !risk {
			return ErrOutrun // it was ordered when its channel promised more, or the risk was accepted
		}
		b, err := t.spanBoard(s, c.Cell.Night, c.Cell.Night)
		if err != nil {
			return err
		}
		room, ok := s.empty.Room(h.row.RoomTypeID)
		if !ok {
			return ErrOutrun
		}
		if h.now, err = h.now.Grant(int(c.Value)+c.Sold, b.Undealt(c.Cell.Night)[room].Open, a, t.steady, deadline); err != nil {
			return fmt.Errorf("%w: counter %d on %s: %w", ErrOutrun, c.Cell.Line, c.Cell.Night, err)
		}
		if risk {
			h.now = h.now.Unsafe(h.live)
		}
		return held.put(h) // the next one is paid from what is left
	})
}

// settleGuarded notes what became of guarded cells of a call.
func (t *tx) settleGuarded(channel ledgerdb.Channel, cells map[DeliveryState][]SentCell) error {
	for _, became := range []DeliveryState{DeliveryApplied, DeliveryRejected, DeliveryNotSent, DeliveryUnknown} {
		err := t.withParties(channel, cells[became], func(_ *holdings, a exposure.Ability, c SentCell, h *holding) error {
			switch {
			case became == DeliveryUnknown:
				// Whatever was paid stays paid: it may have been applied.
				if c.Value > 0 {
					h.now = h.now.Unanswered(t.steady)
				}
			case c.Value == 0 && became == DeliveryApplied:
				h.now = h.now.Shut(t.steady)
			case c.Value == 0:
			case became == DeliveryApplied:
				h.now, h.seen = h.now.Applied(a, t.steady), t.sees()
			default:
				h.now = h.now.TurnedDown(a, t.steady)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(cells[became]) > 0 {
			t.redeal(channel.PropertyID, nightsOfCells(cells[became]))
			t.effects.touchOffers(channel.PropertyID) // who is closed is to be listed
		}
	}
	return nil
}

func nightsOfCells(cells []SentCell) nightSet {
	nights := make(nightSet, len(cells))
	for _, c := range cells {
		nights[c.Cell.Night] = struct{}{}
	}
	return nights
}

// spanOfCells is the first and the last night of cells; without any it has no night.
func spanOfCells(cells []SentCell) hotel.Span {
	if len(cells) == 0 {
		return hotel.Span{From: 1, To: 0}
	}
	span := hotel.Span{From: cells[0].Cell.Night, To: cells[0].Cell.Night}
	for _, c := range cells {
		span = hotel.Span{From: min(span.From, c.Cell.Night), To: max(span.To, c.Cell.Night)}
	}
	return span
}

// withParties goes through the parties that some cells are of, and stores what is
// made of them.
func (t *tx) withParties(channel ledgerdb.Channel, cells []SentCell, f func(*holdings, exposure.Ability, SentCell, *holding) error) error {
	if len(cells) == 0 {
		return nil
	}
	a, err := abilityOf(channel)
	if err != nil {
		return err
	}
	held, err := t.holdings(channel.PropertyID, spanOfCells(cells))
	if err != nil {
		return err
	}
	for _, c := range cells {
		if h := held.at(c.Cell.Line, c.Cell.Night); h != nil {
			if err := f(held, a, c, h); err != nil {
				return err
			}
		}
	}
	return held.save()
}

// listsTakeBack reports whether a list of a channel's bookings, or its counts with one,
// may take rooms back from it. Of a channel that is one way none does: a seller behind it
// may hear of a closing late, and sell what the list did not have yet.
func listsTakeBack(channel ledgerdb.Channel) (bool, error) {
	terms, err := termsOf(channel)
	return exposure.LevelOf(terms) != exposure.OneWay, err
}

// takesBack is [listsTakeBack] of a stored channel.
func (l *Ledger) takesBack(ctx context.Context, channel string) (bool, error) {
	row, err := l.read.GetChannel(ctx, channel)
	if err != nil {
		return false, notFound(err)
	}
	return listsTakeBack(row)
}

// beginList notes that a list of a channel's bookings begins.
func (t *tx) beginList(channel ledgerdb.Channel, nights hotel.Span, id int64) error {
	if may, err := listsTakeBack(channel); err != nil || !may {
		return err
	}
	return t.channelParties(channel, nights, func(a exposure.Ability, h *holding) { h.now = h.now.Listing(id, a, t.steady) })
}

// endList notes that a list of a channel's bookings was read to its end, and all in
// it stored.
func (t *tx) endList(channel ledgerdb.Channel, id int64) error {
	if may, err := listsTakeBack(channel); err != nil || !may {
		return err
	}
	rows, err := t.q.PartiesInList(t.ctx, ledgerdb.PartiesInListParams{ChannelID: channel.ID, Read: id})
	if err != nil || len(rows) == 0 {
		return err
	}
	nights := hotel.Span{From: hotel.Date(rows[0].Night), To: hotel.Date(rows[0].Night)}
	for _, r := range rows {
		nights = hotel.Span{From: min(nights.From, hotel.Date(r.Night)), To: max(nights.To, hotel.Date(r.Night))}
	}
	return t.channelParties(channel, nights, func(a exposure.Ability, h *holding) {
		if h.now.Read != id {
			return
		}
		if h.now.Back == 0 { // else its account may have more for it than it shows
			h.seen = t.sees()
		}
		h.now = h.now.Listed(id, h.sold(), a)
	})
}

// channelParties goes through a channel's parties of a span, and has the nights of
// those dealt anew that have come to stand otherwise.
func (t *tx) channelParties(channel ledgerdb.Channel, span hotel.Span, f func(exposure.Ability, *holding)) error {
	a, err := abilityOf(channel)
	if err != nil {
		return err
	}
	held, err := t.holdings(channel.PropertyID, span)
	if err != nil {
		return err
	}
	held.manual = true
	nights := nightSet{}
	for at, h := range held.of {
		if h.row.ChannelID != channel.ID {
			continue
		}
		before, seen := h.now, h.seen
		f(a, h)
		before.Read = h.now.Read
		if (before != h.now || seen != h.seen) && !before.Alike(h.now, a) {
			nights[at.night] = struct{}{}
		}
	}
	if err := held.save(); err != nil {
		return err
	}
	t.redeal(channel.PropertyID, nights)
	return nil
}

// Unlisted is what of a channel waits for a list of its bookings: counters that are
// closed, and counters whose count was read.
type Unlisted struct {
	Nights      hotel.Span
	First, Last time.Time // when the first and the last of them was closed, or read, in steady time
}

// Unlisted tells for which nights a list of a channel's bookings is waited for; false
// when it is for none, or no list would take anything back.
func (l *Ledger) Unlisted(ctx context.Context, channel string) (u Unlisted, ok bool, err error) {
	u, err = l.unlisted.get(&l.changes.commits, channel, func() (u Unlisted, err error) {
		if may, err := l.takesBack(ctx, channel); err != nil || !may {
			return u, err
		}
		rows, err := l.read.UnlistedParties(ctx, channel)
		if err != nil || len(rows) == 0 {
			return u, err
		}
		u.Nights = hotel.Span{From: hotel.Date(rows[0].Night), To: hotel.Date(rows[len(rows)-1].Night)}
		for _, r := range rows {
			at := instantOrZero(r.Since)
			if u.First.IsZero() || at.Before(u.First) {
				u.First = at
			}
			if at.After(u.Last) {
				u.Last = at
			}
		}
		return u, nil
	})
	return u, !u.Last.IsZero(), err
}

// DealDue deals anew where time alone changes what may be dealt: where a party was
// closed beside a raise that could still act then, and may be closed for good by
// now, where a room came back for somebody who waits for it no more, and where a
// pool that is guarded at the last has been quiet; where a number that had no answer acts
// no more; and where a channel has had the time to read that it is closed.
func (l *Ledger) DealDue(ctx context.Context) error {
	now := l.clock.Now()
	rows, err := l.read.WaitingNights(ctx)
	if err != nil {
		return fmt.Errorf("look for rooms to deal: %w", err)
	}
	calm, err := l.read.CalmNights(ctx, now.Add(-l.quiet).UnixMicro())
	if err != nil {
		return fmt.Errorf("look for rooms to deal: %w", err)
	}
	var failed error
	if l.recalls.due(now) {
		failed = l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
			for property, nights := range l.recalls.over(t.now) {
				if err := t.noteDeal(property, nights); err != nil {
					return err
				}
			}
			now := t.now
			t.effects.publish = append(t.effects.publish, func() { t.l.recalls.forget(now) }) // not before it is stored
			return nil
		})
	}
	nights := map[string]nightSet{}
	for _, r := range rows {
		markNight(nights, r.PropertyID, r.Night)
	}
	for _, r := range calm {
		markNight(nights, r.PropertyID, r.Night)
	}
	if err := l.timeAlone(ctx, nights); err != nil {
		return errors.Join(failed, err)
	}
	for _, property := range l.setbacks.resting(reviewals, now) {
		delete(nights, property)
	}
	for _, property := range slices.Sorted(maps.Keys(nights)) {
		failed = errors.Join(failed, l.piece(ctx, reviewals, property, func(t *tx) error {
			t.redeal(property, nights[property])
			return nil
		}))
	}
	return failed
}

// timeAlone adds the nights on which time alone changes what may be dealt to a channel, or
// because of it.
func (l *Ledger) timeAlone(ctx context.Context, nights map[string]nightSet) error {
	channels, err := l.read.ListChannels(ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	for _, row := range channels {
		of, err := termsOf(row)
		if err != nil {
			return err
		}
		if err := l.overtaken(ctx, row, of, nights); err != nil {
			return err
		}
		if err := l.haveRead(ctx, row, of, nights); err != nil {
			return err
		}
	}
	return nil
}

func markNight(of map[string]nightSet, property string, night int64) {
	if of[property] == nil {
		of[property] = nightSet{}
	}
	of[property][hotel.Date(night)] = struct{}{}
}

// KeepTerms keeps what a channel's connector promises: it decides what the channel
// may be granted of guarded rooms.
func (l *Ledger) KeepTerms(ctx context.Context, channel string, terms hotel.Terms) error {
	text, err := json.Marshal(terms)
	if err != nil {
		return fmt.Errorf("terms of channel %s: %w", channel, err)
	}
	row, err := l.read.GetChannel(ctx, channel)
	if err != nil || row.Terms == string(text) {
		return notFound(err)
	}
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, of, err := t.channel(channel)
		if err != nil {
			return err
		}
		before, err := termsOf(row)
		if err != nil {
			return err
		}
		if row.Terms != "" {
			if before.TotalLimit != terms.TotalLimit {
				if err := t.doubt(of, hotel.Span{}); err != nil { // what it was told meant something else
					return err
				}
			}
			if exposure.Of(terms).Weaker(exposure.Of(before)) { // what it was granted was worked out by what does not hold
				if err := t.estrange(row.PropertyID, channel); err != nil {
					return err
				}
			}
		}
		if err := t.q.SetTerms(t.ctx, ledgerdb.SetTermsParams{Terms: string(text), ID: channel}); err != nil {
			return fmt.Errorf("terms of channel %s: %w", channel, err)
		}
		return t.redealAll(row.PropertyID)
	})
}
