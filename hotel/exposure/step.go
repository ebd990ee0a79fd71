package exposure

import (
	"errors"
	"time"
)

// Why a step is not taken.
var (
	ErrUnpaid  = errors.New("fewer rooms are left to deal than the value costs")
	ErrAlive   = errors.New("an earlier raise may still act")
	ErrSeveral = errors.New("the count is shown at several places, which sell it by themselves: one says nothing of the others")
	ErrUnknown = errors.New("what the party may sell is not known: close and drain it first")
)

// Grant makes the party show v rooms, at least one, and pays for it out of the
// undealt rooms. The caller stores the party together with the intent to send,
// and sends only then: once, for the same value sent again would sell again what
// was sold meanwhile. last is the latest instant at which it can be sent.
//
// The whole value is paid, not what is missing: until a list of bookings that
// begins after the answer, the party may have sold what it showed before as well.
// A party that sold all it had loses nothing by this. A count that is shown at several
// places is paid for each. Where a value is a total,
// only what is above the account is paid, and it may be sent again; one below the account
// has to wait, as a closing has, until nothing that raises can act any more.
func (p Party) Grant(v, undealt int, a Ability, now, last time.Time) (Party, error) {
	cost := v * a.weight()
	if a.Total {
		cost = max(0, v-p.Account)
	}
	switch {
	case p.Unknown:
		return p, ErrUnknown
	case (!a.Total || v < p.Account) && !p.dead(a, now):
		return p, ErrAlive
	case undealt < cost:
		return p, ErrUnpaid
	}
	lone := p.over(a, now)
	p.Account += cost
	p = p.raised(cost, last).begin(Setting, v)
	p.Clean = lone
	return p, nil
}

// raised notes that a message is about to go out that makes the count higher.
func (p Party) raised(paid int, last time.Time) Party {
	p.Raise, p.Paid, p.RaiseLast = true, paid, last
	return p
}

// begin starts something new; what was under way is over.
func (p Party) begin(d Doing, value int) Party {
	p.Doing, p.Value, p.Clean, p.Back, p.Since, p.Read = d, value, false, 0, time.Time{}, 0
	return p
}

// lone reports whether the raise that goes out is the only one that may still act, so
// that its answer settles all. Of one that was sent before the party became a stranger
// nobody knows what else was sent.
func (p Party) lone() bool { return p.Doing == Setting && p.Clean }

// Applied is the answer to the newest raise: it is in force where guests buy. An
// answer of a queue or of a relay is none. An older raise it ends only where older
// requests are turned down.
func (p Party) Applied(a Ability, now time.Time) Party {
	if a.Versions || a.Once && p.lone() {
		p.Raise, p.Paid = false, 0
	}
	p = p.Unanswered(now)
	if p.Doing == Setting {
		p.Doing, p.Since, p.Clean = Set, now, false
	}
	return p
}

// Unanswered notes that a raise is sent no more, and that nobody knows what became of it.
// One that was on its way when the party became a stranger can have left until now.
func (p Party) Unanswered(now time.Time) Party {
	if p.Raise && p.Doing != Setting && now.After(p.RaiseLast) {
		p.RaiseLast = now
	}
	return p
}

// TurnedDown is the answer to the newest raise that it was refused for certain:
// what was paid comes back. No answer at all gives nothing back, for it may have
// acted. It says nothing of an older raise.
func (p Party) TurnedDown(a Ability, now time.Time) Party {
	if p.Raise && !p.Unknown {
		p.Account, p.Accepted = p.Account-p.Paid, max(0, p.Accepted-p.Paid)
	}
	p.Paid = 0
	if p.lone() && (a.Once || a.Versions) {
		p.Raise = false
	}
	p = p.Unanswered(now)
	if p.Doing == Setting {
		p = p.begin(Resting, 0)
	}
	return p
}

