package drift

import "ostler.example/hotel"

// Action is what is to be done about a difference.
type Action uint8

// Wait leaves it to the next look. PutRight tells the channel again; Insist does so
// too and has somebody look at it. Leave lets stand what is shown, Ask does so until
// somebody has decided.
const (
	Wait Action = iota
	PutRight
	Insist
	Leave
	Take
	Ask
)

// mostFights is how often a difference is put right before somebody is asked: who
// sets it there again and again does not know of us, or knows better.
const mostFights = 3

// Decide says what is to be done about a difference that was judged. harms says
// that the channel sells what it should not: more rooms than it was given, or a
// night that is closed. Whatever the policy is, that is put right: nothing gives a
// guest a room that is not there. Only a number that was promised stands.
func Decide(v Verdict, policy hotel.DriftPolicy, harms bool, again int) Action {
	settled := again > 0 && (v == Rounding || v == Clamp)
	switch {
	case v == None, v == Sale:
		return Wait
	case v == Allotment:
		return Ask
	case harms && (again >= mostFights || policy != hotel.Ours):
		return Insist
	case harms:
		return PutRight
	case policy == hotel.Theirs && (v == Rounding || v == Clamp):
		return Leave // it can show nothing else, and the property's own is nobody else's
	case policy == hotel.Theirs && v != LostPush: // of which nobody there has decided anything
		return Take
	case policy == hotel.AskOwner, again >= mostFights, settled:
		return Ask
	}
	return PutRight
}
