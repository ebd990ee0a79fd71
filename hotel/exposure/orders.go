package exposure

import (
	"cmp"
	"slices"
	"time"
)

// Holder is a party of one night as whoever deals its rooms sees it. Rooms are
// counted as its channel counts them.
type Holder struct {
	Party
	Ability
	Level  Level
	Seller Seller
	Room   int // the index of the room type that its count is of
	Live   int // its recorded bookings of the night, as its channel counts them
	Strays int // bookings of its channel that it may have sold: nobody has mapped their codes
	Here   int // rooms of the type that are taken for it otherwise: by those bookings, and by a contract
	Floor  int // rooms that a contract promises it, those that it has sold included
	Most   int // the most that it may be shown; 0: what it sells is closed
	Share  int // sells from the same rooms as all holders of equal share
	Shown  int // the most that its count may show now

	Risk bool // it promises too little to be granted anything, and somebody has accepted that it is
	Away bool // it cannot be told anything at present
	Busy bool // a message to it is under way
}

// Exposure returns how many rooms the holder could still sell.
func (h *Holder) Exposure() (int, bool) { return h.Party.Exposure(h.Live + h.Strays) }

// Spare is Exposure without what a contract promises: a closing may bring it back.
func (h *Holder) Spare() (int, bool) {
	if h.Unknown {
		return 0, false
	}
	return max(0, h.Account-max(h.Live+h.Strays, h.Floor)), true
}

// onSale returns the most that a closing may find on sale: Spare, and what its count may
// say beyond it where strays may be another's, or by what has come back since.
func (h *Holder) onSale() int {
	e, _ := h.Spare()
	return max(e, min(e+h.Strays, max(h.Back, h.Ability.OnSale(h.Shown, h.Live))))
}

// grantable reports whether the holder may be granted rooms at all.
func (h *Holder) grantable() bool { return h.Level == Guaranteed || h.Level == OneWay || h.Risk }

// spent reports whether a holder that is granted rooms at risk has to be closed before
// it is granted others: its count does not say by itself that it has sold, or nobody
// knows whether it may still be raised.
func (h *Holder) spent(e int) bool {
	return h.Risk && (h.Loose && h.Shown*h.weight() > e || e == 0 && h.Raise)
}

// Before is what is added to the rooms that the holder is to sell where it is told a
// total: what it has sold of what it was granted, or may have.
func (h *Holder) Before() int {
	if h.Total {
		return max(h.Live, min(h.Account, h.Live+h.Strays))
	}
	return 0
}

// kept returns the rooms of its account that the holder does not show and may be told
// again, since a total that is told twice sells nothing twice. From one that is one way
// they come back by nothing else.
func (h *Holder) kept() int {
	if h.Level != OneWay || !h.Total {
		return 0
	}
	switch h.Doing {
	case Resting:
		if h.Shown > 0 {
			return 0
		}
	case Set, Counting, Counted:
		return 0
	case Setting, Closing, Closed, Drained: // of a raise that is under way nothing is told before its answer
	}
	e, _ := h.Exposure()
	return e
}

// overtaken reports whether the holder is one way and may show nothing of what it was
// granted: its last raise went unanswered, and can act no more. What that granted never
// comes back, so that it is worth a closing only where it can be granted others.
func (h *Holder) overtaken(now time.Time) bool {
	e, known := h.Exposure()
	return known && e > 0 && h.Level == OneWay && !h.Total && h.Doing == Setting && h.Most > 0 && !h.Busy && !h.Away && h.dead(h.Ability, now)
}

// Granted returns the rooms of the holder's type that are its own beside those
// that are taken for it otherwise.
func (h *Holder) Granted() int {
	if h.Unknown {
		return 0
	}
	return max(0, max(h.Account, h.Live)-h.Here)
}

// Alike reports whether dealing makes no difference between p and q: whether a list or
// a count is under way with a party that may be told anything moves nothing. With a
// raise that may still act time decides as well, and the two are not alike.
func (p Party) Alike(q Party, a Ability) bool {
	return p.Doing.open() && q.Doing.open() && (a.Versions || !p.Raise) &&
		p.Raise == q.Raise && p.Unknown == q.Unknown && p.Account == q.Account && p.Accepted == q.Accepted
}

// open reports whether a party may be told anything.
func (d Doing) open() bool {
	switch d {
	case Resting, Set, Counting, Counted:
		return true
	case Setting, Closing, Closed, Drained:
	}
	return false
}

