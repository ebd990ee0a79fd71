package simulator

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// pageSize is how many messages the feed and the list show at once.
const pageSize = 10

// protocol serves the channel's own routes.
func (s *Simulator) protocol() http.Handler {
	mux := http.NewServeMux()
	at := "/hotels/{hotel}/"
	mux.HandleFunc("POST "+at+"availability", s.update("available"))
	mux.HandleFunc("POST "+at+"rates", s.update("closures", "lengths", "price"))
	mux.HandleFunc("GET "+at+"products", s.products)
	mux.HandleFunc("GET "+at+"shown", s.shown)
	mux.HandleFunc("GET "+at+"bookings", s.bookings)
	mux.HandleFunc("POST "+at+"bookings/{reference}/{action}", s.act)
	mux.HandleFunc("GET "+at+"feed", s.feed)
	mux.HandleFunc("POST "+at+"feed/acknowledge", s.acknowledge)
	return s.guard(mux)
}

// guard lets nobody in without the secret.
func (s *Simulator) guard(next http.Handler) http.Handler {
	want := []byte("Bearer " + s.o.Secret)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			problem(w, http.StatusUnauthorized, "who are you?")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// mine answers 404 for a hotel that the channel does not know.
func (s *Simulator) mine(w http.ResponseWriter, r *http.Request) bool {
	if r.PathValue("hotel") == s.o.Hotel {
		return true
	}
	problem(w, http.StatusNotFound, "there is no such hotel")
	return false
}

// products lists what can be sold.
func (s *Simulator) products(w http.ResponseWriter, r *http.Request) {
	if !s.mine(w, r) {
		return
	}
	list := []productReply{}
	for _, p := range s.kit.Book.Products() {
		list = append(list, productReply(p))
	}
	reply(w, map[string]any{"products": list})
}

// shown tells what guests see of one room.
func (s *Simulator) shown(w http.ResponseWriter, r *http.Request) {
	if s.o.Preset == blind {
		problem(w, http.StatusNotFound, "what is shown is told to guests alone")
		return
	}
	span, ok := nights(w, r)
	if !ok || !s.mine(w, r) {
		return
	}
	out := shownReply{Availability: []entry{}, Rates: []entry{}}
	for _, run := range connectors.Runs(s.kit.Book.Changes(r.URL.Query().Get("room"), span)) {
		e := entry{Room: run.Key.Room, Rate: run.Key.Rate, From: run.Key.Night, To: run.Last}
		o := run.Offer
		switch run.Key.Group {
		case hotel.Availability:
			left := max(0, o.Available) // a total may be below what is sold
			e.Available = &left
			out.Availability = append(out.Availability, e)
			continue
		case hotel.Closures:
			e.Closures = &closedWire{Closed: o.Closed.Closed, Arrival: o.Closed.Arrival, Departure: o.Closed.Departure}
		case hotel.Lengths:
			lengths := lengthWire(o.Lengths)
			e.Lengths = &lengths
		case hotel.Price:
			e.Prices = []priceWire{{Guests: run.Key.Occupancy, Amount: o.Amount.Amount(), Currency: string(o.Amount.Currency)}}
		}
		out.Rates = append(out.Rates, e)
	}
	reply(w, out)
}

// bookings lists every booking with a night in the span, and consumes nothing.
// Its span ends before the last date, unlike that of an update.
func (s *Simulator) bookings(w http.ResponseWriter, r *http.Request) {
	span, ok := nights(w, r)
	if !ok || !s.mine(w, r) {
		return
	}
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // none is the beginning
	page := pageReply{Messages: []bookingMessage{}, Next: strconv.FormatInt(after, 10)}
	for _, b := range s.kit.Book.ToldBookings() {
		within := func(p simkit.Part) bool { return p.CheckIn < span.To && p.CheckOut > span.From }
		if b.Number <= after || !slices.ContainsFunc(b.Parts(), within) {
			continue
		}
		if len(page.Messages) == pageSize {
			page.More = true
			break
		}
		event := "modified"
		if b.Revision == 1 {
			event = "booked"
		}
		if b.Status == simkit.Cancelled {
			event = "cancelled"
		}
		page.Messages = append(page.Messages, s.tell("", event, b))
		page.Next = strconv.FormatInt(b.Number, 10)
	}
	reply(w, page)
}

// feed shows the messages that wait, from behind the cursor.
func (s *Simulator) feed(w http.ResponseWriter, r *http.Request) {
	if !s.mine(w, r) {
		return
	}
	if s.o.Preset == push {
		problem(w, http.StatusNotFound, "messages are pushed")
		return
	}
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // none is the beginning
	page := pageReply{Messages: []bookingMessage{}, Next: strconv.FormatInt(after, 10)}
	for i, e := range s.kit.Book.Events(after, pageSize+1) {
		if !s.kit.Book.Told(e.Booking.At) {
			break // nor what came after it: messages keep their order
		}
		if i == pageSize {
			page.More = true
			break
		}
		page.Messages = append(page.Messages, s.event(e))
		page.Next = strconv.FormatInt(e.Seq, 10)
	}
	if s.kit.Faults.Repeats() {
		page.More, page.Next = true, strconv.FormatInt(after, 10)
	}
	reply(w, page)
}

// acknowledge takes messages out of the feed.
func (s *Simulator) acknowledge(w http.ResponseWriter, r *http.Request) {
	var q ackRequest
	if !s.mine(w, r) || !understood(w, r, &q) {
		return
	}
	seqs := make([]int64, 0, len(q.Messages))
	for _, id := range q.Messages {
		seqs = append(seqs, eventSeq(id))
	}
	if err := s.kit.Book.Acknowledge(seqs...); err != nil {
		problem(w, http.StatusInternalServerError, err.Error())
		return
	}
	reply(w, map[string]any{"acknowledged": len(seqs)})
}

// nights reads a span from the query.
func nights(w http.ResponseWriter, r *http.Request) (hotel.Span, bool) {
	from, err := hotel.ParseDate(r.URL.Query().Get("from"))
	if err != nil {
		problem(w, http.StatusBadRequest, "from: "+err.Error())
		return hotel.Span{}, false
	}
	to, err := hotel.ParseDate(r.URL.Query().Get("to"))
	if err != nil {
		problem(w, http.StatusBadRequest, "to: "+err.Error())
		return hotel.Span{}, false
	}
	return hotel.Span{From: from, To: to}, true
}

// understood decodes a request strictly, or answers 400.
func understood(w http.ResponseWriter, r *http.Request, into any) bool {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		problem(w, http.StatusBadRequest, "the body cannot be read")
		return false
	}
	return true
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // who has gone needs no answer
}

func problem(w http.ResponseWriter, status int, words string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": words})
}
