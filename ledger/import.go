package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

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
	lines, err := importLines(i.Rows)
	if err != nil {
		return out, err
	}
	if len(i.Rows) > 0 {
		out.Rows = make([]hotel.ImportedRow, len(i.Rows))
	}
	stored := make([]hotel.Reservation, 0, len(i.Rows))
	tried, seen := map[string]map[nightKey]int{}, map[importedRoom]int{}
	for len(lines) > 0 {
		piece := lines[:nextPiece(lines)]
		lines = lines[len(piece):]
		var made []hotel.Reservation // no captured results: see underKey
		var met map[importedRoom]int
		err := l.write(ctx, bulk, by, func(t *tx) error {
			p, err := t.openImport(i.PropertyID, tried, seen)
			if err != nil {
				return err
			}
			for k := range piece {
				at := piece[k].at
				if out.Rows[at], err = p.take(&piece[k]); err != nil {
					return fmt.Errorf("row %d: %w", at, err)
				}
			}
			if made, met = p.made, p.seen; i.DryRun {
				return errDryRun
			}
			return nil
		})
		if err != nil && !errors.Is(err, errDryRun) {
			return hotel.Imported{}, fmt.Errorf("import reservations: %w", err)
		}
		stored, seen = append(stored, made...), met
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

	// seen is how many rows each room of a channel's booking has had, of those without a
	// reference of their own all together.
	seen map[importedRoom]int
}

func (t *tx) openImport(property string, tried map[string]map[nightKey]int, seen map[importedRoom]int) (*importing, error) {
	s, err := t.structure(property)
	return &importing{t: t, s: s, tried: tried, seen: maps.Clone(seen)}, err
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
func (p *importing) take(l *importLine) (hotel.ImportedRow, error) {
	known, err := p.known(l.key)
	if err != nil {
		return hotel.ImportedRow{}, err
	}
	if known != "" {
		return hotel.ImportedRow{Outcome: hotel.RowDuplicate, ReservationID: known}, p.pass(l, known)
	}
	r, items, err := p.read(l.row)
	if err != nil {
		return hotel.ImportedRow{}, err
	}
	if len(items) == 0 {
		if items, err = p.block(&r); err != nil {
			return hotel.ImportedRow{}, err
		}
	}
	if len(items) > 0 {
		return hotel.ImportedRow{Outcome: hotel.RowInvalid, Items: items}, nil
	}
	if l.row.Source.Reference != "" {
		return p.takeRoom(l, &r)
	}
	if err := p.store(&r, l.row, nil); err != nil {
		return hotel.ImportedRow{}, err
	}
	return hotel.ImportedRow{Outcome: hotel.RowCreated, ReservationID: r.ID}, p.note(r.ID, l.key)
}

// takeRoom stores a row that names its channel's booking.
func (p *importing) takeRoom(l *importLine, r *hotel.Reservation) (hotel.ImportedRow, error) {
	all, err := p.bearers(r)
	if err != nil {
		return hotel.ImportedRow{}, err
	}
	n := newcomer{row: r, made: p.t.whenAt(&p.s.property, l.row.Source.BookedAt), known: all}
	reuse := n.booking()
	room := importedRoom{source: l.source(), roomRef: l.row.Source.RoomRef, reuse: reuse}
	if nth := p.seen[room]; room.roomRef != "" && nth > 0 && len(n.wrong) == 0 {
		n.wrong.add("/source/booked_at", "required", "the file says something else of this room, too: say of each when it was booked where they are two bookings, "+
			"and leave room_reference out where they are two rooms, or nights, of one")
	}
	if len(n.wrong) > 0 {
		return hotel.ImportedRow{Outcome: hotel.RowInvalid, Items: n.wrong}, nil
	}
	p.seen[room]++
	room.nth = p.seen[room] - 1
	known, err := p.known(room.key())
	if err != nil {
		return hotel.ImportedRow{}, err
	}
	if known != "" {
		return hotel.ImportedRow{Outcome: hotel.RowDuplicate, ReservationID: known}, p.note(known, l.key)
	}
	out := hotel.ImportedRow{Outcome: hotel.RowCreated}
	var booked []hotel.Reservation
	if r.Source.Reuse = int(reuse); reuse < int64(len(all)) {
		booked = all[reuse].rooms
	} else if err := p.t.askNoMore(p.s, &all[reuse-1]); err != nil {
		return out, err
	}
	if len(booked) > 0 {
		r.Source.SubChannel = booked[0].Source.SubChannel // as the channel writes it
	}
	if at := sameBooked(booked, r); at >= 0 {
		out.Outcome, out.ReservationID = hotel.RowAttached, booked[at].ID
	} else {
		if err := p.store(r, l.row, booked); err != nil {
			return out, err
		}
		out.ReservationID = r.ID
	}
	return out, p.note(out.ReservationID, l.key, room.key())
}

// known is the reservation that a row was stored as, by a key of it; "" for one that was not.
func (p *importing) known(key [32]byte) (string, error) {
	id, err := p.t.q.GetImportedRow(p.t.ctx, ledgerdb.GetImportedRowParams{PropertyID: p.s.property.ID, Key: key[:]})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("look up imported row: %w", err)
	}
	return id, nil
}

// note keeps what a row is known by.
func (p *importing) note(reservation string, keys ...[32]byte) error {
	for _, key := range keys {
		err := p.t.q.InsertImportedRow(p.t.ctx, ledgerdb.InsertImportedRowParams{PropertyID: p.s.property.ID, Key: key[:], ReservationID: reservation})
		if err != nil {
			return fmt.Errorf("note imported row: %w", err)
		}
	}
	return nil
}

// pass counts a row that was imported before among those of its room.
func (p *importing) pass(l *importLine, reservation string) error {
	if l.row.Source.Reference == "" {
		return nil
	}
	r, err := loadReservation(p.t.ctx, p.t.q, reservation)
	if err != nil {
		return err
	}
	p.seen[importedRoom{source: l.source(), roomRef: l.row.Source.RoomRef, reuse: int64(r.Source.Reuse)}]++
	return nil
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
func (p *importing) store(r *hotel.Reservation, row *hotel.ImportRow, booked []hotel.Reservation) error {
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
	if err := p.t.tellProfile(p.s, r, row.Profile); err != nil {
		return err
	}
	p.made = append(p.made, *r)
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
		if err := p.t.bookJoined(p.s, &booked[i], &before); err != nil {
			return err
		}
	}
	return nil
}
