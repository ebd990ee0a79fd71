package testkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"ostler.example/connectors"
	_ "ostler.example/connectors/mock" // what talks to a far side
	"ostler.example/connectors/mock/simulator"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// FarSide is a pretend channel of connector mock that a test holds in its
// hands. What it shows and has sold lives as long as the test.
type FarSide struct {
	*simulator.Simulator
	Host string
}

// Request is what a guest of a far side asks for.
type Request = simkit.Request

// Receipt is a call that a far side has taken.
type Receipt = simkit.Receipt

// Booking is one that a far side has sold.
type Booking = simkit.Booking

// Part is one of its rooms.
type Part = simkit.Part

// Cart is what a guest of a far side has begun to book.
type Cart = simkit.Cart

// Fault is a way in which a far side fails.
type Fault = simkit.Fault

// FaultKind is the name of a fault.
type FaultKind = simkit.FaultKind

// The faults of a far side.
const (
	Timeout         = simkit.Timeout
	Cut             = simkit.Cut
	TooManyRequests = simkit.TooManyRequests
	BareLimit       = simkit.BareLimit
	AbsurdLimit     = simkit.AbsurdLimit
	ServerError     = simkit.ServerError
	ErrorBody       = simkit.ErrorBody
	WrongType       = simkit.WrongType
	Redirect        = simkit.Redirect
	LostAnswer      = simkit.LostAnswer
	EmptyBody       = simkit.EmptyBody
	Truncated       = simkit.Truncated
	Dripping        = simkit.Dripping
	HugeBody        = simkit.HugeBody
	Reject          = simkit.Reject
	Garble          = simkit.Garble
	Partial         = simkit.Partial
	Unmapped        = simkit.Unmapped
	Late            = simkit.Late
	Queued          = simkit.Queued
	Half            = simkit.Half
	RepeatPage      = simkit.RepeatPage
)

// ErrNotSellable is what a guest is told who wants what is not on sale.
var ErrNotSellable = simkit.ErrNotSellable

// CancelledAtFarSide is the status of a booking that has ended there.
const CancelledAtFarSide = simkit.Cancelled

const secret = "s3cret"

// OpenFarSide opens one at http://HOST that pushes through client to inbound. The preset
// "relay/2" is a relay of two sellers, "relay" one that keeps the sum.
func OpenFarSide(t testing.TB, preset, host, inbound string, client *http.Client, products []connectors.RemoteProduct) FarSide {
	t.Helper()
	preset, number, _ := strings.Cut(preset, "/")
	sellers, _ := strconv.Atoi(number) // none: it is no number of its own
	s, err := simulator.Open(connectors.SimulatorOptions{
		Preset: preset, Hotel: "H1", Secret: secret, Products: products, Clock: hotel.SystemClock{},
		InboundURL: func() string { return inbound }, Client: client, Sellers: sellers,
	})
	if err != nil {
		t.Fatal(err)
	}
	return FarSide{s, host}
}

// Settings returns the settings of the channel that talks to it. calls is how
// many updates of each kind the channel may make in a minute.
func (f FarSide) Settings(calls int) []byte {
	var all map[string]any
	_ = json.Unmarshal(f.Simulator.Settings("http://"+f.Host), &all) // it wrote it itself
	all["calls_per_minute"] = calls
	out, _ := json.Marshal(all)
	return out
}

// Account returns the account of the channel that talks to it.
func (f FarSide) Account() string { return "http://" + f.Host + " H1" }

// Habits are what a far side makes of what it is told.
type Habits = simkit.Habits

// Edit is what somebody sets by hand at a far side.
type Edit = simkit.Edit

// Plant plants a fault.
func (f FarSide) Plant(t testing.TB, fault Fault) { f.control(t, "fault", fault) }

// Acquire gives it habits, in place of those it had.
func (f FarSide) Acquire(t testing.TB, h Habits) { f.control(t, "habits", h) }

// Type sets something by hand.
func (f FarSide) Type(t testing.TB, e Edit) { f.control(t, "edit", e) }

func (f FarSide) control(t testing.TB, what string, q any) {
	t.Helper()
	body, _ := json.Marshal(q)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/_sim/"+what, bytes.NewReader(body)))
	if w.Code != http.StatusOK {
		t.Fatal(fmt.Errorf("%s %+v: %s", what, q, w.Body))
	}
}

// State returns what anybody sees who looks inside.
func (f FarSide) State(t testing.TB) simkit.State {
	t.Helper()
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/_sim/state", nil))
	var s simkit.State
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}
