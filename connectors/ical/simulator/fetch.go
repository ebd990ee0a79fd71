package simulator

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// Fetch reads our calendar of each room below the address, and shows as taken what
// is taken there. A calendar that cannot be read leaves what is shown as it was. One that
// is what it was still counts: a booking that ended here does not free what is taken there.
func (s *Simulator) Fetch(ctx context.Context, base string) error {
	return s.fetch(ctx, base, s.rooms()...)
}

func (s *Simulator) fetch(ctx context.Context, base string, rooms ...string) error {
	var failures []error
	for _, room := range rooms {
		taken, same, err := s.read(ctx, strings.TrimSuffix(base, "/")+"/"+s.secret("ours")+"/"+room+"-1.ics", room)
		if err == nil {
			err = s.show(room, s.remembered(room, taken, same))
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("calendar of %s: %w", room, err))
		}
	}
	return errors.Join(failures...)
}

// remembered returns what a calendar said last, which is what it says now unless it is
// the same.
func (s *Simulator) remembered(room string, taken map[hotel.Date]bool, same bool) map[hotel.Date]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !same {
		s.taken[room] = taken
	}
	return s.taken[room]
}

// read reads one calendar, unless it is what it was.
func (s *Simulator) read(ctx context.Context, address, room string) (taken map[hotel.Date]bool, same bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	req.Header.Set("If-None-Match", s.tags[room])
	s.mu.Unlock()
	resp, err := s.o.Client.Do(req)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	switch {
	case err != nil:
		return nil, false, err
	case resp.StatusCode == http.StatusNotModified:
		return nil, true, nil
	case resp.StatusCode != http.StatusOK:
		return nil, false, fmt.Errorf("answered %s", resp.Status)
	}
	if taken, err = nights(body); err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	s.tags[room] = resp.Header.Get("ETag")
	s.mu.Unlock()
	return taken, false, nil
}

// nights reads which nights the events of a calendar take, strictly: of dates alone,
// each line at most 75 bytes long and ended as it has to be.
func nights(body []byte) (map[hotel.Date]bool, error) {
	if !bytes.HasSuffix(body, []byte("END:VCALENDAR\r\n")) {
		return nil, errors.New("it is no whole calendar")
	}
	taken := map[hotel.Date]bool{}
	var from, to hotel.Date
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Split(func(data []byte, _ bool) (int, []byte, error) {
		if i := bytes.Index(data, []byte("\r\n")); i >= 0 {
			return i + 2, data[:i], nil
		}
		return 0, nil, nil
	})
	for lines.Scan() {
		line := lines.Text()
		if len(line) > 75 {
			return nil, errors.New("a line is too long")
		}
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "DTSTART;VALUE=DATE", "DTEND;VALUE=DATE":
			t, err := time.Parse("20060102", value)
			if err != nil {
				return nil, fmt.Errorf("a date cannot be read: %w", err)
			}
			if to = hotel.DateOf(t.Date()); name == "DTSTART;VALUE=DATE" {
				from = to
			}
		case "END":
			if value == "VEVENT" {
				for night := from; night < to; night++ {
					taken[night] = true
				}
			}
		}
	}
	return taken, lines.Err()
}

// show shows one room on each night that is neither taken nor sold here.
func (s *Simulator) show(room string, taken map[hotel.Date]bool) error {
	sold := map[hotel.Date]bool{}
	for _, b := range s.kit.Book.Bookings() {
		if b.Room == room && b.Status == simkit.Confirmed {
			for _, night := range b.Stay().Dates() {
				sold[night] = true
			}
		}
	}
	today := hotel.DateIn(s.o.Clock.Now(), time.UTC)
	var changes []connectors.Change
	for night := today - 1; night < today+pricedDays; night++ {
		left := 1
		if taken[night] || sold[night] {
			left = 0
		}
		c := connectors.Change{Key: connectors.Key{Room: room, Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: left}}
		if was, set := s.kit.Book.Shown(c.Key); !set || was.Available != left {
			changes = append(changes, c)
		}
	}
	if len(changes) == 0 {
		return nil
	}
	_, err := s.kit.Book.Take(changes, simkit.Receipt{})
	return err
}
