package simkit

import (
	"fmt"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Habits are what a far side makes of what it is told, beside taking it: it says
// yes to all of it, and shows something else. The zero value takes everything as it
// is. They last as long as the process.
type Habits struct {
	MostRooms   int   `json:"most_rooms"`   // it shows no more rooms; 0: any number
	Promised    int   `json:"promised"`     // it shows no fewer rooms, whatever it is told
	RoundTo     int64 `json:"round_to"`     // prices are taken to a multiple of so many minor units, half of it upwards; 0: they are not
	Replenishes bool  `json:"replenishes"`  // a cancellation puts the room on sale again though it says it does not
	IgnoresNext int   `json:"ignores_next"` // so many calls are answered as taken and change nothing

	Recoded map[string]string `json:"recoded"` // rooms that are sold out of the count of another, the one behind it
}

// SetHabits changes what a far side makes of what it is told from now on.
func (b *Book) SetHabits(h Habits) error {
	if min(h.MostRooms, h.Promised, h.IgnoresNext) < 0 || h.RoundTo < 0 {
		return fmt.Errorf("no number of habits is negative")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.habits = h
	return nil
}

// counter is the room, and the rate where each has a count of its own, out of whose count
// a product is sold. The caller holds mu.
func (b *Book) counter(room, rate string) (of, at string) {
	if of, ok := b.habits.Recoded[room]; ok {
		room = of
	}
	return room, b.keyRate(rate)
}

// keyRate is the rate by which a count is kept: none where all of a room have one count.
func (b *Book) keyRate(rate string) string {
	if b.o.PerRate {
		return rate
	}
	return ""
}

// made is what the far side makes of changes. The caller holds mu.
func (b *Book) made(changes []connectors.Change) []connectors.Change {
	h := &b.habits
	if h.IgnoresNext > 0 {
		h.IgnoresNext--
		return nil
	}
	out := slices.Clone(changes)
	for i := range out {
		o := &out[i].Offer
		switch out[i].Key.Group {
		case hotel.Availability:
			if h.MostRooms > 0 {
				o.Available = min(o.Available, h.MostRooms)
			}
			o.Available = max(o.Available, h.Promised)
		case hotel.Price:
			if h.RoundTo > 0 {
				o.Amount.Minor = (o.Amount.Minor + h.RoundTo/2) / h.RoundTo * h.RoundTo
			}
		case hotel.Closures, hotel.Lengths:
		}
	}
	return out
}

// unsold makes of counts that are totals what is left of them. The caller holds mu.
func (b *Book) unsold(changes []connectors.Change) []connectors.Change {
	if !b.o.Total {
		return changes
	}
	for i := range changes {
		k := changes[i].Key
		if k.Group != hotel.Availability {
			continue
		}
		for _, booking := range b.state.bookings {
			for _, p := range booking.Parts() {
				if booking.Status != Cancelled && p.Room == k.Room && (k.Rate == "" || p.Rate == k.Rate) && p.Stay().Contains(k.Night) {
					changes[i].Offer.Available--
				}
			}
		}
	}
	return changes
}

// Edit is what somebody of the hotel sets by hand in the far side's own pages, on
// every night of a span. What is nil stays.
type Edit struct {
	Room      string     `json:"room"`
	Rate      string     `json:"rate"`
	From      hotel.Date `json:"date_from"`
	To        hotel.Date `json:"date_to"`
	Available *int       `json:"available"`
	Closed    *bool      `json:"closed"`
	MinStay   *int       `json:"min_stay"` // read on arrival
	Price     *string    `json:"price"`    // of the room, in the currency that it is shown in
}

// Edit sets what somebody has typed there.
func (b *Book) Edit(e Edit) error {
	if span := (hotel.Span{From: e.From, To: e.To}); span.Days() == 0 || span.Days() > maxEdit {
		return fmt.Errorf("an edit is of 1 to %d nights", maxEdit)
	}
	if !b.Knows(e.Room, e.Rate) {
		return fmt.Errorf("there is no room %q with rate %q", e.Room, e.Rate)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var changes []connectors.Change
	for night := e.From; night <= e.To; night++ {
		now := b.state.offers[product{e.Room, e.Rate, night}]
		set := func(rate string, g hotel.Group, o hotel.Offer) {
			changes = append(changes, connectors.Change{Key: connectors.Key{Room: e.Room, Rate: rate, Group: g, Night: night}, Offer: o})
		}
		if e.Available != nil {
			set(b.keyRate(e.Rate), hotel.Availability, hotel.Offer{Available: *e.Available})
		}
		if e.Closed != nil {
			c := now.closed
			c.Closed = *e.Closed
			set(e.Rate, hotel.Closures, hotel.Offer{Closed: c})
		}
		if e.MinStay != nil {
			l := now.lengths
			l.MinStayArrival = *e.MinStay
			set(e.Rate, hotel.Lengths, hotel.Offer{Lengths: l})
		}
		if e.Price != nil {
			amount, err := hotel.ParseMoney(*e.Price, now.prices[0].Currency)
			if err != nil {
				return fmt.Errorf("price: %w", err)
			}
			set(e.Rate, hotel.Price, hotel.Offer{Amount: amount})
		}
	}
	return b.commit(record{Runs: connectors.Runs(changes)})
}

// maxEdit is the longest span that is edited at a time.
const maxEdit = 400
