package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// scene is what a look at a property sees: what it is made of, its facts, and
// the instant for which house values are worked out.
type scene struct {
	s     *structure
	facts facts
	now   time.Time
}

// present is the property as the tables have it.
func (l *Ledger) present(ctx context.Context, q *ledgerdb.Queries, property string) (scene, error) {
	s, err := loadStructure(ctx, q, property)
	if err != nil {
		return scene{}, err
	}
	f, err := l.facts(ctx, q, property)
	return scene{s, f, l.clock.Now()}, err
}

// asOf is the property as its journal had it behind an entry, for the nights of a
// span. It reads the entries that the touch index names, however old the point
// is, and not those between.
func asOf(ctx context.Context, q *ledgerdb.Queries, property string, at hotel.AsOf, span hotel.Span) (scene, error) {
	from, err := cutOf(ctx, q, property)
	if err != nil {
		return scene{}, err
	}
	e, err := entryAt(ctx, q, at)
	if errors.Is(err, ErrNotFound) {
		return scene{}, tooEarly(ctx, q, property)
	}
	if err != nil {
		return scene{}, err
	}
	now := at.At
	if now.IsZero() {
		now = instant(e.At)
	}
	if now.Before(from.earliest) || span.From < from.floor() {
		return scene{}, from.expired(property)
	}
	// What lay between this entry and the cut may be gone.
	look := pastLook{q: q, property: property, through: max(e.Sequence, from.sequence), past: newPast()}
	if err := look.replay(ctx, touchedStructure, 0); err != nil {
		return scene{}, err
	}
	s, err := look.past.structure(property)
	if errors.Is(err, ErrNotFound) {
		return scene{}, tooEarly(ctx, q, property)
	}
	if err != nil {
		return scene{}, err
	}
	for month := monthOf(span.From); month <= monthOf(span.To); month++ {
		for _, kind := range []string{touchedStays, touchedBlocks} {
			if err := look.replay(ctx, kind, month); err != nil {
				return scene{}, err
			}
		}
		for _, of := range s.subjects() {
			if err := look.layers(ctx, of.kind, of.subject, month, span); err != nil {
				return scene{}, err
			}
		}
	}
	f := facts{q: q, property: property, past: look.past, stock: look.stock, prices: look.prices}
	return scene{s, f, now}, nil
}

// tooEarly refuses a point before anything was written of a property.
func tooEarly(ctx context.Context, q *ledgerdb.Queries, property string) error {
	from, err := cutOf(ctx, q, property)
	if err != nil {
		return err
	}
	if from.earliest.IsZero() {
		p, err := readOne[hotel.Property](q.GetProperty(ctx, property))
		if err != nil {
			return err
		}
		from.earliest = p.CreatedAt
	}
	return from.expired(property)
}

// entryAt returns the newest entry at the point: its sequence and instant. A
// point that is still to come is refused.
func entryAt(ctx context.Context, q *ledgerdb.Queries, at hotel.AsOf) (ledgerdb.NewestEntryRow, error) {
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return newest, notFound(err)
	}
	if at.Sequence > newest.Sequence {
		return newest, hotel.Invalid("/as_of_sequence", "max", "the newest entry of the journal has sequence %d", newest.Sequence)
	}
	// Instants never decrease with the sequence.
	low, high := int64(0), newest.Sequence+1 // the entry sought is at or behind low, and before high
	if at.Sequence > 0 {
		low, high = at.Sequence, at.Sequence+1
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		switch e, err := q.EntryBefore(ctx, middle); {
		case errors.Is(err, sql.ErrNoRows):
			low = middle
		case err != nil:
			return newest, fmt.Errorf("search the journal: %w", err)
		case e.At > at.At.UnixMicro():
			high = e.Sequence
		default:
			low = middle
		}
	}
	e, err := q.EntryBefore(ctx, low)
	return ledgerdb.NewestEntryRow(e), notFound(err)
}

// pastLook collects what the entries up to one say of a property.
type pastLook struct {
	q        *ledgerdb.Queries
	property string
	through  int64
	past     *past
	stock    []*layer
	prices   []*layer
	seen     map[int64]*layer
}

// replay applies the entries that the touch index has under the property, in
// order.
func (p *pastLook) replay(ctx context.Context, kind string, month int64) error {
	rows, err := p.q.TouchedEntries(ctx, ledgerdb.TouchedEntriesParams{Kind: kind, Subject: p.property, Month: month, Through: p.through})
	if err != nil {
		return fmt.Errorf("read the past of %s: %w", p.property, err)
	}
	for _, e := range entriesOf(rows) {
		if err := p.past.apply(e); err != nil {
			return err
		}
	}
	return nil
}

