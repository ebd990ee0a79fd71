package drift

import "ostler.example/hotel"

// Action is what is to be done about a difference.
type Action uint8

// Wait leaves it to the next look. PutRight tells the channel again; Insist does so
// too and has somebody look at it. Leave lets stand what is shown, Take makes it the
// property's own, Ask lets it stand until somebody has decided.
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

// Case is a difference that was judged, by one field.
type Case struct {
	Verdict Verdict
	Policy  hotel.DriftPolicy // of the field
	Harms   bool              // the channel sells what it should not: more rooms than it was given, or a night that is closed
	Newer   bool              // the house wants something else there than the channel was last told
	LeftOut bool              // it says nothing of the cell where it tells all that it shows: nobody has chosen that
	Again   int               // how often the cell was put right lately
}

// Decide says what is to be done about a difference. Whatever the policy is, what
// harms is put right: nothing gives a guest a room that is not there. Only a number
// that was promised stands. What was typed there before the house had its latest
// word is nobody's to be taken over, and of what nobody is known to have typed since
// somebody is asked.
func Decide(c Case) Action {
	v, theirs := c.Verdict, c.Policy == hotel.Theirs && !c.Newer && !c.LeftOut
	settled := c.Again > 0 && (v == Rounding || v == Clamp)
	switch {
	case v.Waits():
		return Wait
	case v == Allotment:
		return Ask
	case c.Harms && (c.Again >= mostFights || c.Policy != hotel.Ours):
		return Insist
	case c.Harms:
		return PutRight
	case theirs && (v == Rounding || v == Clamp):
		return Leave // it can show nothing else, and the property's own is nobody else's
	case theirs && v == ExtranetEdit:
		return Take
	case c.Policy == hotel.AskOwner, theirs && v == Unknown, c.Again >= mostFights, settled:
		return Ask
	}
	return PutRight
}
