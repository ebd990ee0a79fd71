package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// houseNights is how many nights of house values are compared at once.
const houseNights = 60

// house compares the house values that are stored with those that the facts
// come to, from the day of the newest entry on. While values are still being
// derived there is nothing to compare them with.
func (c *check) house(ctx context.Context) error {
	for _, of := range []dueKind{dueStock, duePrices} {
		due, err := listDue(ctx, c.q, c.property, of)
		if err != nil || len(due) > 0 {
			return err
		}
	}
	s, err := loadStructure(ctx, c.q, c.property)
	if err != nil {
		return err
	}
	f, err := c.l.facts(ctx, c.q, c.property)
	if err != nil {
		return err
	}
	last, err := c.q.LastHouseNight(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read house stock of %s: %w", c.property, err)
	}
	first := s.property.Today(c.now)
	for from := first; from <= hotel.Date(last); from += houseNights {
		c.report("house values of "+c.property, 0.5+0.5*float64(from-first)/float64(hotel.Date(last)-first+1))
		to := min(from+houseNights-1, hotel.Date(last))
		nights, err := s.loadNights(ctx, f, from, to)
		if err != nil {
			return err
		}
		stored, err := c.storedHouse(ctx, hotel.Span{From: from, To: to})
		if err != nil {
			return err
		}
		c.compare(houseContent(s.board(c.now, from, nights, 0)), stored)
	}
	return nil
}

// houseContent returns the house values that a board comes to.
func houseContent(b *board.Board) content {
	out := content{}
	for d := b.From; d <= b.To(); d++ {
		for i, h := range b.House(d) {
			room := b.RoomTypes[i].ID
			out[spot{"house stock", d, room}] = stockText(h.Net, h.Available)
			for j := range b.Plans {
				if !b.Offers(i, j) {
					continue
				}
				p := product{room, b.Plans[j].ID}
				for _, occupancy := range occupancies(b, i, j) {
					if h, ok := b.HousePrice(d, i, j, occupancy); ok {
						out[spot{priceTable(occupancy), d, p.subject()}] = housePrice{h.Minor(), h.Exact(), string(h.Rounding)}.text()
					}
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

// storedHouse reads the house values of a span.
func (c *check) storedHouse(ctx context.Context, span hotel.Span) (content, error) {
	out := content{}
	params := ledgerdb.HouseStockParams{PropertyID: c.property, First: int64(span.From), Last: int64(span.To)}
	stock, err := c.q.HouseStock(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("read house stock of %s: %w", c.property, err)
	}
	for _, r := range stock {
		out[spot{"house stock", hotel.Date(r.Night), r.RoomTypeID}] = stockText(int(r.Net), int(r.Available))
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

func priceTable(occupancy int) string {
	if occupancy == 0 {
		return "house price"
	}
	return fmt.Sprintf("house price for %d", occupancy)
}

func stockText(net, available int) string { return fmt.Sprintf("%d free, %d to sell", net, available) }

func (p housePrice) text() string {
	return fmt.Sprintf("%d minor units (exactly %s, rounded %q)", p.amount, p.exact, p.rounding)
}

func (r houseRule) text() string {
	return fmt.Sprintf("closures %d, lengths %d", r.closures, r.lengths)
}
