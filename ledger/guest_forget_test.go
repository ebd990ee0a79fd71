package ledger

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// canary stands in everything that is personal of the guest who is forgotten.
const canary = "qzcanaryqz"

// traces lists the files of the ledger in which the canary stands.
func (h *house) traces(t tb) []string {
	t.Helper()
	var found []string
	for _, path := range must(filepath.Glob(h.path + "*"))(t) {
		if bytes.Contains(bytes.ToLower(must(os.ReadFile(path))(t)), []byte(canary)) {
			found = append(found, filepath.Base(path))
		}
	}
	return found
}

func (h *house) merge(t tb, into, source string) hotel.GuestProfile {
	t.Helper()
	return must2(h.MergeGuest(context.Background(), tester, hotel.Once{}, into, hotel.GuestMerger{SourceID: source}))(t)
}

func (h *house) forget(id string) (hotel.GuestProfile, error) {
	p, _, err := h.ForgetGuest(context.Background(), tester, hotel.Once{}, id, hotel.ForgetRequest{Reason: "guest_request"})
	return p, err
}

func TestMergedGuest(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	old := h.booksAs(t, hotel.Guest{LastName: "Lee", Email: canary + "@example.com", Phone: "+4930111"}, 3)
	r := h.booksAs(t, hotel.Guest{LastName: "Lee", Email: canary + "@example.com", Phone: "+4930222"}, 5)
	p := h.merge(t, r.GuestID, old.GuestID)
	if p.Phone != "+4930222" || p.Revision != 2 {
		t.Errorf("its own word counts: %+v", p)
	}
	source := must(h.Guest(ctx, old.GuestID))(t)
	if source.Status != hotel.GuestMerged || source.MergedInto != p.ID || source.Guest != (hotel.Guest{}) {
		t.Errorf("the source has nothing: %+v", source)
	}
	if got := must(h.BookedByGuest(ctx, p.ID))(t); len(got) != 2 {
		t.Errorf("booked %v", got)
	}
	followed := must(h.Reservation(ctx, old.ID))(t)
	if followed.GuestID != p.ID || followed.Guest != p.Guest || followed.Revision != 2 {
		t.Errorf("the reservation follows: %+v", followed)
	}
	for name, ids := range map[string][2]string{"twice": {p.ID, old.GuestID}, "with itself": {p.ID, p.ID}, "with nobody": {p.ID, "none"}} {
		if _, _, err := h.MergeGuest(ctx, tester, hotel.Once{}, ids[0], hotel.GuestMerger{SourceID: ids[1]}); refusedAs(err) != "validation_failed" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := h.MergeGuest(ctx, tester, hotel.Once{}, old.GuestID, hotel.GuestMerger{SourceID: p.ID}); refusedAs(err) != "guest_merged" {
		t.Errorf("into what is no more: %v", err)
	}
	h.sound(t)
}

// Of somebody who is forgotten nothing is left in any file, whatever they booked,
// under whichever profile, and whatever was written and sent about it.
func TestNothingIsLeftOfWhoIsForgotten(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	h.newFarSide(t, 5)
	guest := hotel.Guest{
		FirstName: canary, LastName: canary, Title: canary, Company: canary, Email: canary + "@example.com", Phone: "+4930111", Address: hotel.Address{Line1: canary},
	}
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2})
	said.Booking.Guest, said.Raw = &guest, []byte("<name>"+canary+"</name>")
	said.Booking.Requests = new(canary)
	said.Booking.Rooms[0].Companions = []hotel.Guest{}
	for _, currency := range []hotel.Currency{"EUR", "USD"} {
		said.Booking.Rooms[0].Extras = append(said.Booking.Rooms[0].Extras, hotel.Extra{
			Code: "transfer", Name: "Transfer of " + canary, DateFrom: h.today + 1, DateTo: h.today + 1, Quantity: 1, UnitPrice: hotel.Money{Currency: currency},
		})
	}
	channels := must(h.Receive(ctx, said))(t).Reservations[0]
	must(h.Receive(ctx, Receipt{ChannelID: "ch", Key: "odd", Problem: "not XML: " + canary, Raw: []byte(strings.ToUpper(canary))}))(t)
	other := guest
	other.Phone = "+4930222"
	direct := h.booksAs(t, other, 3)
	words := canary
	changed := must2(h.ChangeReservation(ctx, tester, hotel.Once{}, direct.ID, hotel.ReservationChange{
		Notes: &words, Requests: &words, Guest: &hotel.GuestChange{FirstName: &words},
		Invoice:  hotel.Given(map[string]*string{"name": &words}),
		Metadata: hotel.Given(map[string]*string{"k": &words}),
	}))(t)
	must2(h.ChangeGuest(ctx, tester, hotel.Once{}, changed.GuestID, hotel.Change[hotel.GuestProfile]{Apply: func(p *hotel.GuestProfile) error {
		p.ExternalIDs, p.Metadata = map[string]string{"pms": canary}, map[string]string{"k": canary}
		p.Preferences.Notes = []hotel.Preference{{Value: canary, Source: hotel.NotedByStaff}}
		return nil
	}}))(t)
	for range 40 { // pages of the tables split, and their free space is used again
		h.booksAs(t, hotel.Guest{LastName: "Other", Email: strings.Repeat("x", 60) + "@example.com"}, 20)
		h.clock.move(1)
		if r := must(h.Reservations(ctx, hotel.ReservationFilter{Limit: 1, Descending: true}))(t); len(r) == 1 {
			must2(h.CancelReservation(ctx, tester, hotel.Once{}, r[0].ID, hotel.CancelRequest{Reason: "x"}))(t)
		}
	}
	p := h.merge(t, channels.GuestID, changed.GuestID)
	if _, err := h.forget(p.ID); refusedAs(err) != "resource_in_use" {
		t.Fatalf("a guest who is still to come: %v", err)
	}
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, direct.ID, hotel.CancelRequest{Reason: canary, Note: canary}))(t)
	said.Key, said.Revision, said.Event = "2", "2", "cancelled"
	must(h.Receive(ctx, said))(t)
	if len(h.traces(t)) == 0 {
		t.Fatal("the canary was nowhere")
	}
	left := must(h.forget(p.ID))(t)
	if left.Status != hotel.GuestAnonymized || left.Guest != (hotel.Guest{}) || left.ID != p.ID {
		t.Errorf("left %+v", left)
	}
	if found := h.traces(t); len(found) > 0 {
		t.Errorf("the canary is still in %v", found)
	}
	for _, id := range []string{channels.ID, direct.ID} {
		for _, v := range must(h.ReservationRevisions(ctx, id))(t) {
			if v.Guest != (hotel.Guest{}) || wordy(v.Words) {
				t.Errorf("revision %d of %s: %+v %+v", v.Revision, id, v.Guest, v.Words)
			}
		}
	}
	// The channel tells it once more.
	said.Key, said.Revision = "3", "3"
	must(h.Receive(ctx, said))(t)
	if got := must(h.Reservation(ctx, channels.ID))(t); got.Guest != (hotel.Guest{}) || got.GuestID != p.ID {
		t.Errorf("the guest is back: %+v", got.Guest)
	}
	if _, err := h.forget(p.ID); refusedAs(err) != "anonymized" {
		t.Errorf("forgotten twice: %v", err)
	}
	if err := h.w.scrub(ctx); err != nil {
		t.Fatal(err)
	}
	if found := h.traces(t); len(found) > 0 {
		t.Errorf("what the channel told again is in %v", found)
	}
	h.sound(t)
}

