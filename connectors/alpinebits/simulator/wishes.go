package simulator

import (
	"maps"
	"slices"
	"time"
)

// What a portal asks for, by the status that says so.
const (
	askRooms = "ALPINEBITS_SEND_FREEROOMS"
	askPlans = "ALPINEBITS_SEND_RATEPLANS"

	askCategories = "ALPINEBITS_SEND_INVENTORY"
)

// longAgo is how long a portal does with a complete set of free rooms before it asks for
// another.
const longAgo = 48 * time.Hour

// Ask has the portal ask for all free rooms, for all rate plans and for its categories: in
// each answer that has nothing else to say, until it is told a complete set of the first, a
// whole one of the second, and the third.
func (s *Simulator) Ask() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wishes = map[string]bool{askRooms: true, askPlans: true, askCategories: true}
}

// Wishes lists what it waits for.
func (s *Simulator) Wishes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	wishes := slices.Collect(maps.Keys(s.wishes))
	if !s.wishes[askRooms] && !s.whole.IsZero() && s.o.Clock.Now().Sub(s.whole) > longAgo {
		wishes = append(wishes, askRooms)
	}
	slices.Sort(wishes)
	return wishes
}

// wishing adds to an answer what is asked for.
func (s *Simulator) wishing(said any) any {
	r, plain := said.(reply)
	if !plain || r.Success == nil || r.Warnings != nil {
		return said
	}
	for _, wish := range s.Wishes() {
		if r.Warnings == nil {
			r.Warnings = &notices{}
		}
		r.Warnings.Warning = append(r.Warnings.Warning, notice{Type: "11", Status: wish, Text: "the last full data set was received long ago"})
	}
	return r
}

// took ends a wish once an answer says that what was asked for is taken. The caller holds mu.
func (s *Simulator) took(wish string, said any) {
	if r, plain := said.(reply); plain && r.Success != nil && r.Warnings == nil {
		delete(s.wishes, wish)
		if wish == askRooms {
			s.whole = s.o.Clock.Now()
		}
	}
}
