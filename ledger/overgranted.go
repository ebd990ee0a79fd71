package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// sharedNight is a night of the room types that are sold from the same rooms, by the number
// that they have in common.
type sharedNight struct {
	night hotel.Date
	group int
}

// overgranted is on which nights channels of guarded pools may sell more than there is, by
// what was granted: of the room types that share rooms the one that misses most.
type overgranted map[sharedNight]ExposedNights

// overgrants is what an item has found on the nights that it has looked at.
type overgrants struct {
	looked nightSet
	now    overgranted
	others map[sharedNight]bool // of which nobody knows what channels were granted: what was said of them stands
}

func newOvergrants() overgrants {
	return overgrants{nightSet{}, overgranted{}, map[sharedNight]bool{}}
}

// look looks at a span of nights, whose parties are held.
func (o *overgrants) look(s *structure, b *board.Board, held *holdings, span hotel.Span) {
	o.looked.addSpan(span)
	sharing := b.Sharing()
	for at, h := range held.of {
		if room, ok := s.empty.Room(h.row.RoomTypeID); ok && h.now.Unknown {
			o.others[sharedNight{at.night, sharing[room]}] = true
		}
	}
	for d := span.From; d <= span.To; d++ {
		for room, n := range b.Overgranted(d) {
			at := sharedNight{d, sharing[room]}
			if was, known := o.now[at]; n == 0 || o.others[at] || known && was.missing() >= n {
				continue
			}
			free := max(0, b.House(d)[room].Net)
			o.now[at] = ExposedNights{s.rooms[room].ID, hotel.Span{From: d, To: d}, new(int64(free + n)), free}
		}
	}
}

// knows reports whether it was looked for whether anything is missing.
func (o *overgrants) knows(at sharedNight) bool {
	_, looked := o.looked[at.night]
	return looked && !o.others[at]
}

// on is what is said of one of the nights.
func (e ExposedNights) on(d hotel.Date) ExposedNights {
	e.Span = hotel.Span{From: d, To: d}
	return e
}

// missing is how many rooms more may be sold than there are.
func (e ExposedNights) missing() int { return int(*e.Shown) - e.Free }

// forgetOvergranted ends what was said of nights that are over.
func (t *tx) forgetOvergranted(s *structure) error { return t.tellOvergranted(s, newOvergrants()) }

// lookAtSold looks at the nights besides on which the item has sold rooms knowingly and which
// are dealt later: by then nobody knows that.
func (t *tx) lookAtSold(s *structure, o *overgrants) error {
	later := maps.Clone(t.soldDealt[s.property.ID])
	maps.DeleteFunc(later, func(d hotel.Date, _ struct{}) bool {
		_, looked := o.looked[d]
		return looked
	})
	for _, span := range later.spans() {
		held, err := t.holdings(s.property.ID, span)
		if err != nil {
			return err
		}
		b, err := t.spanBoard(s, span.From, span.To)
		if err != nil {
			return err
		}
		o.look(s, b, held, span)
	}
	return nil
}

// tellOvergranted raises, follows and ends what is to be said of the nights that an item has
// looked at: that a fact has taken rooms away that channels were granted, or that somebody has
// sold one knowingly. They are being closed already, until it is enough; but whoever is there
// ought to know before two guests are.
func (t *tx) tellOvergranted(s *structure, o overgrants) error {
	if err := t.leftBefore(s, o); err != nil {
		return err
	}
	open, err := t.openConflicts(s.property.ID, hotel.ConflictExposed)
	if err != nil || len(open)+len(o.now) == 0 {
		return err
	}
	sharing, today := s.empty.Sharing(), s.property.Today(t.now)
	was, is := map[string]*hotel.Conflict{}, map[string]overgranted{exposedRemoved: {}, exposedSold: {}}
	for i := range open {
		facts, err := exposedFactsOf(&open[i])
		if err != nil {
			return err
		}
		if is[facts.Reason] == nil {
			continue
		}
		was[facts.Reason] = &open[i]
		for _, n := range facts.Nights {
			room, _ := s.empty.Room(n.RoomTypeID)
			for d := max(n.From, today); d <= n.To; d++ {
				at := sharedNight{d, sharing[room]}
				if night, still := o.now[at]; still {
					is[facts.Reason][at] = night
				} else if !o.knows(at) {
					is[facts.Reason][at] = n.on(d)
				}
				delete(o.now, at)
			}
		}
	}
	for at, n := range o.now {
		reason := exposedRemoved
		if _, knowingly := t.soldDealt[s.property.ID][at.night]; knowingly {
			reason = exposedSold
		}
		is[reason][at] = n
	}
	for _, reason := range []string{exposedRemoved, exposedSold} {
		if err := t.sayOvergranted(s, reason, was[reason], is[reason]); err != nil {
			return err
		}
	}
	return nil
}

