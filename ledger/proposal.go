package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"ostler.example/hotel"
)

// proposal is what a bulk update will make of the facts. Drawing it up only reads:
// a small update is drawn up by the item that stores it, a large one beforehand.
type proposal struct {
	id      string // of the update
	source  string
	s       *structure
	facts   facts
	span    hotel.Span // from the first to the last night of its entries
	sells   hotel.Span // the nights that can be spoken of
	today   hotel.Date // of the property
	partial bool

	sheets   []proposedSheet
	matched  int
	results  []hotel.EntryResult
	conflict *hotel.Refusal // the first cell that had another version than was expected
}

// proposedSheet is a sheet of any kind of facts.
type proposedSheet interface {
	// keep makes the changes of an entry part of the proposal, drop forgets them.
	keep()
	drop()
	// changes lists what is different from what is stored, by subject.
	changes(p *proposal) ([]change, error)
	// names reports whether the proposal rests on a subject's facts of some nights.
	names(of sheet, subject string, nights []hotel.Span) bool
}

// change is the new facts of one subject.
type change struct {
	layer  layer // without its sequence
	nights nightSet
	body   json.RawMessage // of the journal entry
}

// target is one subject that an entry writes to.
type target interface {
	version(d hotel.Date) int64
	// write changes the facts of a night and reports whether they are others now.
	write(d hotel.Date) (bool, error)
}

// enter draws up one entry. targets finds out what the entry writes to, or what
// is wrong with it.
func (p *proposal) enter(i int, dates hotel.Dates, expected *int64, faults []hotel.RefusedItem, targets func() ([]target, error)) error {
	var list []target
	faults = append(faults, p.dateFaults(dates)...)
	for j := range faults {
		faults[j].Pointer = fmt.Sprintf("/entries/%d%s", i, faults[j].Pointer)
	}
	result := hotel.EntryResult{Faults: faults}
	if len(faults) == 0 {
		var err error
		if list, err = targets(); err == nil {
			result.Changed, err = p.write(i, dates.Nights(), expected, list)
		}
		refusal := (*hotel.Refusal)(nil)
		switch {
		case errors.As(err, &refusal):
			result.Faults = p.rejected(i, refusal)
		case err != nil:
			return err
		}
	}
	for _, s := range p.sheets {
		if len(result.Faults) == 0 {
			s.keep()
		} else {
			s.drop()
		}
	}
	p.results = append(p.results, result)
	return nil
}

// rejected turns the refusal of an entry into its faults.
func (p *proposal) rejected(i int, r *hotel.Refusal) []hotel.RefusedItem {
	if len(r.Items) > 0 {
		return r.Items
	}
	if p.conflict == nil {
		p.conflict = r
	}
	return []hotel.RefusedItem{r.At(fmt.Sprintf("/entries/%d/expected_version", i))}
}

func (p *proposal) write(i int, nights []hotel.Date, expected *int64, list []target) (int, error) {
	p.matched += len(nights)
	cells := 0
	for _, night := range nights {
		version, changed := int64(0), false
		for _, t := range list {
			version = max(version, t.version(night))
		}
		if expected != nil && *expected != version {
			return 0, versionConflict(i, *expected, version, night)
		}
		for _, t := range list {
			here, err := t.write(night)
			if err != nil {
				return 0, err
			}
			changed = changed || here
		}
		if changed {
			cells++
		}
	}
	return cells, nil
}

func (p *proposal) dateFaults(dates hotel.Dates) []hotel.RefusedItem {
	fault := func(member, code, format string, args ...any) []hotel.RefusedItem {
		return []hotel.RefusedItem{hotel.Wrong(member, code, format, args...)}
	}
	switch {
	case dates.To < dates.From:
		return fault("/date_to", "date_order", "must not be before date_from (%s)", dates.From)
	case dates.Days() > hotel.MaxEntryDates:
		return fault("/date_to", "max", "an entry covers at most %d dates, from its first to its last; this one covers %d", hotel.MaxEntryDates, dates.Days())
	case dates.From < p.sells.From:
		return fault("/date_from", "date_in_past", "must not be before the business date (%s)", p.sells.From)
	case dates.To > p.sells.To:
		return fault("/date_to", "date_horizon", "must not be after the booking horizon (%s)", p.sells.To)
	}
	return nil
}

// versionConflict refuses an entry that was made for another version of a cell.
func versionConflict(entry int, expected, version int64, night hotel.Date) *hotel.Refusal {
	r := hotel.Refuse("version_conflict", "entry %d expects version %d of %s, which has version %d: read the cell again", entry, expected, night, version)
	r.Members = map[string]any{"entry": entry, "date": night.String(), "version": version}
	return r
}

// mostFaults is how many faults of an update are told at once.
const mostFaults = 100

// refusal says why nothing of the update can be stored, nil when it can.
func (p *proposal) refusal() error {
	if p.partial {
		return nil
	}
	var items []hotel.RefusedItem
	for _, r := range p.results {
		for _, f := range r.Faults {
			if f.Code != "version_conflict" {
				items = append(items, f)
			}
		}
	}
	switch len(items) {
	case 0:
		if p.conflict != nil { // a typed nil is no nil error
			return p.conflict
		}
		return nil
	case 1:
		return hotel.InvalidItems(items)
	}
	r := hotel.Refuse("validation_failed", "%d things are wrong with the update; nothing was stored", len(items))
	r.Items = items[:min(len(items), mostFaults)]
	return r
}

