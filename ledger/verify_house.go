package ledger

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// houseNights is how many nights of house values are compared at once.
const houseNights = 60

// house compares the house values that are stored with those that the facts of the
// journal come to, from the day of the clock's newest tick on. Nights whose values are
// still being derived have nothing to compare them with.
func (c *check) house(ctx context.Context, p *past) error {
	s, err := p.structure(c.property)
	if err != nil {
		return err
	}
	due, err := c.due(ctx, s)
	if err != nil {
		return err
	}
	if len(due) > 0 {
		c.v.leaveOut("%s: house values of %d nights, which a large update has yet to reach", c.property, len(due))
	}
	// Behind a midnight or a day roll prices may be of either day until the clock has ticked.
	aged := s.property.Today(c.newest) == s.property.Today(c.now) && s.property.BusinessDate(c.newest) == s.property.BusinessDate(c.now)
	if !aged {
		c.v.leaveOut("%s: house prices, since a midnight or a day roll has passed and the daemon has not worked since", c.property)
	}
	f := facts{q: c.q, property: c.property, past: p}
	f.stock, f.prices = p.layers()
	first, last, err := c.houseSpan(ctx, s)
	if err != nil {
		return err
	}
	horizon := s.property.Shows(c.now).To
	left := func(at spot) bool {
		_, waits := due[at.night]
		return waits || !aged && strings.HasPrefix(at.table, housePriceTable)
	}
	for from := first; from <= last; from += houseNights {
		c.report("house values of "+c.property, 0.5+0.3*float64(from-first)/float64(last-first+1))
		to := min(from+houseNights-1, last)
		nights, err := s.loadNights(ctx, f, from, to)
		if err != nil {
			return err
		}
		stored, err := c.storedHouse(ctx, hotel.Span{From: from, To: to})
		if err != nil {
			return err
		}
		b := s.board(c.now, from, nights, 0)
		said := houseContent(b)
		if aged {
			switchContent(b, said, stored)
		}
		for _, list := range []content{said, stored} {
			maps.DeleteFunc(list, func(at spot, _ string) bool { return left(at) })
		}
		maps.DeleteFunc(said, func(at spot, _ string) bool {
			_, kept := stored[at]
			return at.night > horizon && !kept && !occupied(b, at)
		})
		c.compare(byJournal, said, stored)
	}
	return nil
}

// occupied reports whether a place is the stock of a room type of which something is taken on
// the night. Behind the horizon no more than that is worked out for certain, since a stay
// goes there, and of the other room types as many as there were then.
func occupied(b *board.Board, at spot) bool {
	room, known := b.Room(at.subject)
	if at.table != houseStockTable || !known {
		return false
	}
	of := b.Night(at.night).Rooms[room]
	return of.Sold+of.Held+of.Blocked > 0
}

// houseSpan is the nights that have house values: to the horizon, and further where
// it was nearer once, or a stay goes there.
func (c *check) houseSpan(ctx context.Context, s *structure) (first, last hotel.Date, err error) {
	night, err := c.q.LastHouseNight(ctx, c.property) // stored, or taken by a stay
	if err != nil {
		return 0, 0, fmt.Errorf("read house stock of %s: %w", c.property, err)
	}
	sold := s.property.Shows(c.now)
	if !c.ticks {
		return sold.From, hotel.Date(night), nil // nothing moves the horizon yet
	}
	return sold.From, max(sold.To, hotel.Date(night)), nil
}

// due lists the nights whose house values are still to follow from facts.
func (c *check) due(ctx context.Context, s *structure) (nightSet, error) {
	nights := nightSet{}
	for _, of := range []dueKind{dueStock, duePrices} {
		list, err := listDue(ctx, c.q, c.property, of)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			for sequence := d.sequence; sequence <= d.last; sequence++ {
				row, err := c.q.GetEntry(ctx, sequence)
				if err != nil {
					return nil, fmt.Errorf("read journal entry %d: %w", sequence, err)
				}
				e := entryOf(row)
				lay, err := layerOf(e)
				if err != nil {
					return nil, err
				}
				moves, err := s.affectedBy(e, lay)
				if err != nil {
					return nil, err
				}
				maps.Copy(nights, moves.nights)
			}
		}
	}
	return nights, nil
}

