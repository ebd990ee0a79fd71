package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// attribute names the journal entries behind the steps, and who takes the rooms.
func (i *insight) attribute() error {
	night := hotel.Span{From: i.of.Night, To: i.of.Night}
	v := view{facts: i.seen.facts, s: i.seen.s, span: night}
	w, err := v.written(i.ctx)
	if err != nil {
		return err
	}
	taken, err := i.taken()
	if err != nil {
		return err
	}
	if err := i.readSet(); err != nil {
		return err
	}
	room := factKey{i.of.Night, i.of.RoomTypeID}
	pool := factKey{i.of.Night, i.pool()}
	for at := range i.out.Stock {
		s := &i.out.Stock[at]
		switch s.Name {
		case "stock", "out_of_order", "out_of_inventory", "overbooking":
			if s.Sequence = w.pools[pool].version; s.Name == "stock" {
				if s.Acted.ID = pool.subject; s.Sequence == 0 && s.Acted.ID != "" {
					s.Sequence = i.set[s.Acted.ID] // which said how many units it has on every night for which nobody says otherwise
				}
			}
		case "sold":
			s.Taken = among(taken, func(t hotel.Taken) bool { return t.ReservationID != "" && !t.Held && t.RoomTypeID == i.of.RoomTypeID })
		case "held":
			s.Taken = among(taken, func(t hotel.Taken) bool { return t.Held && t.RoomTypeID == i.of.RoomTypeID })
		case "blocks":
			s.Taken = among(taken, func(t hotel.Taken) bool { return t.ReservationID == "" && t.RoomTypeID == i.of.RoomTypeID })
		case "pool_sharing":
			s.Taken = among(taken, func(t hotel.Taken) bool { return t.RoomTypeID != i.of.RoomTypeID && i.shares(t.RoomTypeID) })
		case "given":
			s.Sequence = w.given[room].version
		case "sell_limit":
			s.Sequence = w.rooms[room].version
		case "house_limit":
			s.Sequence = w.house[factKey{i.of.Night, i.row.PropertyID}].version
		}
	}
	i.out.Kept, i.out.Closing = w.shown[room].version, w.rooms[room].version
	return i.attributeProduct(v)
}

// attributeProduct names the entries behind the product's prices and restrictions.
func (i *insight) attributeProduct(v view) error {
	prices, err := written[priceFact](i.ctx, v, priceSheet)
	if err != nil {
		return err
	}
	switches, err := written[price.Switch](i.ctx, v, switchSheet)
	if err != nil {
		return err
	}
	of := product{i.of.RoomTypeID, i.line.RatePlanID}
	for _, steps := range i.out.Prices {
		plan := of.plan
		for at := range steps {
			switch s := &steps[at]; s.Name {
			case "rate_base":
				plan = s.Acted.ID
				f := prices[factKey{i.of.Night, product{of.room, plan}.subject()}]
				s.Sequence = cmp.Or(f.V.Since, f.version)
			case "derivation":
				plan = i.derivedFrom(s.Acted.ID)
				s.Sequence = i.set[plan]
			case "rule":
				s.Sequence = max(i.set[s.Acted.ID], switches[factKey{i.of.Night, switchSubject(s.Acted.ID, of.room)}].version)
			case "floor_ceiling":
				s.Sequence = i.set[plan]
			}
		}
	}
	i.out.PlanSet, i.out.ChannelSet = i.set[of.plan], i.set[i.row.ID]
	rules, err := written[hotel.Restriction](i.ctx, v, ruleSheet)
	if err != nil {
		return err
	}
	levels := map[string]product{"property": {}, "room_type": {room: of.room}, "plan": {plan: of.plan}, "product": of}
	for at := range i.out.Rules {
		s := &i.out.Rules[at]
		if level, ok := levels[s.By]; ok {
			s.Sequence = rules[factKey{i.of.Night, level.subject()}].version
		}
	}
	return nil
}

// pool is the pool on which the room type draws, "" when there are several.
func (i *insight) pool() string {
	room := i.seen.s.room(i.of.RoomTypeID)
	if room == nil || len(room.Consumes) != 1 || len(room.Consumes[0].AnyOf) != 1 {
		return ""
	}
	return room.Consumes[0].AnyOf[0]
}

