package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Tells says how much of the closures a far side can be told.
type Tells int64

// Nothing, everything but that a night is closed, or everything. Where closed
// cannot be told, the counter of the product says it by showing no rooms.
const (
	TellsNothing Tells = iota
	TellsAllButClosed
	TellsClosures
)

// waits says whether a night is closed for want of a price.
type waits int64

// A product is open on a night once the channel has confirmed a price for it.
//
//	there is a price no more     hasNone
//	there is one again           unconfirmed, or confirmed when the channel holds just that
//	it changes on a closed night likewise
//	the channel confirms one     confirmed, unless there is none any more
//	the channel refuses it       unconfirmed, until it confirms another
const (
	confirmed waits = iota
	unconfirmed
	hasNone
)

// offered is what decides whether a product is open on a night.
type offered struct {
	told  *int64 // the closures that restrictions ask for; nil: not worked out yet
	tells Tells
	waits waits
	amiss int64  // a bit for each number of guests whose price is wrong at the channel
	cut   *int64 // since when, in microseconds, it is closed because its counter may show too many rooms; nil: it is not for that
}

func offeredOf(r ledgerdb.PriceCell) offered {
	return offered{told: r.ClosuresTold, tells: Tells(r.Tells), waits: waits(r.Waits), amiss: r.Amiss, cut: r.CutAt}
}

// unpriced reports whether a price that decides about the night is not to be had:
// that of the base occupancy, or one for some number of guests that the channel
// has refused, or goes on showing though there is none any more.
func (o offered) unpriced() bool { return o.waits != confirmed || o.amiss != 0 }

// closed reports whether nothing of the product may be sold.
func (o offered) closed() bool {
	return o.unpriced() || o.cut != nil || o.told == nil || closes(o.told)
}

// want returns the closures that the channel is to be told.
func (o offered) want() *int64 {
	if o.told == nil || o.tells == TellsNothing {
		return nil
	}
	c := hotel.DecodeOffer(hotel.Closures, *o.told, "").Closed
	c.Closed = (c.Closed || o.unpriced() || o.cut != nil) && o.tells == TellsClosures
	v := hotel.Offer{Closed: c}.Encode(hotel.Closures)
	return &v
}

// atPrice returns what a night's closures are to be once its price is confirmed, where
// they close it for nothing else and both may be told at once; else nil. Where anything is
// in doubt the price goes first: the channel may have refused both, or hold one of them.
func (o offered) atPrice(closures, price *group) *int64 {
	waits := o.waits == unconfirmed && o.amiss == 0 && o.cut == nil && o.tells == TellsClosures && o.told != nil && !closes(o.told)
	if !waits || closures.asked != nil || !closures.sure() || price.want == nil || !price.sure() {
		return nil
	}
	return o.told
}

// opensAtPrice reports whether closures open a night that waits for nothing but one of
// the prices of the same call.
func (c *cellTable) opensAtPrice(s SentCell, prices map[hotel.Cell]bool) bool {
	if s.Cell.Group != hotel.Closures {
		return false
	}
	of := hotel.Cell{Line: s.Cell.Line, Group: hotel.Price, Night: s.Cell.Night}
	price := *c.at(of)
	if price.state == inFlight && prices[of] {
		price.state = settled // by an earlier part of this very call
	}
	open := c.offer(lineNightOf(s.Cell)).atPrice(c.at(s.Cell), &price)
	return prices[of] && same(open, &s.Value)
}

// lineNight is one night of a mapping.
type lineNight struct {
	line  int64
	night hotel.Date
}

func lineNightOf(c hotel.Cell) lineNight { return lineNight{c.Line, c.Night} }

// cell is where a [grid] holds something of all groups of the night.
func (k lineNight) cell() hotel.Cell { return hotel.Cell{Line: k.line, Night: k.night} }

// stocked is what a counter shows while nothing is closed.
type stocked struct {
	told   int64
	closes bool // it says closed by showing no rooms
	origin origin
}

// desire sets what a cell is to show.
func (c *cellTable) desire(v Wanted, from origin) {
	g, key := c.at(v.Cell), lineNightOf(v.Cell)
	if v.anew {
		c.doubt(v.Cell)
	}
	switch {
	case v.Cell.Group == hotel.Availability:
		*c.stock(v.Cell) = stocked{told: *v.Value, closes: v.Closes, origin: from}
		if !v.Closes {
			g.desire(v.Value, from)
		}
	case v.Cell.Group == hotel.Closures:
		o := c.offer(key)
		o.told, o.tells = v.Value, v.Tells
		c.open(key, from)
	case v.Cell.Group == hotel.Price && v.Cell.Occupancy == 0:
		g.desire(v.Value, from)
		o := c.offer(key)
		if !v.Occupancies {
			o.amiss = 0
		}
		switch {
		case v.Missing:
			o.waits = hasNone
		case v.Value == nil, g.shows(g.want):
			o.waits = confirmed
		case o.waits == hasNone, c.shut(key):
			o.waits = unconfirmed // a night that is closed opens at its price, not at the one before
		}
		c.open(key, from)
	case v.Cell.Group == hotel.Price:
		wrong := v.Missing && (g.last() != nil || g.state == inFlight || g.state == unknown)
		g.desire(v.Value, from)
		if v.Value != nil {
			wrong = c.offer(key).marked(v.Cell.Occupancy) && !g.shows(g.want)
		}
		c.offer(key).mark(v.Cell.Occupancy, wrong)
		c.open(key, from)
	default:
		g.desire(v.Value, from)
	}
}

