package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// importPiece is how many rows of an import one item takes in.
const importPiece = 50

// errDryRun undoes what an item has tried.
var errDryRun = errors.New("nothing is to be stored")

// ImportReservations stores reservations that exist already. None is refused for
// want of a room. Rows are stored in pieces, each in one transaction, and a row
// that is known by what it says, or by its channel's reference, is not stored
// again: an import that was cut short, or whose outcome is unknown, is simply made
// again. Rows that cannot be stored do not keep back the others.
func (l *Ledger) ImportReservations(ctx context.Context, by hotel.By, i hotel.Import) (hotel.Imported, error) {
	var out hotel.Imported
	if _, err := l.Board(ctx, i.PropertyID); err != nil {
		return out, fmt.Errorf("property %s: %w", i.PropertyID, err)
	}
	keys, err := importKeys(i.Rows)
	if err != nil {
		return out, err
	}
	stored := make([]hotel.Reservation, 0, len(i.Rows))
	tried := map[string]map[nightKey]int{}
	for from := 0; from < len(i.Rows); from += importPiece {
		to := min(from+importPiece, len(i.Rows))
		var rows []hotel.ImportedRow // no captured results: see underKey
		var made []hotel.Reservation
		err := l.write(ctx, bulk, by, func(t *tx) error {
			rows, made = nil, nil
			p, err := t.openImport(i.PropertyID, tried)
			if err != nil {
				return err
			}
			for at := from; at < to; at++ {
				row, err := p.take(&i.Rows[at], keys[at])
				if err != nil {
					return fmt.Errorf("row %d: %w", at, err)
				}
				rows = append(rows, row)
			}
			if made = p.made; i.DryRun {
				return errDryRun
			}
			return nil
		})
		if err != nil && !errors.Is(err, errDryRun) {
			return hotel.Imported{}, fmt.Errorf("import reservations: %w", err)
		}
		out.Rows, stored = append(out.Rows, rows...), append(stored, made...)
		if i.DryRun {
			draw(tried, made)
		}
	}
	if i.DryRun {
		for at := range out.Rows {
			if out.Rows[at].Outcome == hotel.RowCreated {
				out.Rows[at].ReservationID = ""
			}
		}
	}
	out.Oversold, err = l.oversold(ctx, i, stored)
	return out, err
}

// oversold lists the nights to come on which there are not enough rooms for all,
// of those that the reservations take. Of a dry run they are not stored.
func (l *Ledger) oversold(ctx context.Context, i hotel.Import, stored []hotel.Reservation) ([]hotel.Date, error) {
	b, err := l.Board(ctx, i.PropertyID)
	if err != nil {
		return nil, fmt.Errorf("property %s: %w", i.PropertyID, err)
	}
	today, more := b.Property.BusinessDate(l.clock.Now()), map[hotel.Date][]int{}
	for r := range stored {
		for _, h := range heldRooms(&stored[r]) {
			room, ok := b.Room(h.RoomTypeID)
			for d := max(h.From, today); ok && d <= h.To; d++ {
				if more[d] == nil {
					more[d] = make([]int, len(b.RoomTypes))
				}
				if more[d][room] += 0; i.DryRun && stored[r].BlockID == "" { // a block's room is counted already
					more[d][room]++
				}
			}
		}
	}
	var nights []hotel.Date
	for d, rooms := range more {
		if slices.ContainsFunc(b.After(d, rooms), func(short bool) bool { return short }) {
			nights = append(nights, d)
		}
	}
	slices.Sort(nights)
	return nights, nil
}

// importing is a piece of an import while it is stored.
type importing struct {
	t    *tx
	s    *structure
	made []hotel.Reservation

	// tried is what the pieces of a dry run before this one have drawn from blocks, by
	// block, which was undone.
	tried map[string]map[nightKey]int
}

func (t *tx) openImport(property string, tried map[string]map[nightKey]int) (*importing, error) {
	s, err := t.structure(property)
	return &importing{t: t, s: s, tried: tried}, err
}

// draw adds what reservations draw from blocks.
func draw(tried map[string]map[nightKey]int, made []hotel.Reservation) {
	for i := range made {
		r := &made[i]
		if r.BlockID == "" {
			continue
		}
		if tried[r.BlockID] == nil {
			tried[r.BlockID] = map[nightKey]int{}
		}
		for _, h := range heldRooms(r) {
			for d := h.From; d <= h.To; d++ {
				tried[r.BlockID][nightKey{d, product{room: h.RoomTypeID}}]++
			}
		}
	}
}

