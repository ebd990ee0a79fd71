package dispatch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/race"
)

// moment is a point of the journal at which the channel had been told everything.
type moment struct {
	sequence int64
	shown    answers
}

// TestThePastIsExplainedAsItWasPushed: in worlds made by chance every number of every product
// and night is explained, as of each point at which the far side had been told all, as it was
// shown there then. Of the entries between two such points one alone acts, the fact that came
// about: it moves what the far side shows otherwise since, and nothing else. So it is where the
// far side can be told only by no rooms that something is closed, too.
func TestThePastIsExplainedAsItWasPushed(t *testing.T) {
	seeds := uint64(2)
	if race.On {
		seeds = 1
	}
	for _, as := range []struct {
		name    string
		prepare func(*bench)
	}{
		{"told all", nil},
		{"not told closures", func(b *bench) { delete(b.caps.Fields, hotel.FieldClosed) }},
	} {
		for seed := range seeds {
			t.Run(fmt.Sprint(as.name, ", seed ", seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 31))
				run(t, as.prepare, func(b *bench) { b.pastIsExplained(r) })
			})
		}
	}
}

func (b *bench) pastIsExplained(r *rand.Rand) {
	b.t.Helper()
	if err := b.ldg.KeepTerms(context.Background(), channel, b.caps.Terms); err != nil {
		b.t.Fatal(err)
	}
	nights := hotel.Span{From: b.today, To: b.today + 4}
	var past []moment
	note := func() {
		b.rest()
		ends, shown, sequence := b.explainAll(nights, 0)
		if len(ends) < 100 {
			b.t.Fatalf("%d numbers are explained", len(ends))
		}
		past = append(past, moment{sequence, shown})
	}
	note()
	for range 7 {
		b.anyFact(r)
		note()
	}
	for _, m := range past {
		ends, _, _ := b.explainAll(nights, m.sequence)
		for at, want := range m.shown {
			if ends[at] != want {
				b.t.Errorf("as of %d %s is explained as %s; shown was %s", m.sequence, at, ends[at], want)
			}
		}
	}
	places := map[string]bool{}
	for i := range past[1:] {
		b.actsOnce(past[i], past[i+1], places)
	}
	if len(places) < 30 {
		b.t.Errorf("%d numbers moved", len(places))
	}
}

// actsOnce goes from one point to the next, entry by entry, on the last night that is another
// at the end and the one before, and notes the places that move.
func (b *bench) actsOnce(from, to moment, places map[string]bool) {
	b.t.Helper()
	var nights hotel.Span
	for at := range from.shown {
		if from.shown[at] != to.shown[at] {
			var room, plan int
			nights.From = max(nights.From, b.nightOf(at, &room, &plan))
		}
	}
	if nights.From == 0 {
		return // that was so before, or is of later nights
	}
	nights.From, nights.To = max(nights.From-1, b.today), nights.From
	entries, err := b.ldg.Entries(context.Background(), from.sequence, int(to.sequence-from.sequence))
	if err != nil {
		b.t.Fatal(err)
	}
	before, _, _ := b.explainAll(nights, from.sequence)
	acted := int64(0)
	for _, e := range entries {
		then, _, _ := b.explainAll(nights, e.Sequence)
		for at := range merged(before, then) {
			if before[at] == then[at] {
				continue
			}
			if acted != 0 && acted != e.Sequence || then[at] != to.shown[at] {
				b.t.Errorf("behind entry %d, entry %d, %s of %s, moves %s from %q to %q", acted, e.Sequence, e.Kind, e.Subject, at, before[at], then[at])
			}
			acted, places[at] = e.Sequence, true
		}
		before = then
	}
}
