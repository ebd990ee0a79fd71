package ledger

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// MismatchFacts is what was seen of a booking that costs something else than the
// channel was told to sell it for when it was made.
type MismatchFacts struct {
	BookingFacts
	RatePlanID string          `json:"rate_plan_id"`
	BookedAt   time.Time       `json:"booked_at"` // as the channel says
	Ours       string          `json:"ours"`      // what the channel was told, for the whole stay
	Theirs     string          `json:"theirs"`    // what it says that the guest pays
	Currency   hotel.Currency  `json:"currency"`
	Differs    string          `json:"differs_pct"` // by how much theirs is higher
	Verdict    price.Mismatch  `json:"verdict"`
	Promotion  int             `json:"promotion_pct,omitempty"`
	Guests     int             `json:"guests,omitempty"`            // whose price it is, of the wrong occupancy
	SoldRoom   string          `json:"sold_room_type_id,omitempty"` // whose price it is, of another rate
	SoldPlan   string          `json:"sold_rate_plan_id,omitempty"` // likewise
	Nights     []MismatchNight `json:"nights"`
}

// MismatchNight is one of the nights.
type MismatchNight struct {
	Date   hotel.Date `json:"date"`
	Ours   string     `json:"ours"`
	Theirs string     `json:"theirs"`
}

// pastPrices looks up what a channel was told that nights cost, about when a booking
// was made.
type pastPrices struct {
	m     *message
	table *cellTable
	calls *callBook
}

// mismatch compares a new booking with what the channel was told when it was made;
// nil: they agree, or one of them is not known, as of a channel that tells what it
// leaves us of the guest's price. A total that the nights of one room share is compared as
// that; what each of several rooms costs it does not say.
func (m *message) mismatch(r *hotel.Reservation, room hotel.ChannelRoom, sums roomSums) (*hotel.Conflict, error) {
	nights := r.Stay.Nights()
	if m.r.At.IsZero() || sums.sharing > 1 || r.NetOfCommission || r.RoomTypeID == "" || !stay.Live(r.Status) || nights == 0 || len(room.Amounts) != nights || room.Amounts[0].Currency == "" {
		return nil, nil
	}
	c, err := m.t.compare(m.channel, ledgerdb.Delivery{})
	if err != nil {
		return nil, err
	}
	p := pastPrices{m: m, table: m.t.cellsOf(m.channel), calls: newCallBook(m.t.ctx, m.t.q, m.channel.ID)}
	theirs := make([]int64, nights)
	for i, a := range room.Amounts {
		theirs[i] = a.Minor
	}
	var sold *hotel.Mapping
	for i, of := range m.mappings {
		if !of.Retired && of.RoomTypeID == r.RoomTypeID && of.RatePlanID == r.RatePlanID && of.RemoteRoom == room.Room && of.RemoteRate == room.Rate {
			sold = &m.mappings[i]
		}
	}
	if sold == nil || c.currency(sold.Line) != room.Amounts[0].Currency {
		return nil, nil
	}
	ours, known, err := p.of(sold.Line, room.Adults, r.Stay, theirs)
	if err != nil || !known || price.Alike(ours, theirs) {
		return nil, err
	}
	facts := MismatchFacts{BookingFacts: factsOfBooking(r), RatePlanID: r.RatePlanID, BookedAt: m.r.At, Currency: room.Amounts[0].Currency}
	if err := p.explain(&facts, *sold, room, r.Stay, ours, theirs); err != nil {
		return nil, err
	}
	return m.mismatched(c, r, facts, ours, theirs)
}

// mismatched describes the booking. It is urgent where the difference is larger than
// the policy says.
func (m *message) mismatched(c *comparison, r *hotel.Reservation, facts MismatchFacts, ours, theirs []int64) (*hotel.Conflict, error) {
	amount := func(minor int64) string { return hotel.Money{Minor: minor, Currency: facts.Currency}.Amount() }
	of, at := price.Sum(ours), price.Sum(theirs)
	facts.Ours, facts.Theirs = amount(of), amount(at)
	for i := range ours {
		facts.Nights = append(facts.Nights, MismatchNight{r.Stay.CheckIn + hotel.Date(i), amount(ours[i]), amount(theirs[i])})
	}
	k := &hotel.Conflict{Severity: hotel.Info}
	if of > 0 {
		tenths := (at - of) * 1000 / of
		facts.Differs = strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(max(tenths, -tenths)%10, 10)
		tolerance := decimal.RequireFromString(hotel.PriceTolerance(c.channel.Policies, c.property.Policies))
		if decimal.NewFromInt(max(at-of, of-at) * 100).GreaterThan(tolerance.Mul(decimal.NewFromInt(of))) {
			k.Severity = hotel.Warning
		}
	}
	k.PropertyID, k.ChannelID, k.Kind, k.Topic = r.PropertyID, r.Source.ChannelID, hotel.ConflictMismatch, r.ID
	k.Subject = hotel.ConflictSubject{Type: "reservation", ID: r.ID, RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID, Date: r.Stay.CheckIn}
	var err error
	k.Facts, err = json.Marshal(facts)
	return k, err
}

