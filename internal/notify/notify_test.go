package notify

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/desk"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// wound is a clock that stands still until it is moved.
type wound struct{ now time.Time }

func (c *wound) Now() time.Time                  { return c.now }
func (c *wound) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *wound) Steady() time.Time               { return c.Now() }

// sent is what reached somebody.
type sent struct{ to, subject, text string }

// post takes mail and calls, while it is not away.
type post struct {
	away  error
	mail  []sent
	calls []sent
}

func (p *post) Send(_ context.Context, to, subject, text string) error {
	if p.away == nil {
		p.mail = append(p.mail, sent{to, subject, text})
	}
	return p.away
}

func (p *post) Call(_ context.Context, url, id string, body []byte) error {
	p.calls = append(p.calls, sent{url, id, string(body)})
	return nil
}

// engine is one at rest, whose channels take no-shows within two days.
type engine struct{ desk.Engine }

func (engine) Link(string) hotel.Link                             { return hotel.Link{} }
func (engine) Configure(string, []byte) (hotel.Configured, error) { return hotel.Configured{}, nil }
func (engine) Abilities(context.Context, hotel.Channel) (hotel.Abilities, error) {
	return hotel.Abilities{Terms: hotel.Terms{Actions: []hotel.ActionTerms{{Kind: hotel.ActionNoShow, Within: 48 * time.Hour}}}}, nil
}

// world is a house whose people are told, in Vienna, at ten on a Sunday.
type world struct {
	*testing.T
	house   testkit.House
	l       *ledger.Ledger
	desk    *desk.Desk
	clock   *wound
	post    *post
	lasting []Lasting
	link    hotel.Link // of every channel
	w       *Worker
}

func newWorld(t *testing.T, recipients ...hotel.Recipient) *world {
	t.Helper()
	w := &world{T: t, clock: &wound{time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}, post: &post{}}
	var err error
	w.l, err = ledger.Open(t.Context(), ledger.Options{Path: filepath.Join(t.TempDir(), "ledger.db"), Clock: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.l.Close() })
	w.house = testkit.NewHouse(t, w.l)
	today := w.house.Property.Today(w.clock.now)
	w.house.Price(t, w.l, 0, hotel.Span{From: today, To: today + 10}, 10000)
	w.desk = desk.New(desk.Options{Ledger: w.l, Engine: engine{}, Clock: w.clock})
	w.settings(hotel.Notifications{Recipients: recipients})
	w.start()
	return w
}

func (w *world) settings(n hotel.Notifications) {
	w.Helper()
	_, _, err := w.desk.SetNotifications(w.Context(), ourselves, w.house.Property.ID, 0, n)
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) start() {
	w.w = New(Options{
		Ledger: w.l, Desk: w.desk, Mail: w.post, Hook: w.post, Console: "https://ostler.example", Clock: w.clock, Log: zap.NewNop(),
		Lasting: func(context.Context) []Lasting { return w.lasting }, Link: func(string) hotel.Link { return w.link },
	})
	w.look()
}

func (w *world) look() {
	w.Helper()
	if err := w.w.Look(w.Context()); err != nil {
		w.Fatal(err)
	}
}

// later looks for a while, every minute, or a hundred times.
func (w *world) later(d time.Duration) {
	w.Helper()
	step := max(every, d/100)
	for end := w.clock.now.Add(d); w.clock.now.Before(end); {
		w.clock.now = w.clock.now.Add(min(step, end.Sub(w.clock.now)))
		w.look()
	}
}

// took returns what came by mail since it was last asked.
func (w *world) took() []sent {
	mail := w.post.mail
	w.post.mail = nil
	return mail
}

// want compares the subjects of what came by mail.
func (w *world) want(subjects ...string) []sent {
	w.Helper()
	mail := w.took()
	var got []string
	for _, m := range mail {
		got = append(got, m.to+" "+m.subject)
	}
	if diff := cmp.Diff(subjects, got); diff != "" {
		w.Fatalf("mail (-want +got):\n%s", diff)
	}
	return mail
}

