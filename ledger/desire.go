package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// DeriveAtMost is how many cells one step of a channel's derivation covers.
const DeriveAtMost = 1000

// Position is a reader's place in the journal: every entry up to Sequence, and
// of the next one the first Cells nights.
type Position struct {
	Sequence int64
	Cells    int64
}

// Work is what a channel has to look at next: lines and nights whose house
// values may have moved, with those values as they are now.
type Work struct {
	Revision int64 // of the channel
	From, To Position
	First    int64 // the oldest entry looked at
	Stock    []StockWork
	Products []ProductWork
}

// Empty reports whether the channel has seen everything.
func (w Work) Empty() bool { return w.From == w.To }

// StockWork is the house value behind one counter on one night.
type StockWork struct {
	Line      int64
	Night     hotel.Date
	Available int
}

// ProductWork is the house values behind one mapping on one night. A product
// without a price is not for sale.
type ProductWork struct {
	Line   int64
	Night  hotel.Date
	Prices map[int]price.House // by occupancy, 0 for the base; empty: no price
	Rules  availability.NightRules
}

// Wanted is what a cell is to show. A nil value means that the channel does not
// carry it.
type Wanted struct {
	Cell  hotel.Cell
	Value *int64
}

// Work returns the next part of the journal that a live channel has not seen,
// at most [DeriveAtMost] nights of lines.
func (l *Ledger) Work(ctx context.Context, channel string) (w Work, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		w, err = nextWork(ctx, q, channel)
		return err
	})
	if err != nil {
		return Work{}, fmt.Errorf("work of channel %s: %w", channel, err)
	}
	return w, nil
}

// workList collects what entries touch, each line and night once.
type workList struct {
	property string
	closed   bool // the channel is paused: it sells nothing, and is told nothing else
	counters []Counter
	mappings []hotel.Mapping
	stock    map[int64]nightSet
	products map[int64]nightSet
	size     int
}

func nextWork(ctx context.Context, q *ledgerdb.Queries, channel string) (Work, error) {
	row, err := q.GetChannel(ctx, channel)
	if err != nil {
		return Work{}, notFound(err)
	}
	cursor, err := q.GetCursor(ctx, channelReader(channel))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Work{}, err
	}
	w := Work{Revision: row.Revision, From: Position{cursor.Sequence, cursor.Position}}
	w.To = w.From
	entries, err := q.OffersAfter(ctx, ledgerdb.OffersAfterParams{PropertyID: row.PropertyID, After: cursor.Sequence, AtMost: DeriveAtMost})
	if err != nil {
		return Work{}, err
	}
	if len(entries) > 0 {
		w.First = entries[0].Sequence
	}
	list := workList{property: row.PropertyID, closed: row.Status == string(hotel.Paused), stock: map[int64]nightSet{}, products: map[int64]nightSet{}}
	if list.counters, list.mappings, err = loadLines(ctx, q, channel); err != nil {
		return Work{}, err
	}
	for _, e := range entriesOf(entries) {
		read, whole, err := list.add(channel, e, w.To.Cells)
		if err != nil {
			return Work{}, err
		}
		if !whole {
			w.To.Cells = read
			break
		}
		w.To = Position{Sequence: e.Sequence}
		if list.size >= DeriveAtMost {
			break
		}
	}
	return w, list.values(ctx, q, &w)
}

// add takes in an entry from its skip-th night on. It returns how many of the
// entry's nights have been taken in, and whether that is all of them: there may
// be no room for the rest, or for any.
func (l *workList) add(channel string, e Entry, skip int64) (read int64, whole bool, err error) {
	body, err := decode[struct {
		Ranges  []hotel.Span `json:"ranges"`
		Horizon hotel.Span   `json:"horizon"`
	}](e)
	if err != nil {
		return 0, false, err
	}
	var stock, products []int64
	switch e.Kind {
	case InventoryUpdated:
		for _, c := range l.counters {
			if c.RoomTypeID == e.Subject {
				stock = append(stock, c.Line)
			}
		}
	case RatesUpdated, HouseRulesUpdated:
		for _, m := range l.mappings {
			if (product{m.RoomTypeID, m.RatePlanID}).subject() == e.Subject {
				products = append(products, m.Line)
			}
		}
	case ChannelActivated, ChannelUpdated, ChannelPaused:
		if e.Subject != channel {
			return 0, true, nil
		}
		body.Ranges = []hotel.Span{body.Horizon}
		for _, c := range l.counters {
			stock = append(stock, c.Line)
		}
		for _, m := range l.mappings {
			products = append(products, m.Line)
		}
	default:
		return 0, true, nil
	}
	if l.closed {
		products = nil
	}
	perNight := len(stock) + len(products)
	if perNight == 0 {
		return 0, true, nil
	}
	for _, r := range body.Ranges {
		for d := r.From; d <= r.To; d++ {
			if read < skip {
				read++
				continue
			}
			if l.size > 0 && l.size+perNight > DeriveAtMost {
				return read, false, nil
			}
			read++
			l.size += perNight
			mark(l.stock, stock, d)
			mark(l.products, products, d)
		}
	}
	return read, true, nil
}

