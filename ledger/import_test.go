package ledger

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// row is a room of type double that was booked elsewhere, so many days from today.
func (h *house) row(from, nights int, more func(*hotel.ImportRow)) hotel.ImportRow {
	r := hotel.ImportRow{NewReservation: hotel.NewReservation{
		RoomTypeID: h.double.Code, RatePlanID: h.flex.Code, Adults: 2, Guest: hotel.Guest{LastName: "Import"},
		Stay: hotel.Stay{CheckIn: h.today + hotel.Date(from), CheckOut: h.today + hotel.Date(from+nights)},
	}}
	if more != nil {
		more(&r)
	}
	return r
}

func of(channel, ref, room string) func(*hotel.ImportRow) {
	return func(r *hotel.ImportRow) {
		r.Source = hotel.Source{ChannelID: channel, Reference: ref, RoomRef: room}
	}
}

// outcomes imports rows and counts what became of them.
func (h *house) outcomes(t tb, dry bool, rows ...hotel.ImportRow) (string, hotel.Imported) {
	t.Helper()
	out := must(h.ImportReservations(context.Background(), tester, hotel.Import{PropertyID: h.property.ID, DryRun: dry, Rows: rows}))(t)
	n := map[hotel.ImportOutcome]int{}
	for _, r := range out.Rows {
		n[r.Outcome]++
	}
	return fmt.Sprintf("%d created, %d attached, %d duplicate, %d invalid", n[hotel.RowCreated], n[hotel.RowAttached], n[hotel.RowDuplicate], n[hotel.RowInvalid]), out
}

func (h *house) reservations(t tb) []hotel.Reservation {
	t.Helper()
	return must(h.Reservations(context.Background(), hotel.ReservationFilter{PropertyIDs: []string{h.property.ID}, Limit: 1000}))(t)
}

func TestImportedOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.newChannel(t, "ch")
	total := hotel.Money{Minor: 20001, Currency: "EUR"}
	rows := []hotel.ImportRow{
		h.row(3, 2, func(r *hotel.ImportRow) { r.RoomTotal = &total }),
		h.row(3, 2, func(r *hotel.ImportRow) { r.RoomTotal = &total }), // another room of the same guest
		h.row(5, 1, of("ch", "R1", "")),
		h.row(5, 1, of("ch", "R1", "")), // two rooms of one booking
		h.row(9, 1, of("ch", "R2", "1")),
		h.row(-9, 2, nil),
		h.row(-9, 2, func(r *hotel.ImportRow) { r.Status = hotel.NoShow }),
		h.row(12, 1, func(r *hotel.ImportRow) { r.Status = hotel.Cancelled }),
		h.row(12, 0, func(r *hotel.ImportRow) { r.RoomTypeID = "none" }),
		h.row(12, 1, of("elsewhere", "R9", "")),
		h.row(12, 1, func(r *hotel.ImportRow) { r.Status = hotel.CheckedIn }),
	}
	if got, out := h.outcomes(t, true, rows...); got != "8 created, 0 attached, 0 duplicate, 3 invalid" || out.Rows[0].ReservationID != "" || len(h.reservations(t)) != 0 {
		t.Fatalf("tried: %s, stored %d", got, len(h.reservations(t)))
	}
	got, out := h.outcomes(t, false, rows...)
	if got != "8 created, 0 attached, 0 duplicate, 3 invalid" {
		t.Fatal(got)
	}
	if wrong := fmt.Sprint(out.Rows[8].Items[0].Code, " ", out.Rows[8].Items[1].Code, " ", out.Rows[9].Items[0].Pointer, " ", out.Rows[10].Items[0].Pointer); wrong != "unknown_room_type date_order /source/channel_id /status" {
		t.Errorf("wrong: %s", wrong)
	}
	if got, again := h.outcomes(t, false, rows...); got != "0 created, 0 attached, 8 duplicate, 3 invalid" || again.Rows[3].ReservationID != out.Rows[3].ReservationID {
		t.Errorf("imported again: %s", got)
	}
	stored := map[string]hotel.Reservation{}
	for _, r := range h.reservations(t) {
		stored[r.ID] = r
	}
	at := func(i int) hotel.Reservation { return stored[out.Rows[i].ReservationID] }
	if r := at(0); !r.Imported || !r.PriceKnown || r.Nightly[0].Amount.Minor != 10001 || r.Nightly[1].Amount.Minor != 10000 || r.RoomTypeID != h.double.ID {
		t.Errorf("imported as %+v", r)
	}
	if at(2).GroupID == "" || at(2).GroupID != at(3).GroupID {
		t.Errorf("the rooms of one booking are in groups %q and %q", at(2).GroupID, at(3).GroupID)
	}
	if at(5).Status != hotel.CheckedOut || at(6).Status != hotel.NoShow || at(7).Status != hotel.Cancelled || at(4).PriceKnown {
		t.Errorf("statuses %s, %s, %s", at(5).Status, at(6).Status, at(7).Status)
	}
}