func (w *world) book(name string, ahead int) hotel.Reservation {
	w.Helper()
	in := w.house.Property.Today(w.clock.now) + hotel.Date(ahead)
	r, _, err := w.l.CreateReservation(w.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: w.house.Property.ID, RoomTypeID: w.house.Rooms[0].ID, RatePlanID: w.house.Plans[0].ID,
		Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2, Guest: hotel.Guest{FirstName: map[bool]string{true: "Ada"}[name[0] != '='], LastName: name},
	})
	if err != nil {
		w.Fatal(err)
	}
	return r
}

func reader(language string, of ...hotel.NoticeKind) hotel.Recipient {
	return hotel.Recipient{Name: language, Email: language + "@hotel.example", Language: language, Events: of}
}

func TestBookingsAreTold(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticeBookingNew, hotel.NoticeBookingCancelled), reader("de", hotel.NoticeBookingNew), reader("it", hotel.NoticeOversell))
	first := w.book("Lovelace", 3)
	w.later(time.Minute)
	mail := w.want("en@hotel.example Test House: New booking", "de@hotel.example Test House: Neue Buchung")
	for _, part := range []string{"Ada Lovelace", "double", "Wed 25 Nov 2026 to Fri 27 Nov 2026", "200.00 EUR", first.Confirmation, "https://ostler.example"} {
		if !strings.Contains(mail[0].text, part) {
			t.Errorf("%q is not in\n%s", part, mail[0].text)
		}
	}
	if !strings.Contains(mail[1].text, "25.11.2026 bis 27.11.2026") {
		t.Errorf("German is\n%s", mail[1].text)
	}
	// Many at once are one message; one that was cancelled at once is none.
	for range 60 {
		w.book("Many", 4)
		if _, _, err := w.l.CancelReservation(t.Context(), testkit.Tester, hotel.Once{}, w.book("Gone", 5).ID, hotel.CancelRequest{}); err != nil {
			t.Fatal(err)
		}
		if len(w.post.mail) > 0 {
			t.Fatal("a message goes at once")
		}
		if n, err := w.l.Reservations(t.Context(), hotel.ReservationFilter{Statuses: []hotel.ReservationStatus{hotel.Confirmed}, Limit: 100}); err != nil || len(n) >= 28 {
			break
		}
	}
	w.later(time.Minute)
	mail = w.want("en@hotel.example Test House: 27 news", "de@hotel.example Test House: 27 Neuigkeiten")
	if strings.Contains(mail[0].text, "Gone") {
		t.Errorf("it is told of what was cancelled at once:\n%s", mail[0].text)
	}
	if _, _, err := w.l.CancelReservation(t.Context(), testkit.Tester, hotel.Once{}, first.ID, hotel.CancelRequest{}); err != nil {
		t.Fatal(err)
	}
	w.later(time.Minute)
	w.want("en@hotel.example Test House: Booking cancelled")
	w.later(time.Hour)
	w.want()
}

// Bookings that move in are new to nobody; what happens to them here is told.
func TestNobodyIsToldOfAnImport(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticeBookingNew, hotel.NoticeBookingModified, hotel.NoticeBookingCancelled))
	in := w.house.Property.Today(w.clock.now) + 3
	row := hotel.ImportRow{NewReservation: hotel.NewReservation{
		RoomTypeID: w.house.Rooms[0].ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2, Guest: hotel.Guest{LastName: "Hopper"},
	}}
	out, err := w.l.ImportReservations(t.Context(), testkit.Tester, hotel.Import{PropertyID: w.house.Property.ID, Rows: []hotel.ImportRow{row}})
	if err != nil || out.Rows[0].Outcome != hotel.RowCreated {
		t.Fatalf("imported %+v, %v", out, err)
	}
	w.later(time.Hour)
	w.want()
	if _, _, err := w.l.CancelReservation(t.Context(), testkit.Tester, hotel.Once{}, out.Rows[0].ReservationID, hotel.CancelRequest{}); err != nil {
		t.Fatal(err)
	}
	w.later(time.Minute)
	w.want("en@hotel.example Test House: Booking cancelled")
}

