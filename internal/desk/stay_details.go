package desk

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
)

// StayDetails is what a stay comes to in every room type that takes the party, and
// in every plan that the caller is sold.
type StayDetails struct {
	Nights   int
	Currency hotel.Currency
	Rooms    []StayRoom
	Plans    []StayPlan
}

// StayRoom is how many rooms of a type there are for the whole stay.
type StayRoom struct {
	Code       string
	Direct     int // that the caller can be sold
	Recallable int // more that are free, but on sale at channels
}

// StayPlan is a stay in one product.
type StayPlan struct {
	RatePlanID string
	RoomCode   string
	Total      *price.Total // nil when a night has no price
	Nightly    []hotel.NightPrice
	Failed     []availability.Violation // what forbids the stay
}

// stayDetails tells a caller that can be sold so many rooms of each type, nil for one from
// whom nothing is kept, of a stay.
func stayDetails(b *board.Board, by board.Asker, stay hotel.Stay, room int, party board.Party, sold []board.Sale) *StayDetails {
	d := &StayDetails{Nights: stay.Nights(), Currency: b.Property.Currency}
	for i := range b.RoomTypes {
		if room != board.Every && room != i || !b.Suits(i, party) {
			continue
		}
		sale := saleOf(b, stay, i)
		if sold != nil {
			sale = sold[i]
		}
		d.Rooms = append(d.Rooms, StayRoom{Code: b.RoomTypes[i].Code, Direct: sale.Now, Recallable: sale.Free - sale.Now})
		for p := range b.Plans {
			if !b.Offers(i, p) || !b.Sells(p, by.Seller) {
				continue
			}
			q := b.Quote(stay, i, p, party, by.Today)
			if b.Late(stay.CheckIn, p, by) {
				q.Failed = append(q.Failed, availability.Late(stay.CheckIn))
			}
			d.Plans = append(d.Plans, stayPlan(b, i, p, party, stay, q))
		}
	}
	return d
}

// saleOf returns how many rooms of a type can be sold directly for the whole stay,
// whatever plans there are: now, and if channels gave back what they were granted.
func saleOf(b *board.Board, stay hotel.Stay, room int) board.Sale {
	sale := board.Sale{Now: hotel.MaxUnits, Free: hotel.MaxUnits}
	for d := stay.CheckIn; d < stay.CheckOut; d++ {
		if b.Night(d) == nil {
			return board.Sale{}
		}
		sale.Now, sale.Free = min(sale.Now, b.Undealt(d)[room].Available), min(sale.Free, b.House(d)[room].Available)
	}
	return sale
}

func stayPlan(b *board.Board, room, plan int, party board.Party, stay hotel.Stay, q board.Quote) StayPlan {
	r, p := &b.RoomTypes[room], &b.Plans[plan]
	out := StayPlan{RatePlanID: p.ID, RoomCode: r.Code, Failed: q.Failed}
	if !q.Priced {
		return out
	}
	for i, amount := range q.Nightly {
		out.Nightly = append(out.Nightly, hotel.NightPrice{Date: stay.CheckIn + hotel.Date(i), RatePlanID: p.ID, Amount: amount})
	}
	adults := party.Adults
	if adults == 0 {
		adults = r.BaseOccupancy
	}
	bill := price.Bill{
		Property: &b.Property, Mode: p.TaxMode, Included: p.Included, Adults: adults, Ages: party.Ages, Nightly: out.Nightly,
	}
	total := bill.Total()
	out.Total = &total
	return out
}
