package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// risks is what of guarded rooms is sold at a risk that a policy accepts, at one
// channel.
type risks struct {
	held    *holdings
	lost    []*holding // of which nobody knows what they may sell, at a channel that cannot be reached
	unsafe  []*holding // that were granted rooms though the channel promises too little
	applied struct{ lost, unsafe hotel.Applied }
	ability exposure.Ability
}

// risksOf looks for them. A channel cannot be reached that has owed a count for as long
// as one is stale, or that is told nothing at all.
func (t *tx) risksOf(row ledgerdb.Channel, stale staleness) (r risks, err error) {
	c := seller{row: row} // what the writer keeps is its own
	if c.of, err = channelOf(row); err != nil {
		return r, err
	}
	if c.terms, err = termsOf(row); err != nil {
		return r, err
	}
	property, err := readOne[hotel.Property](t.q.GetProperty(t.ctx, row.PropertyID))
	if err != nil {
		return r, err
	}
	lost, why := hotel.UnreachableOf(c.of.Policies, property.Policies)
	r.applied.lost = why
	r.ability = exposure.Of(c.terms)
	_, r.applied.unsafe = hotel.UnsafeOf(c.of.Policies, property.Policies)
	away := lost == hotel.AcceptRisk && (!c.of.Told() || !stale.counters.IsZero()) && row.Unproven == 0
	unsafe := c.atRisk(&structure{property: property})
	if !away && !unsafe {
		return r, nil
	}
	if r.held, err = t.holdings(row.PropertyID, property.Shows(t.now)); err != nil {
		return r, err
	}
	for _, h := range r.held.of {
		if h.row.ChannelID != row.ID {
			continue
		}
		e, known := h.now.Exposure(h.live)
		switch {
		case !known && away:
			r.lost = append(r.lost, h)
		case known && e > 0 && unsafe:
			r.unsafe = append(r.unsafe, h)
		}
	}
	if r.unsafe, err = t.unnoted(row, r.unsafe); err != nil {
		return r, err
	}
	return r, nil
}

// unnoted leaves the parties out whose nights were noted already.
func (t *tx) unnoted(row ledgerdb.Channel, list []*holding) ([]*holding, error) {
	if len(list) == 0 {
		return nil, nil
	}
	last, err := readOne[hotel.Conflict](t.q.LastConflict(t.ctx, ledgerdb.LastConflictParams{
		PropertyID: row.PropertyID, Kind: string(hotel.ConflictExposed), Topic: riskTopic(row.ID, exposedUnsafe),
	}))
	if errors.Is(err, ErrNotFound) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	facts, err := exposedFactsOf(&last)
	if err != nil {
		return nil, err
	}
	fresh := slices.ContainsFunc(list, func(h *holding) bool {
		return !slices.ContainsFunc(facts.Nights, func(n ExposedNights) bool {
			night := hotel.Date(h.row.Night)
			return n.RoomTypeID == h.row.RoomTypeID && n.From <= night && night <= n.To
		})
	})
	if !fresh {
		return nil, nil
	}
	return list, nil // the next note names all of them
}

func riskTopic(channel, reason string) string { return channel + "/" + reason }

// noteRisks deals the rooms to others of which nobody knows whether a channel that cannot
// be reached sells them, where a policy says so, and notes which nights that and rooms
// granted to an unsafe channel expose: never in silence.
func (l *Ledger) noteRisks(ctx context.Context, channel string, stale staleness) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, channel)
		if err != nil {
			return notFound(err)
		}
		r, err := t.risksOf(row, stale)
		if err != nil {
			return err
		}
		if err := t.noteRisk(row, exposedUnsafe, r.unsafe, r.applied.unsafe, nil); err != nil || len(r.lost) == 0 {
			return err
		}
		shown, err := t.mayShow(row, r.lost)
		if err != nil {
			return err
		}
		if err := t.noteRisk(row, exposedUnreachable, r.lost, r.applied.lost, shown); err != nil {
			return err
		}
		s, err := t.structure(row.PropertyID)
		if err != nil {
			return err
		}
		nights := nightSet{}
		for _, h := range r.lost {
			rooms := 0
			if n, known := shown[h]; known {
				rooms = r.ability.OnSale(n, h.live)
			} else if room, ok := s.empty.Room(h.row.RoomTypeID); ok {
				rooms = max(0, s.empty.Capacity(room)-h.live) // it can have no more on sale than there are
			}
			h.now = h.now.Risked(h.live, rooms)
			nights[hotel.Date(h.row.Night)] = struct{}{}
		}
		t.redeal(row.PropertyID, nights)
		return r.held.save()
	})
}

