package connectortest

import (
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// hand is something that a far side can do for the kit, or cannot.
type hand struct {
	name string
	has  func(f *FarSide) bool
	give func(f *FarSide) // as if it could
}

var hands = []hand{
	{"Book", func(f *FarSide) bool { return f.Book != nil }, func(f *FarSide) { f.Book = func(T, hotel.Stay) string { return "" } }},
	{"Modify", func(f *FarSide) bool { return f.Modify != nil }, func(f *FarSide) { f.Modify = func(T, string, hotel.Stay) {} }},
	{"Cancel", func(f *FarSide) bool { return f.Cancel != nil }, func(f *FarSide) { f.Cancel = func(T, string) {} }},
	{"Family", func(f *FarSide) bool { return f.Family != nil }, func(f *FarSide) { f.Family = func(T, hotel.Stay, []int) string { return "" } }},
	{"Group", func(f *FarSide) bool { return f.Group != nil }, func(f *FarSide) { f.Group = func(T, []connectors.SimulatedRoom) string { return "" } }},
	{"GiveUp", func(f *FarSide) bool { return f.GiveUp != nil }, func(f *FarSide) { f.GiveUp = func(T, string, int) {} }},
	{"Sell", func(f *FarSide) bool { return f.Sell != nil }, func(f *FarSide) { f.Sell = func(T, hotel.Stay) string { return "" } }},
	{"Offers", func(f *FarSide) bool { return f.Offers != nil }, func(f *FarSide) { f.Offers = func(hotel.Stay) bool { return false } }},
	{"Pass", func(f *FarSide) bool { return f.Pass != nil }, func(f *FarSide) { f.Pass = func(time.Duration) {} }},
	{"RefuseCall", func(f *FarSide) bool { return f.RefuseCall != nil }, func(f *FarSide) { f.RefuseCall = func(T) {} }},
	{"Late", func(f *FarSide) bool { return f.Late != nil }, func(f *FarSide) { f.Late = func(T) {} }},
	{"Push", func(f *FarSide) bool { return f.Push != nil }, func(f *FarSide) { f.Push = func(T, string) bool { return false } }},
	{"Fetch", func(f *FarSide) bool { return f.Fetch != nil }, func(f *FarSide) { f.Fetch = func(T, string) bool { return false } }},
	{"Garble", func(f *FarSide) bool { return f.Garble != nil }, func(f *FarSide) { f.Garble = func(T) {} }},
	{"Booking", func(f *FarSide) bool { return f.Booking != nil }, func(f *FarSide) {
		f.Booking = func(string) connectors.SimulatedBooking { return connectors.SimulatedBooking{} }
	}},
	{"Refuse", func(f *FarSide) bool { return f.Refuse != nil }, func(f *FarSide) { f.Refuse = func(T) {} }},
	{"System", func(f *FarSide) bool { return f.System != nil }, func(f *FarSide) { f.System = &System{} }},
}

// unplayed begins what is said of a case that is skipped though what it is about is declared.
const unplayed = "declared, and its far side cannot play it: "

// lacks says why a case is skipped: what it is about is not declared, or its far side
// cannot play it, by the names of what that cannot do.
func (c testCase) lacks(s *session) string {
	able := *s
	for _, h := range hands {
		h.give(&able.far)
	}
	if !c.needs(&able) {
		return "not declared"
	}
	var missing []string
	for _, h := range hands {
		if h.has(&s.far) {
			continue
		}
		without := *s
		for _, other := range hands {
			if other.name != h.name {
				other.give(&without.far)
			}
		}
		if !c.needs(&without) {
			missing = append(missing, h.name)
		}
	}
	return unplayed + "it has no " + strings.Join(missing, ", ")
}