// Close begins to close the party: it is to be sent no rooms, at once and as often
// as one likes. It counts only when nothing that raises can act any more at the
// time; until then a later one has to follow. Closing down to a value above 0 is
// for channels whose value is a total.
func (p Party) Close(value int, a Ability, now time.Time) Party {
	clean := p.dead(a, now)
	// One that a cancellation may have reopened since is closed anew.
	under := p.Doing == Closing || p.Doing == Closed || p.Doing == Drained && p.Back == 0
	if under && p.Value == value && (p.Clean || !clean) {
		return p // again the same
	}
	p = p.begin(Closing, value)
	p.Clean = clean
	return p
}

// Shut is the answer to a closing that counts or to a later one: no rooms are
// shown where guests buy. That stops sales and frees nothing, for it does not say
// what was sold before.
func (p Party) Shut(now time.Time) Party {
	if p.Doing == Closing {
		p.Doing, p.Since = Closed, now
	}
	return p
}

// Trust takes the answer to a closing as all that there is to know of a party that
// can prove no more: its channel does not list its bookings, or promises too little.
// live is the number of its recorded bookings. What it may have sold, or may sell
// still, is at risk.
func (p Party) Trust(live int) Party {
	p = p.begin(Drained, 0)
	p.Account, p.Unknown, p.Raise, p.Paid, p.Clean, p.Accepted = live, false, false, 0, true, 0
	return p
}

// Risked takes a party of which nobody knows what it may sell, and which cannot be
// reached, for one that has nothing left, so that others may be dealt its rooms. live is
// the number of its recorded bookings, and rooms are those that it may have on sale: see
// [Ability.OnSale]. It is closed as soon as it can be told so.
func (p Party) Risked(live, rooms int) Party {
	p = p.begin(Closing, 0)
	p.Account, p.Unknown, p.Accepted = live, false, rooms
	return p
}

// Unsafe notes that a party was granted rooms though its channel promises too little:
// nothing keeps it from selling what it has left once more before we hear of that. live
// is the number of its recorded bookings.
func (p Party) Unsafe(live int) Party {
	e, _ := p.Exposure(live)
	p.Accepted = max(p.Accepted, e)
	return p
}

// Count begins to settle the party by reading: its count first, then its bookings.
// Whatever is sent to it in between ends this. Since nothing newer is sent, that older
// requests are turned down ends no raise here: a party with one is closed instead, as
// is one that is being told something.
func (p Party) Count(a Ability) (Party, error) {
	switch {
	case p.Unknown:
		return p, ErrUnknown
	case p.Raise, !p.Doing.open():
		return p, ErrAlive
	case a.weight() > 1:
		return p, ErrSeveral
	}
	return p.begin(Counting, 0), nil
}

// CountRead is the count that was read. One that is above all of the account is not settled,
// but closed.
func (p Party) CountRead(count int, a Ability, now time.Time) Party {
	if p.Doing != Counting {
		return p
	}
	if beyond, sure := p.Beyond(count, 0, a); sure {
		return p.Overshown(beyond)
	}
	p.Doing, p.Value, p.Since = Counted, count, now
	return p
}

// Beyond returns how many rooms a count that was read is above what the account leaves of
// it; sold is the number of bookings that were recorded for certain before it was read. No
// message that is lost or late explains that, for whatever was sent is in the account, nor
// does a sale that is yet to be heard of, which lowers the count. Where cancellations raise
// the count, one that is yet to be heard of may, or a booking that was moved to other nights;
// where not, and where the count is above all of the account, it is sure that somebody has
// raised it.
func (p Party) Beyond(count, sold int, a Ability) (rooms int, sure bool) {
	if p.Unknown {
		return 0, false
	}
	if a.Total {
		sold = 0 // they are in it
	}
	most := p.Account + p.Accepted
	rooms = max(0, count+sold-most)
	return rooms, rooms > 0 && (!a.Replenishes || count > most)
}

// Overshown is the party of which somebody has raised the count by hand, so many rooms above
// its account. It is closed, and its bookings are listed: what it has sold of them meanwhile
// nobody has granted.
func (p Party) Overshown(rooms int) Party {
	p = p.begin(Closing, 0)
	p.Accepted = max(p.Accepted, rooms)
	return p
}

