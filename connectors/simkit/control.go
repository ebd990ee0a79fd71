package simkit

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
)

// Cell is one night of a product as guests see it: the count is that of its
// room, the rest its own.
type Cell struct {
	Room      string     `json:"room"`
	Rate      string     `json:"rate"`
	Date      hotel.Date `json:"date"`
	Available int        `json:"available"`
	hotel.Closed
	hotel.LengthLimits
	Currency hotel.Currency `json:"currency,omitempty"`
	Prices   map[int]string `json:"prices,omitempty"` // by number of guests; 0: of the room
}

// State is all that a far side shows and has sold.
type State struct {
	Cells     []Cell  `json:"cells"`
	Bookings  []Entry `json:"bookings"`
	Calls     int64   `json:"calls"`      // of its protocol, refused ones too
	Waiting   int     `json:"waiting"`    // events that the hotel's side has not acknowledged
	OverLimit int     `json:"over_limit"` // calls refused for coming beyond a limit, since the start
}

// Kit joins what a simulator is made of.
type Kit struct {
	Book   *Book
	Faults *Faults
	Limits *Limits

	Latency time.Duration // how long an answer of the protocol takes, once what it is about has been done
}

// Handler serves /_sim/ and, behind the limits and the faults, the protocol.
func (k Kit) Handler(protocol http.Handler) http.Handler {
	failing := k.Limits.Handle(k.Faults.Handle(k.Faults.late(k.Latency, protocol)))
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		k.Book.called()
		failing.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /_sim/state", func(w http.ResponseWriter, _ *http.Request) {
		state := k.Book.State()
		state.OverLimit = k.Limits.Refused()
		answer(w, http.StatusOK, state)
	})
	mux.HandleFunc("POST /_sim/book", guest(http.StatusCreated, k.Book.Sell))
	mux.HandleFunc("POST /_sim/modify", guest(http.StatusOK, k.Book.Modify))
	mux.HandleFunc("POST /_sim/cancel", guest(http.StatusOK, func(q Request) (Booking, error) {
		return k.Book.Cancel(q.Reference)
	}))
	mux.HandleFunc("POST /_sim/fault", control(k.Faults.Plant))
	mux.HandleFunc("POST /_sim/edit", control(k.Book.Edit))
	mux.HandleFunc("POST /_sim/habits", control(k.Book.SetHabits))
	mux.HandleFunc("/_sim/", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusNotFound, refusal{"GET /_sim/state; POST /_sim/book, modify, cancel, edit, habits or fault"})
	})
	return mux
}

// refusal is why something was not done.
type refusal struct {
	Reason string `json:"reason"`
}

// guest serves one thing that a guest can do.
func guest(status int, act func(Request) (Booking, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q Request
		if !read(w, r, &q) {
			return
		}
		booking, err := act(q)
		switch {
		case errors.Is(err, ErrNoBooking):
			answer(w, http.StatusNotFound, refusal{err.Error()})
		case errors.Is(err, ErrNotSellable):
			answer(w, http.StatusConflict, refusal{err.Error()})
		case err != nil:
			answer(w, http.StatusInternalServerError, refusal{err.Error()})
		default:
			answer(w, status, booking.Entry)
		}
	}
}

// control serves something that is done to the far side, and answers what that was.
func control[T any](act func(T) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q T
		if !read(w, r, &q) {
			return
		}
		if err := act(q); err != nil {
			answer(w, http.StatusBadRequest, refusal{err.Error()})
			return
		}
		answer(w, http.StatusOK, q)
	}
}

// read decodes a request strictly, or answers 400.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		answer(w, http.StatusBadRequest, refusal{"the body cannot be read: " + err.Error()})
		return false
	}
	return true
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who has gone needs no answer
}

// State returns what is shown and sold now, each in a fixed order. A night is in
// it once anything has been set for the product or its room.
func (b *Book) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	state := State{Cells: []Cell{}, Bookings: []Entry{}, Calls: b.state.calls, Waiting: len(b.state.events)}
	nights := map[string]map[hotel.Date]bool{} // by room
	note := func(room string, night hotel.Date) {
		if nights[room] == nil {
			nights[room] = map[hotel.Date]bool{}
		}
		nights[room][night] = true
	}
	for at := range b.state.counts {
		note(at.room, at.night)
	}
	for at := range b.state.offers {
		note(at.room, at.night)
	}
	for _, p := range b.o.Products {
		for night := range nights[p.Room] {
			state.Cells = append(state.Cells, b.cell(p.Room, p.Rate, night))
		}
	}
	slices.SortFunc(state.Cells, func(a, b Cell) int {
		if c := strings.Compare(a.Room, b.Room); c != 0 {
			return c
		}
		if c := strings.Compare(a.Rate, b.Rate); c != 0 {
			return c
		}
		return int(a.Date) - int(b.Date)
	})
	for _, booking := range b.bookings() {
		state.Bookings = append(state.Bookings, booking.Entry)
	}
	return state
}

// cell joins the count of a room with the offer of a product.
func (b *Book) cell(room, rate string, night hotel.Date) Cell {
	shown := b.state.offers[product{room, rate, night}]
	count, _ := b.state.most(room, b.keyRate(rate), night)
	c := Cell{
		Room: room, Rate: rate, Date: night, Available: count,
		Closed: shown.closed, LengthLimits: shown.lengths,
	}
	for guests, amount := range shown.prices {
		if c.Prices == nil {
			c.Prices = map[int]string{}
		}
		c.Currency, c.Prices[guests] = amount.Currency, amount.Amount()
	}
	return c
}
