package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/ledger/internal/ledgerdb"
)

// historyPiece is how many rows of past sales one item takes in.
const historyPiece = 200

// HistoryBody is what a [HistoryImported] entry carries: the rows that were new, or
// said something else than before.
type HistoryBody struct {
	Nights []hotel.PastSales `json:"nights"`
}

// ImportHistory stores what an earlier system sold of nights that are over, in sum. A
// row that says the same as before changes nothing, and one that says something else
// takes its place. Rows are stored in pieces, each in one transaction, and those that
// cannot be stored keep back no others: an import whose outcome is unknown is made
// again.
func (l *Ledger) ImportHistory(ctx context.Context, by hotel.By, i hotel.Import) ([]hotel.ImportedHistory, error) {
	sales, out, err := l.readHistory(ctx, i)
	if err != nil {
		return nil, err
	}
	for from := 0; from < len(sales); from += historyPiece {
		to := min(from+historyPiece, len(sales))
		var done []hotel.ImportedHistory // no captured results: see underKey
		err := l.write(ctx, bulk, by, func(t *tx) error {
			done = slices.Clone(out[from:to])
			var body HistoryBody
			for at := range done {
				if done[at].Outcome == hotel.HistoryInvalid {
					continue
				}
				var err error
				if done[at].Outcome, err = t.compareHistory(i.PropertyID, &sales[from+at]); err != nil {
					return err
				}
				if done[at].Outcome != hotel.HistoryUnchanged {
					body.Nights = append(body.Nights, sales[from+at])
				}
			}
			if i.DryRun || len(body.Nights) == 0 {
				return nil
			}
			return t.noteHistory(i.PropertyID, body)
		})
		if err != nil {
			return nil, fmt.Errorf("import history: %w", err)
		}
		copy(out[from:to], done)
	}
	return out, nil
}

// readHistory makes rows into what is to be stored, and finds all that is wrong with
// each.
func (l *Ledger) readHistory(ctx context.Context, i hotel.Import) ([]hotel.PastSales, []hotel.ImportedHistory, error) {
	property, err := readOne[hotel.Property](l.read.GetProperty(ctx, i.PropertyID))
	if err != nil {
		return nil, nil, fmt.Errorf("property %s: %w", i.PropertyID, err)
	}
	rooms, err := readAll[hotel.RoomType](l.read.ListRoomTypes(ctx, i.PropertyID)) // those that are archived were sold once
	if err != nil {
		return nil, nil, fmt.Errorf("room types of %s: %w", i.PropertyID, err)
	}
	channels, err := l.read.ListChannels(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("list channels: %w", err)
	}
	known := map[string]bool{"": true, hotel.Direct: true}
	for _, c := range channels {
		known[c.ID] = known[c.ID] || c.PropertyID == i.PropertyID
	}
	today, seen := property.BusinessDate(l.clock.Now()), map[hotel.PastSales]int{}
	sales, out := make([]hotel.PastSales, len(i.History)), make([]hotel.ImportedHistory, len(i.History))
	for at := range i.History {
		s, w := i.History[at].PastSales, wrong(i.History[at].Invalid)
		s.Seller = report.SellerName(s.Seller)
		if len(w) == 0 {
			w.pastSales(rooms, &s, today)
			if !known[s.ChannelID] {
				w.add("/channel_id", "enum", "the property has no channel by this id; bookings of your own are direct, and without it the channel is not told apart")
			}
		}
		same := s
		same.Rooms, same.Revenue = 0, nil
		if first, again := seen[same]; again && len(w) == 0 {
			w.add("", "enum", "says of the same night, room type, channel and seller as row %d: add them up", first)
		}
		if sales[at] = s; len(w) > 0 {
			out[at] = hotel.ImportedHistory{Outcome: hotel.HistoryInvalid, Items: w}
			continue
		}
		seen[same] = at
	}
	return sales, out, nil
}

