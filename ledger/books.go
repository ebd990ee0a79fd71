package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/ledger/internal/ledgerdb"
)

// BooksQuery asks for what reports of a property are worked out from.
type BooksQuery struct {
	PropertyID string
	Span       hotel.Span // of nights, or of dates on which was booked; at most [MaxCellNights] days
	ByBooked   bool       // the latter

	Known  time.Time // bookings as the journal had them then; zero: as they are
	Stock  time.Time // rooms likewise
	NoRoom bool      // the rooms of the house are not asked for
}

// Books reads a property's books. Bookings that were imported since stand as they are
// told to have been, since nothing was known of them then.
func (l *Ledger) Books(ctx context.Context, q BooksQuery) (report.Books, error) {
	b, err := l.booksOfHouse(ctx, q)
	if err != nil {
		return b, fmt.Errorf("read the rooms of %s: %w", q.PropertyID, err)
	}
	err = l.snapshot(ctx, func(db *ledgerdb.Queries) error {
		if b.Bookings, err = bookingsOf(ctx, db, q, b.Property.Zone()); err != nil {
			return err
		}
		b.History, err = historyOf(ctx, db, q, &b.Property, l.clock.Now())
		return err
	})
	if err != nil {
		return b, fmt.Errorf("read the books of %s: %w", q.PropertyID, err)
	}
	return b, nil
}

// bookingRow is a reservation as it is stored or was journalled.
type bookingRow = ledgerdb.BooksNowRow

// bookingsOf reads the reservations that touch the dates asked for.
func bookingsOf(ctx context.Context, db *ledgerdb.Queries, q BooksQuery, zone *time.Location) ([]hotel.Reservation, error) {
	first, last := q.dates()
	switch {
	case !q.Known.IsZero():
		return bookingsAsOf(ctx, db, q)
	case q.ByBooked:
		rows, err := db.BooksBookedSince(ctx, ledgerdb.BooksBookedSinceParams{PropertyID: q.PropertyID, Since: q.Span.From.At(0, 0, zone).UnixMicro()})
		return readBookings(rows, err, func(r ledgerdb.BooksBookedSinceRow) bookingRow { return bookingRow(r) })
	}
	rows, err := db.BooksNow(ctx, ledgerdb.BooksNowParams{PropertyID: q.PropertyID, First: int64(first), Last: int64(last)})
	return readBookings(rows, err, func(r bookingRow) bookingRow { return r })
}

// bookingsAsOf reads them as they stood.
func bookingsAsOf(ctx context.Context, db *ledgerdb.Queries, q BooksQuery) ([]hotel.Reservation, error) {
	newest, err := entryAt(ctx, db, hotel.AsOf{At: q.Known})
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	first, last := q.dates()
	rows, err := db.BooksAsOf(ctx, ledgerdb.BooksAsOfParams{
		Through: newest.Sequence, PropertyID: q.PropertyID, At: q.Known.UnixMicro(), First: first.String(), Last: last.String(),
	})
	list, err := readBookings(rows, err, func(r ledgerdb.BooksAsOfRow) bookingRow { return bookingRow(r) })
	if err != nil {
		return nil, err
	}
	later, err := db.BooksImportedSince(ctx, ledgerdb.BooksImportedSinceParams{
		PropertyID: q.PropertyID, At: q.Known.UnixMicro(), First: first.String(), Last: last.String(),
	})
	imported, err := readBookings(later, err, func(r ledgerdb.BooksImportedSinceRow) bookingRow { return bookingRow(r) })
	for _, r := range imported {
		if was, ok := report.At(r, q.Known); ok {
			list = append(list, was)
		}
	}
	return list, err
}

// paidBehind is how many nights a stay that was cut short may have been booked for
// behind its end, and is still paid for.
const paidBehind = 90

// dates are the least check-out and the last check-in of what touches the span; any
// where the span is of other dates.
func (q BooksQuery) dates() (first, last hotel.Date) {
	if q.ByBooked {
		return 0, math.MaxInt16
	}
	return q.Span.From - paidBehind, q.Span.To
}

// readBookings reads rows, unless there was an error.
func readBookings[R any](rows []R, err error, of func(R) bookingRow) ([]hotel.Reservation, error) {
	if err != nil {
		return nil, err
	}
	list := make([]hotel.Reservation, len(rows))
	for i, r := range rows {
		row, r := of(r), &list[i]
		if err := json.Unmarshal([]byte(row.Body), r); err != nil {
			return nil, fmt.Errorf("stored reservation %s: %w", row.ID, err)
		}
		r.ID, r.CreatedAt = row.ID, instant(row.CreatedAt)
	}
	return list, nil
}