// TestNobodyIsToldThatAnImportMeetsItsChannel: further rows of a booking, and the first
// message of its channel about it, are news to nobody. What the message says otherwise is.
func TestNobodyIsToldThatAnImportMeetsItsChannel(t *testing.T) {
	for name, test := range map[string]struct {
		status hotel.ReservationStatus // "": confirmed
		change func(*ledger.Receipt)
		want   []string
	}{
		"as it is": {change: func(*ledger.Receipt) {}},
		"and more of the guest": {change: func(r *ledger.Receipt) {
			r.Booking.Guest = &hotel.Guest{FirstName: "Grace", LastName: "Hopper", Email: "grace@example.com"}
		}},
		"another night": {
			change: func(r *ledger.Receipt) { r.Booking.Rooms[0].Stay.CheckOut++ },
			want:   []string{"en@hotel.example Test House: Booking changed"},
		},
		"another guest": {
			change: func(r *ledger.Receipt) { r.Booking.Guest = &hotel.Guest{LastName: "Lovelace"} },
			want:   []string{"en@hotel.example Test House: 2 news"},
		},
		"another address": {
			change: func(r *ledger.Receipt) { r.Booking.Guest.Address.City = "Arlington" },
			want:   []string{"en@hotel.example Test House: 2 news"},
		},
		"no address": {change: func(r *ledger.Receipt) { r.Booking.Guest.Address.City = "" }},
		"another price": {
			change: func(r *ledger.Receipt) { r.Booking.Rooms[0].Amounts[1].Minor++ },
			want:   []string{"en@hotel.example Test House: Booking changed"},
		},
		"net prices": {
			change: func(r *ledger.Receipt) { r.Booking.Payment.Basis = hotel.NetOfCommission },
			want:   []string{"en@hotel.example Test House: 2 news"},
		},
		"cancelled": {
			change: func(r *ledger.Receipt) { r.Event = "cancelled" },
			want:   []string{"en@hotel.example Test House: 2 news"},
		},
		"a guest in the house as he is": {status: hotel.CheckedIn, change: func(*ledger.Receipt) {}},
		"a guest in the house cancelled": {
			status: hotel.CheckedIn,
			change: func(r *ledger.Receipt) { r.Event = "cancelled" },
			want:   []string{"en@hotel.example Test House: 2 news"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, reader("en", hotel.NoticeBookingNew, hotel.NoticeBookingModified, hotel.NoticeBookingCancelled))
			w.house.Connect(t, w.l, hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}, Connector: "mock", Name: "Portal", Settings: []byte("{}"), Account: "a"}, hotel.PerRoom)
			in := w.house.Property.Today(w.clock.now)
			if test.status != hotel.CheckedIn {
				in += 3
			}
			said := hotel.Stay{CheckIn: in, CheckOut: in + 2}
			guest := hotel.Guest{LastName: "Hopper", Address: hotel.Address{City: "New York"}}
			price := hotel.Money{Minor: 9000, Currency: w.house.Property.Currency}
			m := w.house.Mappings()[0]
			var rows []hotel.ImportRow
			message := ledger.Receipt{
				ChannelID: "ch_1", Key: "1", Ref: "R1", Event: "booked", Revision: "1", Order: hotel.OrderRevisionNumber, At: w.clock.now.Add(-time.Hour),
				Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Hopper", Address: guest.Address}},
			}
			for _, room := range []string{"1", "2"} {
				total := hotel.Money{Minor: 2 * price.Minor, Currency: price.Currency}
				rows = append(rows, hotel.ImportRow{RoomTotal: &total, NewReservation: hotel.NewReservation{
					Status: test.status, RoomTypeID: m.RoomTypeID, Stay: said, Adults: 2, Guest: guest,
					Source: hotel.Source{ChannelID: "ch_1", Reference: "R1", RoomRef: room},
				}})
				message.Booking.Rooms = append(message.Booking.Rooms, hotel.ChannelRoom{
					Ref: room, Room: m.RemoteRoom, Rate: m.RemoteRate, Stay: said, Adults: 2, Amounts: []hotel.Money{price, price},
				})
			}
			out, err := w.l.ImportReservations(t.Context(), testkit.Tester, hotel.Import{PropertyID: w.house.Property.ID, Rows: rows})
			if err != nil || out.Rows[1].Outcome != hotel.RowCreated {
				t.Fatalf("imported %+v, %v", out, err)
			}
			w.later(time.Minute)
			w.want()
			test.change(&message)
			if got, err := w.l.Receive(t.Context(), message); err != nil || len(got.Reservations) != 2 || got.Reservations[0].ID != out.Rows[0].ReservationID {
				t.Fatalf("received %+v, %v", got, err)
			}
			w.later(time.Minute)
			w.want(test.want...)
		})
	}
}