func mark(sets map[int64]nightSet, lines []int64, d hotel.Date) {
	for _, line := range lines {
		if sets[line] == nil {
			sets[line] = nightSet{}
		}
		sets[line][d] = struct{}{}
	}
}

// values reads the house values of what was collected.
func (l *workList) values(ctx context.Context, q *ledgerdb.Queries, w *Work) error {
	stock, products := nightSet{}, nightSet{}
	for _, set := range l.stock {
		for d := range set {
			stock[d] = struct{}{}
		}
	}
	for _, set := range l.products {
		for d := range set {
			products[d] = struct{}{}
		}
	}
	if err := l.stockValues(ctx, q, w, stock); err != nil {
		return err
	}
	return l.productValues(ctx, q, w, products)
}

func (l *workList) stockValues(ctx context.Context, q *ledgerdb.Queries, w *Work, nights nightSet) error {
	available := map[nightKey]int{}
	for _, s := range nights.spans() {
		rows, err := q.HouseStock(ctx, ledgerdb.HouseStockParams{PropertyID: l.property, First: int64(s.From), Last: int64(s.To)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			available[nightKey{hotel.Date(r.Night), product{room: r.RoomTypeID}}] = int(r.Available)
		}
	}
	for _, c := range l.counters {
		for _, d := range l.stock[c.Line].sorted() {
			rooms := available[nightKey{d, product{room: c.RoomTypeID}}]
			if l.closed {
				rooms = 0
			}
			w.Stock = append(w.Stock, StockWork{c.Line, d, rooms})
		}
	}
	return nil
}

func (l *workList) productValues(ctx context.Context, q *ledgerdb.Queries, w *Work, nights nightSet) error {
	property, err := readOne[hotel.Property](q.GetProperty(ctx, l.property))
	if err != nil {
		return err
	}
	prices, rules := map[nightKey]map[int]price.House{}, map[nightKey]availability.NightRules{}
	for _, s := range nights.spans() {
		span := ledgerdb.HousePricesParams{PropertyID: l.property, First: int64(s.From), Last: int64(s.To)}
		priceRows, err := q.HousePrices(ctx, span)
		if err != nil {
			return err
		}
		for _, r := range priceRows {
			h, err := price.FromStored(r.Amount, r.Exact, hotel.Rounding(r.Rounding), property.Currency)
			if err != nil {
				return err
			}
			k := nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}
			if prices[k] == nil {
				prices[k] = map[int]price.House{}
			}
			prices[k][int(r.Occupancy)] = h
		}
		ruleRows, err := q.HouseRestrictions(ctx, ledgerdb.HouseRestrictionsParams(span))
		if err != nil {
			return err
		}
		for _, r := range ruleRows {
			rules[nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}] = availability.NightRules{
				Closed:  hotel.DecodeOffer(hotel.Closures, r.Closures, "").Closed,
				Lengths: hotel.DecodeOffer(hotel.Lengths, r.Lengths, "").Lengths,
			}
		}
	}
	for _, m := range l.mappings {
		for _, d := range l.products[m.Line].sorted() {
			k := nightKey{d, product{m.RoomTypeID, m.RatePlanID}}
			w.Products = append(w.Products, ProductWork{m.Line, d, prices[k], rules[k]})
		}
	}
	return nil
}

// Desire stores what a channel is to show for the work it was given, and moves
// its place in the journal: one transaction, so that a crash repeats the work or
// has done it. Only cells whose value changed are written. [ErrOutrun] says that
// the place in the journal is not the one that the work was read from.
func (l *Ledger) Desire(ctx context.Context, channel string, w Work, wanted []Wanted) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, channel)
		if err != nil {
			return notFound(err)
		}
		cursor, err := t.q.GetCursor(t.ctx, channelReader(channel))
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if (Position{cursor.Sequence, cursor.Position}) != w.From {
			return ErrOutrun
		}
		table := t.cellsOf(row)
		cells := make([]hotel.Cell, len(wanted))
		for i, v := range wanted {
			cells[i] = v.Cell
		}
		if err := table.load(cells); err != nil {
			return err
		}
		for _, v := range wanted {
			// Any entry of the work may have brought the value, also the first.
			table.at(v.Cell).desire(v.Value, w.First)
		}
		if err := table.save(); err != nil {
			return err
		}
		return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: channelReader(channel), Sequence: w.To.Sequence, Position: w.To.Cells})
	})
}
