package simulator

import (
	"maps"
	"slices"
)

// What a portal asks for, by the status that says so.
const (
	askRooms = "ALPINEBITS_SEND_FREEROOMS"
	askPlans = "ALPINEBITS_SEND_RATEPLANS"
)

// Ask has the portal ask for all free rooms, and for all rate plans: in each answer that has
// nothing else to say, until it is told a complete set of the one, and a whole one of the other.
func (s *Simulator) Ask() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wishes = map[string]bool{askRooms: true, askPlans: true}
}

// Wishes lists what it waits for.
func (s *Simulator) Wishes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.wishes))
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
	}
}
