package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// guards reports whether any pool of the property is guarded, if only at the last.
func (s *structure) guards() bool {
	return slices.ContainsFunc(s.pools, func(p hotel.Pool) bool { return guardedKind(p.Protection) })
}

func guardedKind(p hotel.Protection) bool {
	return p.Kind == hotel.Guarded || p.Kind == hotel.GuardedLast
}

// mayGuard reports whether a room type draws on a pool that is guarded, on every night
// or on some.
func (s *structure) mayGuard(room string) bool {
	i, known := s.empty.Room(room)
	protections := s.protections()
	return known && slices.ContainsFunc(s.rooms[i].Consumes, func(d hotel.Draw) bool { return guardedKind(protections[d.AnyOf[0]]) })
}

// protections returns the protection of each pool. Pools that stand in for each
// other are protected as the best of them is: a booking may come to lie in any.
func (s *structure) protections() map[string]hotel.Protection {
	of := make(map[string]hotel.Protection, len(s.pools))
	for _, p := range s.pools {
		of[p.ID] = p.Protection
	}
	for changed := true; changed; {
		changed = false
		for _, r := range s.rooms {
			for _, d := range r.Consumes {
				best := of[d.AnyOf[0]]
				for _, id := range d.AnyOf[1:] {
					best = better(best, of[id])
				}
				for _, id := range d.AnyOf {
					if of[id] != best {
						of[id], changed = best, true
					}
				}
			}
		}
	}
	return of
}

func better(a, b hotel.Protection) hotel.Protection {
	rank := func(p hotel.Protection) int {
		switch p.Kind {
		case hotel.Guarded:
			return hotel.MaxUnits + 1
		case hotel.GuardedLast:
			return p.N
		case hotel.Shared:
		}
		return 0
	}
	if rank(b) > rank(a) {
		return b
	}
	if rank(a) == 0 {
		return hotel.Protection{}
	}
	return a
}

// seller is a channel that may be selling, as the dealing of rooms sees it.
type seller struct {
	row   ledgerdb.Channel
	of    hotel.Channel
	terms hotel.Terms
	lines []Counter
}