// sayOvergranted stores what there is to be said for a reason; was is the open conflict.
func (t *tx) sayOvergranted(s *structure, reason string, was *hotel.Conflict, is overgranted) error {
	facts := ExposedFacts{Reason: reason, Since: t.now, Sequence: t.heads.sequence}
	switch {
	case len(is) == 0 && was == nil:
		return nil
	case len(is) == 0:
		return t.over(was)
	case was != nil:
		said, err := exposedFactsOf(was)
		if err != nil {
			return err
		}
		facts.Since, facts.Sequence = said.Since, said.Sequence
	}
	for _, at := range slices.SortedFunc(maps.Keys(is), func(a, b sharedNight) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.night, b.night))
	}) {
		if last := len(facts.Nights) - 1; last >= 0 && facts.Nights[last].goesOn(is[at]) {
			facts.Nights[last].To = at.night
			continue
		}
		facts.Nights = append(facts.Nights, is[at])
	}
	body, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	first := facts.Nights[0]
	return t.raise(hotel.Conflict{
		PropertyID: s.property.ID, Kind: hotel.ConflictExposed, Topic: reason, Severity: hotel.Critical, Facts: body,
		Subject: hotel.ConflictSubject{Type: "cell", RoomTypeID: first.RoomTypeID, Date: first.From},
	})
}

// leaveOvergranted notes that somebody has decided about what a conflict says: of these nights no more
// is said until more is missing than now, or as much once more.
func (t *tx) leaveOvergranted(property string, facts ExposedFacts) error {
	for _, n := range facts.Nights {
		for d := n.From; d <= n.To; d++ {
			if err := t.q.PutOvergrantedLeft(t.ctx, ledgerdb.PutOvergrantedLeftParams{
				PropertyID: property, Night: int64(d), RoomTypeID: n.RoomTypeID, Rooms: int64(n.missing()),
			}); err != nil {
				return fmt.Errorf("note what is left as it is: %w", err)
			}
		}
	}
	return nil
}

// leftBefore takes from what was found that which somebody has left as it is, and follows
// that down: what is made good, and gone once more, is another matter.
func (t *tx) leftBefore(s *structure, o overgrants) error {
	rows, err := t.q.OvergrantedLeft(t.ctx, s.property.ID)
	if err != nil {
		return fmt.Errorf("read what was left as it is: %w", err)
	}
	sharing, found := s.empty.Sharing(), maps.Clone(o.now)
	for _, r := range rows {
		room, known := s.empty.Room(r.RoomTypeID)
		if !known {
			continue
		}
		at, missing := sharedNight{hotel.Date(r.Night), sharing[room]}, 0
		if n, some := found[at]; some {
			missing = n.missing()
		}
		if missing <= int(r.Rooms) {
			delete(o.now, at)
		}
		switch {
		case !o.knows(at) || missing >= int(r.Rooms):
		case missing == 0:
			err = t.q.DeleteOvergrantedLeft(t.ctx, ledgerdb.DeleteOvergrantedLeftParams{PropertyID: s.property.ID, Night: r.Night, RoomTypeID: r.RoomTypeID})
		default:
			err = t.q.PutOvergrantedLeft(t.ctx, ledgerdb.PutOvergrantedLeftParams{PropertyID: s.property.ID, Night: r.Night, RoomTypeID: r.RoomTypeID, Rooms: int64(missing)})
		}
		if err != nil {
			return fmt.Errorf("follow what was left as it is: %w", err)
		}
	}
	return nil
}