// TestNobodyIsToldTwice: what was told before the program ended is not told again, what
// was not is told by the next, and nobody is told of what was before they were named.
func TestNobodyIsToldTwice(t *testing.T) {
	w := newWorld(t)
	w.book("Before", 1)
	w.settings(hotel.Notifications{Recipients: []hotel.Recipient{reader("en", hotel.NoticeBookingNew)}})
	w.later(time.Minute)
	w.want()
	w.book("Told", 1)
	w.later(time.Minute)
	w.want("en@hotel.example Test House: New booking")
	w.book("Missed", 1)
	w.start()
	if mail := w.want("en@hotel.example Test House: New booking"); !strings.Contains(mail[0].text, "Missed") {
		t.Errorf("it is told\n%s", mail[0].text)
	}
	w.start()
	w.want()
}

// TestWhatLastsIsToldOnceADay and when it is over.
func TestWhatLastsIsToldOnceADay(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticeBackupFailed, hotel.NoticeExpiring))
	ends := time.Date(2026, 12, 5, 23, 0, 0, 0, time.UTC)
	w.lasting = []Lasting{{hotel.NoticeBackupFailed, BackupTopic, w.clock.now}, {hotel.NoticeExpiring, SecretTopic("sec_1", "cl_1", "Acme {date} PMS", ends), w.clock.now}}
	w.later(2 * time.Hour)
	mail := w.want("en@hotel.example Test House: 2 news")
	if !strings.Contains(mail[0].text, "- No backup could be taken: since Sun 22 Nov 2026 10:00\n- Something is about to expire: secret sec_1 of client Acme {date} PMS (cl_1), on Sat 5 Dec 2026\n") {
		t.Errorf("it is told\n%s", mail[0].text)
	}
	w.start()
	w.later(23 * time.Hour)
	if mail = w.want("en@hotel.example Test House: 2 news"); !strings.Contains(mail[0].text, "(still so; since Sun 22 Nov 2026 10:00)") {
		t.Errorf("it is reminded of by\n%s", mail[0].text)
	}
	w.lasting[1].Topic = SecretTopic("sec_1", "cl_1", "Acme, called otherwise", ends)
	w.later(time.Hour)
	w.want() // it is the same secret
	w.lasting = w.lasting[:1]
	w.later(time.Minute)
	w.want("en@hotel.example Test House: It has been renewed, or is over")
	w.lasting = nil
	w.later(time.Hour)
	w.want("en@hotel.example Test House: Backups are taken again")
}

