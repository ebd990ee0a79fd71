package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// loadNights reads the facts of the property's nights from from to to,
// inclusive, with what is sold and announced of them. Boards are made of it, and
// so is every decision inside a transaction. Whoever changes what is read here
// marks the nights with renewed, or patches them in the same way.
func (s *structure) loadNights(ctx context.Context, f facts, from, to hotel.Date) ([]*board.Night, error) {
	nights := s.emptyNights(from, to)
	if err := s.layStock(ctx, f, from, nights); err != nil {
		return nil, err
	}
	if err := s.laySwitches(ctx, f, from, nights); err != nil {
		return nil, err
	}
	return nights, s.layPrices(ctx, f, from, nights, "")
}

func (s *structure) emptyNights(from, to hotel.Date) []*board.Night {
	nights := make([]*board.Night, max(0, int(to-from)+1))
	for i := range nights {
		n := board.NewNight(len(s.pools), len(s.rooms), len(s.plans))
		for p := range s.pools {
			n.Pools[p].Total = s.pools[p].TotalUnits
		}
		nights[i] = n
	}
	return nights
}

// layStock writes the physical and the selling facts into the nights, and the
// rooms that are taken.
func (s *structure) layStock(ctx context.Context, f facts, from hotel.Date, nights []*board.Night) error {
	to := from + hotel.Date(len(nights)) - 1
	ofPools, err := readFacts[poolFact](ctx, f, poolSheet, from, to)
	if err != nil {
		return err
	}
	for _, r := range ofPools {
		pool, ok := s.empty.Pool(r.subject)
		if !ok {
			continue // it is archived, as is whatever else is passed over below
		}
		n := &nights[r.night-from].Pools[pool]
		if r.V.Total != nil {
			n.Total = *r.V.Total
		}
		n.OutOfOrder, n.OutOfInventory, n.Overbooking = r.V.OutOfOrder, r.V.OutOfInventory, r.V.Overbooking
	}
	ofHouse, err := readFacts[houseFact](ctx, f, houseSheet, from, to)
	if err != nil {
		return err
	}
	for _, r := range ofHouse {
		if r.V.Limit != nil {
			nights[r.night-from].HouseLimit = *r.V.Limit
		}
	}
	ofRooms, err := readFacts[roomFact](ctx, f, roomSheet, from, to)
	if err != nil {
		return err
	}
	for _, r := range ofRooms {
		room, ok := s.empty.Room(r.subject)
		if !ok {
			continue
		}
		n := &nights[r.night-from].Rooms[room]
		if r.V.SellLimit != nil {
			n.SellLimit = *r.V.SellLimit
		}
		n.Closed = r.V.Closed
	}
	shown, err := readFacts[board.Shown](ctx, f, shownSheet, from, to)
	if err != nil {
		return err
	}
	for _, r := range shown {
		if room, ok := s.empty.Room(r.subject); ok {
			nights[r.night-from].Show(room, r.V)
		}
	}
	if err := s.layGiven(ctx, f, from, nights); err != nil {
		return err
	}
	taken, err := f.counts(ctx, from, to)
	if err != nil {
		return err
	}
	for k, c := range taken {
		if room, ok := s.empty.Room(k.room); ok {
			n := &nights[k.night-from].Rooms[room]
			n.Sold, n.Held, n.Blocked = c.Sold, c.Held, c.Blocked
		}
	}
	if f.past != nil { // what was announced is the journal's to tell
		moved := f.past.pickup()
		for i := range nights {
			nights[i].Moved = moved[from+hotel.Date(i)]
		}
		return nil
	}
	moved, err := f.q.PickupNights(ctx, ledgerdb.PickupNightsParams{PropertyID: s.property.ID, First: int64(from), Last: int64(to)})
	if err != nil {
		return fmt.Errorf("read the pickup of %s: %w", s.property.ID, err)
	}
	for _, r := range moved {
		n := nights[hotel.Date(r.Night)-from]
		n.Moved = append(n.Moved, board.Moved{On: hotel.Date(r.Day), Rooms: int(r.Rooms)})
	}
	parties, err := heldIn(ctx, f.q, s.property.ID, hotel.Span{From: from, To: to})
	if err != nil {
		return err
	}
	layGranted(s, parties, from, nights)
	told, err := f.q.HouseStock(ctx, ledgerdb.HouseStockParams{PropertyID: s.property.ID, First: int64(from), Last: int64(to)})
	if err != nil {
		return fmt.Errorf("read house stock of %s: %w", s.property.ID, err)
	}
	for _, r := range told {
		if room, ok := s.empty.Room(r.RoomTypeID); ok {
			nights[hotel.Date(r.Night)-from].Announced[room] = board.Announced{
				Known: true, Net: int(r.Net), Available: int(r.Available), Crowd: board.Crowd{Oversold: int(r.Oversold), Planned: int(r.Planned)},
			}
		}
	}
	return nil
}