// Left is what is left of a room type on a night when every granted room counts
// as taken.
type Left struct {
	Net  int // rooms that find a place; below 0: of those taken so many find none
	Open int // what limits leave of it
}

// Order is one thing that a party is to be told: to show so many rooms, or none. Where
// a value is a total, what is shown is what is left of it: see [Holder.Before].
type Order struct {
	Holder int
	Show   int
}

// Night is what is dealt at a time: the parties of one night.
type Night struct {
	Holders []Holder
	Direct  map[int]int // the weight of direct sales, by what holders sell from: see Holder.Share
	// Left returns what is left of each room type when so many more rooms of each
	// are taken, which it does not keep. Unknown parties take nothing here.
	Left func(more []int) []Left
	Keep []int // rooms of each type that somebody waits for to sell directly
	Now  time.Time
}

// Orders decides what the parties of a night are told next. It is a function of
// what is known, and deciding twice gives the same: an order is carried out by
// [Party.Grant] or [Party.Close], which ask again whether it can be paid.
//
//   - Whoever may sell nobody knows how much is closed, and so is whoever has
//     nothing to sell any more, whose last raise went unanswered, or who promises
//     too little to be granted anything. One that is granted rooms at risk is closed
//     as soon as its count may say more than it has left.
//   - Where more is granted than there is, and where somebody waits for a room, the
//     parties that may sell most are closed, until it is enough.
//   - What is left is dealt to those that have nothing to sell, by weight, so that
//     each has at least one room while there are any. The others are left alone: to
//     make a share smaller costs a closing, a list and a time without sales.
//   - What a total shows no more that never comes back from it, it is told again. Any other
//     from which nothing comes back, and of whose last raise nobody knows what became, is
//     closed when that can act no more and there are rooms that it can be granted anew.
//
// Nothing is dealt of rooms that an unknown party sells too.
func (n Night) Orders() []Order {
	d := deal{Night: n, closing: make([]bool, len(n.Holders))}
	for i := range n.Holders {
		d.closing[i] = n.Holders[i].mustClose()
	}
	d.cover()
	for i := range n.Holders {
		if h := &n.Holders[i]; h.overtaken(n.Now) && d.mayShare(i) && d.Left(n.Keep)[h.Room].Open >= h.weight() {
			d.closing[i] = true
		}
	}
	var out []Order
	for i := range n.Holders {
		if h := &n.Holders[i]; d.closing[i] && !h.Away && !h.Busy && h.tellClosed(n.Now) {
			out = append(out, Order{i, 0})
		}
	}
	return append(out, d.grant()...)
}

// deal is a night while it is dealt.
type deal struct {
	Night
	closing []bool
}

// mustClose reports whether the party is to show nothing, whatever the others
// have.
func (h *Holder) mustClose() bool {
	e, known := h.Spare()
	switch {
	case !known, h.Doing == Closing && h.Accepted > 0: // the latter shows rooms that are not in its account
		return true
	case !h.grantable():
		return h.onSale() > 0 && h.Doing != Closed || h.Raise
	case h.Most <= 0:
		// What a contract promises is closed too, and a closing that was begun is told until it
		// is answered: a guest who cancels meanwhile may put the room back on sale.
		return h.onSale() > 0 || h.Raise || h.Floor > 0 && h.Shown > 0 || h.Doing == Closing
	case h.Level == OneWay:
		return h.Accepted > 0 || h.Doing == Closing && h.kept() == 0 // else what it has cannot come back
	case h.onSale() > h.Most*h.weight(), h.spent(e):
		return true
	}
	switch h.Doing {
	case Closing, Closed:
		return true
	case Drained:
		return e > 0 || h.Back > 0 && h.onSale() > 0 // cancellations may have raised the count since
	case Setting:
		return !h.Busy // nobody knows whether it took the raise
	case Resting, Set, Counting, Counted:
		// An answer ends a raise, but for that of a total: this one had none.
		return h.Raise && !h.Busy && h.Level == Guaranteed && !h.Total
	}
	return false
}

// tellClosed reports whether a party that is to show nothing has to be told so
// now. Closed once is not enough while an earlier raise may act after it: then it
// is told at once, and again when that is over.
func (h *Holder) tellClosed(now time.Time) bool {
	switch h.Doing {
	case Closed:
		return !h.Clean && h.dead(h.Ability, now)
	case Drained:
		return h.Back > 0
	case Resting, Setting, Set, Closing, Counting, Counted:
	}
	return true
}

