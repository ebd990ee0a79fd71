package exposure

import "time"

// Party is what is known of one party for one night of one pool. Everything in it
// is to be stored; nothing that matters lives in memory alone. The zero value is a
// party that was never granted anything and shows nothing. Its instants, and those that
// it is asked at, are of a clock that nobody sets; when the program starts, they are
// moved to then.
type Party struct {
	Account int  // rooms granted: sold there and heard of, and what it may still sell
	Unknown bool // the account is larger than any number: nobody knows what it may sell

	// Raise is set while a message that could make the count higher may still act.
	Raise     bool
	Paid      int       // of the newest such message: what is given back when it is turned down
	RaiseLast time.Time // the latest instant at which it can have been sent

	Doing Doing
	Value int  // Setting and Set: the value; Counted: the count that was read; Closing: what is closed down to
	Clean bool // Setting, Closing and Closed: no earlier raise could act any more when it was sent

	// Back counts the cancellations and shortenings first heard of since what is
	// under way began: each may have raised a count that replenishes.
	Back int

	Since time.Time // Set, Closed and Counted: when the answer came
	Read  int64     // the list of bookings that ends what is under way, 0 while none has begun

	// Accepted is how many rooms it may have sold, or may sell, beyond its account, since a
	// policy has accepted that and they were dealt to others, or since somebody has raised
	// its count. They are shown to people alone.
	Accepted int
}

// Doing is what is under way with a party.
type Doing string

// A party rests, is being given a value, is being closed, is closed for good, or
// is being counted. Of each pair the second waits for a list of the party's
// bookings that begins after the answer came.
const (
	Resting  Doing = ""
	Setting  Doing = "setting"
	Set      Doing = "set"
	Closing  Doing = "closing"
	Closed   Doing = "closed"
	Drained  Doing = "drained" // closed, and all it sold is known
	Counting Doing = "counting"
	Counted  Doing = "counted"
)

// Stranger is a party of which nothing is known: at its first activation, after a
// restored backup, or when a pool becomes guarded while rooms are on sale. Nothing
// of its pool is dealt or sold directly until it is closed and drained.
func Stranger(now time.Time) Party {
	return Party{Unknown: true, Raise: true, RaiseLast: now}
}

// Exposure returns how many rooms the party could still sell, by what we have
// heard; live is the number of its recorded bookings of the night. It is false
// when nobody knows.
func (p Party) Exposure(live int) (int, bool) {
	if p.Unknown {
		return 0, false
	}
	return max(0, p.Account-live), true
}

// OnSale returns how many of these it may sell now, by what it was told last: none once
// it is being closed.
func (p Party) OnSale(live int) int {
	switch p.Doing {
	case Closing, Closed, Drained:
		return 0
	case Resting, Setting, Set, Counting, Counted:
	}
	e, _ := p.Exposure(live) // none where nobody knows
	return e
}

// AtRisk returns how many rooms the party could sell beyond what it was granted, since
// somebody has accepted that; live is the number of its recorded bookings of the night.
// Of a party of which nobody knows anything yet, nothing is accepted.
func (p Party) AtRisk(live int) int {
	if p.Unknown {
		return 0
	}
	return max(0, p.Account+p.Accepted-max(p.Account, live))
}

// Holding is a party and how many of its bookings of the night are recorded.
type Holding struct {
	Party
	Live int
}

// Undealt returns the rooms of a night that are granted to nobody: capacity less
// direct bookings less every account. A party that is recorded to have sold more
// than its account, since a cancellation is still to be heard of or since somebody
// raised its count by hand, counts with what it has sold. The result is below 0
// when a fact took rooms away that were granted, and false while a party is
// unknown.
func Undealt(capacity, direct int, parties []Holding) (int, bool) {
	left := capacity - direct
	for _, p := range parties {
		if p.Unknown {
			return 0, false
		}
		left -= max(p.Account, p.Live)
	}
	return left, true
}

// dead reports whether every message that could raise the party's count is known
// to act no more once something newer is sent.
func (p Party) dead(a Ability, now time.Time) bool { return a.Versions || p.over(a, now) }

// over is dead where nothing newer is sent, so that nothing is turned down as older.
func (p Party) over(a Ability, now time.Time) bool {
	return !p.Raise || a.Lifetime > 0 && now.After(p.RaiseLast.Add(a.Lifetime))
}