// shares reports whether another room type draws on the same pools.
func (i *insight) shares(other string) bool {
	a, ok := i.seen.s.empty.Room(i.of.RoomTypeID)
	b, known := i.seen.s.empty.Room(other)
	of := i.seen.s.empty.Sharing()
	return ok && known && of[a] == of[b]
}

func among(taken []hotel.Taken, is func(hotel.Taken) bool) []hotel.Taken {
	return slices.DeleteFunc(slices.Clone(taken), func(t hotel.Taken) bool { return !is(t) })
}

// taken lists who has rooms on the night.
func (i *insight) taken() ([]hotel.Taken, error) {
	if i.seen.facts.past != nil {
		return i.seen.facts.past.takenOn(i.of.Night), nil
	}
	rows, err := i.q.TakenOn(i.ctx, ledgerdb.TakenOnParams{PropertyID: i.row.PropertyID, Night: int64(i.of.Night)})
	if err != nil {
		return nil, fmt.Errorf("read who has the rooms of %s: %w", i.of.Night, err)
	}
	var out []hotel.Taken
	for _, r := range rows {
		t := hotel.Taken{ReservationID: r.ReservationID, ChannelID: r.ChannelID, RoomTypeID: r.RoomTypeID, Rooms: 1, Held: r.Held != 0, Sequence: r.Sequence}
		if r.BlockID != nil {
			t.BlockID = *r.BlockID
		}
		out = append(out, t)
	}
	blocks, err := i.q.BlocksOn(i.ctx, ledgerdb.BlocksOnParams{PropertyID: i.row.PropertyID, Night: int64(i.of.Night)})
	if err != nil {
		return nil, fmt.Errorf("read the blocks of %s: %w", i.of.Night, err)
	}
	for _, r := range blocks {
		out = append(out, hotel.Taken{BlockID: r.BlockID, ChannelID: r.ChannelID, RoomTypeID: r.RoomTypeID, Rooms: int(r.Units)})
	}
	return unpicked(out), nil
}

// takenOn lists who had rooms on a night.
func (p *past) takenOn(night hotel.Date) []hotel.Taken {
	var out []hotel.Taken
	for id, s := range p.stays {
		for _, h := range s.held {
			if h.From <= night && night <= h.To {
				out = append(out, hotel.Taken{
					ReservationID: id, ChannelID: s.channel, BlockID: s.block, RoomTypeID: h.RoomTypeID, Rooms: 1, Held: s.waits, Sequence: s.sequence,
				})
			}
		}
	}
	for id, b := range p.block {
		for _, r := range blockNights(&b.block) {
			if hotel.Date(r.Night) == night && r.Deducts != 0 {
				out = append(out, hotel.Taken{BlockID: id, ChannelID: r.ChannelID, RoomTypeID: r.RoomTypeID, Rooms: int(r.Units), Sequence: b.sequence})
			}
		}
	}
	slices.SortFunc(out, func(a, b hotel.Taken) int {
		return cmp.Or(cmp.Compare(a.ReservationID, b.ReservationID), cmp.Compare(a.BlockID, b.BlockID), cmp.Compare(a.RoomTypeID, b.RoomTypeID))
	})
	return unpicked(out)
}

// unpicked leaves of what blocks promise what nobody has picked up, and of what
// channels were promised by contract what they have not sold.
func unpicked(taken []hotel.Taken) []hotel.Taken {
	for _, t := range taken {
		if t.ReservationID == "" {
			continue
		}
		sold := false // from an allotment; one room is sold from one of them
		for at := range taken {
			b := &taken[at]
			switch {
			case b.ReservationID != "" || b.RoomTypeID != t.RoomTypeID:
			case b.ChannelID != "" && !sold && b.Rooms > 0 && (b.BlockID == t.BlockID || b.ChannelID == t.ChannelID):
				b.Rooms--
				sold = true
			case b.ChannelID == "" && b.BlockID == t.BlockID:
				b.Rooms--
			}
		}
	}
	return slices.DeleteFunc(taken, func(t hotel.Taken) bool { return t.Rooms <= 0 })
}