// layPrices writes prices and restrictions into the nights: of one room type, or
// of all when room is "".
func (s *structure) layPrices(ctx context.Context, f facts, from hotel.Date, nights []*board.Night, room string) error {
	to := from + hotel.Date(len(nights)) - 1
	prices, err := readRoom[priceFact](ctx, f, priceSheet, from, to, room)
	if err != nil {
		return err
	}
	for _, r := range prices {
		if ofRoom, plan, ok := s.level(r.subject); ok {
			nights[r.night-from].Rates[ofRoom][plan] = r.V.rate()
		}
	}
	rules, err := readRoom[hotel.Restriction](ctx, f, ruleSheet, from, to, room)
	if err != nil {
		return err
	}
	if room != "" { // levels that name no room type hold for it too
		above, err := readFactsOf[hotel.Restriction](ctx, f, ruleSheet, from, to, "/", "0")
		if err != nil {
			return err
		}
		rules = append(rules, above...)
	}
	for _, r := range rules {
		ofRoom, plan, ok := s.level(r.subject)
		if !ok || r.V == (hotel.Restriction{}) {
			continue
		}
		nights[r.night-from].Restrict(ofRoom, plan, r.V)
	}
	return nil
}

// rate returns what was typed in the form that prices are made of.
func (f priceFact) rate() board.Rate {
	rate := board.Rate{Amount: board.None, ByOccupancy: f.Occupancies}
	if f.Amount != nil {
		rate.Amount = *f.Amount
	}
	if f.ExtraAdult != nil || f.ExtraChild != nil {
		rate.Extra = &price.Extra{Adult: price.None, Child: f.ExtraChild}
		if f.ExtraAdult != nil {
			rate.Extra.Adult = *f.ExtraAdult
		}
	}
	switch {
	case f.Lock == nil:
	case f.Lock.Until == nil:
		rate.LockedTo = price.Forever
	default:
		rate.LockedTo = *f.Lock.Until
	}
	return rate
}

// level returns the indexes of the room type and the plan that a subject names,
// [board.Every] for one that it leaves open. It reports false for one that is
// archived.
func (s *structure) level(subject string) (room, plan int, ok bool) {
	p := productOf(subject)
	room, plan, ok = board.Every, board.Every, true
	if p.room != "" {
		room, ok = s.empty.Room(p.room)
	}
	if p.plan != "" && ok {
		plan, ok = s.empty.Plan(p.plan)
	}
	return room, plan, ok
}

// readRoom returns the facts about products of one room type, or of all.
func readRoom[V any](ctx context.Context, f facts, of sheet, from, to hotel.Date, room string) ([]fact[V], error) {
	if room == "" {
		return readFacts[V](ctx, f, of, from, to)
	}
	return readFactsOf[V](ctx, f, of, from, to, room+"/", room+"0") // 0 is the byte behind /
}

// stockBoard is spanBoard, but reads what is not in memory without prices,
// restrictions and switches.
func (t *tx) stockBoard(s *structure, span hotel.Span) (*board.Board, error) {
	if nights := t.remembered(s.property.ID, span); nights != nil {
		return s.board(t.now, span.From, nights, t.heads.sequence), nil
	}
	f, err := t.l.facts(t.ctx, t.q, s.property.ID)
	if err != nil {
		return nil, err
	}
	nights := s.emptyNights(span.From, span.To)
	if err := s.layStock(t.ctx, f, span.From, nights); err != nil {
		return nil, err
	}
	return s.board(t.now, span.From, nights, t.heads.sequence), nil
}

// priceBoard is spanBoard, but reads what is not in memory for the prices and
// restrictions of one room type and the switches alone; stock only where rules ask
// for it.
func (t *tx) priceBoard(s *structure, span hotel.Span, room string) (*board.Board, error) {
	if nights := t.remembered(s.property.ID, span); nights != nil {
		return s.board(t.now, span.From, nights, t.heads.sequence), nil
	}
	f, err := t.l.facts(t.ctx, t.q, s.property.ID)
	if err != nil {
		return nil, err
	}
	nights := s.emptyNights(span.From, span.To)
	if len(s.watching(stockFigures...)) > 0 {
		if err := s.layStock(t.ctx, f, span.From, nights); err != nil {
			return nil, err
		}
	}
	if err := s.laySwitches(t.ctx, f, span.From, nights); err != nil {
		return nil, err
	}
	if err := s.layPrices(t.ctx, f, span.From, nights, room); err != nil {
		return nil, err
	}
	return s.board(t.now, span.From, nights, t.heads.sequence), nil
}