// shut reports whether the night is to be closed, was until this item, or is known
// to be closed still at the far side.
func (c *cellTable) shut(key lineNight) bool {
	held := c.at(hotel.Cell{Line: key.line, Group: hotel.Closures, Night: key.night}).last()
	return c.offer(key).closed() || c.offerBefore(key).closed() || closes(held)
}

// doubt makes what a cell shows count for nothing but that it may be shown: a price
// that stands there is somebody else's, and the night waits for its own.
func (c *cellTable) doubt(cell hotel.Cell) {
	g := c.at(cell)
	if g.sure() && g.last() != nil {
		g.state = unknown
	}
	o := c.offer(lineNightOf(cell))
	switch {
	case cell.Group != hotel.Price:
	case cell.Occupancy > 0:
		o.mark(cell.Occupancy, g.last() != nil || g.state == unknown)
	case o.waits == confirmed:
		o.waits = unconfirmed
	}
}

// mark notes whether the price for a number of guests is wrong at the channel.
func (o *offered) mark(guests int, wrong bool) {
	o.amiss &^= 1 << guests
	if wrong {
		o.amiss |= 1 << guests
	}
}

func (o *offered) marked(guests int) bool { return o.amiss&(1<<guests) != 0 }

// withdrawn lists the prices for numbers of guests that the table has and that are
// no longer among those wanted of their night.
func (c *cellTable) withdrawn(wanted []Wanted) []Wanted {
	named, nights := map[hotel.Cell]bool{}, map[lineNight]Wanted{}
	for _, v := range wanted {
		if v.Cell.Group == hotel.Price {
			named[v.Cell] = true
			if v.Cell.Occupancy == 0 {
				nights[lineNightOf(v.Cell)] = v
			}
		}
	}
	var out []Wanted
	for cell, g := range c.stored.all() {
		if base, ok := nights[lineNightOf(cell)]; ok && cell.Group == hotel.Price && cell.Occupancy > 0 && g.want != nil && !named[cell] {
			out = append(out, Wanted{Cell: cell, Missing: base.Occupancies})
		}
	}
	return out
}

// news returns what of that is wanted the stored cells do not show already.
func (c *cellTable) news(wanted []Wanted) (news []Wanted) {
	for _, v := range wanted {
		if v.anew || !c.wants(v) {
			news = append(news, v)
		}
	}
	return news
}

// wants reports whether a stored cell is wanted to show just that.
func (c *cellTable) wants(v Wanted) bool {
	g := c.stored.at(v.Cell)
	if g == nil {
		return false
	}
	switch {
	case v.Cell.Group == hotel.Availability:
		s := c.stocks.at(v.Cell)
		return s.told == *v.Value && s.closes == v.Closes
	case v.Cell.Group == hotel.Closures:
		o := c.offerBefore(lineNightOf(v.Cell))
		return same(o.told, v.Value) && o.tells == v.Tells
	case v.Cell.Group == hotel.Price && v.Cell.Occupancy == 0:
		o := c.offerBefore(lineNightOf(v.Cell))
		return same(g.house(), v.Value) && v.Missing == (o.waits == hasNone) && (v.Occupancies || o.amiss == 0) && (v.Value != nil || v.Missing || o.waits == confirmed)
	}
	return same(g.house(), v.Value)
}

// closings returns what closes something of what is wanted now, and opens nothing.
func (c *cellTable) closings(wanted []Wanted) []Wanted {
	var out []Wanted
	for _, v := range wanted {
		if v.Cell.Group != hotel.Closures {
			continue
		}
		told := c.offerBefore(lineNightOf(v.Cell)).told
		if told == nil {
			continue // what was never worked out is closed
		}
		if both := tighter(*told, *v.Value); both != *told {
			v.Value, v.anew = &both, false
			out = append(out, v)
		}
	}
	return out
}

// tighter returns closures by which everything is closed that either of two close.
func tighter(a, b int64) int64 {
	is := hotel.DecodeOffer(hotel.Closures, a, "").Closed
	return hotel.Offer{Closed: is.Any(hotel.DecodeOffer(hotel.Closures, b, "").Closed)}.Encode(hotel.Closures)
}