// SQLite leaves copies of rows in the free space of pages when it moves them. They
// are gone too, also when the program is killed before it comes to it.
func TestNoCopiesAreLeftOfWhoIsForgotten(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	random := rand.New(rand.NewPCG(1, 2))
	const guests = 300
	name := func(i int) string { return fmt.Sprintf("%s%d.", canary, i) }
	talk := func(p *hotel.GuestProfile, i int) {
		p.Email, p.Preferences.Notes = fmt.Sprintf("%s%d@example.com", name(i), random.IntN(100)), nil
		for range random.IntN(12) {
			p.Preferences.Notes = append(p.Preferences.Notes, hotel.Preference{Value: strings.Repeat(name(i), 1+random.IntN(35)), Source: hotel.NotedByStaff})
		}
	}
	ids := make([]string, guests)
	for i := range ids {
		p := hotel.GuestProfile{PropertyID: h.property.ID, Guest: hotel.Guest{LastName: name(i)}}
		talk(&p, i)
		ids[i] = must2(h.CreateGuest(ctx, tester, hotel.Once{}, p))(t).ID
	}
	for range 3 * guests {
		i := random.IntN(guests)
		must2(h.ChangeGuest(ctx, tester, hotel.Once{}, ids[i], hotel.Change[hotel.GuestProfile]{Apply: func(p *hotel.GuestProfile) error {
			talk(p, i)
			return nil
		}}))(t)
	}
	gone := random.Perm(guests)[:guests/2]
	for _, i := range gone { // as far as the killed program came with it
		err := h.write(ctx, urgent, tester, func(t *tx) error { return t.forget(ids[i], hotel.ForgetRequest{Reason: "x"}) })
		if err != nil {
			t.Fatal(err)
		}
	}
	h.reopen(t)
	for _, path := range must(filepath.Glob(h.path + "*"))(t) {
		raw := must(os.ReadFile(path))(t)
		for _, i := range gone {
			if bytes.Contains(raw, []byte(name(i))) {
				t.Errorf("guest %d is still in %s", i, filepath.Base(path))
			}
		}
	}
}

