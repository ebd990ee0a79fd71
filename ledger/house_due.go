package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// dueKind says what house values a fact may have moved. What is due to stock
// goes before what is due to prices and restrictions: it may close.
type dueKind string

const (
	dueStock  dueKind = "house:stock:"
	duePrices dueKind = "house:price:"
)

// due is what is still to follow from the entries of one fact: its nights are to
// reach the tables, and the house values to be derived.
type due struct {
	reader   string
	sequence int64 // the entry that is at work
	last     int64 // the last one; all between are of the same fact
	position int64 // nights of the entry that are done
}

// dueReader names the cursor of a fact by its property and its last entry.
func dueReader(of dueKind, property string, last int64) string {
	return fmt.Sprintf("%s%s:%d", of, property, last)
}

// dueProperty is the property in the name of such a cursor.
func dueProperty(reader string) string {
	reader = strings.TrimPrefix(strings.TrimPrefix(reader, string(dueStock)), string(duePrices))
	return reader[:strings.LastIndexByte(reader, ':')]
}

func dueOf(c ledgerdb.Cursor) (due, error) {
	last, err := strconv.ParseInt(c.Reader[strings.LastIndexByte(c.Reader, ':')+1:], 10, 64)
	return due{c.Reader, c.Sequence, last, c.Position}, err
}

// listDue lists what is due in a property, oldest first.
func listDue(ctx context.Context, q *ledgerdb.Queries, property string, of dueKind) ([]due, error) {
	rows, err := q.ListCursors(ctx, ledgerdb.ListCursorsParams{Low: string(of) + property + ":", High: string(of) + property + ";"})
	if err != nil {
		return nil, fmt.Errorf("list what is due in %s: %w", property, err)
	}
	list := make([]due, len(rows))
	for i, r := range rows {
		if list[i], err = dueOf(r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// decode reads the body of an entry.
func decode[B any](e Entry) (B, error) {
	var b B
	if err := json.Unmarshal(e.Body, &b); err != nil {
		return b, fmt.Errorf("body of journal entry %d: %w", e.Sequence, err)
	}
	return b, nil
}

// DeriveDue does one chunk of each kind of what follows from large writes: house
// values to be derived, and guarded nights to be dealt. It reports whether there was
// anything to do; whoever runs it calls again until there is not. A property for which
// it fails is told of in the error and stepped over for a while.
func (l *Ledger) DeriveDue(ctx context.Context) (bool, error) {
	derived, err := l.deriveNext(ctx)
	dealt, more := l.dealNext(ctx)
	return derived || dealt, errors.Join(err, more)
}

func (l *Ledger) deriveNext(ctx context.Context) (bool, error) {
	row, err := l.read.NextDue(ctx, l.restingNow(derivals))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for what is due: %w", err)
	}
	return true, l.piece(ctx, derivals, dueProperty(row.Reader), func(t *tx) error {
		now, err := t.q.GetCursor(t.ctx, row.Reader)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read what is due: %w", err)
		}
		d, err := dueOf(ledgerdb.Cursor{Reader: row.Reader, Sequence: now.Sequence, Position: now.Position})
		if err != nil {
			return err
		}
		return t.followChunk(d)
	})
}

// restingNow lists, as JSON, the properties that a kind of work steps over.
func (l *Ledger) restingNow(work pieces) string {
	text, err := jsonText(l.setbacks.resting(work, l.clock.Now()))
	if err != nil {
		panic(err) // names can be written
	}
	return text
}

// piece does a piece of work for a property, and keeps whether that failed.
func (l *Ledger) piece(ctx context.Context, work pieces, property string, do func(*tx) error) error {
	err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, do)
	if ctx.Err() == nil {
		l.setbacks.note(work, property, err != nil, l.clock.Now())
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", work, property, err)
	}
	return nil
}

// followChunk stores and derives the next nights of a fact, and forgets the fact
// behind its last one.
func (t *tx) followChunk(d due) error {
	row, err := t.q.GetEntry(t.ctx, d.sequence)
	if err != nil {
		return fmt.Errorf("read journal entry %d: %w", d.sequence, err)
	}
	s, err := t.structure(row.PropertyID)
	if err != nil {
		return err
	}
	lay, _ := t.l.layers.get(d.sequence)
	if lay == nil { // after a start, and of facts that are in the table and say what is due
		if lay, err = layerOf(entryOf(row)); err != nil {
			return err
		}
	}
	a, err := s.affectedBy(entryOf(row), lay)
	if err != nil {
		return err
	}
	nights := a.nights.sorted()[d.position:]
	perNight := t.perNight(s, a)
	if lay != nil {
		perNight++ // its row
	}
	chunk := min(len(nights), max(1, deriveChunk/max(1, perNight)))
	a.nights = setOf(nights[:chunk]...)
	if lay != nil && chunk > 0 {
		if err := t.putFacts(row.PropertyID, lay, hotel.Span{From: nights[0], To: nights[chunk-1]}); err != nil {
			return err
		}
	}
	if err := t.derive(s, a, d.sequence); err != nil {
		return err
	}
	switch {
	case chunk < len(nights):
		d.position += int64(chunk)
	case d.sequence < d.last:
		d.sequence, d.position = d.sequence+1, 0
		t.effects.publish = append(t.effects.publish, func() { t.l.layers.drop(d.sequence-1, d.sequence-1) })
	default:
		t.effects.publish = append(t.effects.publish, func() { t.l.layers.drop(d.last, d.last) })
		followed := t.heads.sequence
		err := t.q.FollowedAriUpdate(t.ctx, ledgerdb.FollowedAriUpdateParams{Followed: &followed, PropertyID: row.PropertyID, Sequence: d.last})
		if err != nil {
			return fmt.Errorf("note what followed: %w", err)
		}
		return t.q.DeleteCursor(t.ctx, d.reader)
	}
	return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: d.reader, Sequence: d.sequence, Position: d.position})
}

