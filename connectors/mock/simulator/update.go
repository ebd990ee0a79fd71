package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// What one call and one entry may carry.
const (
	maxEntries = 200
	maxDays    = 1000
)

// update serves the call that sets the named fields. What is wrong with the call
// as a whole is answered 400 and sets nothing; an entry that cannot be taken is
// refused by itself.
func (s *Simulator) update(fields ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q updateRequest
		if !s.mine(w, r) || !understood(w, r, &q) {
			return
		}
		receipt, err := s.receipt(r)
		if err != nil {
			problem(w, http.StatusBadRequest, err.Error())
			return
		}
		if len(q.Updates) == 0 || len(q.Updates) > maxEntries {
			problem(w, http.StatusBadRequest, fmt.Sprintf("a call has 1 to %d updates", maxEntries))
			return
		}
		out := updateReply{Rejected: []rejected{}}
		fault := s.kit.Faults.OfUpdate()
		var changes []connectors.Change
		for i, e := range q.Updates {
			sets, err := e.read(s.o.Preset == hub)
			if err != nil || slices.ContainsFunc(sets, func(set setting) bool { return !slices.Contains(fields, set.field) }) {
				problem(w, http.StatusBadRequest, "an update sets exactly one thing that belongs to the call, or some at a hub, on 1 to 1000 nights")
				return
			}
			before := len(out.Rejected)
			for _, set := range sets {
				why := s.refuses(set)
				if s.o.Preset == strict && e.To > s.last() {
					why = "nights are taken up to 365 days from today"
				}
				if fault == simkit.Reject || fault == simkit.Partial && i%2 == 1 {
					why = "refused on request"
				}
				if why != "" {
					out.Rejected = append(out.Rejected, rejected{
						Room: e.Room, Rate: e.Rate, Field: set.field, Guests: set.key.Occupancy, From: e.From, To: e.To, Days: e.Days, Reason: why,
					})
				}
			}
			if len(out.Rejected) > before {
				continue // one that is refused takes those beside it with it
			}
			for _, set := range sets {
				changes = append(changes, set.changes(e.nights())...)
			}
		}
		if fault == simkit.Half {
			_, _ = s.kit.Book.Take(changes[:len(changes)/2], simkit.Receipt{Version: receipt.Version})
			panic(http.ErrAbortHandler)
		}
		if fault == simkit.Late {
			out.Reference = "late"
			receipt.Answer, _ = json.Marshal(out) // text and dates: nothing that can fail
			s.kit.Faults.Later(func() { _, _ = s.kit.Book.Take(changes, receipt) })
			panic(http.ErrAbortHandler)
		}
		s.take(w, receipt, changes, out)
	}
}

// receipt reads what makes a call recognisable. Only push looks at it.
func (s *Simulator) receipt(r *http.Request) (simkit.Receipt, error) {
	if s.o.Preset != push {
		return simkit.Receipt{}, nil
	}
	version, err := strconv.ParseInt(r.Header.Get("Call-Version"), 10, 64)
	if err != nil || version < 1 {
		return simkit.Receipt{}, errors.New("Call-Version is a number from 1")
	}
	id := r.Header.Get("Idempotency-Key")
	if id == "" {
		return simkit.Receipt{}, errors.New("Idempotency-Key is missing")
	}
	return simkit.Receipt{ID: id, Version: version}, nil
}

// take shows the changes and answers, or answers again what it did before.
func (s *Simulator) take(w http.ResponseWriter, receipt simkit.Receipt, changes []connectors.Change, out updateReply) {
	out.Reference = fmt.Sprintf("%s-%d", s.o.Preset, s.o.Clock.Now().UnixMicro())
	var err error
	if receipt.Answer, err = json.Marshal(out); err != nil {
		problem(w, http.StatusInternalServerError, err.Error())
		return
	}
	answer, err := s.kit.Book.Take(changes, receipt)
	switch {
	case errors.Is(err, simkit.ErrOldVersion):
		problem(w, http.StatusConflict, err.Error())
	case err != nil:
		problem(w, http.StatusInternalServerError, err.Error())
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer) // who has gone needs no answer
	}
}

