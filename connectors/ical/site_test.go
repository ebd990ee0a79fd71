package ical

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
)

// site is a site that answers what a test says, and counts how it is asked.
type site struct {
	bodies map[string]string // by the path of the address
	tags   bool
	status int // 0: 200
	header http.Header
	asked  []*http.Request
}

// RoundTrip implements [http.RoundTripper].
func (s *site) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, r)
	body, status, header := s.bodies[r.URL.Path], http.StatusOK, http.Header{}
	if s.status != 0 {
		body, status = "", s.status
	}
	maps.Copy(header, s.header)
	if tag := fmt.Sprintf("%q", fmt.Sprint(len(body), body)); s.tags && status == http.StatusOK {
		header.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			body, status = "", http.StatusNotModified
		}
	}
	return &http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: header, Request: r,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// clock stands still until a test moves it.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time                  { return c.now }
func (c *clock) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *clock) Steady() time.Time               { return c.Now() }

// memory is a shelf that ends with the test.
type memory struct {
	mu   sync.Mutex
	kept map[string][]byte
}

// Get implements [connectors.Shelf].
func (m *memory) Get(_ context.Context, name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[name], nil
}

// Put implements [connectors.Shelf].
func (m *memory) Put(_ context.Context, name string, body []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[name] = bytes.Clone(body)
	return nil
}

// taken is a sink that takes all it is given.
type taken struct{ messages []connectors.Message }

// Deliver implements [connectors.Sink].
func (k *taken) Deliver(_ context.Context, m connectors.Message) error {
	k.messages = append(k.messages, m)
	return nil
}

// Hint implements [connectors.Sink]; a calendar gives none.
func (*taken) Hint() {}

const testKey = "0123456789abcdefghij"

// settings are sound ones, for two doubles and a suite.
func settings() Config {
	c := defaults
	c.Site, c.Property, c.TimeZone, c.Key = "pretend", "Seaview", "Europe/Vienna", testKey
	c.Calendars = "double https://site.example/d1?s=hush\ndouble https://site.example/d2?s=hush\nsuite -\n"
	return c
}

// house is a channel at a site, on New Year's morning of 2027.
type house struct {
	*conn
	*site
	clock  *clock
	cursor string

	installation string
	known        map[string]bool // messages that were taken, by their keys
}

func newHouse(t *testing.T, channel string, c Config) *house {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	h := &house{site: &site{bodies: map[string]string{}}, known: map[string]bool{}, clock: &clock{time.Date(2027, 1, 1, 9, 0, 0, 0, time.UTC)}}
	h.open(t, channel, c, &memory{kept: map[string][]byte{}})
	return h
}

// open opens the channel with what is on the shelf.
func (h *house) open(t *testing.T, channel string, c Config, shelf connectors.Shelf) {
	t.Helper()
	env := connectors.Env{
		ChannelID: channel, Client: transport.New(transport.Options{Base: h.site}), Log: zap.NewNop(), Clock: h.clock, Shelf: shelf,
	}
	if h.installation != "" {
		env.Installation = func(context.Context) (string, error) { return h.installation, nil }
	}
	opened, err := open(t.Context(), c, env)
	if err != nil {
		t.Fatal(err)
	}
	h.conn = opened.(*conn)
}

// polls reads the calendars a quarter of an hour later, and tells what came of it.
func (h *house) polls(t *testing.T) (said []string, err error) {
	t.Helper()
	h.clock.now = h.clock.now.Add(20 * time.Minute)
	var k taken
	next, err := h.Poll(t.Context(), h.cursor, &k)
	if err == nil {
		h.cursor = next
	}
	for _, m := range k.messages {
		if h.known[m.Key] {
			continue
		}
		h.known[m.Key] = true
		if m.Problem != "" {
			said = append(said, "unread: "+m.Problem)
			continue
		}
		r := m.Booking.Rooms[0]
		words := fmt.Sprintf("%s %s %s %s..%s", m.Ref, m.Event, r.Room, short(r.Stay.CheckIn.String()), short(r.Stay.CheckOut.String()))
		if g := m.Booking.Guest; g != nil {
			words += " " + strings.TrimSpace(g.FirstName+" "+g.LastName)
		}
		said = append(said, words)
		if m.Key != m.Ref+"/"+m.Revision || len(m.Raw) == 0 {
			t.Errorf("the message about %s has key %q, revision %q and %d bytes as they came", m.Ref, m.Key, m.Revision, len(m.Raw))
		}
	}
	return said, err
}

// short leaves the year of the tests out.
func short(date string) string { return strings.TrimPrefix(date, "2027-") }

// ics writes a calendar: of each event its UID, its days in January 2027 as in
// "5-8", and its words, with a number of the site's behind an @.
func ics(events ...string) string {
	var out strings.Builder
	out.WriteString("BEGIN:VCALENDAR\r\n")
	for _, e := range events {
		words := strings.SplitN(e, " ", 3)
		var from, to int
		if _, err := fmt.Sscanf(words[1], "%d-%d", &from, &to); err != nil {
			panic(err)
		}
		at := func(day int) string { return time.Date(2027, 1, day, 0, 0, 0, 0, time.UTC).Format("20060102") }
		fmt.Fprintf(&out, "BEGIN:VEVENT\r\nUID:%s\r\nDTSTART;VALUE=DATE:%s\r\nDTEND;VALUE=DATE:%s\r\n", words[0], at(from), at(to))
		summary, number, _ := strings.Cut(words[2], "@")
		fmt.Fprintf(&out, "SUMMARY:%s\r\n", summary)
		if number != "" {
			fmt.Fprintf(&out, "DESCRIPTION:https://www.airbnb.com/hosting/reservations/details/%s\r\n", number)
		}
		out.WriteString("END:VEVENT\r\n")
	}
	return out.String() + "END:VCALENDAR\r\n"
}