// TestConflictsAreTold of a booking that nobody can place, with what it is about.
func TestConflictsAreTold(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticeUnmapped))
	w.house.Connect(t, w.l, hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}, Connector: "mock", Name: "Portal", Settings: []byte("{}"), Account: "a"}, hotel.PerRoom)
	in := w.house.Property.Today(w.clock.now) + 3
	_, err := w.l.Receive(t.Context(), ledger.Receipt{
		ChannelID: "ch_1", Key: "1", Ref: "R1", Event: "booked", Order: hotel.OrderNone,
		Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Byron"}, Rooms: []hotel.ChannelRoom{{Room: "attic", Rate: "x", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.later(time.Minute)
	mail := w.want("en@hotel.example Test House: Booking of a room or rate that is not mapped")
	if !strings.Contains(mail[0].text, "Portal, Byron") {
		t.Errorf("it is told\n%s", mail[0].text)
	}
}

// letPass is a ledger in which a price guard has let prices pass that are too high.
type letPass struct {
	Ledger
	conflict hotel.Conflict
	entry    ledger.Entry
}

func (l letPass) Entries(ctx context.Context, after int64, limit int) ([]ledger.Entry, error) {
	entries, err := l.Ledger.Entries(ctx, after, limit)
	if after < l.entry.Sequence {
		entries = append(entries, l.entry)
	}
	return entries, err
}

func (l letPass) Sequence(context.Context) (int64, error) { return l.entry.Sequence, nil }

func (l letPass) Conflict(context.Context, string) (hotel.Conflict, error) { return l.conflict, nil }

// TestPricesThatAreSentTooHighAreTold: once, as something that is settled and never lasted.
func TestPricesThatAreSentTooHighAreTold(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticePriceGuard))
	c := hotel.Conflict{
		Entity: hotel.Entity{ID: "cfl_1"}, PropertyID: w.house.Property.ID, Kind: hotel.ConflictPriceGuard, Status: hotel.ConflictResolved, DecidedBy: hotel.ByPolicy,
		Applied: &hotel.Applied{Level: "channel", Field: "price_guard.too_high", Value: "send"},
	}
	body, err := json.Marshal(ledger.ConflictBody{Conflict: c})
	if err != nil {
		t.Fatal(err)
	}
	end, err := w.l.Sequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.w.o.Ledger = letPass{w.l, c, ledger.Entry{Sequence: end + 1, At: w.clock.now, PropertyID: c.PropertyID, Kind: ledger.ConflictSettled, Subject: c.ID, Body: body}}
	w.later(time.Minute)
	w.later(48 * time.Hour)
	w.want("en@hotel.example Test House: Prices are sent that are higher than the price guard expects")
}

// A guest of a channel who has not come is counted among what is due while the channel takes
// that, and no longer.
func TestDigestCountsNoShows(t *testing.T) {
	digest := reader("en")
	digest.Digest = true
	w := newWorld(t, digest)
	w.took()
	today := w.house.Property.Today(w.clock.now)
	w.house.Connect(t, w.l, hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}, Connector: "mock", Name: "Portal", Settings: []byte("{}"), Account: "a"}, hotel.PerRoom)
	if _, err := w.l.Receive(t.Context(), ledger.Receipt{
		ChannelID: "ch_1", Key: "1", Ref: "R1", Event: "booked", Order: hotel.OrderNone,
		Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Absent"}, Rooms: []hotel.ChannelRoom{{
			Room: w.house.RemoteRoom(0), Rate: w.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: today, CheckOut: today + 5}, Adults: 1,
		}}},
	}); err != nil {
		t.Fatal(err)
	}
	for _, due := range []bool{true, false} {
		w.later(24 * time.Hour)
		mail := w.took()
		at := slices.IndexFunc(mail, func(m sent) bool { return strings.Contains(m.text, "Arrivals: ") })
		if at < 0 || strings.Contains(mail[at].text, "Answers that are due: 1\n") != due {
			t.Errorf("due: %v; the mail is %v", due, mail)
		}
	}
}

func TestDigestAndHeartbeatComeInTheMorning(t *testing.T) {
	digest, beat := reader("en"), reader("de")
	digest.Digest, beat.Heartbeat = true, true
	w := newWorld(t, digest, beat)
	w.want("en@hotel.example Test House: Sun 22 Nov 2026", "de@hotel.example Test House: am 22.11.2026 ist alles in Ordnung")
	arriving := w.book("Lovelace", 1)
	w.later(20*time.Hour + 59*time.Minute) // until one minute to seven in Vienna
	w.want()
	w.later(time.Minute)
	mail := w.want("en@hotel.example Test House: Mon 23 Nov 2026", "de@hotel.example Test House: am 23.11.2026 ist alles in Ordnung")
	if want := "Arrivals: 1\nDepartures: 0\nIn house: 0\n\nNothing is waiting for you.\n"; !strings.HasPrefix(mail[0].text, want) {
		t.Errorf("the digest is\n%s", mail[0].text)
	}
	if strings.Contains(mail[0].text, arriving.Guest.LastName) {
		t.Error("it names guests")
	}
	w.start()
	w.want()
}

