package ical

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// visit is the last time that the site read a listing's calendar.
type visit struct {
	At   time.Time    `json:"at"`
	Tag  string       `json:"tag"`
	Busy []hotel.Stay `json:"busy"` // that it was shown

	Before []outdated `json:"before,omitempty"` // that it was shown lately, and not any more
}

// oftenEnough is how often visits that see the same are noted.
const oftenEnough = time.Minute

// Published implements [connectors.Publisher]: /KEY/ROOM-1.ics is the calendar of a
// listing, and /KEY/ tells people which there are. Whoever does not know the key
// learns nothing.
func (c *conn) Published() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if subtle.ConstantTimeCompare([]byte(key), []byte(c.cfg.Key)) != 1 {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "calendars are read", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Cache-Control", "private, max-age=60")
		w.Header().Set("X-Robots-Tag", "noindex")
		if name == "" {
			c.overview(w, r)
			return
		}
		for _, l := range c.listings {
			if name == l.name()+".ics" {
				c.serve(w, r, l)
				return
			}
		}
		http.NotFound(w, r)
	})
}

// serve answers with one listing's calendar. One that cannot be told is not answered
// with an empty one: who reads it would put everything on sale.
func (c *conn) serve(w http.ResponseWriter, r *http.Request, l listing) {
	f, err := load[feed](r.Context(), c.shelf, feedName)
	p := f.Listings[l.name()]
	if err != nil || p == nil {
		if err != nil {
			c.log.Error("a calendar cannot be published", zap.String("listing", l.name()), zap.Error(err))
		}
		w.Header().Set("Retry-After", "300")
		http.Error(w, "there is nothing to tell yet", http.StatusServiceUnavailable)
		return
	}
	text := p.write(l.room, l.name(), c.domain(), c.today())
	sum := sha256.Sum256(text)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	http.ServeContent(w, r, "", p.Changed, bytes.NewReader(text))
	if r.Method == http.MethodGet {
		c.note(r.Context(), l, visit{At: c.clock.Now().UTC(), Tag: tag, Busy: p.stays()})
	}
}

// note keeps that the site has read. That it fails spoils nothing.
func (c *conn) note(ctx context.Context, l listing, now visit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was, err := load[visit](ctx, c.shelf, visitName+l.name())
	if err == nil && (was.Tag != now.Tag || now.At.Sub(was.At) >= oftenEnough) {
		err = save(ctx, c.shelf, visitName+l.name(), now.after(was))
	}
	if err != nil {
		c.log.Warn("that a calendar was read is not noted", zap.String("listing", l.name()), zap.Error(err))
	}
}

// Visits implements [connectors.Visited].
func (c *conn) Visits(ctx context.Context) ([]hotel.Published, error) {
	out := make([]hotel.Published, len(c.listings))
	for i, l := range c.listings {
		v, err := load[visit](ctx, c.shelf, visitName+l.name())
		if err != nil {
			return nil, err
		}
		out[i] = hotel.Published{Name: l.name(), ReadAt: v.At}
	}
	return out, nil
}

// overview tells people where the calendars are, and how it stands with each.
func (c *conn) overview(w http.ResponseWriter, r *http.Request) {
	b, err := load[bookings](r.Context(), c.shelf, bookingsName)
	visits, failed := c.Visits(r.Context())
	if err != nil || failed != nil {
		http.Error(w, "it cannot be told just now", http.StatusServiceUnavailable)
		return
	}
	var out strings.Builder
	for i, l := range c.listings {
		said := b.Sources[l.name()]
		fmt.Fprintf(&out, "%s.ics\n  read by the site: %s\n  read from the site: %s\n", l.name(), ago(visits[i].ReadAt), ago(said.ReadAt))
		if l.address == "" {
			fmt.Fprintln(&out, "  it has no address to be read from")
		}
		for _, stay := range said.Echoes {
			fmt.Fprintf(&out, "  what it shows from %s to %s it has from us\n", stay.CheckIn, stay.CheckOut)
		}
		if said.Problem != "" {
			fmt.Fprintf(&out, "  problem: %s\n", said.Problem)
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(out.String())) // who has gone needs no answer
}

func ago(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	return at.UTC().Format(time.RFC3339)
}

// write writes the calendar. What ended before yesterday is left out.
func (p *published) write(title, name, domain string, today hotel.Date) []byte {
	var events []calendar.Busy
	for _, b := range p.Busy {
		if b.Stay.CheckOut >= today {
			events = append(events, calendar.Busy{
				UID: name + "-" + strconv.Itoa(b.UID) + "@" + domain, Sequence: b.Sequence, Changed: b.Changed, Stay: b.Stay,
				Unsold: b.Unsold,
			})
		}
	}
	return calendar.Write(title, events)
}

// stays returns what is published. Of those that adjoin a site may make one.
func (p *published) stays() []hotel.Stay {
	var out, joined []hotel.Stay
	for _, b := range p.Busy {
		out = append(out, b.Stay)
		if last := len(joined) - 1; last >= 0 && joined[last].CheckOut == b.Stay.CheckIn {
			joined[last].CheckOut = b.Stay.CheckOut
		} else {
			joined = append(joined, b.Stay)
		}
	}
	for _, stay := range joined {
		if !slices.Contains(out, stay) {
			out = append(out, stay)
		}
	}
	return out
}