// putFacts brings the nights of a layer into the table, but for those that were
// written again since.
func (t *tx) putFacts(property string, l *layer, span hotel.Span) error {
	for _, run := range l.within(span) {
		for d := max(run.From, span.From); d <= min(run.To, span.To); d++ {
			err := t.q.PutFactNight(t.ctx, ledgerdb.PutFactNightParams{
				PropertyID: property, Sheet: string(l.sheet), Night: int64(d), Subject: l.subject, Value: string(run.Value),
				Version: l.sequence, Source: l.source, UpdatedAt: l.at,
			})
			if err != nil {
				return fmt.Errorf("store %s fact of %s on %s: %w", l.sheet, l.subject, d, err)
			}
		}
	}
	return nil
}

// affectedBy says which house values a journalled fact may have moved. lay is
// the entry's layer, nil for one that says no facts.
func (s *structure) affectedBy(e Entry, lay *layer) (affected, error) {
	a := affected{property: e.PropertyID, nights: nightSet{}}
	if lay != nil {
		for _, r := range lay.runs {
			a.nights.addSpan(r.Span)
		}
		if a.stock = lay.sheet.stock(); !a.stock {
			a.affect(e.Kind, s.sellingBy(lay))
		}
		s.watch(&a)
		return a, nil
	}
	body, err := decode[struct {
		Ranges   []hotel.Span `json:"ranges"`
		Stock    bool         `json:"stock"`
		Products bool         `json:"products"`
	}](e)
	if err != nil {
		return a, err
	}
	for _, r := range body.Ranges {
		a.nights.addSpan(r)
	}
	if e.Kind.revises() {
		a.stock, a.booking = true, true
		s.watch(&a)
		return a, nil
	}
	switch e.Kind {
	case BlockCreated, BlockUpdated, BlockReleased:
		a.stock = true
	case PropertyUpdated, PropertyArchived, PoolCreated, PoolUpdated, PoolArchived,
		RoomTypeCreated, RoomTypeUpdated, RoomTypeArchived, RatePlanCreated, RatePlanUpdated, RatePlanArchived:
		a.stock = body.Stock
		if body.Products {
			a.affect(e.Kind, s.selling(soldAs(e)))
			a.withdraw = e.Kind != RatePlanCreated
		}
	case ClockTick:
		return s.affectedByTime(a.nights), nil
	case PricingRuleCreated, PricingRuleUpdated, PricingRuleDeleted:
		a.products, a.prices = s.selling(product{}), true
	case PricesAged:
		a.products, a.prices = s.watching(), true
	default:
		return a, fmt.Errorf("journal entry %d of kind %s moves no house values", e.Sequence, e.Kind)
	}
	s.watch(&a)
	return a, nil
}

// soldAs names the products of the part of the house that an entry is about;
// those of the property are all.
func soldAs(e Entry) product {
	switch e.Kind {
	case RoomTypeUpdated, RoomTypeArchived:
		return product{room: e.Subject}
	case RatePlanCreated, RatePlanUpdated, RatePlanArchived:
		return product{plan: e.Subject}
	default:
		return product{}
	}
}

// stockFigures are what rules ask about how many rooms are taken or left.
var stockFigures = []hotel.RuleMetric{hotel.OccupancyPct, hotel.RoomOccupancyPct, hotel.RoomsLeft, hotel.Pickup7d}

// watch adds the prices that rules make from how many rooms are taken or left.
func (s *structure) watch(a *affected) {
	if !a.stock {
		return
	}
	for _, p := range s.watching(stockFigures...) {
		if a.prices = true; !slices.Contains(a.products, p) {
			a.products = append(a.products, p)
		}
	}
}

// watching lists the products whose prices follow from one of the figures, by a
// rule; without figures, those that any rule is about.
func (s *structure) watching(figures ...hotel.RuleMetric) []product {
	var list []product
	for i := range s.rooms {
		for j := range s.plans {
			if s.empty.Offers(i, j) && s.empty.Watches(i, j, figures...) {
				list = append(list, product{s.rooms[i].ID, s.plans[j].ID})
			}
		}
	}
	return list
}