// A row that an import cut short has stored is not stored again, wherever that was.
func TestAnImportIsGoneOnWith(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var rows []hotel.ImportRow
	for i := range 3 * importPiece / 2 {
		rows = append(rows, h.row(i%30, 1, func(r *hotel.ImportRow) { r.Guest.FirstName = fmt.Sprint(i / 2) }))
	}
	h.outcomes(t, false, rows[:importPiece]...)
	h.reopen(t)
	if got, _ := h.outcomes(t, false, rows...); got != fmt.Sprintf("%d created, 0 attached, %d duplicate, 0 invalid", len(rows)-importPiece, importPiece) {
		t.Error(got)
	}
	if n := len(h.reservations(t)); n != len(rows) {
		t.Errorf("%d reservations of %d rows", n, len(rows))
	}
}

func TestAChannelsMessageMeetsWhatWasImported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		imported string // the reference of the room
	}{{"by the reference of the room", "1"}, {"without one", ""}} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 5)
			f.goLive(t)
			f.catchUp(t)
			row := h.row(4, 1, of("ch", "b1", c.imported))
			_, out := h.outcomes(t, false, row)
			f.sell(f.counters[0], h.today+4)
			got := f.hear(t, 0)
			if len(got.Reservations) != 1 || got.Reservations[0].ID != out.Rows[0].ReservationID || got.Reservations[0].Source.RoomRef != "1" {
				t.Fatalf("the message made %+v of %+v", got.Reservations, out.Rows)
			}
			f.revoke(0)
			if got := f.hear(t, 0).Reservations[0]; got.Status != hotel.Cancelled || len(h.reservations(t)) != 1 {
				t.Errorf("cancelled: %s, of %d reservations", got.Status, len(h.reservations(t)))
			}
			if got, _ := h.outcomes(t, false, row); got != "0 created, 0 attached, 1 duplicate, 0 invalid" {
				t.Errorf("imported again: %s", got)
			}
			f.catchUp(t)
			f.check(t)
		})
	}
}

func TestWhatAChannelHasToldOfIsAttached(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	f.sell(f.counters[0], h.today+4)
	heard := f.hear(t, 0).Reservations[0]
	for _, want := range []string{"0 created, 1 attached, 0 duplicate, 0 invalid", "0 created, 0 attached, 1 duplicate, 0 invalid"} {
		got, out := h.outcomes(t, false, h.row(4, 1, of("ch", "b1", "")))
		if got != want || out.Rows[0].ReservationID != heard.ID || len(h.reservations(t)) != 1 {
			t.Errorf("%s, want %s; %+v", got, want, out.Rows)
		}
	}
}

func TestNothingIsRefusedForWantOfARoom(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var rows []hotel.ImportRow
	for i := range 40 {
		rows = append(rows, h.row(7, 2, func(r *hotel.ImportRow) { r.Guest.FirstName = fmt.Sprint(i) }))
	}
	for _, dry := range []bool{true, false} {
		got, out := h.outcomes(t, dry, rows...)
		if got != "40 created, 0 attached, 0 duplicate, 0 invalid" {
			t.Error(got)
		}
		if diff := cmp.Diff([]hotel.Date{h.today + 7, h.today + 8}, out.Oversold); diff != "" {
			t.Errorf("dry run %t: too much is sold on (-want +got):\n%s", dry, diff)
		}
	}
}