// TestMessagesWait while the server is away, and are sent by the next program too, until
// three days are over. Nobody is written to who is not to be told any more.
func TestMessagesWait(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticeBookingNew), reader("de", hotel.NoticeBookingNew))
	w.post.away = errors.New("connection refused")
	w.book("Lovelace", 1)
	w.later(5 * time.Hour)
	w.post.away = nil
	w.start()
	w.later(time.Hour)
	w.want("en@hotel.example Test House: New booking", "de@hotel.example Test House: Neue Buchung")

	w.post.away = errors.New("connection refused")
	w.book("Byron", 1)
	w.later(time.Minute)
	w.settings(hotel.Notifications{Recipients: []hotel.Recipient{reader("en", hotel.NoticeBookingNew)}})
	w.later(74 * time.Hour)
	w.post.away = nil
	w.later(2 * time.Hour)
	w.want()
	if due, err := w.l.DueMail(t.Context(), 10); err != nil || len(due) > 0 {
		t.Errorf("%d messages are left: %v", len(due), err)
	}
}

// full is a ledger that can note of no message that it has arrived.
type full struct{ *ledger.Ledger }

func (full) EndMail(context.Context, string) error { return errors.New("the disk is full") }

// TestNobodyIsToldAgainOnAFullDisk: that a message arrived is known until it can be stored.
func TestNobodyIsToldAgainOnAFullDisk(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticeBookingNew))
	w.w.o.Ledger = full{w.l}
	w.book("Lovelace", 1)
	for range 3 {
		w.clock.now = w.clock.now.Add(time.Minute)
		if err := w.w.Look(t.Context()); err == nil {
			t.Error("nobody hears that it cannot be stored")
		}
	}
	w.want("en@hotel.example Test House: New booking")
	w.w.o.Ledger = w.l
	w.later(time.Hour)
	w.want()
	if due, err := w.l.DueMail(t.Context(), 10); err != nil || len(due) > 0 || len(w.w.arrived) > 0 {
		t.Errorf("%d messages are left, %d remembered: %v", len(due), len(w.w.arrived), err)
	}
}

// TestAddressesAreCalled with what happened and no guest's name.
func TestAddressesAreCalled(t *testing.T) {
	w := newWorld(t, hotel.Recipient{Name: "pager", URL: "https://alerts.example/hook", Language: "en", Events: []hotel.NoticeKind{hotel.NoticeBookingNew}})
	r := w.book("Lovelace", 1)
	w.later(time.Minute)
	if len(w.post.calls) != 1 || w.post.calls[0].to != "https://alerts.example/hook" {
		t.Fatalf("calls %v", w.post.calls)
	}
	var said struct {
		ID, Type string
		Data     struct {
			Property string `json:"property_id"`
			Subject  string
			Items    []hotel.NoticeItem
		}
	}
	if err := json.Unmarshal([]byte(w.post.calls[0].text), &said); err != nil {
		t.Fatal(err)
	}
	if said.Type != "notification.events" || said.ID != w.post.calls[0].subject || said.Data.Subject != "Test House: New booking" ||
		len(said.Data.Items) != 1 || said.Data.Items[0].Subject != r.ID || strings.Contains(w.post.calls[0].text, "Lovelace") {
		t.Errorf("it is told %s", w.post.calls[0].text)
	}
}

