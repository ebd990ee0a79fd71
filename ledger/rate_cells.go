package ledger

import (
	"cmp"
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
)

// RateCells lists the prices of a property's products, ordered by room type,
// plan, then night. "" means every room type or plan. With a channel of the
// property each cell has the price too that the channel is to show, before what
// its far side takes is looked at.
func (l *Ledger) RateCells(ctx context.Context, q hotel.CellQuery) (cells []hotel.RateCell, err error) {
	err = l.look(ctx, q.PropertyID, q.AsOf, q.Span, func(v view) error {
		channel, err := v.preview(ctx, q.ChannelID)
		if err != nil {
			return err
		}
		prices, err := written[priceFact](ctx, v, priceSheet)
		if err != nil {
			return err
		}
		v.products(q, func(room, plan int, p product) {
			for d := q.Span.From; d <= q.Span.To; d++ {
				c := v.rateCell(d, room, plan, p)
				c.Shown = channel.shows(v.b, d, room, plan)
				if f, ok := prices[factKey{d, p.subject()}]; ok {
					stands := f.V.stands(f.version, f.at)
					c.Version, c.Source, c.UpdatedAt = stands.Sequence, f.V.counts(f.source), instant(stands.At)
					f.V.tell(&c, v.s.plans[plan].Currency)
				}
				cells = append(cells, c)
			}
		})
		return nil
	})
	return cells, err
}

// rateCell works out the prices of a product on a night.
func (v view) rateCell(d hotel.Date, room, plan int, p product) hotel.RateCell {
	c := hotel.RateCell{RoomTypeID: p.room, RatePlanID: p.plan, Date: d, Origin: hotel.NoPrice}
	for _, guests := range occupancies(v.b, room, plan) {
		story, ok := v.b.Story(d, room, plan, guests)
		if !ok {
			continue
		}
		amount, base := price.Quote(story.Price), price.Quote(story.Base)
		if guests == 0 {
			c.Amount, c.Base, c.Origin, c.Rules = &amount, &base, story.Origin, story.Rules
			continue
		}
		if c.ByOccupancy == nil {
			c.ByOccupancy, c.BaseByOccupancy = map[int]hotel.Money{}, map[int]hotel.Money{}
		}
		c.ByOccupancy[guests], c.BaseByOccupancy[guests] = amount, base
		if c.Origin == hotel.NoPrice {
			c.Origin, c.Rules = story.Origin, story.Rules
		}
	}
	return c
}

// tell puts into a cell what was typed.
func (f priceFact) tell(c *hotel.RateCell, currency hotel.Currency) {
	if f.Amount != nil || len(f.Occupancies) > 0 {
		c.Typed = make(map[int]hotel.Money, 1+len(f.Occupancies))
	}
	if f.Amount != nil {
		c.Typed[0] = hotel.Money{Minor: *f.Amount, Currency: currency}
	}
	for guests, minor := range f.Occupancies {
		c.Typed[guests] = hotel.Money{Minor: minor, Currency: currency}
	}
	if f.ExtraAdult != nil {
		c.ExtraAdult = &hotel.Money{Minor: *f.ExtraAdult, Currency: currency}
	}
	for band, minor := range f.ExtraChild {
		if c.ExtraChild == nil {
			c.ExtraChild = make(map[string]hotel.Money, len(f.ExtraChild))
		}
		c.ExtraChild[band] = hotel.Money{Minor: minor, Currency: currency}
	}
	c.Lock = f.Lock
}

// preview is a channel whose prices are worked out beside the property's own; nil
// for none.
type preview struct {
	channel  hotel.Channel
	mappings []hotel.Mapping
}

// preview reads a channel of the property, none for "".
func (v view) preview(ctx context.Context, id string) (*preview, error) {
	if id == "" {
		return nil, nil
	}
	row, err := v.channel(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &preview{}
	if p.channel, err = channelOf(row); err != nil {
		return nil, err
	}
	_, p.mappings, err = loadLines(ctx, v.q, id)
	return p, err
}

// shows returns the price of a product as the channel is to show it, for the guests
// that its first code there is for; nil when it is not mapped, not sold there or has no
// price.
func (p *preview) shows(b *board.Board, d hotel.Date, room, plan int) *hotel.Money {
	if p == nil || !slices.Contains(b.Plans[plan].SoldBy, p.channel.ID) {
		return nil
	}
	at := slices.IndexFunc(p.mappings, func(m hotel.Mapping) bool {
		return !m.Retired && m.RoomTypeID == b.RoomTypes[room].ID && m.RatePlanID == b.Plans[plan].ID
	})
	if at < 0 {
		return nil
	}
	guests := p.mappings[at].Guests
	h, ok := b.HousePrice(d, room, plan, guests)
	if !ok {
		return nil
	}
	shown := price.ChannelFor(&p.channel, &b.Property, &b.Plans[plan], d)
	if !shown.Converts(h.Currency) {
		return nil
	}
	shown.Guests = cmp.Or(guests, b.RoomTypes[room].BaseOccupancy)
	m := price.Offer(h, shown, nil)
	return &m
}
