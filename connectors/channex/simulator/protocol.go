package simulator

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strconv"

	"ostler.example/hotel"
)

// base is where the protocol is.
const base = "/api/v1/"

// protocol serves the routes of Channex.
func (s *Simulator) protocol() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+base+"properties", s.properties)
	mux.HandleFunc("GET "+base+"properties/{id}", s.one)
	mux.HandleFunc("GET "+base+"room_types", s.roomTypes)
	mux.HandleFunc("GET "+base+"rate_plans", s.ratePlans)
	mux.HandleFunc("POST "+base+"availability", s.updateAvailability)
	mux.HandleFunc("GET "+base+"availability", s.shownAvailability)
	mux.HandleFunc("POST "+base+"restrictions", s.updateRestrictions)
	mux.HandleFunc("GET "+base+"restrictions", s.shownRestrictions)
	mux.HandleFunc("GET "+base+"booking_revisions/feed", s.revisions)
	mux.HandleFunc("GET "+base+"booking_revisions/{id}", s.revision)
	mux.HandleFunc("POST "+base+"booking_revisions/{id}/ack", s.acknowledge)
	mux.HandleFunc("GET "+base+"bookings", s.bookings)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		problem(w, http.StatusNotFound, "resource_not_found", "Resource not found", nil)
	})
	return s.guard(mux)
}

// guard lets nobody in without the key.
func (s *Simulator) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("user-api-key")), []byte(s.o.Secret)) != 1 {
			problem(w, http.StatusUnauthorized, "unauthorized", "Unauthorized", nil)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// mine answers 404 where the query asks for another property.
func (s *Simulator) mine(w http.ResponseWriter, r *http.Request) bool {
	if asked := r.URL.Query().Get("filter[property_id]"); asked == "" || asked == s.o.Hotel {
		return true
	}
	problem(w, http.StatusNotFound, "resource_not_found", "Resource not found", nil)
	return false
}

// today is the date at the property; of one that says nothing of its zone the earliest that it
// still is anywhere, for what is over by that is past at every property.
func (s *Simulator) today() hotel.Date { return hotel.DateIn(s.o.Clock.Now(), s.zone) }

// last is the latest night that any property has: where it is a day later already, today's
// is the first of so many. What is told of nights behind it is dropped without a word.
func (s *Simulator) last() hotel.Date { return s.today() + stateLength }

// object is a thing as lists show it.
type object struct {
	Type          string         `json:"type"`
	ID            string         `json:"id"`
	Attributes    any            `json:"attributes"`
	Relationships map[string]any `json:"relationships,omitempty"`
}

func related(kind, id string) any {
	return map[string]any{"data": map[string]string{"type": kind, "id": id}}
}

// How many things a page shows: so many unless it is asked for more, up to most.
const (
	usualPage = 10
	mostPage  = 100
)

// paged answers one page of a list.
func paged[V any](w http.ResponseWriter, r *http.Request, all []V) {
	number := max(1, inQuery(r, "pagination[page]", 1))
	limit := min(max(1, inQuery(r, "pagination[limit]", usualPage)), mostPage)
	from := min((number-1)*limit, len(all))
	shown := append([]V{}, all[from:min(from+limit, len(all))]...)
	reply(w, map[string]any{"data": shown, "meta": map[string]any{"page": number, "limit": limit, "total": len(all)}})
}

func inQuery(r *http.Request, name string, otherwise int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return otherwise
	}
	return n
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // who has gone needs no answer
}

// problem answers with an error; details are none, a list of texts, or texts by field.
func problem(w http.ResponseWriter, status int, code, title string, details any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	said := map[string]any{"code": code, "title": title}
	if details != nil {
		said["details"] = details
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"errors": said})
}