// cover closes parties until what is left is enough for what is missing.
func (d *deal) cover() {
	for {
		more := make([]int, len(d.Keep))
		copy(more, d.Keep)
		for i := range d.Holders {
			if e, known := d.Holders[i].Spare(); known && d.closing[i] && d.Holders[i].Level != OneWay {
				more[d.Holders[i].Room] -= e // comes back
			}
		}
		next, most := -1, 0
		for room, left := range d.Left(more) {
			if left.Net >= 0 {
				continue
			}
			for i := range d.Holders {
				h := &d.Holders[i]
				e := h.onSale()
				if h.Unknown || e == 0 || d.closing[i] || !d.shares(room, h.Room) || h.Level != Guaranteed && d.Keep[room] > 0 {
					continue
				}
				if e > most {
					next, most = i, e
				}
			}
		}
		if next < 0 {
			return
		}
		d.closing[next] = true
	}
}

func (d *deal) exposure(i int) int {
	e, _ := d.Holders[i].Exposure()
	return e
}

// shares reports whether two room types are sold from the same rooms.
func (d *deal) shares(a, b int) bool {
	if a == b {
		return true
	}
	of := func(room int) int {
		for i := range d.Holders {
			if d.Holders[i].Room == room {
				return d.Holders[i].Share
			}
		}
		return -1
	}
	return of(a) >= 0 && of(a) == of(b)
}

// grant deals what is left to those that have nothing to sell.
func (d *deal) grant() []Order {
	more := make([]int, len(d.Keep))
	copy(more, d.Keep)
	var dry []int
	for i := range d.Holders {
		if d.mayGrant(i) {
			dry = append(dry, i)
		}
	}
	slices.SortStableFunc(dry, func(a, b int) int {
		return cmp.Compare(d.Holders[a].Seller.Priority, d.Holders[b].Seller.Priority)
	})
	parts, desks := make([]int, len(dry)), make([]int, len(dry))
	for at, i := range dry {
		parts[at], desks[at] = d.part(i, d.Left(more)[d.Holders[i].Room].Open)
	}
	// Everybody has a first room before anybody has a second.
	var out []Order
	for at, i := range dry {
		h := &d.Holders[i]
		of, kept := d.Left(more)[h.Room], h.kept()
		left := max(0, of.Open)
		if of.Net < 0 || left+kept == 0 {
			continue
		}
		waiting := 0
		for _, j := range dry[at+1:] {
			if d.shares(h.Room, d.Holders[j].Room) {
				waiting++
			}
		}
		first := 1
		if kept > 0 {
			first = 0 // it has one
		}
		v := kept + max(0, min(parts[at]-kept, max(first, left-max(desks[at], waiting))))
		v = min(h.Most, max(1, v/h.weight()))
		cost := max(0, v*h.weight()-kept)
		if cost > left || v < kept && !h.dead(h.Ability, d.Now) {
			continue // it cannot be shown one at each of its places, or an earlier raise may act yet
		}
		out = append(out, Order{i, v})
		more[h.Room] += cost
	}
	return out
}

// mayGrant reports whether a party may be granted rooms.
func (d *deal) mayGrant(i int) bool {
	h := &d.Holders[i]
	e, known := h.Exposure()
	if h.Level == OneWay && h.Doing == Closed || h.kept() > 0 {
		e = 0 // it shows nothing, and what it has it never gives back
	}
	if !known || e > 0 || d.closing[i] || h.Away || h.Busy || h.Most <= 0 || !h.grantable() {
		return false
	}
	return d.mayShare(i) && (h.Total || h.dead(h.Ability, d.Now))
}

// mayShare reports whether anything may be dealt of the rooms that a party sells.
func (d *deal) mayShare(i int) bool {
	return !slices.ContainsFunc(d.Holders, func(h Holder) bool { return h.Unknown && h.Share == d.Holders[i].Share })
}

// part returns a party's share of what all who sell from the same rooms have and
// what is left, and what of it is the desk's.
func (d *deal) part(i, left int) (part, desk int) {
	rooms, at := left, 0
	var sellers []Seller
	for j := range d.Holders {
		h := &d.Holders[j]
		if h.Share != d.Holders[i].Share || h.Unknown {
			continue
		}
		if e := d.exposure(j); e > 0 {
			rooms += e
		} else if !d.mayGrant(j) {
			continue
		}
		if j == i {
			at = len(sellers)
		}
		sellers = append(sellers, h.Seller)
	}
	parts := Deal(rooms, d.Direct[d.Holders[i].Share], sellers)
	desk = rooms
	for _, p := range parts {
		desk -= p
	}
	return max(1, parts[at]), desk
}