// take stores a row, unless it cannot be or is stored already.
func (p *importing) take(row *hotel.ImportRow, key [32]byte) (hotel.ImportedRow, error) {
	known, err := p.t.q.GetImportedRow(p.t.ctx, ledgerdb.GetImportedRowParams{PropertyID: p.s.property.ID, Key: key[:]})
	if err == nil {
		return hotel.ImportedRow{Outcome: hotel.RowDuplicate, ReservationID: known}, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return hotel.ImportedRow{}, fmt.Errorf("look up imported row: %w", err)
	}
	r, items := p.read(row)
	if len(items) == 0 {
		if items, err = p.block(&r); err != nil {
			return hotel.ImportedRow{}, err
		}
	}
	if len(items) > 0 {
		return hotel.ImportedRow{Outcome: hotel.RowInvalid, Items: items}, nil
	}
	out := hotel.ImportedRow{Outcome: hotel.RowCreated}
	booked, err := p.booked(&r)
	if err != nil {
		return out, err
	}
	if at := sameBooked(booked, &r); at >= 0 {
		out.Outcome, out.ReservationID = hotel.RowAttached, booked[at].ID
	} else {
		if err := p.store(&r, booked); err != nil {
			return out, err
		}
		out.ReservationID = r.ID
		p.made = append(p.made, r)
	}
	err = p.t.q.InsertImportedRow(p.t.ctx, ledgerdb.InsertImportedRowParams{PropertyID: p.s.property.ID, Key: key[:], ReservationID: out.ReservationID})
	if err != nil {
		return out, fmt.Errorf("note imported row: %w", err)
	}
	return out, nil
}

// booked lists what is stored of the booking that a row names.
func (p *importing) booked(r *hotel.Reservation) ([]hotel.Reservation, error) {
	if r.Source.Reference == "" {
		return nil, nil
	}
	rows, err := p.t.q.ReservationsOfBooking(p.t.ctx, ledgerdb.ReservationsOfBookingParams{
		PropertyID: r.PropertyID, ChannelID: r.Source.ChannelID, ChannelRef: r.Source.Reference,
	})
	if err != nil {
		return nil, fmt.Errorf("look up booking: %w", err)
	}
	var out []hotel.Reservation
	for _, row := range rows {
		if row.Reservation.SubChannel != r.Source.SubChannel {
			continue
		}
		stored, err := reservationOf(row.Reservation, row.Guest)
		if err != nil {
			return nil, err
		}
		out = append(out, stored)
	}
	return out, nil
}

// sameBooked finds the room of a booking that a row is about: by the channel's
// reference of the room, or without one by stay and room type among those that
// the channel has told of.
func sameBooked(booked []hotel.Reservation, r *hotel.Reservation) int {
	return slices.IndexFunc(booked, func(b hotel.Reservation) bool {
		if r.Source.RoomRef != "" {
			return b.Source.RoomRef == r.Source.RoomRef
		}
		return !b.Imported && b.Stay == r.Stay && (b.BookedRoom == r.RoomTypeID || b.BookedRoom == "")
	})
}

// store stores a row as a reservation, in a group with the other rooms of its
// booking.
func (p *importing) store(r *hotel.Reservation, booked []hotel.Reservation) error {
	if r.Source.Reference != "" && r.Source.RoomRef == "" {
		r.Source.RoomRef = fmt.Sprint(slot, len(booked)+1)
	}
	if err := p.group(r, booked); err != nil {
		return err
	}
	if err := p.t.noteOverbooked(p.s, r); err != nil {
		return err
	}
	if err := p.t.bookEntry(ReservationCreated, p.s, r, nil); err != nil {
		return err
	}
	return p.count(r)
}

// group joins the rooms of one booking.
func (p *importing) group(r *hotel.Reservation, booked []hotel.Reservation) error {
	if len(booked) == 0 {
		return nil
	}
	for i := range booked {
		if r.GroupID == "" {
			r.GroupID = booked[i].GroupID
		}
	}
	if r.GroupID != "" {
		return nil
	}
	var err error
	if r.GroupID, err = p.t.insertGroup(r.PropertyID, "", r.Source); err != nil {
		return err
	}
	for i := range booked {
		before := booked[i]
		booked[i].GroupID = r.GroupID
		if err := p.t.bookEntry(ReservationUpdated, p.s, &booked[i], &before); err != nil {
			return err
		}
	}
	return nil
}