// touchesPage is how many entries are looked up at once on the way back.
const touchesPage = 32

// layers goes back through the entries about a subject in a month until each
// night of the span has been said.
func (p *pastLook) layers(ctx context.Context, kind Kind, subject string, month int64, span hotel.Span) error {
	open := nightSet{}
	for d := span.From; d <= span.To; d++ {
		if monthOf(d) == month {
			open[d] = struct{}{}
		}
	}
	for before := p.through + 1; len(open) > 0; {
		rows, err := p.q.TouchesBefore(ctx, ledgerdb.TouchesBeforeParams{Kind: string(kind), Subject: subject, Month: month, Before: before, AtMost: touchesPage})
		if err != nil {
			return fmt.Errorf("read the past of %s: %w", subject, err)
		}
		for _, sequence := range rows {
			if err := p.lay(ctx, sequence, open, span); err != nil {
				return err
			}
			if before = sequence; len(open) == 0 {
				return nil
			}
		}
		if len(rows) < touchesPage {
			return nil
		}
	}
	return nil
}

// lay takes in an entry if it says something of a night that is still open.
func (p *pastLook) lay(ctx context.Context, sequence int64, open nightSet, span hotel.Span) error {
	l, known := p.seen[sequence]
	if !known {
		row, err := p.q.GetEntry(ctx, sequence)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // cut away, and the index is still to follow
		}
		if err != nil {
			return fmt.Errorf("read journal entry %d: %w", sequence, err)
		}
		if l, err = layerOf(entryOf(row)); err != nil {
			return err
		}
	}
	says := false
	for _, run := range l.within(span) {
		for d := max(run.From, span.From); d <= min(run.To, span.To); d++ {
			if _, ok := open[d]; ok {
				delete(open, d)
				says = true
			}
		}
	}
	if !says || known {
		return nil
	}
	if p.seen == nil {
		p.seen = map[int64]*layer{}
	}
	p.seen[sequence] = l
	if l.sheet.stock() {
		p.stock = append(p.stock, l)
	} else {
		p.prices = append(p.prices, l)
	}
	return nil
}

// subject is what facts are written about.
type subject struct {
	kind    Kind
	subject string
}

// subjects lists everything about which a fact can be written.
func (s *structure) subjects() []subject {
	list := []subject{{StockChanged, s.property.ID}}
	rooms, plans := []string{""}, []string{""}
	for i := range s.pools {
		list = append(list, subject{StockChanged, s.pools[i].ID})
	}
	for i := range s.rooms {
		rooms = append(rooms, s.rooms[i].ID)
		for _, kind := range []Kind{StockChanged, GivenChanged, ShownChanged} {
			list = append(list, subject{kind, s.rooms[i].ID})
		}
	}
	for i := range s.rules {
		for j := range s.rooms {
			list = append(list, subject{SwitchesChanged, switchSubject(s.rules[i].ID, s.rooms[j].ID)})
		}
	}
	for i := range s.plans {
		plans = append(plans, s.plans[i].ID)
		for _, room := range s.plans[i].RoomTypeIDs {
			list = append(list, subject{PricesChanged, product{room, s.plans[i].ID}.subject()})
		}
	}
	for _, room := range rooms {
		for _, plan := range plans {
			list = append(list, subject{RestrictionsChanged, product{room, plan}.subject()})
		}
	}
	return list
}

// structure returns what the property was made of.
func (p *past) structure(property string) (*structure, error) {
	of, err := partsOf[hotel.Property](p, "property")
	if err != nil {
		return nil, err
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("property %s: %w", property, ErrNotFound)
	}
	pools, err := partsOf[hotel.Pool](p, "pool")
	if err != nil {
		return nil, err
	}
	rooms, err := partsOf[hotel.RoomType](p, "room_type")
	if err != nil {
		return nil, err
	}
	plans, err := partsOf[hotel.RatePlan](p, "rate_plan")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rooms, func(a, b hotel.RoomType) int { return a.Position - b.Position })
	slices.SortStableFunc(plans, func(a, b hotel.RatePlan) int { return a.Position - b.Position })
	rules, err := partsOf[hotel.PricingRule](p, "pricing_rule")
	if err != nil {
		return nil, err
	}
	return newStructure(of[0], pools, rooms, plans, rules)
}

// partsOf returns the parts of one family by id.
func partsOf[R any, P stored[R]](p *past, family string) ([]R, error) {
	var list []R
	for k, v := range p.parts {
		if k.family != family {
			continue
		}
		r, err := resourceOf[R, P](document{ID: k.id, Body: string(v.value)})
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b R) int { return strings.Compare(P(&a).Stored().ID, P(&b).Stored().ID) })
	return list, nil
}
