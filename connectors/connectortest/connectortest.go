// Package connectortest is the conformance kit: the cases that every connector
// must pass against a far side that its author provides, usually the simulator.
// It breaks the connector's client to see how failures are classified, and looks
// at what the far side shows and at what reaches the sink. It knows no
// connector; what a connector does not declare is skipped by name.
package connectortest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// T is the part of [testing.T] that cases use.
type T interface {
	Helper()
	Context() context.Context
	Cleanup(func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}

// Harness is what the author of a connector provides.
type Harness struct {
	Driver string // the name under which the connector is registered

	// Start starts a fresh far side for one case. What it needs ended goes into
	// t.Cleanup.
	Start func(t T) FarSide

	// StandIn says that the connector stands in for others, in programs of their own,
	// and has the methods of every optional interface whatever a channel declares.
	StandIn bool

	// Skip leaves cases out, each with the reason.
	Skip map[string]string

	// Only are the cases that are tried; none: all of them.
	Only []string
}

// FarSide is one running far side and how the kit looks at it.
type FarSide struct {
	Config   string          // the channel's settings, as TOML
	Settings json.RawMessage // or as they are stored, where they are not given as TOML
	Defaults map[string]any  // what the configuration file says of the connector, if anything

	Secrets []string // what no log line and no error may tell

	// A product that it knows and sells, and the currency of its prices. It shows
	// nothing for it yet.
	Room, Rate string
	Currency   hotel.Currency

	// One that is of another room; none: it sells a single one.
	OtherRoom, OtherRate string

	// Shown returns what guests see for a key; false: it has never been set.
	Shown func(k connectors.Key) (hotel.Offer, bool)

	// Book lets a guest book the product for two adults and returns the reference.
	// The kit has put the nights on sale before. Nil: nobody can play its guests, and
	// the cases about bookings are skipped.
	Book func(t T, stay hotel.Stay) string

	// Sell is Book, and returns before the far side tells of the booking, however late that
	// is; nil: it cannot be looked at between the two.
	Sell func(t T, stay hotel.Stay) string

	// Offers reports whether a guest who looks now can buy the stay, of the product and for
	// two adults; nil: nobody can look.
	Offers func(stay hotel.Stay) bool

	// RefuseCall makes the far side refuse all of the next call that tells values, and Late
	// has it break off the next such call, which it does later, as late as any call is done;
	// nil: it has no way.
	RefuseCall func(t T)
	Late       func(t T)

	// Modify and Cancel let the guest change a booking's stay and cancel it; nil: the
	// far side has no way.
	Modify func(t T, ref string, stay hotel.Stay)
	Cancel func(t T, ref string)

	// Family is Book for two adults and children of these ages; nil: its messages tell of no
	// ages.
	Family func(t T, stay hotel.Stay, ages []int) string

	// Group lets a guest book rooms together, of which one message tells, and GiveUp lets the
	// guest give up the one at a place among them, from 0; nil: it sells rooms one by one.
	Group  func(t T, rooms []connectors.SimulatedRoom) string
	GiveUp func(t T, ref string, place int)

	// Waiting counts the messages about bookings that we have not acknowledged; nil:
	// the far side asks for no acknowledgement.
	Waiting func() int

	// Push sends the oldest waiting message to the URL, once, and reports whether it
	// counts as received. Only for connectors that receive.
	Push func(t T, url string) (received bool)

	// Fetch lets the far side read what is published for it at the URL, and reports
	// whether it could. Only for connectors that publish.
	Fetch func(t T, url string) (read bool)

	// System plays the hotel's own system. Only for connectors that serve one.
	System *System

	// Bare says that its messages tell no more than a reference, the room and the
	// nights.
	Bare bool

	// Twice says that what it shows no more is believed when it is looked for twice: it tells
	// what is and not what happens, and may say nothing by mistake.
	Twice bool

	// Places says that it is asked at several places of their own, as sites are for their
	// calendars: that one of them refuses us, or wants a pause, says nothing of the others,
	// so that it is a failure of today.
	Places bool

	// Garble makes the message about the next booking one that nobody can read,
	// with its booking's reference somewhere in it; nil: the far side has no way.
	Garble func(t T)

	// Pass lets time go by at the far side, so that its limits allow another call; nil:
	// they are wide enough for the kit.
	Pass func(time.Duration)

	// Booking returns how the far side has a booking, by its reference. Only for
	// connectors whose channels can be asked to do something with one.
	Booking func(ref string) connectors.SimulatedBooking

	// Refuse makes the far side refuse the next action. Likewise.
	Refuse func(t T)

	// Signed says that pushed messages carry a signature over their body, so that an
	// altered one must be refused.
	Signed bool
}

// testCase is one case of the kit.
type testCase struct {
	name  string
	needs func(s *session) bool // nil: nothing
	run   func(t T, s *session)
}

var cases = slices.Concat(
	settingsCases, encodeCases, sendCases, carriageCases, reachCases, failureCases, foreignCases, askingCases, publishedCases, inboundCases, servedCases, readCases, pollCases, orderCases, partyCases, termsCases, timeCases, actionCases, walkCases, outageCases, hygieneCases,
)

// Cases returns the names of all cases.
func Cases() []string {
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	return names
}

// cases are those that the harness wants tried.
func (h Harness) cases() []testCase {
	if len(h.Only) == 0 {
		return cases
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c testCase) bool { return !slices.Contains(h.Only, c.name) })
}

// Run runs every case as a subtest.
func Run(t *testing.T, h Harness) {
	t.Helper()
	if err := h.check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range h.cases() {
		t.Run(c.name, func(t *testing.T) { c.try(t, h) })
	}
}

// check finds mistakes in the harness itself.
func (h Harness) check() error {
	if _, known := connectors.Lookup(h.Driver); !known {
		return fmt.Errorf("no connector %q is registered", h.Driver)
	}
	for _, name := range h.Only {
		if !slices.Contains(Cases(), name) {
			return fmt.Errorf("there is no case %q", name)
		}
	}
	for name, reason := range h.Skip {
		if !slices.Contains(Cases(), name) {
			return fmt.Errorf("harness of %s: there is no case %q to skip", h.Driver, name)
		}
		if reason == "" {
			return fmt.Errorf("harness of %s: skipping %s needs a reason", h.Driver, name)
		}
	}
	return nil
}

// try runs one case, unless it is skipped or about what is not declared.
func (c testCase) try(t T, h Harness) {
	t.Helper()
	if reason := h.Skip[c.name]; reason != "" {
		t.Skipf("left out: %s", reason)
	}
	s := start(t, h)
	if c.needs != nil && !c.needs(s) {
		t.Skipf("%s", c.lacks(s))
	}
	c.run(t, s)
}