// houseContent returns the house values that a board comes to.
func houseContent(b *board.Board) content {
	out := content{}
	for d := b.From; d <= b.To(); d++ {
		house := b.House(d)
		missing := b.Crowds(d, house)
		for i, h := range house {
			room := b.RoomTypes[i].ID
			out[spot{houseStockTable, d, room}] = stockText(h.Net, h.Available, missing[i])
			for j := range b.Plans {
				if !b.Offers(i, j) {
					continue
				}
				p := product{room, b.Plans[j].ID}
				for occupancy, v := range housePrices(b, d, i, j) {
					out[spot{priceTable(occupancy), d, p.subject()}] = v.text()
				}
				r := b.HouseRules(d, i, j)
				out[spot{"house restrictions", d, p.subject()}] = houseRule{
					hotel.Offer{Closed: r.Closed}.Encode(hotel.Closures), hotel.Offer{Lengths: r.Lengths}.Encode(hotel.Lengths),
				}.text()
			}
		}
	}
	return out
}

// switchContent adds the switches of pricing rules that do not stand as the figures
// of their nights say: to said as they are to stand, to stored as they do.
func switchContent(b *board.Board, said, stored content) {
	for d := b.From; d <= b.To(); d++ {
		for _, k := range b.Turned(d) {
			at := spot{"what a pricing rule remembers", d, switchSubject(k.Rule, b.RoomTypes[k.Room].ID)}
			said[at], stored[at] = fmt.Sprintf("%+v", k.To), fmt.Sprintf("%+v", b.Night(d).Switches[k.SwitchKey])
		}
	}
}

// storedHouse reads the house values of a span.
func (c *check) storedHouse(ctx context.Context, span hotel.Span) (content, error) {
	out := content{}
	params := ledgerdb.HouseStockParams{PropertyID: c.property, First: int64(span.From), Last: int64(span.To)}
	stock, err := c.q.HouseStock(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("read house stock of %s: %w", c.property, err)
	}
	for _, r := range stock {
		out[spot{houseStockTable, hotel.Date(r.Night), r.RoomTypeID}] = stockText(int(r.Net), int(r.Available), board.Crowd{Oversold: int(r.Oversold), Planned: int(r.Planned)})
	}
	prices, err := c.q.HousePrices(ctx, ledgerdb.HousePricesParams(params))
	if err != nil {
		return nil, fmt.Errorf("read house prices of %s: %w", c.property, err)
	}
	for _, r := range prices {
		p := product{r.RoomTypeID, r.RatePlanID}
		out[spot{priceTable(int(r.Occupancy)), hotel.Date(r.Night), p.subject()}] = housePrice{r.Amount, r.Exact, r.Rounding}.text()
	}
	rules, err := c.q.HouseRestrictions(ctx, ledgerdb.HouseRestrictionsParams(params))
	if err != nil {
		return nil, fmt.Errorf("read house restrictions of %s: %w", c.property, err)
	}
	for _, r := range rules {
		p := product{r.RoomTypeID, r.RatePlanID}
		out[spot{"house restrictions", hotel.Date(r.Night), p.subject()}] = houseRule{r.Closures, r.Lengths}.text()
	}
	return out, nil
}

const (
	houseStockTable = "house stock"
	housePriceTable = "house price" // the tables of house prices begin so
)

func priceTable(occupancy int) string {
	if occupancy == 0 {
		return housePriceTable
	}
	return fmt.Sprintf("%s for %d", housePriceTable, occupancy)
}

func stockText(net, available int, missing board.Crowd) string {
	return fmt.Sprintf("%d free, %d to sell, %d oversold, %d overbooked as planned", net, available, missing.Oversold, missing.Planned)
}

func (p housePrice) text() string {
	return fmt.Sprintf("%d minor units (exactly %s, rounded %q)", p.amount, p.exact, p.rounding)
}

func (r houseRule) text() string {
	return fmt.Sprintf("closures %d, lengths %d", r.closures, r.lengths)
}