// changes lists what the update will write, and counts the cells that will be
// others than they are.
func (p *proposal) changes() (list []change, cells int, err error) {
	changed := map[factKey]bool{}
	for _, s := range p.sheets {
		of, err := s.changes(p)
		if err != nil {
			return nil, 0, err
		}
		for _, c := range of {
			for night := range c.nights {
				changed[factKey{night, p.cellOf(c.layer)}] = true
			}
		}
		list = append(list, of...)
	}
	return list, len(changed), nil
}

// cellOf names the cell that a fact belongs to: a room type with a pool of its
// own and that pool are one cell.
func (p *proposal) cellOf(l layer) string {
	if l.sheet == poolSheet {
		if own := p.s.pool(l.subject).OwnOf; own != "" {
			return own
		}
	}
	return l.subject
}

// names reports whether the proposal rests on what a layer says.
func (p *proposal) names(l *layer) bool {
	spans := make([]hotel.Span, len(l.runs))
	for i, r := range l.runs {
		spans[i] = r.Span
	}
	return slices.ContainsFunc(p.sheets, func(s proposedSheet) bool { return s.names(l.sheet, l.subject, spans) })
}

// proposedFacts is the facts of one sheet as a proposal has them.
type proposedFacts[V any] struct {
	of     sheet
	stored map[factKey]fact[V]
	kept   map[factKey]V // by the entries so far, changed or not
	entry  map[factKey]V // by the entry that is at work
	same   func(a, b V) bool
}

func proposeFacts[V any](ctx context.Context, p *proposal, of sheet) (*proposedFacts[V], error) {
	list, err := readFacts[V](ctx, p.facts, of, p.span.From, p.span.To)
	if err != nil {
		return nil, err
	}
	s := &proposedFacts[V]{of: of, stored: make(map[factKey]fact[V], len(list)), kept: map[factKey]V{}, entry: map[factKey]V{}, same: func(a, b V) bool { return reflect.DeepEqual(a, b) }}
	for _, f := range list {
		s.stored[f.factKey] = f
	}
	p.sheets = append(p.sheets, s)
	return s, nil
}

// subjectFacts is the facts of one subject, and what an entry makes of them.
type subjectFacts[V any] struct {
	s       *proposedFacts[V]
	subject string
	change  func(d hotel.Date, old V) (V, error)
}

// subject makes a target of one subject. change returns what a night is to be.
func (s *proposedFacts[V]) subject(id string, change func(d hotel.Date, old V) (V, error)) target {
	return subjectFacts[V]{s, id, change}
}

func (w subjectFacts[V]) version(d hotel.Date) int64 {
	return w.s.stored[factKey{d, w.subject}].version
}

func (w subjectFacts[V]) write(d hotel.Date) (bool, error) {
	k := factKey{d, w.subject}
	old, known := w.s.kept[k]
	if !known {
		old = w.s.stored[k].V
	}
	v, err := w.change(d, old)
	if err != nil {
		return false, err
	}
	w.s.entry[k] = v
	return !w.s.same(old, v), nil
}

func (s *proposedFacts[V]) keep() {
	maps.Copy(s.kept, s.entry)
	clear(s.entry)
}

func (s *proposedFacts[V]) drop() { clear(s.entry) }

func (s *proposedFacts[V]) changes(p *proposal) ([]change, error) {
	nights := map[string]nightSet{}
	for k, v := range s.kept {
		if s.same(v, s.stored[k].V) {
			continue
		}
		if nights[k.subject] == nil {
			nights[k.subject] = nightSet{}
		}
		nights[k.subject][k.night] = struct{}{}
	}
	var list []change
	for _, subject := range slices.Sorted(maps.Keys(nights)) {
		c, err := s.changed(p, subject, nights[subject])
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func (s *proposedFacts[V]) changed(p *proposal, subject string, nights nightSet) (change, error) {
	sorted := nights.sorted()
	texts := make([]string, len(sorted))
	for i, night := range sorted {
		text, err := json.Marshal(s.kept[factKey{night, subject}])
		if err != nil {
			return change{}, fmt.Errorf("write %s fact of %s: %w", s.of, subject, err)
		}
		texts[i] = string(text)
	}
	c := change{nights: nights, layer: layer{subject: subject, sheet: s.of, source: p.source}}
	for _, r := range hotel.Runs(sorted, func(i int) string { return texts[i] }) {
		c.layer.runs = append(c.layer.runs, hotel.Run[json.RawMessage]{Span: r.Span, Value: json.RawMessage(r.Value)})
	}
	var err error
	c.body, err = json.Marshal(FactRuns{Sheet: string(s.of), UpdateID: p.id, Source: p.source, Ranges: c.layer.runs})
	return c, err
}

func (s *proposedFacts[V]) names(of sheet, subject string, nights []hotel.Span) bool {
	if of != s.of {
		return false
	}
	for _, span := range nights {
		for d := span.From; d <= span.To; d++ {
			if _, ok := s.kept[factKey{d, subject}]; ok {
				return true
			}
		}
	}
	return false
}
