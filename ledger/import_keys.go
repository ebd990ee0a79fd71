package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// importLine is a row of an import with where it stands there, and what it is known by when
// it comes again: all that it says. Of rows that say the same the second is another room,
// unless they name the room.
type importLine struct {
	at  int
	row *hotel.ImportRow
	key [32]byte
}

// source is the channel's booking that rows are about; of a row without a reference none.
type importSource [3]string

func (l *importLine) source() importSource {
	s := &l.row.Source
	return importSource{s.ChannelID, s.SubChannel, s.Reference}
}

// importLines are the rows in the order in which they are taken in. Those of one reference
// come one after the other, those that were booked first before the others: it may have had several
// bookings. Of two that are told about one room, and not when, one that holds it is first.
func importLines(rows []hotel.ImportRow) ([]importLine, error) {
	lines, times, first := make([]importLine, len(rows)), map[string]int{}, map[importSource]int{}
	for i := range rows {
		l := importLine{at: i, row: &rows[i]}
		text, err := json.Marshal(l.row)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		n := times[string(text)]
		if l.row.Source.RoomRef == "" {
			times[string(text)]++
		}
		if _, known := first[l.source()]; !known && l.row.Source.Reference != "" {
			first[l.source()] = i
		}
		l.key = sha256.Sum256(fmt.Append(text, n))
		lines[i] = l
	}
	place := func(l *importLine) int {
		if l.row.Source.Reference == "" {
			return l.at
		}
		return first[l.source()]
	}
	ended := func(l *importLine) int {
		if l.row.Source.RoomRef != "" && stay.Over(l.row.Status) {
			return 1
		}
		return 0
	}
	slices.SortFunc(lines, func(a, b importLine) int {
		return cmp.Or(cmp.Compare(place(&a), place(&b)), a.row.Source.BookedAt.Compare(b.row.Source.BookedAt), cmp.Compare(ended(&a), ended(&b)), cmp.Compare(a.at, b.at))
	})
	return lines, nil
}

// importPiece is how many rows of an import one item takes in, or up to so many times more
// where they are of one booking.
const importPiece, bookingPieces = 50, 4

// nextPiece returns how many of the lines are taken in next: a booking is not cut in two, so
// that a dry run finds what the import does.
func nextPiece(lines []importLine) int {
	n := min(importPiece, len(lines))
	for n < min(bookingPieces*importPiece, len(lines)) && lines[n].row.Source.Reference != "" && lines[n].source() == lines[n-1].source() {
		n++
	}
	return n
}

// importedRoom names a room of a channel's booking: of one that has no reference of its own,
// by how many came before it.
type importedRoom struct {
	source  importSource
	roomRef string
	reuse   int64
	nth     int
}

func (r importedRoom) key() [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %d %d", r.source, r.roomRef, r.reuse, r.nth))
}
