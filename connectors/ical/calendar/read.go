package calendar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
)

// Event is one stretch of nights that are taken.
type Event struct {
	UID       string // "" when it has none
	Code      string // the site's own number of the reservation; "" when it does not tell
	Kind      Kind
	Tentative bool
	Guest     string // of a reservation, as far as the site tells
	Stay      hotel.Stay
	Long      bool   // too long for a stay that does not say so: of its nights only those in the window are here
	Unsold    bool   // of another Ostler: nights that are not sold yet
	Raw       []byte // its own lines
	Problem   string // why it is left out; "" when it is not
}

// Reading is how a calendar is read.
type Reading struct {
	Zone     *time.Location // the property's
	From, To hotel.Date     // events are wanted that have a night in [From, To)
	Free     bool           // an event that is marked as time that stays free (TRANSP:TRANSPARENT) takes its nights
}

// Calendar is what was read.
type Calendar struct {
	Events   []Event  // in the order of their stays
	LeftOut  []Event  // what makes no sense, with no more of its stay than where it begins
	Warnings []string // what was left out or guessed, in the calendar's order; no more than [maxWarnings]
}

const (
	// maxStay is the longest event that may be a stay without saying so. Of a longer one
	// only the nights in the window count.
	maxStay = 400

	// maxReservation is the longest reservation, in nights.
	maxReservation = 1095

	// maxStays is how many events one listing can have in the window.
	maxStays = 4000

	maxWarnings = 20
	maxUID      = 500
)

// reader is a calendar while it is read.
type reader struct {
	ctx       context.Context // of this one reading
	in        Reading
	zones     map[string]*time.Location
	lookups   int // of names of zones
	repeating int
	steps     int // that rules were followed for
	out       Calendar
}

// Read reads a calendar. An error says why it is none, or not whole: then nothing of
// it counts. What is wrong with a single event is a warning, and the rest counts. A
// reading that its context ends is an error too.
func Read(ctx context.Context, body []byte, in Reading) (Calendar, error) {
	all, err := lines(body)
	if err != nil {
		return Calendar{}, err
	}
	events, zones, err := parts(all)
	if err != nil {
		return Calendar{}, err
	}
	r := &reader{ctx: ctx, in: in, zones: map[string]*time.Location{}}
	r.learnZones(zones)
	var read []fields
	moved := map[string]*moments{} // by UID, the instances that have an event of their own
	for _, lines := range events {
		if err := ctx.Err(); err != nil {
			return Calendar{}, err
		}
		f := fieldsOf(lines)
		read = append(read, f)
		if p, ok := f.first("RECURRENCE-ID"); ok {
			if m, err := r.momentOf(p); err == nil {
				uid := f.text("UID")
				if moved[uid] == nil {
					moved[uid] = r.moments()
				}
				moved[uid].add(m)
			}
		}
	}
	free := 0
	for i, f := range read {
		if err := ctx.Err(); err != nil {
			return Calendar{}, err
		}
		if r.free(f) {
			free++
			continue
		}
		if err := r.event(f, events[i], moved); err != nil {
			left := eventOf(f, r.beginningOf(f), events[i], in)
			left.Problem = err.Error()
			r.out.LeftOut = append(r.out.LeftOut, left)
			r.warn(fmt.Sprintf("event %d is left out: %v", i+1, err))
		}
	}
	if free > 0 {
		r.warn(fmt.Sprintf("events marked as free, which take no night: %d", free))
	}
	if err := ctx.Err(); err != nil {
		return Calendar{}, err
	}
	if len(r.out.Events) > maxStays {
		return Calendar{}, fmt.Errorf("it has more than %d stays in two years", maxStays)
	}
	slices.SortStableFunc(r.out.Events, func(a, b Event) int {
		if a.Stay.CheckIn != b.Stay.CheckIn {
			return int(a.Stay.CheckIn) - int(b.Stay.CheckIn)
		}
		return int(a.Stay.CheckOut) - int(b.Stay.CheckOut)
	})
	return r.out, nil
}

func cancelled(f fields) bool { return strings.EqualFold(f.text("STATUS"), "CANCELLED") }

// free reports whether an event says of its time that it stays free, and is taken at its
// word.
func (r *reader) free(f fields) bool {
	return !r.in.Free && strings.EqualFold(f.text("TRANSP"), "TRANSPARENT") && !cancelled(f)
}

// event takes in the instances of one event that have nights in the window.
func (r *reader) event(f fields, lines []string, moved map[string]*moments) error {
	if cancelled(f) {
		return nil // it takes no night
	}
	if err := f.nightsAreWhole(lines); err != nil {
		return err
	}
	s, err := r.spanOf(f)
	if err != nil {
		return err
	}
	first, err := s.stay(r.in.Zone)
	if err != nil {
		return err
	}
	starts, err := r.starts(f, s)
	if err != nil {
		return err
	}
	_, own := f.first("RECURRENCE-ID")
	repeats := len(f["RRULE"])+len(f["RDATE"]) > 0
	for _, start := range starts {
		if repeats && !own && moved[f.text("UID")].has(start) {
			continue
		}
		in := start.civil(r.in.Zone)
		stay := hotel.Stay{CheckIn: in, CheckOut: in + hotel.Date(first.Nights())} // as many nights, whatever the clocks do
		if stay.CheckOut <= r.in.From || stay.CheckIn >= r.in.To {
			continue
		}
		if len(r.out.Events) > maxStays {
			return nil // it does not count
		}
		r.out.Events = append(r.out.Events, eventOf(f, stay, lines, r.in))
	}
	return nil
}

// beginningOf returns the first night of an event of which no more may be known, zero when
// not even that is.
func (r *reader) beginningOf(f fields) (begun hotel.Stay) {
	if p, ok := f.first("DTSTART"); ok {
		if m, err := r.momentOf(p); err == nil {
			begun.CheckIn = m.civil(r.in.Zone)
			begun.CheckOut = begun.CheckIn
		}
	}
	return begun
}

func eventOf(f fields, stay hotel.Stay, lines []string, in Reading) Event {
	e := Event{UID: f.uid(), Stay: stay, Raw: []byte("BEGIN:VEVENT\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\n")}
	e.Unsold = strings.EqualFold(f.text(unsold), "TRUE")
	summary := f.text("SUMMARY")
	e.Kind, e.Code, e.Tentative = kindOf(summary, f.text("DESCRIPTION"))
	if strings.EqualFold(f.text("STATUS"), "TENTATIVE") {
		e.Tentative = true
	}
	if e.Kind == Reservation {
		e.Guest = guestOf(summary)
	}
	if e.Kind == Reservation {
		e.Stay.CheckOut = min(stay.CheckOut, stay.CheckIn+maxReservation)
	} else if stay.Nights() > maxStay {
		e.Long, e.Stay = true, hotel.Stay{CheckIn: max(stay.CheckIn, in.From), CheckOut: min(stay.CheckOut, in.To)}
	}
	return e
}

func (r *reader) warn(words string) {
	if len(r.out.Warnings) < maxWarnings && !slices.Contains(r.out.Warnings, words) {
		r.out.Warnings = append(r.out.Warnings, words)
	}
}