// What is imported draws from its block as far as that goes, and is stored all the
// same where it does not.
func TestImportedRowsDrawFromTheirBlock(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := context.Background()
	b := h.block(t, hotel.Definite, h.line(h.double, 10, 11, 2))
	in := func(block string) func(*hotel.ImportRow) {
		return func(r *hotel.ImportRow) { r.BlockID = block }
	}
	rows := []hotel.ImportRow{
		h.row(10, 2, in(b.ID)), h.row(10, 2, in(b.ID)), h.row(10, 1, in(b.ID)), h.row(11, 2, in(b.ID)), h.row(-5, 2, in(b.ID)), h.row(10, 1, in("blk_none")),
	}
	got, out := h.outcomes(t, false, rows...)
	if got != "5 created, 0 attached, 0 duplicate, 1 invalid" || out.Rows[5].Items[0].Pointer != "/block_id" {
		t.Fatalf("%s: %+v", got, out.Rows)
	}
	for i, want := range []bool{true, true, false, false, true} {
		r := must(h.Reservation(ctx, out.Rows[i].ReservationID))(t)
		if (r.BlockID == b.ID) != want || r.HasIssue("block_exceeded") == want {
			t.Errorf("row %d: block %q, issues %v", i, r.BlockID, r.Issues)
		}
	}
	if left := h.free(t, h.double, 10, 12); left != "[2 2 4]" {
		t.Errorf("free %s", left)
	}
	h.checkVerified(t)
}

// What a dry run tells of too many rows for a block is what the import does, also
// where the rows are taken in by several pieces.
func TestDryRunDrawsFromBlocksAcrossPieces(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.block(t, hotel.Definite, h.line(h.double, 10, 10, 2))
	var rows []hotel.ImportRow
	for i := range importPiece + 5 {
		rows = append(rows, h.row(10, 1, func(r *hotel.ImportRow) {
			r.BlockID = b.ID
			if i >= 2 && i < importPiece { // between the pieces nobody draws anything
				r.BlockID, r.Status = "", hotel.Cancelled
			}
		}))
	}
	for _, dry := range []bool{true, false} {
		if _, out := h.outcomes(t, dry, rows...); len(out.Oversold) != 1 {
			t.Errorf("dry run %t: too much is sold on %v, want one night", dry, out.Oversold)
		}
	}
}

// What a row is known by when it comes again is the same in every version: else a file that
// is imported once more, after an upgrade, is stored twice.
func TestTheKeyOfAnImportedRowStays(t *testing.T) {
	row := hotel.ImportRow{NewReservation: hotel.NewReservation{
		RoomTypeID: "std", Stay: hotel.Stay{CheckIn: 20000, CheckOut: 20002}, Adults: 2, Guest: hotel.Guest{LastName: "Lovelace"},
		Profile: &hotel.ProfilePart{OnlyAdds: true}, ShownIn: "create-reservation",
	}}
	lines, err := importLines([]hotel.ImportRow{row})
	if err != nil {
		t.Fatal(err)
	}
	const want = "daef0fefab3c20cb304cf8347bf1f597aa9fe3c9bd789bb3cbb7c96edbde1d4d"
	if got := fmt.Sprintf("%x", lines[0].key); got != want {
		t.Errorf("key %s, want %s: a new member of a row has to be left out of its key where it says nothing", got, want)
	}
}

// TestImportThatCannotLookFails: where the ledger cannot be asked who somebody is, nobody
// becomes somebody else.
func TestImportThatCannotLookFails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		table string
		says  func(*hotel.ImportRow)
	}{
		{"guest_external_id", func(r *hotel.ImportRow) {
			id := "77"
			r.Profile = &hotel.ProfilePart{ExternalIDs: hotel.Optional[map[string]*string]{Set: true, Value: map[string]*string{"pms": &id}}}
		}},
		{"guest", func(r *hotel.ImportRow) { r.Companions = []string{"gst_1"} }},
		{"channel", func(r *hotel.ImportRow) { r.Source.ChannelID = "ch" }},
		{"reservation_group", func(r *hotel.ImportRow) { r.GroupID = "grp_1" }},
	} {
		t.Run(tc.table, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.exec(t, "ALTER TABLE "+tc.table+" RENAME TO gone")
			out, err := h.ImportReservations(context.Background(), tester, hotel.Import{PropertyID: h.property.ID, Rows: []hotel.ImportRow{h.row(3, 2, tc.says)}})
			if err == nil {
				t.Errorf("without the table it is %+v", out)
			}
		})
	}
}
