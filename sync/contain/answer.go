package contain

import (
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// mostReference is how many bytes of a far side's reference are kept.
const mostReference = 200

// Answer looks through what a far side answered to a call, and returns it with
// nothing in it that cannot be: an outcome that there is not is unknown, and words
// are short. An answer that names what was not in the call settles nothing at all,
// since nobody knows what it is about. fault is what was wrong; its kind is ""
// when nothing was.
func Answer(a connectors.Answer, to []connectors.Key) (sound connectors.Answer, fault hotel.Fault) {
	sound = connectors.Answer{Rest: a.Rest, Keys: make(map[connectors.Key]connectors.Verdict, len(a.Keys)), Ref: Short(a.Ref), Excerpt: Short(a.Excerpt)}
	if len(sound.Ref) > mostReference {
		sound.Ref = ""
	}
	asked := make(map[connectors.Key]bool, len(to))
	for _, k := range to {
		asked[k] = true
	}
	for k := range a.Keys {
		if !asked[k] {
			sound.Rest, sound.Keys = connectors.Unknown, nil
			return sound, hotel.Fault{Kind: hotel.FaultForeign, Words: Short(fmt.Sprintf("the answer names %s/%s on %s, which was not in the call", k.Room, k.Rate, k.Night))}
		}
	}
	known := func(o connectors.Outcome) connectors.Outcome {
		if o > connectors.Rejected {
			fault = hotel.Fault{Kind: hotel.FaultNumber, Words: fmt.Sprintf("the answer has an outcome %d, which there is not", o)}
			return connectors.Unknown
		}
		return o
	}
	sound.Rest = known(a.Rest)
	for k, v := range a.Keys {
		sound.Keys[k] = connectors.Verdict{Outcome: known(v.Outcome), Words: Short(v.Words)}
	}
	return sound, fault
}