// mayShow returns the most that the counts of parties of a channel may say; those of
// which nobody knows are left out.
func (t *tx) mayShow(row ledgerdb.Channel, of []*holding) (map[*holding]int, error) {
	cellOf := func(h *holding) hotel.Cell {
		return hotel.Cell{Line: h.row.Line, Group: hotel.Availability, Night: hotel.Date(h.row.Night)}
	}
	table, cells := t.cellsOf(row), make([]hotel.Cell, len(of))
	for i, h := range of {
		cells[i] = cellOf(h)
	}
	if err := table.load(cells); err != nil {
		return nil, err
	}
	shown := make(map[*holding]int, len(of))
	for _, h := range of {
		if g := table.cells.at(cellOf(h)); g != nil && g.may != nil {
			shown[h] = int(*g.may)
		}
	}
	return shown, nil
}

// noteRisk stores that a policy has accepted a risk, for whoever looks who sold what.
// shown is the most that the counts of the parties may say, where the accounts do not.
func (t *tx) noteRisk(row ledgerdb.Channel, reason string, of []*holding, applied hotel.Applied, shown map[*holding]int) error {
	if len(of) == 0 {
		return nil
	}
	slices.SortFunc(of, func(a, b *holding) int {
		return compareCells(hotel.Cell{Line: a.row.Line, Night: hotel.Date(a.row.Night)}, hotel.Cell{Line: b.row.Line, Night: hotel.Date(b.row.Night)})
	})
	facts := ExposedFacts{Reason: reason, Since: t.now, Sequence: t.heads.sequence}
	first, last := hotel.Date(of[0].row.Night), hotel.Date(of[0].row.Night)
	for _, h := range of {
		first, last = min(first, hotel.Date(h.row.Night)), max(last, hotel.Date(h.row.Night))
	}
	house, err := t.q.HouseStock(t.ctx, ledgerdb.HouseStockParams{PropertyID: row.PropertyID, First: int64(first), Last: int64(last)})
	if err != nil {
		return fmt.Errorf("what is free: %w", err)
	}
	free := make(map[factKey]int, len(house))
	for _, h := range house {
		free[factKey{hotel.Date(h.Night), h.RoomTypeID}] = int(h.Available)
	}
	for _, h := range of {
		night := hotel.Date(h.row.Night)
		n := ExposedNights{RoomTypeID: h.row.RoomTypeID, Span: hotel.Span{From: night, To: night}, Free: free[factKey{night, h.row.RoomTypeID}]}
		if e, known := h.now.Exposure(h.live); known {
			n.Shown = new(int64(e))
		} else if count, told := shown[h]; told {
			n.Shown = new(int64(count))
		}
		if at := len(facts.Nights) - 1; at >= 0 && facts.Nights[at].goesOn(n) {
			facts.Nights[at].To = night
			continue
		}
		facts.Nights = append(facts.Nights, n)
	}
	body, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	severity := hotel.Critical
	if reason == exposedUnproven {
		severity = hotel.Warning // it is closed by now
	}
	return t.note(hotel.Conflict{
		PropertyID: row.PropertyID, ChannelID: row.ID, Kind: hotel.ConflictExposed, Topic: riskTopic(row.ID, reason), Severity: severity, Facts: body,
		Subject: hotel.ConflictSubject{Type: "channel", ID: row.ID}, Applied: &applied,
	}, hotel.OptionAccept)
}
