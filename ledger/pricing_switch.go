package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
)

// What a pricing rule with a memory does follows from its switches: one for each
// room type and night, a fact by night like any other. They are turned at the end
// of the item in which figures moved, once for all that the item did, so that how
// house values are derived afterwards, in which pieces and how often, is all the
// same to them.

// byRule is the source of facts that a rule made.
const byRule = "rule"

func switchSubject(rule, room string) string { return rule + "/" + room }

func switchOf(subject string) (rule, room string) {
	rule, room, _ = strings.Cut(subject, "/")
	return rule, room
}

// laySwitches writes what rules remember into the nights.
func (s *structure) laySwitches(ctx context.Context, f facts, from hotel.Date, nights []*board.Night) error {
	if !s.empty.Remembers() {
		return nil
	}
	list, err := readFacts[price.Switch](ctx, f, switchSheet, from, from+hotel.Date(len(nights))-1)
	if err != nil {
		return err
	}
	for _, r := range list {
		rule, id := switchOf(r.subject)
		room, ok := s.empty.Room(id)
		if ok && s.empty.Remembers(rule) {
			n := &nights[r.night-from]
			*n = (*n).Turn(board.SwitchKey{Rule: rule, Room: room}, r.V)
		}
	}
	return nil
}

// sellingBy lists the products whose house values follow from a layer.
func (s *structure) sellingBy(l *layer) []product {
	if l.sheet != switchSheet {
		return s.selling(productOf(l.subject))
	}
	_, room := switchOf(l.subject)
	return s.selling(product{room: room})
}

// consider notes nights of which figures may have moved.
func (t *tx) consider(s *structure, nights nightSet) {
	if !s.empty.Remembers() || len(nights) == 0 {
		return
	}
	if t.effects.turn == nil {
		t.effects.turn = make(map[string]nightSet)
	}
	if t.effects.turn[s.property.ID] == nil {
		t.effects.turn[s.property.ID] = nightSet{}
	}
	maps.Copy(t.effects.turn[s.property.ID], nights)
}

// considerLaid notes the nights of layers that say how many rooms there are.
func (t *tx) considerLaid(property string, list map[int64]*layer) error {
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	for _, l := range list {
		if !l.sheet.stock() {
			continue
		}
		nights := nightSet{}
		for _, r := range l.runs {
			nights.addSpan(r.Span)
		}
		t.consider(s, nights)
	}
	return nil
}

// turn turns the switches of the nights that were noted.
func (t *tx) turn() error {
	noted := t.effects.turn
	t.effects.turn = nil
	for _, property := range slices.Sorted(maps.Keys(noted)) {
		s, err := t.structure(property)
		if err != nil {
			return err
		}
		if err := t.turnSwitches(s, noted[property]); err != nil {
			return err
		}
	}
	return nil
}

// turnSwitches turns the switches of nights as their figures say; those of the
// rules named in anew as if they had never acted.
func (t *tx) turnSwitches(s *structure, nights nightSet, anew ...string) error {
	turned := map[string]map[hotel.Date]price.Switch{} // by subject
	for _, span := range nights.spans() {
		b, err := t.switchBoard(s, span)
		if err != nil {
			return err
		}
		for d := span.From; d <= span.To; d++ {
			for _, k := range b.Turned(d, anew...) {
				subject := switchSubject(k.Rule, b.RoomTypes[k.Room].ID)
				if turned[subject] == nil {
					turned[subject] = map[hotel.Date]price.Switch{}
				}
				turned[subject][d] = k.To
			}
		}
	}
	cells := 0
	for _, subject := range slices.Sorted(maps.Keys(turned)) {
		l, a, err := t.journalSwitches(s, subject, turned[subject])
		if err != nil {
			return err
		}
		if cells += t.perNight(s, a) * len(a.nights); cells > deriveAtOnce {
			err = t.followLater(a, l.sequence, l)
		} else if err = t.putFacts(s.property.ID, l, l.span()); err == nil {
			err = t.derive(s, a, l.sequence)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// switchBoard is a board of the nights as this item leaves them, with what rules
// ask about.
func (t *tx) switchBoard(s *structure, span hotel.Span) (*board.Board, error) {
	nights, err := t.nights(s.property.ID, span.From, span.To, func(first, last hotel.Date) ([]*board.Night, error) {
		f, err := t.l.facts(t.ctx, t.q, s.property.ID)
		if err != nil {
			return nil, err
		}
		read := s.emptyNights(first, last)
		if err := s.layStock(t.ctx, f, first, read); err != nil {
			return nil, err
		}
		return read, s.laySwitches(t.ctx, f, first, read)
	})
	if err != nil {
		return nil, err
	}
	return s.board(t.now, span.From, nights, t.heads.sequence), nil
}

// journalSwitches journals the switches of one rule and room type as they stand
// from now on, and says whose prices follow from them.
func (t *tx) journalSwitches(s *structure, subject string, by map[hotel.Date]price.Switch) (*layer, affected, error) {
	a := affected{property: s.property.ID, nights: nightSet{}}
	c := change{layer: layer{subject: subject, sheet: switchSheet, source: byRule}}
	nights := slices.Sorted(maps.Keys(by))
	for _, r := range hotel.Runs(nights, func(i int) price.Switch { return by[nights[i]] }) {
		text, err := json.Marshal(r.Value)
		if err != nil {
			return nil, a, fmt.Errorf("write switches of %s: %w", subject, err)
		}
		a.nights.addSpan(r.Span)
		c.layer.runs = append(c.layer.runs, hotel.Run[json.RawMessage]{Span: r.Span, Value: text})
	}
	var err error
	if c.body, err = json.Marshal(FactRuns{Sheet: string(switchSheet), Source: byRule, Ranges: c.layer.runs}); err != nil {
		return nil, a, fmt.Errorf("write switches of %s: %w", subject, err)
	}
	l, err := t.appendFacts(s.property.ID, &c)
	if err != nil {
		return nil, a, err
	}
	rule, id := switchOf(subject)
	room, _ := s.empty.Room(id)
	for d, to := range by {
		t.redraw(s.property.ID, d, func(n *board.Night) *board.Night { return n.Turn(board.SwitchKey{Rule: rule, Room: room}, to) })
	}
	a.affect(SwitchesChanged, s.sellingBy(l))
	return l, a, nil
}
