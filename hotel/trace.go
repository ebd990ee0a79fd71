package hotel

// Trace records the steps that made a number, in the order in which they acted.
// A nil Trace records nothing, so that one function both computes and explains.
type Trace struct{ Steps []Step }

// Step is one step of a derivation. A step that changes nothing is recorded too.
type Step struct {
	Name   string // stable: "sold", "markup", "min_stay_arrival"
	By     string // what acted: a limit, "-10 percent", "room_type"; may be empty
	Change int    // rooms that a step of a count added; negative: took away
	Count  int    // the rooms left after a step of a count
	Text   string // the amount or restriction after a step of anything else

	Sequence int64   // the journal entry that set it; 0: none did, or more than one
	Taken    []Taken // who takes the rooms of a step of a count
	Acted    Acted   // what acted, apart from its words
	Share    *Share  // what a channel was granted of a guarded night; nil: it was granted nothing apart
}

// Acted is what acted in a step, as far as it can be named.
type Acted struct {
	ID      string // the pool, the pricing rule, the rate plan that a price is derived from, or of which it was typed
	Kind    string // of an amount: percent or amount; of a share: how the pool is protected
	Limit   *int   // rooms: the most that there may be, or how many are kept
	Left    *int   // rooms that the limit of the house leaves
	Counted *int   // rooms that the channel has sold of the total that it is told
}

// Share is how a channel stands with the rooms of a guarded night.
type Share struct {
	Account int // rooms that were granted to it
	Sold    int // of them it has sold
	Undealt int // rooms of the type that are granted to nobody
	Unknown bool
	NotKept bool // of the past: the journal does not tell what was granted
}

// Taken is rooms of one type that somebody takes on a night.
type Taken struct {
	ReservationID string // "" for a block
	BlockID       string // the block, or the one that the reservation was picked up from
	ChannelID     string // where the reservation was made
	RoomTypeID    string
	Rooms         int
	Held          bool // somebody has yet to decide
	Sequence      int64
}

// AddCount records that a count stands at n rooms after the named step.
func (t *Trace) AddCount(name string, n int, by string) {
	if t == nil {
		return
	}
	change := n
	if last := len(t.Steps) - 1; last >= 0 {
		change -= t.Steps[last].Count
	}
	t.Steps = append(t.Steps, Step{Name: name, By: by, Change: change, Count: n})
}

// Name adds to the last step what acted in it.
func (t *Trace) Name(a Acted) {
	if t == nil || len(t.Steps) == 0 {
		return
	}
	t.Steps[len(t.Steps)-1].Acted = a
}

// AddText records what an amount or a restriction is after the named step.
func (t *Trace) AddText(name, text, by string) {
	if t == nil {
		return
	}
	t.Steps = append(t.Steps, Step{Name: name, By: by, Text: text})
}