// A reader in the middle of something keeps the log; erasing waits for it.
func TestForgettingWaitsForReaders(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	r := h.booksAs(t, hotel.Guest{LastName: canary}, 3)
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{Reason: "x"}))(t)
	reader := must(h.readDB.BeginTx(ctx, nil))(t)
	var seen int
	if err := reader.QueryRowContext(ctx, "SELECT count(*) FROM guest").Scan(&seen); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := h.forget(r.GuestID)
		done <- err
	}()
	for must(h.Guest(ctx, r.GuestID))(t).Status != hotel.GuestAnonymized {
		runtime.Gosched()
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if found := h.traces(t); len(found) > 0 {
		t.Errorf("the canary is still in %v", found)
	}
}

// TestABackupForgetsWhoWasForgottenSince: in whatever state it knows them, by the list
// beside the ledger alone too, and nobody else.
func TestABackupForgetsWhoWasForgottenSince(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	gone := h.booksAs(t, hotel.Guest{LastName: canary, Email: canary + "@example.com"}, 1)
	other := h.booksAs(t, hotel.Guest{LastName: "Other" + canary, Email: "other" + canary + "@example.com"}, 3)
	stays := h.booksAs(t, hotel.Guest{LastName: "Stays", Email: "stays@example.com"}, 5)
	backup := filepath.Join(folder(t), "backup.db")
	if err := Copy(ctx, h.path, backup, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	p := h.merge(t, gone.GuestID, other.GuestID) // after the backup, which knows two of them
	for _, r := range []hotel.Reservation{gone, other} {
		must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{}))(t)
	}
	if _, err := h.forget(p.ID); err != nil {
		t.Fatal(err)
	}
	for _, lost := range []bool{false, true} {
		if lost {
			if err := os.WriteFile(h.path, []byte("a disk that fails"), 0o600); err != nil {
				t.Fatal(err)
			}
		} else {
			h.close(t)
		}
		ids := must(ForgottenOf(ctx, h.path))(t)
		if len(ids) != 2 {
			t.Fatalf("lost %t: forgotten were %v", lost, ids)
		}
		again := *h
		again.path = filepath.Join(folder(t), "restored.db")
		if err := os.WriteFile(again.path, must(os.ReadFile(backup))(t), 0o600); err != nil {
			t.Fatal(err)
		}
		again.open(t)
		if n := must(again.ForgetAgain(ctx, tester, append(ids, "gst_later")))(t); n != 2 {
			t.Errorf("lost %t: %d were known", lost, n)
		}
		for _, id := range ids {
			if p := must(again.Guest(ctx, id))(t); p.Status != hotel.GuestAnonymized {
				t.Errorf("lost %t: %+v", lost, p)
			}
		}
		if p := must(again.Guest(ctx, stays.GuestID))(t); p.LastName != "Stays" {
			t.Errorf("lost %t: somebody else is %+v", lost, p)
		}
		if found := again.traces(t); len(found) > 0 {
			t.Errorf("lost %t: traces in %v", lost, found)
		}
		if found := must(again.Verify(ctx, VerifyOptions{Report: func(string, float64) {}}))(t); len(found.Differences) > 0 {
			t.Errorf("lost %t: %v", lost, found.Differences)
		}
		again.close(t)
		if got := must(ForgottenOf(ctx, again.path))(t); len(got) != 3 {
			t.Errorf("lost %t: listed for the next restore are %v", lost, got)
		}
	}
	h.path = backup
	h.open(t)
}

// Writing the files anew is what makes forgetting dear: those who are forgotten at the same
// time share it.
func TestWhoIsForgottenTogetherIsErasedTogether(t *testing.T) {
	h := newHouse(t)
	ids := make([]string, 12)
	for i := range ids {
		ids[i] = must2(h.CreateGuest(t.Context(), tester, hotel.Once{}, hotel.GuestProfile{PropertyID: h.property.ID, Guest: hotel.Guest{LastName: fmt.Sprint(canary, i)}}))(t).ID
	}
	written := func() (times int) { // each time that SQLite writes a database anew it counts one up
		if err := h.readDB.QueryRowContext(t.Context(), "PRAGMA schema_version").Scan(&times); err != nil {
			t.Fatal(err)
		}
		return times
	}
	before := written()
	h.scrubbing <- struct{}{} // somebody is at it, and all of these come meanwhile
	forgotten := make(chan error, len(ids))
	for _, id := range ids {
		go func() {
			_, err := h.forget(id)
			forgotten <- err
		}()
	}
	for len(ids) > 0 {
		if p := must(h.Guest(t.Context(), ids[0]))(t); p.Status == hotel.GuestAnonymized {
			ids = ids[1:]
			continue
		}
		runtime.Gosched()
	}
	<-h.scrubbing
	for range cap(forgotten) {
		if err := <-forgotten; err != nil {
			t.Error(err)
		}
	}
	if n := written() - before; n != 1 {
		t.Errorf("the database was written anew %d times", n)
	}
	if found := h.traces(t); len(found) > 0 {
		t.Errorf("the canary is still in %v", found)
	}
}
