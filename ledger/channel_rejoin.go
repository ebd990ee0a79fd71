package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// mayLeave refuses to join a channel to another place while a room may still be
// sold where it is joined to, whose bookings would no longer be heard of. One that was
// told something and is in shadow since goes on selling that. Of one that was disconnected
// by force what it was granted goes on counting, and nobody hears of it.
func (t *tx) mayLeave(c hotel.Channel) error {
	switch {
	case c.Told(), c.Frozen:
	case c.Status == hotel.Disconnected:
		open, err := onSale(t.ctx, t.q, c, t.now)
		if err != nil || open.Undrained == 0 {
			return err
		}
		return t.expectClosed(c, hotel.Say("leave it as it is until these nights are over, and make another channel for the other place"))
	case c.Shadow:
		nights, err := t.horizon(c.PropertyID)
		if err != nil {
			return err
		}
		told, err := t.q.ToldStock(t.ctx, ledgerdb.ToldStockParams{ChannelID: c.ID, First: int64(nights.From)})
		if err != nil || !told {
			return err
		}
	default:
		return nil
	}
	return t.expectClosed(c, hotel.Say("pause it and wait until it has taken the closing and its bookings are listed, or disconnect it by force, before it is joined to another place"))
}

// rejoin forgets what a channel was told, granted and asked at the place that it
// was joined to: another one shows nobody knows what, and is told everything.
// Calls under way end with an outcome that nobody waits for.
func (t *tx) rejoin(was hotel.Channel) error {
	if err := errors.Join(t.abandonCalls(was.ID), t.abandonActions(was)); err != nil {
		return err
	}
	if err := t.renewParties(was.PropertyID, was.ID); err != nil {
		return err
	}
	err := errors.Join(
		t.q.DeleteChannelStock(t.ctx, was.ID), t.q.DeleteChannelPrices(t.ctx, was.ID), t.q.DeleteChannelOccupancies(t.ctx, was.ID),
		t.q.DeleteChannelParties(t.ctx, was.ID), t.q.SetOpening(t.ctx, ledgerdb.SetOpeningParams{ID: was.ID}), t.q.SetPolled(t.ctx, ledgerdb.SetPolledParams{ID: was.ID}),
	)
	if err != nil {
		return fmt.Errorf("forget what channel %s was told: %w", was.ID, err)
	}
	return t.redealAll(was.PropertyID)
}

// abandonActions withdraws what a channel is asked to do with bookings of the place
// that it leaves, and asks somebody about all of it that nobody has decided.
func (t *tx) abandonActions(c hotel.Channel) error {
	ids, err := t.q.Unanswered(t.ctx, ledgerdb.UnansweredParams{ChannelID: c.ID, Now: new(int64(math.MaxInt64))})
	if err != nil {
		return fmt.Errorf("what channel %s is asked to do: %w", c.ID, err)
	}
	told, err := readAll[hotel.Conflict](t.q.OpenConflicts(t.ctx, ledgerdb.OpenConflictsParams{PropertyID: c.PropertyID, Kind: string(hotel.ConflictCancelAsked)}))
	if err != nil {
		return fmt.Errorf("what channel %s has not done: %w", c.ID, err)
	}
	about := map[string]hotel.ChannelAction{}
	for _, k := range told {
		var facts AskedFacts
		if err := json.Unmarshal(k.Facts, &facts); err != nil {
			return fmt.Errorf("facts of conflict %s: %w", k.ID, err)
		}
		if k.ChannelID == c.ID {
			ids, about[k.Subject.ID] = append(ids, k.Subject.ID), facts.Action
		}
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r, err := t.reservation(id)
		if err != nil {
			return err
		}
		a := about[id]
		if open := r.OpenAction(); open != nil {
			before := r
			a = *open
			r.SettleAction(hotel.ActionWithdrawn)
			if err := t.bookEntry(ReservationChannelAction, s, &r, &before); err != nil {
				return err
			}
		}
		if err := t.tellAsked(&r, a, AnswerRejoined, ""); err != nil {
			return err
		}
	}
	return nil
}

// abandonCalls ends a channel's calls that are under way.
func (t *tx) abandonCalls(channel string) error {
	rows, err := t.q.OpenDeliveries(t.ctx)
	if err != nil {
		return fmt.Errorf("list open calls: %w", err)
	}
	for _, d := range rows {
		if d.ChannelID != channel {
			continue
		}
		if err := t.settleAll(d, Settlement{State: DeliveryUnknown, Error: "the channel was joined to another place meanwhile"}); err != nil {
			return err
		}
	}
	return nil
}
