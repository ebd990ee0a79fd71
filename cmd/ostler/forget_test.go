package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestNothingIsLeftOfWhoIsForgotten: a guest books directly and at a channel, is changed and
// cancelled, and a partner's receiver, which repeats what it is told, is called about it all.
// Once the guest is forgotten no file below the data folder names them: not the ledger, its
// write-ahead log, what is kept of messages and calls, nor the log; and no backup made then.
func TestNothingIsLeftOfWhoIsForgotten(t *testing.T) {
	t.Parallel()
	const person = "Qzcanaryqz"
	d, i := newDemo(t), newInstallation(t)
	house, channel := d.mustHouse(t), d.channels[0]
	calls := make(chan string, 1000)
	receiver := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		out.WriteHeader(http.StatusInternalServerError) // so that the answer is kept
		_, _ = out.Write(body)
		calls <- string(body)
	}))
	t.Cleanup(receiver.Close)
	d.post(t, "/webhook-endpoints", map[string]any{"url": receiver.URL, "event_types": []string{"*"}}, http.StatusCreated)

	direct := stay(house.room("deluxe"), house.plan("flex"), ahead(200), 2, person)
	direct["guest"] = map[string]any{"first_name": person, "last_name": person, "email": person + "@example.com", "address": map[string]any{"line1": person}}
	direct["notes"], direct["guest_requests"] = person, person
	var made reservation
	if err := d.post(t, "/reservations", direct, http.StatusCreated).read(&made); err != nil {
		t.Fatal(err)
	}
	order := channel.stay("deluxe", "flex", ahead(203), 1)
	order["last_name"] = person
	var sold booking
	eventually(t, patience, 50*time.Millisecond, func() error { // until the channel has been told of the night
		a, err := channel.order("book", order)
		if err == nil && a.status != http.StatusCreated {
			err = fmt.Errorf("book: %d %s", a.status, a.body)
		}
		return errors.Join(err, a.read(&sold))
	})
	var told []reservation
	arrived := func(status string) func() error {
		return func() (err error) {
			told, err = d.reservations(url.Values{"channel_reference": {sold.Reference}, "status": {status}})
			if err == nil && len(told) != 1 {
				err = fmt.Errorf("%d bookings %s by that reference", len(told), status)
			}
			return err
		}
	}
	eventually(t, patience, 50*time.Millisecond, arrived("confirmed"))
	eventually(t, patience, 50*time.Millisecond, func() error {
		select {
		case body := <-calls:
			if strings.Contains(body, "reservation.created") && strings.Contains(body, person) {
				return nil
			}
			return fmt.Errorf("last heard %s", body)
		default:
			return errors.New("nothing was heard")
		}
	})
	channel.act(t, "cancel", map[string]any{"reference": sold.Reference}, http.StatusOK)
	eventually(t, patience, 50*time.Millisecond, arrived("cancelled"))
	d.post(t, "/reservations/"+made.ID+"/cancel", map[string]any{"reason": "guest", "note": person}, http.StatusOK)

	guests := map[string]bool{}
	for _, id := range []string{made.ID, told[0].ID} {
		var of struct{ Guest struct{ ID string } }
		if err := d.get("/reservations/"+id, &of); err != nil {
			t.Fatal(err)
		}
		guests[of.Guest.ID] = true
	}
	if len(d.naming(t, person)) == 0 {
		t.Fatal("the person was nowhere")
	}
	for id := range guests {
		d.post(t, "/guests/"+id+"/anonymize", map[string]any{"reason": "guest_request"}, http.StatusOK)
	}
	if found := d.naming(t, person); len(found) > 0 {
		t.Errorf("the person is still in %v", found)
	}
	d.hangUp()
	if err := d.stop(); err != nil {
		t.Fatal(err)
	}
	d.close()
	d.program = nil
	i.edit(t, regexp.MustCompile(`(?m)^(# )?data = .*`), `data = "`+d.dir+`"`)
	copied := filepath.Join(d.dir, "later.db")
	if out, code := run(t, "backup", "--config", i.file, copied); code != 0 {
		t.Fatalf("backup: code %d\n%s", code, out)
	}
	if found := d.naming(t, person); len(found) > 0 {
		t.Errorf("with a later backup the person is in %v", found)
	}
}

// naming lists the files of the demo, but for those of its pretend channels, that name a
// person, whatever the case.
func (d *demo) naming(t *testing.T, person string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeType != 0 {
			if err == nil && path == filepath.Join(d.dir, "sim") {
				return filepath.SkipDir
			}
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(raw), bytes.ToLower([]byte(person))) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