// setting is one thing that an entry sets, understood.
type setting struct {
	field string
	key   connectors.Key // of no night
	offer hotel.Offer
	bad   string // why the value cannot be taken, empty when it can
}

// read finds out what an entry sets. An entry that sets nothing is an error, and,
// where it may not, one that sets several things or names days of the week.
func (e entry) read(several bool) ([]setting, error) {
	var sets []setting
	add := func(field string, group hotel.Group, offer hotel.Offer) *setting {
		sets = append(sets, setting{field: field, key: connectors.Key{Room: e.Room, Rate: e.Rate, Group: group}, offer: offer})
		return &sets[len(sets)-1]
	}
	if e.Available != nil {
		add("available", hotel.Availability, hotel.Offer{Available: *e.Available})
	}
	if e.Closures != nil {
		add("closures", hotel.Closures, hotel.Offer{Closed: hotel.Closed{Closed: e.Closures.Closed, Arrival: e.Closures.Arrival, Departure: e.Closures.Departure}})
	}
	if e.Lengths != nil {
		add("lengths", hotel.Lengths, hotel.Offer{Lengths: hotel.LengthLimits(*e.Lengths)})
	}
	for _, p := range e.Prices {
		amount, err := hotel.ParseMoney(p.Amount, hotel.Currency(p.Currency))
		set := add("price", hotel.Price, hotel.Offer{Amount: amount})
		set.key.Occupancy = p.Guests
		if err != nil || amount.Minor <= 0 {
			set.bad = "the price cannot be read"
		}
	}
	n := hotel.Span{From: e.From, To: e.To}.Days()
	if n == 0 || n > maxDays || len(e.nights()) == 0 || len(sets) == 0 || !several && (len(sets) > 1 || len(e.Days) > 0) {
		return nil, errors.New("not one thing on some nights")
	}
	return sets, nil
}

// weekdays are the names of the days of the week.
var weekdays = [7]string{"su", "mo", "tu", "we", "th", "fr", "sa"}

// nights are those that the entry is about.
func (e entry) nights() []hotel.Date {
	var out []hotel.Date
	for night := e.From; night <= e.To; night++ {
		if len(e.Days) == 0 || slices.Contains(e.Days, weekdays[night.Weekday()]) {
			out = append(out, night)
		}
	}
	return out
}

// refuses says why an entry cannot be taken, empty when it can.
func (s *Simulator) refuses(set setting) string {
	count := set.field == "available"
	switch {
	case !s.kit.Book.Knows(set.key.Room, ""):
		return "unknown room"
	case count && set.key.Rate != "" && s.o.Preset != plans, set.key.Rate == "" && (!count || s.o.Preset == plans):
		return "counts are of rooms, or of rates at plans; everything else is of rates"
	case !s.kit.Book.Knows(set.key.Room, set.key.Rate):
		return "unknown rate"
	case count && (set.offer.Available < 0 || set.offer.Available > 999):
		return "a count is 0 to 999"
	case s.o.Preset == strict && set.field == "price" && set.offer.Amount.Currency != strictCurrency:
		return "prices are in EUR"
	case s.o.Preset == lean && !plain(set.offer):
		return "lengths are of 1 to 28 nights from the arrival; there are no other rules"
	}
	return set.bad
}

// What strict takes.
const (
	strictDays     = 365
	strictCurrency = hotel.Currency("EUR")
)

// last is the farthest night that strict takes, by the latest day that it is anywhere.
func (s *Simulator) last() hotel.Date {
	return hotel.DateIn(s.o.Clock.Now().Add(14*time.Hour), time.UTC) + strictDays
}

// plain reports whether an offer says nothing that lean has no field for.
func plain(o hotel.Offer) bool {
	l := o.Lengths
	return !o.Closed.Departure && l.MinStayThrough == 0 && l.MaxStayThrough == 0 && l.MinAdvance == 0 && l.MaxAdvance == 0 &&
		l.MinStayArrival <= 28 && l.MaxStayArrival <= 28
}

// changes are the setting, night by night.
func (s setting) changes(nights []hotel.Date) []connectors.Change {
	var out []connectors.Change
	for _, night := range nights {
		key := s.key
		key.Night = night
		out = append(out, connectors.Change{Key: key, Offer: s.offer})
	}
	return out
}
