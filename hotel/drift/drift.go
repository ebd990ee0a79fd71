// Package drift says why a channel shows something else than what it last
// confirmed, and what is to be done about it. It does no I/O and asks no clock:
// what is known of a cell goes in, a verdict and an action come out.
package drift

import "ostler.example/hotel"

// Seen is what is known of a cell that a channel was asked for, in the form of
// [hotel.Offer.Encode].
type Seen struct {
	Group hotel.Group
	Told  *int64 // what the channel was last known to show; nil: nothing
	Shown int64  // what it shows now

	Before *int64  // what it showed when it was asked before; nil: it never was
	Former []int64 // what it was told before, in any order
	Beside []Pair  // what the same counter or product shows on the nights beside

	Again int  // how often this was put right lately, and came back the same
	Freed int  // rooms that its own guests have given back since it was told, as far as is known
	Sells bool // it lowers its count by itself when it sells
	Heard bool // every sale that it made before it was first seen like this is known
}

// Pair is what a cell was last known to show and what it shows.
type Pair struct{ Told, Shown int64 }

// Verdict is why a channel shows something else.
type Verdict string

// The verdicts. None says that there is no difference, Sale that a guest may have
// bought who is yet to be heard of, Early that what the house has said is yet to be
// worked out for the channel, SoldOut that a night without rooms is shown as closed.
const (
	None          Verdict = ""
	Sale          Verdict = "sale"
	Early         Verdict = "early"
	SoldOut       Verdict = "sold_out"
	AutoReplenish Verdict = "auto_replenish"
	ExtranetEdit  Verdict = "extranet_edit"
	Allotment     Verdict = "allotment"
	Rounding      Verdict = "rounding"
	Clamp         Verdict = "clamp"
	LostPush      Verdict = "lost_push"
	Unknown       Verdict = "unknown"
)

// Waits reports whether nothing is amiss as yet: it is looked at again next time.
func (v Verdict) Waits() bool { return v == None || v == Sale || v == Early || v == SoldOut }

// Judge finds the verdict: the first whose history fits.
func Judge(s Seen) Verdict {
	if s.Told != nil && *s.Told == s.Shown {
		return None
	}
	for _, v := range []struct {
		verdict Verdict
		fits    func(Seen) bool
	}{
		{Sale, sale},
		{AutoReplenish, replenish},
		{ExtranetEdit, edit},
		{Allotment, allotment},
		{Rounding, rounding},
		{Clamp, clamp},
		{LostPush, lost},
	} {
		if s.Told != nil && v.fits(s) {
			return v.verdict
		}
	}
	return Unknown
}

// wasRight reports whether the channel showed what it was told when it was asked
// before: what it shows now has come about there.
func (s Seen) wasRight() bool { return s.Before != nil && *s.Before == *s.Told }