// sellers lists the channels of a property that may sell by themselves: those that
// are live or paused.
func (t *tx) sellers(property string) ([]seller, error) {
	rows, err := t.q.ListChannelsOf(t.ctx, property)
	if err != nil {
		return nil, fmt.Errorf("list channels: %w", err)
	}
	var out []seller
	for _, row := range rows {
		if row.Status != string(hotel.ChannelActive) && row.Status != string(hotel.Paused) {
			continue
		}
		c, err := t.sellerOf(row)
		if err != nil {
			return nil, err
		}
		if c.of.Shadow {
			continue // what it was granted before stays its own
		}
		if c.lines, _, err = loadLines(t.ctx, t.q, row.ID); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// sellerOf reads a channel's row, without its counters. What an unchanged row was
// read as is kept: rooms are dealt at the end of most items.
func (t *tx) sellerOf(row ledgerdb.Channel) (seller, error) {
	known, ok := t.l.sellers[row.ID]
	same := ok && known.row.Revision == row.Revision && known.row.Body == row.Body && known.row.Settings == row.Settings && known.row.Terms == row.Terms
	if same && known.row.UpdatedAt == row.UpdatedAt {
		known.row = row
		return known, nil
	}
	c := seller{row: row}
	var err error
	if c.of, err = channelOf(row); err != nil {
		return c, err
	}
	if c.terms, err = termsOf(row); err != nil {
		return c, err
	}
	t.l.sellers[row.ID] = c
	return c, nil
}

// enrol brings the parties of some nights in line with the protection of their
// pools, and with how far ahead channels take nights. It reports whether any came or
// went.
func (t *tx) enrol(s *structure, sellers []seller, b *board.Board, held *holdings, span hotel.Span) (bool, error) {
	joined, left := map[int64]nightSet{}, map[int64]nightSet{}
	calm, err := t.calmOf(s, span)
	if err != nil {
		return false, err
	}
	beyond, err := t.heldBeyond(s, sellers, held, span)
	if err != nil {
		return false, err
	}
	for d := span.From; d <= span.To; d++ {
		rooms := map[string]bool{}
		for at, h := range held.of {
			if at.night == d {
				rooms[h.row.RoomTypeID] = true
			}
		}
		on, err := calm.guarded(d, s.zones(b.House(d), func(room int) bool { return rooms[s.rooms[room].ID] }))
		if err != nil {
			return false, err
		}
		for i := range sellers {
			takes := t.takes(s, &sellers[i], d)
			for _, c := range sellers[i].lines {
				room, ok := s.empty.Room(c.RoomTypeID)
				wanted, h := ok && on[room], held.at(c.Line, d)
				if !takes {
					wanted = beyond[partyNight{c.Line, d}]
				}
				switch {
				case wanted && h == nil:
					addNight(joined, c.Line, d)
				case !wanted && h != nil:
					addNight(left, c.Line, d)
				}
			}
		}
	}
	for i := range sellers {
		for _, c := range sellers[i].lines {
			if err := t.insertParties(s, &sellers[i], c.Line, joined[c.Line]); err != nil {
				return false, err
			}
			if err := t.releaseParties(s, sellers[i].row.ID, c.Line, left[c.Line]); err != nil {
				return false, err
			}
		}
	}
	return len(joined)+len(left) > 0, nil
}

// takes reports whether a channel takes a night.
func (t *tx) takes(s *structure, c *seller, night hotel.Date) bool {
	return c.terms.Takes(night, s.property.Today(t.now))
}

// heldBeyond returns the parties of nights that their channels do not take, as they did
// before. These stay parties though they have nothing left, whatever becomes of the
// pool: what they are wanted to show is worked out no more, so that no other order may
// be told them but to close, and a guest who cancels there may have a room shown again.
// Not so those that were never told anything: they show nothing, though nobody says so.
func (t *tx) heldBeyond(s *structure, sellers []seller, held *holdings, span hotel.Span) (map[partyNight]bool, error) {
	beyond := map[partyNight]bool{}
	for i := range sellers {
		var doubtful []hotel.Cell
		for d := span.From; d <= span.To; d++ {
			if t.takes(s, &sellers[i], d) {
				continue
			}
			for _, c := range sellers[i].lines {
				switch h := held.at(c.Line, d); {
				case h == nil:
				case h.now.Unknown:
					doubtful = append(doubtful, hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: d})
				default:
					beyond[partyNight{c.Line, d}] = true
				}
			}
		}
		table := t.cellsOf(sellers[i].row)
		if err := table.load(doubtful); err != nil {
			return nil, err
		}
		for _, cell := range doubtful {
			beyond[partyNight{cell.Line, cell.Night}] = table.cells.at(cell) != nil
		}
	}
	return beyond, nil
}

// withinReach has the nights dealt that a day has brought within what channels take: what
// is wanted of one on which a counter was a party before may be what it was then.
func (t *tx) withinReach(s *structure, before, today hotel.Date) error {
	if on, err := t.guarding(s); err != nil || !on {
		return err
	}
	sellers, err := t.sellers(s.property.ID)
	if err != nil {
		return err
	}
	last := today + hotel.Date(s.property.HorizonDays)
	nights := nightSet{}
	for i := range sellers {
		if days := hotel.Date(sellers[i].terms.HorizonDays); days > 0 {
			nights.addSpan(hotel.Span{From: max(before+days+1, today), To: min(today+days, last)})
		}
	}
	t.redeal(s.property.ID, nights)
	return nil
}

func addNight(to map[int64]nightSet, line int64, d hotel.Date) {
	if to[line] == nil {
		to[line] = nightSet{}
	}
	to[line][d] = struct{}{}
}

// insertParties makes a counter a party on some nights. What it may be selling is
// what was stated when its channel went live, where that is the last that is
// known, else nobody knows.
func (t *tx) insertParties(s *structure, c *seller, line int64, nights nightSet) error {
	if len(nights) == 0 {
		return nil
	}
	table := t.cellsOf(c.row)
	cells := make([]hotel.Cell, 0, len(nights))
	for d := range nights {
		cells = append(cells, hotel.Cell{Line: line, Group: hotel.Availability, Night: d})
	}
	if err := table.load(cells); err != nil {
		return err
	}
	stated, unknown := nightSet{}, nightSet{}
	for _, cell := range cells {
		if g := table.cells.at(cell); c.row.Opening != nil && (g == nil || g.untold(*c.row.Opening)) {
			stated[cell.Night] = struct{}{}
		} else {
			unknown[cell.Night] = struct{}{}
		}
		if g := table.cells.at(cell); g != nil {
			g.guard()
		}
	}
	if err := table.save(); err != nil {
		return err
	}
	for opening, of := range map[*int64]nightSet{c.row.Opening: stated, nil: unknown} {
		if len(of) == 0 {
			continue
		}
		row := ledgerdb.InsertPartiesParams{PropertyID: s.property.ID, Nights: numbers(of), Line: line, Opening: opening}
		if opening == nil {
			row.RaiseLast = microsOrNil(t.steady)
		}
		if err := t.q.InsertParties(t.ctx, row); err != nil {
			return fmt.Errorf("make parties of counter %d: %w", line, err)
		}
	}
	t.renewed(s.property.ID, nights)
	return nil
}

// numbers writes nights as a JSON array of numbers.
func numbers(nights nightSet) string {
	list := make([]int64, 0, len(nights))
	for _, d := range nights.sorted() {
		list = append(list, int64(d))
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // numbers can be written
	}
	return string(b)
}

// releaseParties lets a counter go back to showing what is free.
func (t *tx) releaseParties(s *structure, channel string, line int64, nights nightSet) error {
	for _, span := range nights.spans() {
		first, last := int64(span.From), int64(span.To)
		if err := t.q.DeleteParties(t.ctx, ledgerdb.DeletePartiesParams{PropertyID: s.property.ID, Line: line, First: first, Last: last}); err != nil {
			return fmt.Errorf("release counter %d: %w", line, err)
		}
		if err := t.q.ReleaseCells(t.ctx, ledgerdb.ReleaseCellsParams{ChannelID: channel, Line: line, First: first, Last: last}); err != nil {
			return fmt.Errorf("release counter %d: %w", line, err)
		}
	}
	if len(nights) > 0 {
		t.renewed(s.property.ID, nights)
		t.effects.touchOffers(s.property.ID)
	}
	return nil
}

// forgetParties removes what was granted and sold on nights that are over.
func (t *tx) forgetParties(s *structure, today hotel.Date) error {
	if err := t.q.DeletePastParties(t.ctx, ledgerdb.DeletePastPartiesParams{PropertyID: s.property.ID, First: int64(today)}); err != nil {
		return fmt.Errorf("forget past parties: %w", err)
	}
	if err := t.q.DeletePastCounted(t.ctx, ledgerdb.DeletePastCountedParams{PropertyID: s.property.ID, First: int64(today)}); err != nil {
		return fmt.Errorf("forget past sales of counters: %w", err)
	}
	if err := t.q.DeletePastCalm(t.ctx, ledgerdb.DeletePastCalmParams{PropertyID: s.property.ID, First: int64(today)}); err != nil {
		return fmt.Errorf("forget past crossings: %w", err)
	}
	if err := t.q.DeletePastOvergrantedLeft(t.ctx, ledgerdb.DeletePastOvergrantedLeftParams{PropertyID: s.property.ID, First: int64(today)}); err != nil {
		return fmt.Errorf("forget what of past nights was left: %w", err)
	}
	t.renewed(s.property.ID, setOf(today-1))
	return nil
}