// Listing notes that list number id of the party's bookings begins. It counts for
// what is under way when the answer has come, the channel's lag is over, and
// nothing that raises can act any more.
func (p Party) Listing(id int64, a Ability, now time.Time) Party {
	switch p.Doing {
	case Closed:
		if !p.Clean {
			return p
		}
	case Set, Counted:
		if !p.dead(a, now) {
			return p
		}
	case Resting, Setting, Closing, Drained, Counting:
		return p
	}
	if !now.Before(p.Since.Add(a.Lag)) {
		p.Read = id
	}
	return p
}

// Listed notes that list number id was read to its end and all in it recorded;
// live is the number of the party's recorded bookings then. Rooms that the party
// can have neither sold nor on sale leave its account.
func (p Party) Listed(id int64, live int, a Ability) Party {
	if p.Read == 0 || p.Read != id {
		return p
	}
	keeps := live + p.Back
	next := Resting
	switch p.Doing {
	case Closed:
		next = Drained
		if a.Total {
			keeps = max(p.Value, live)
		}
	case Set, Counted:
		keeps += p.Value * a.weight()
		if a.Total && p.Doing == Set {
			keeps = max(p.Value, live)
		}
	case Resting, Setting, Closing, Drained, Counting:
		return p
	}
	if next == Drained {
		p.Account, p.Accepted = p.Account+p.Accepted, 0 // what was accepted is known by now
	}
	if p.Unknown || keeps < p.Account {
		p.Account = keeps
	}
	p.Unknown = false
	p.Doing, p.Read, p.Since = next, 0, time.Time{}
	if next == Drained {
		p.Raise, p.Paid = false, 0
	} else {
		p.Value = 0
	}
	if next != Drained || a.Total { // a total shows no more than it was told, whoever cancels
		p.Back = 0
	}
	return p
}

// Cleared is the party as its bookings are known now; live is their number. One that is
// drained had all that it may have sold kept for it, and gives back what turns out to be
// the sale of another. Any other shows rooms still, or did when it was last listed.
func (p Party) Cleared(live int, a Ability) Party {
	if p.Doing != Drained || p.Unknown {
		return p
	}
	keeps := live + p.Back
	if a.Total {
		keeps = max(p.Value, live)
	}
	p.Account = min(p.Account, keeps)
	return p
}

// Contracted is the party with so many rooms that a contract promises it, what it has
// sold included: they are its own whatever it shows, and no closing takes them back.
func (p Party) Contracted(rooms int) Party {
	if !p.Unknown {
		p.Account = max(p.Account, rooms)
	}
	return p
}

// Uncontracted notes that a contract has ended, or promises other rooms. What the
// party may have sold of them while it was closed nobody knows, so that what was under
// way counts for nothing; the rooms come back by a closing that begins now. A channel
// that keeps its count on a cancellation has sold the rooms of the contract again all
// the same: of a cancellation that is heard of only now nobody knows which it was.
//
// Of a party that is not guaranteed no list proves what it has sold: it becomes as
// strange as one that comes into the pool.
func (p Party) Uncontracted(a Ability, l Level) Party {
	p = p.begin(Closing, 0)
	p.Unknown = p.Unknown || !a.Replenishes || l != Guaranteed
	return p
}

// Extended notes that a stay grew into the night; that of any other booking moves
// nothing, since its room was granted. Where the channel does not lower its count
// for it, the party may sell as many more as before.
func (p Party) Extended(a Ability) Party {
	if !p.Unknown && !a.Extends {
		p.Account++
	}
	return p
}

// Freed notes that a cancellation of a booking of the party was recorded, or a stay
// that shrank out of the night. Where the count goes up with it, the room stays
// with the party; where it does not, it is free.
func (p Party) Freed(a Ability) Party {
	switch {
	case a.Replenishes || a.Total: // of a total it leaves one more to sell
		p.Back++
	case !p.Unknown:
		p.Account = max(0, p.Account-1)
	}
	return p
}

// Restarted is the party as a program takes it over that was started anew: a list
// that was being read is lost, and since nobody knows how long the program was off,
// whatever may be on its way, and whatever was answered, counts from now.
func (p Party) Restarted(now time.Time) Party {
	p.Read = 0
	if p.Raise {
		p.RaiseLast = now
	}
	if !p.Since.IsZero() {
		p.Since = now
	}
	return p
}