// pastSales checks the sums of a night, and names its room type by id.
func (w *wrong) pastSales(rooms []hotel.RoomType, s *hotel.PastSales, today hotel.Date) {
	if s.RoomTypeID != "" {
		at := slices.IndexFunc(rooms, func(r hotel.RoomType) bool { return r.ID == s.RoomTypeID || r.Code == s.RoomTypeID })
		if at < 0 {
			w.add("/room_type_id", "unknown_room_type", "the property has no room type of that id or code")
		} else {
			s.RoomTypeID = rooms[at].ID
		}
	}
	switch {
	case s.Night >= today:
		w.add("/date", "date_order", "must be before the business date (%s): history is of nights that are over", today)
	case s.Night < today-furthest:
		w.add("/date", "date_in_past", "is more than 20 years ago")
	}
	if s.Revenue != nil && s.Revenue.Minor < 0 {
		w.add("/room_revenue", "min", "must not be below 0")
	}
}

// compareHistory says what storing sums would change.
func (t *tx) compareHistory(property string, s *hotel.PastSales) (hotel.HistoryOutcome, error) {
	row, err := t.q.NewestPastSales(t.ctx, ledgerdb.NewestPastSalesParams{
		PropertyID: property, Night: int64(s.Night), RoomTypeID: s.RoomTypeID, ChannelID: s.ChannelID, Seller: s.Seller,
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return hotel.HistoryStored, nil
	case err != nil:
		return "", fmt.Errorf("look up past sales: %w", err)
	}
	was := pastSalesOf(ledgerdb.PastSale{Rooms: row.Rooms, Revenue: row.Revenue, Currency: row.Currency})
	if was.Rooms != s.Rooms || (was.Revenue == nil) != (s.Revenue == nil) || was.Revenue != nil && *was.Revenue != *s.Revenue {
		return hotel.HistoryReplaced, nil
	}
	return hotel.HistoryUnchanged, nil
}

// noteHistory stores and journals sums that are new.
func (t *tx) noteHistory(property string, body HistoryBody) error {
	sequence, err := t.append(entry{property: property, kind: HistoryImported, subject: property, body: body})
	if err != nil {
		return err
	}
	for i := range body.Nights {
		s := &body.Nights[i]
		row := ledgerdb.InsertPastSalesParams{
			PropertyID: property, Night: int64(s.Night), RoomTypeID: s.RoomTypeID, ChannelID: s.ChannelID, Seller: s.Seller, Sequence: sequence, Rooms: int64(s.Rooms),
		}
		if s.Revenue != nil {
			currency := string(s.Revenue.Currency)
			row.Revenue, row.Currency = &s.Revenue.Minor, &currency
		}
		if err := t.q.InsertPastSales(t.ctx, row); err != nil {
			return fmt.Errorf("store past sales: %w", err)
		}
	}
	return nil
}

func pastSalesOf(row ledgerdb.PastSale) hotel.PastSales {
	s := hotel.PastSales{
		Night: hotel.Date(row.Night), RoomTypeID: row.RoomTypeID, ChannelID: row.ChannelID, Seller: row.Seller, Rooms: int(row.Rooms),
	}
	if row.Revenue != nil {
		s.Revenue = &hotel.Money{Minor: *row.Revenue, Currency: hotel.Currency(orEmpty(row.Currency))}
	}
	return s
}

// historyOf reads what an earlier system sold, as it was said at an instant, and as it
// was said first where it had not been then: like bookings that were imported, nights
// do not begin to have been sold when somebody types them in.
func historyOf(ctx context.Context, q *ledgerdb.Queries, of BooksQuery, p *hotel.Property, now time.Time) ([]report.History, error) {
	if of.ByBooked {
		return nil, nil // it was not told when they were booked
	}
	said, err := entryAt(ctx, q, hotel.AsOf{At: latest(of.Stock, now)})
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	rows, err := q.PastSales(ctx, ledgerdb.PastSalesParams{PropertyID: of.PropertyID, First: int64(of.Span.From), Last: int64(of.Span.To)})
	if err != nil {
		return nil, err
	}
	today := p.BusinessDate(latest(of.Known, now))
	var list []report.History
	var key hotel.PastSales
	for _, r := range rows {
		s := pastSalesOf(r)
		same := s
		same.Rooms, same.Revenue = 0, nil
		switch {
		case len(list) == 0 || same != key:
			list = append(list, report.History{PastSales: s, Later: s.Night >= today})
		case r.Sequence <= said.Sequence:
			list[len(list)-1].PastSales = s
		}
		key = same
	}
	return list, nil
}

// latest is an instant, or now where it is none.
func latest(at, now time.Time) time.Time {
	if at.IsZero() {
		return now
	}
	return at
}
