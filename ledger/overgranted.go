package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"ostler.example/hotel"
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

// overgranted looks for such nights in a span. Of the others nobody knows what channels
// were granted, so that what was said of them stands.
func (t *tx) overgranted(s *structure, held *holdings, span hotel.Span) (of overgranted, others map[sharedNight]bool, err error) {
	of, others = overgranted{}, map[sharedNight]bool{}
	if span.Days() == 0 {
		return of, others, nil
	}
	b, err := t.spanBoard(s, span.From, span.To)
	if err != nil {
		return nil, nil, err
	}
	sharing := b.Sharing()
	for at, h := range held.of {
		if room, ok := s.empty.Room(h.row.RoomTypeID); ok && h.now.Unknown {
			others[sharedNight{at.night, sharing[room]}] = true
		}
	}
	for d := span.From; d <= span.To; d++ {
		for room, n := range b.Overgranted(d) {
			at := sharedNight{d, sharing[room]}
			if was, known := of[at]; n == 0 || others[at] || known && was.missing() >= n {
				continue
			}
			free := max(0, b.House(d)[room].Net)
			of[at] = ExposedNights{s.rooms[room].ID, hotel.Span{From: d, To: d}, new(int64(free + n)), free}
		}
	}
	return of, others, nil
}

// on is what is said of one of the nights.
func (e ExposedNights) on(d hotel.Date) ExposedNights {
	e.Span = hotel.Span{From: d, To: d}
	return e
}

// missing is how many rooms more may be sold than there are.
func (e ExposedNights) missing() int { return int(*e.Shown) - e.Free }

// forgetOvergranted ends what was said of nights that are over.
func (t *tx) forgetOvergranted(s *structure) error {
	return t.tellOvergranted(s, &holdings{}, hotel.Span{From: 1, To: 0})
}

// tellOvergranted raises, follows and ends what is to be said of a span of nights: that a
// fact has taken rooms away that channels were granted, or that somebody has sold one
// knowingly. They are being closed already, until it is enough; but whoever is there ought
// to know before two guests are.
func (t *tx) tellOvergranted(s *structure, held *holdings, span hotel.Span) error {
	now, others, err := t.overgranted(s, held, span)
	if err != nil {
		return err
	}
	open, err := t.openConflicts(s.property.ID, hotel.ConflictExposed)
	if err != nil || len(open)+len(now) == 0 {
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
				if night, still := now[at]; still {
					is[facts.Reason][at] = night
				} else if others[at] || d < span.From || d > span.To {
					is[facts.Reason][at] = n.on(d)
				}
				delete(now, at)
			}
		}
	}
	for at, n := range now {
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
// What somebody has decided already is not asked again while no more rooms are missing.
func (t *tx) sayOvergranted(s *structure, reason string, was *hotel.Conflict, is overgranted) error {
	facts := ExposedFacts{Reason: reason, Since: t.now}
	if was == nil && len(is) > 0 {
		decided, err := t.decidedOvergranted(s, reason)
		if err != nil {
			return err
		}
		maps.DeleteFunc(is, func(at sharedNight, n ExposedNights) bool {
			of, known := decided[at]
			return known && of.missing() >= n.missing()
		})
	}
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
		facts.Since = said.Since
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

// decidedOvergranted is what was said last for a reason, where somebody has decided it.
func (t *tx) decidedOvergranted(s *structure, reason string) (overgranted, error) {
	last, err := readOne[hotel.Conflict](t.q.LastConflict(t.ctx, ledgerdb.LastConflictParams{PropertyID: s.property.ID, Kind: string(hotel.ConflictExposed), Topic: reason}))
	if errors.Is(err, ErrNotFound) || err == nil && last.DecidedBy == hotel.ByItself {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	facts, err := exposedFactsOf(&last)
	if err != nil {
		return nil, err
	}
	of, sharing := overgranted{}, s.empty.Sharing()
	for _, n := range facts.Nights {
		room, _ := s.empty.Room(n.RoomTypeID)
		for d := n.From; d <= n.To; d++ {
			of[sharedNight{d, sharing[room]}] = n
		}
	}
	return of, nil
}