// TestTopicsAreSaidInEveryLanguage, and none as the text that names it.
func TestTopicsAreSaidInEveryLanguage(t *testing.T) {
	ends := time.Date(2026, 12, 5, 23, 0, 0, 0, time.UTC)
	secret, certificate := SecretTopic("sec_1", "cl_1", "Acme PMS", ends), CertificateTopic("api", ends)
	for language, want := range map[string][2]string{
		"en": {"secret sec_1 of client Acme PMS (cl_1), on Sat 5 Dec 2026", "certificate of [api], on Sat 5 Dec 2026"},
		"de": {"Geheimnis sec_1 des Clients Acme PMS (cl_1), am 05.12.2026", "Zertifikat von [api], am 05.12.2026"},
		"it": {"segreto sec_1 del client Acme PMS (cl_1), il 05/12/2026", "certificato di [api], il 05/12/2026"},
	} {
		if got := [2]string{wordsOf(language).topic(secret), wordsOf(language).topic(certificate)}; got != want {
			t.Errorf("%s: %q", language, got)
		}
	}
	if got := wordsOf("de").topic("what an earlier version wrote"); got != "what an earlier version wrote" {
		t.Errorf("another text: %q", got)
	}
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	for language, w := range catalogue {
		for key, text := range catalogue["en"].texts {
			if w.texts[key] == "" {
				t.Errorf("%s has no %s", language, key)
			}
			for _, hole := range []string{"{hotel}", "{n}", "{date}", "{since}", "{until}", "{in}", "{out}", "{at}", "{id}", "{client}", "{name}", "{listener}"} {
				if strings.Contains(text, hole) != strings.Contains(w.texts[key], hole) {
					t.Errorf("%s of %s: %s is missing, or too much", key, language, hole)
				}
			}
		}
		for _, k := range hotel.NoticeKinds {
			if w.texts[string(k)] == "" {
				t.Errorf("%s has no words for %s", language, k)
			}
		}
	}
	for _, language := range hotel.NoticeLanguages {
		if catalogue[language] == nil {
			t.Errorf("there is no %s", language)
		}
	}
}

// TestSheet: the files have what the desk works by, are replaced whole, and old ones go.
func TestSheet(t *testing.T) {
	w := newWorld(t)
	w.settings(hotel.Notifications{Sheet: &hotel.Sheet{Folder: "front", EveryMinutes: 60}})
	guest := w.book("=HYPERLINK(1)", 0)
	if _, _, err := w.l.StepReservation(t.Context(), testkit.Tester, hotel.Once{}, w.book("Byron <b>", 0).ID, stay.CheckIn, hotel.StepRequest{}); err != nil {
		t.Fatal(err)
	}
	s := &Scribe{Ledger: w.l, Desk: w.desk, Folder: t.TempDir(), Clock: w.clock, Log: zap.NewNop()}
	write := func() {
		t.Helper()
		if err := s.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write()
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(s.Folder, "front", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	table, page := read("house.csv"), read("house.html")
	for _, part := range []string{"Arrivals\n", "'=HYPERLINK(1)", guest.Confirmation, "In house\n", "Byron <b>", "Free rooms\n", "Night,double,family,suite\n", "Sun 22 Nov 2026,28,14,3\n"} {
		if !strings.Contains(table, part) {
			t.Errorf("%q is not in\n%s", part, table)
		}
	}
	if !strings.Contains(page, "Byron &lt;b&gt;") || strings.Contains(page, "<b>") {
		t.Errorf("what guests typed is not escaped:\n%s", page)
	}
	info, err := os.Stat(filepath.Join(s.Folder, "front", "house.html"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("it is %v: %v", info.Mode(), err)
	}
	w.book("Later", 0)
	w.clock.now = w.clock.now.Add(59 * time.Minute)
	if write(); strings.Contains(read("house.csv"), "Later") {
		t.Error("it is written before it is due")
	}
	w.clock.now = w.clock.now.Add(time.Minute)
	if write(); !strings.Contains(read("house.csv"), "Later") {
		t.Error("it is not written when it is due")
	}
	if old := read("house-2026-11-22-1000.csv"); old != table {
		t.Errorf("the one before is\n%s", old)
	}
	long := w.clock.now.Add(-49 * time.Hour)
	if err := os.Chtimes(filepath.Join(s.Folder, "front", "house-2026-11-22-1000.csv"), long, long); err != nil {
		t.Fatal(err)
	}
	w.clock.now = w.clock.now.Add(time.Hour)
	write()
	if left, err := filepath.Glob(filepath.Join(s.Folder, "front", "house-2026-11-22-1000.*")); err != nil || len(left) != 1 {
		t.Errorf("of old ones there are %v: %v", left, err)
	}
}