// explain finds out whose price it is.
func (p *pastPrices) explain(f *MismatchFacts, sold hotel.Mapping, room hotel.ChannelRoom, of hotel.Stay, ours, theirs []int64) error {
	f.Verdict = price.Unexplained
	if percent, ok := price.PromotionOf(ours, theirs); ok {
		f.Verdict, f.Promotion = price.Promotion, percent
	}
	for guests := 1; guests <= hotel.MaxOccupied; guests++ {
		amounts, known, err := p.told(sold.Line, guests, of, theirs)
		if err != nil {
			return err
		}
		if known && guests != room.Adults && price.Alike(amounts, theirs) {
			f.Verdict, f.Promotion, f.Guests = price.WrongOccupancy, 0, guests
			return nil
		}
	}
	for _, other := range p.m.mappings {
		if other.Retired || other.Line == sold.Line {
			continue
		}
		amounts, known, err := p.of(other.Line, room.Adults, of, theirs)
		if err != nil {
			return err
		}
		if known && price.Alike(amounts, theirs) {
			f.Verdict, f.Promotion, f.SoldRoom, f.SoldPlan = price.OtherRate, 0, other.RoomTypeID, other.RatePlanID
			return nil
		}
	}
	return nil
}

// of returns what the nights of a stay cost for so many guests: by a price of their
// own, else by that of the product.
func (p *pastPrices) of(line int64, guests int, of hotel.Stay, theirs []int64) (amounts []int64, known bool, err error) {
	if amounts, known, err = p.told(line, guests, of, theirs); err != nil || known {
		return amounts, known, err
	}
	return p.told(line, 0, of, theirs)
}

// told returns what the channel was told of the nights under an occupancy. Where it
// was told something else about that time, the price of the booking is taken for it:
// the two clocks differ.
func (p *pastPrices) told(line int64, occupancy int, of hotel.Stay, theirs []int64) (amounts []int64, known bool, err error) {
	cells := make([]hotel.Cell, 0, len(theirs))
	for d := of.CheckIn; d < of.CheckOut; d++ {
		cells = append(cells, hotel.Cell{Line: line, Group: hotel.Price, Occupancy: occupancy, Night: d})
	}
	if err := p.table.load(cells); err != nil {
		return nil, false, err
	}
	for i, cell := range cells {
		list, err := p.about(cell)
		if err != nil || len(list) == 0 {
			return nil, false, err
		}
		amount := list[len(list)-1]
		for _, v := range list {
			if v == theirs[i] {
				amount = v
			}
		}
		amounts = append(amounts, amount)
	}
	return amounts, true, nil
}

// about lists what a cell may have shown about when the booking was made, the newest
// first.
func (p *pastPrices) about(cell hotel.Cell) (list []int64, err error) {
	g := p.table.cells.at(cell)
	if g == nil || g.held == nil && g.shown == nil {
		return nil, nil
	}
	first, last := p.m.r.At.Add(-clocksApart), p.m.r.At.Add(clocksApart)
	if g.held != nil && g.heldSeq != nil {
		e, err := p.m.t.q.EntryBefore(p.m.t.ctx, *g.heldSeq)
		if err != nil {
			return nil, notFound(err)
		}
		since := instant(e.At)
		if !since.After(last) {
			list = append(list, *g.held)
		}
		if !since.After(first) {
			return list, nil
		}
	}
	at, seen := lineMonthOf(cell), 0
	err = p.calls.carried(at, math.MaxInt64, func(call *carriedCall) (bool, error) {
		seen++
		v, sent := call.values(at)[cell], instant(call.SentAt)
		if v != nil && v.became == DeliveryApplied && !sent.After(last) {
			if list = append(list, v.value); !sent.After(first) {
				return false, nil
			}
		}
		return seen < callsPage, nil
	})
	return list, err
}

// enactMismatch makes a booking what somebody says that was sold. Its price stays.
func (t *tx) enactMismatch(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option != hotel.OptionRemap {
		return nil
	}
	var a unmappedArguments
	if err := d.Read(&a); err != nil {
		return err
	}
	return t.rewriteOf(c.PropertyID, c.Subject.ID, func(s *structure, r *hotel.Reservation) (Kind, error) {
		if err := checkMappings(s, []hotel.Mapping{{RoomTypeID: a.RoomTypeID, RatePlanID: a.RatePlanID}}); err != nil {
			return "", asArgument(err)
		}
		r.RatePlanID = a.RatePlanID
		if a.RoomTypeID == r.RoomTypeID {
			return ReservationUpdated, nil
		}
		return t.alter(s, r, hotel.ReservationChange{RoomTypeID: &a.RoomTypeID})
	})
}