// answered opens the night of a price that the channel has confirmed, and closes
// that of one which it has refused.
func (c *cellTable) answered(cell hotel.Cell) {
	if cell.Group != hotel.Price {
		return
	}
	g, key := c.at(cell), lineNightOf(cell)
	o := c.offer(key)
	switch {
	case cell.Occupancy > 0 && (g.state == settled || g.shows(g.want)) && g.want != nil && o.marked(cell.Occupancy):
		o.mark(cell.Occupancy, false)
	case cell.Occupancy > 0 && g.state == rejected:
		o.mark(cell.Occupancy, true)
	case cell.Occupancy > 0:
		return
	case (g.state == settled || g.shows(g.want)) && o.waits == unconfirmed:
		o.waits = confirmed
	case g.state == rejected && o.waits == confirmed:
		o.waits = unconfirmed
	default:
		return
	}
	c.open(key, g.origin())
}

// open sets what the channel is to be told of a night's closures.
func (c *cellTable) open(key lineNight, from origin) {
	o := c.offer(key)
	c.at(hotel.Cell{Line: key.line, Group: hotel.Closures, Night: key.night}).desire(o.want(), from)
	if was := c.offers.stored.at(key.cell()); o.tells != TellsClosures && (was == nil || was.closed() != o.closed()) {
		c.turned[key] = from
	}
}

// stock returns what the counter's cell shows while nothing is closed.
func (c *cellTable) stock(cell hotel.Cell) *stocked {
	s := c.stocks.at(cell)
	if s == nil {
		s = &stocked{}
		c.stocks.put(cell, s)
	}
	return s
}

// offer returns what decides whether the product is open. A night of which
// nothing is known waits.
func (c *cellTable) offer(key lineNight) *offered {
	o := c.offers.now.at(key.cell())
	if o == nil {
		o = &offered{tells: TellsClosures, waits: unconfirmed}
		c.offers.now.put(key.cell(), o)
	}
	return o
}

// offerBefore returns what is stored of that.
func (c *cellTable) offerBefore(key lineNight) offered {
	if o := c.offers.stored.at(key.cell()); o != nil {
		return *o
	}
	return offered{}
}

// closeCounters lets those counters show no rooms, where that is the way to be
// told that a night is closed, behind which a product is closed: a far side with
// one count for the room would sell the closed one too.
func (c *cellTable) closeCounters() error {
	if len(c.turned) == 0 && !c.recounted() {
		return nil
	}
	counters, mappings, err := loadLines(c.t.ctx, c.t.q, c.channel)
	if err != nil {
		return err
	}
	due, siblings := map[hotel.Cell]origin{}, []hotel.Cell{}
	for _, counter := range counters {
		var lines []int64
		for _, m := range mappings {
			if !m.Retired && counter.behind(m) {
				lines = append(lines, m.Line)
			}
		}
		note := func(night hotel.Date, of origin) {
			cell := hotel.Cell{Line: counter.Line, Group: hotel.Availability, Night: night}
			due[cell] = due[cell].join(of)
			for _, line := range lines {
				siblings = append(siblings, hotel.Cell{Line: line, Group: hotel.Closures, Night: night})
			}
		}
		for key, of := range c.turned {
			if slices.Contains(lines, key.line) {
				note(key.night, of)
			}
		}
		for cell, s := range c.stocks.all() {
			if cell.Line == counter.Line && s.closes && s.origin != (origin{}) {
				note(cell.Night, s.origin)
			}
		}
		c.behind[counter.Line] = lines
	}
	wanted := make([]hotel.Cell, 0, len(due)+len(siblings))
	for cell := range due {
		wanted = append(wanted, cell)
	}
	if err := c.load(append(wanted, siblings...)); err != nil {
		return fmt.Errorf("close counters of %s: %w", c.channel, err)
	}
	for cell, of := range due {
		s := c.stocks.at(cell)
		if s == nil || !s.closes {
			continue // not worked out yet, or it need not say so
		}
		rooms := s.told
		if slices.ContainsFunc(c.behind[cell.Line], func(line int64) bool { return c.offer(lineNight{line, cell.Night}).closed() }) {
			rooms = 0
		}
		c.at(cell).desire(&rooms, of)
	}
	return nil
}

func (c *cellTable) loadOffer(r ledgerdb.PriceCell) {
	key := lineNight{r.Line, hotel.Date(r.Night)}
	o := offeredOf(r)
	c.offers.stored.put(key.cell(), &o)
	if c.offers.now.at(key.cell()) == nil {
		now := o
		c.offers.now.put(key.cell(), &now)
	}
}

// recounted reports whether a count was worked out anew that closes nights by showing none.
func (c *cellTable) recounted() bool {
	for _, s := range c.stocks.all() {
		if s.closes && s.origin != (origin{}) {
			return true
		}
	}
	return false
}
