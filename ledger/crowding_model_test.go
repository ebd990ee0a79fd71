package ledger

import (
	"context"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// short is a plain model of a crowded night of the house: of its doubles, which
// are sold under two names, and its suites.
type short struct{ doubles, suites, house int }

// none reports whether a type of the two, or the whole house, misses no room.
func (s short) none(suite bool) bool {
	if suite {
		return max(s.suites, s.house) <= 0
	}
	return max(s.doubles, s.house) <= 0
}

// TestCrowdedNightsModel: whatever facts and bookings do, an open conflict tells of
// every night that is oversold, or overbooked as planned, and of no other one.
func TestCrowdedNightsModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := newHouse(r)
		ctx := context.Background()
		number := func(low, high int) int { return rapid.IntRange(low, high).Draw(r, "n") }
		first := h.today + 3
		span := func() hotel.Span {
			from := first + hotel.Date(number(0, 2))
			return hotel.Span{From: from, To: from + hotel.Date(number(0, 2))}
		}
		pools := [2]string{h.double.Consumes[0].AnyOf[0], h.suite.Consumes[0].AnyOf[0]}
		rooms := [3]hotel.RoomType{h.double, h.twin, h.suite}
		type facts struct {
			total, allowed [2]int
			limit          int // -1: none
		}
		nights, booked := map[hotel.Date]*facts{}, map[string]hotel.Stay{}
		for d := first; d < first+6; d++ {
			nights[d] = &facts{total: [2]int{5, 2}, limit: -1}
		}
		for range number(4, 16) {
			switch op := number(0, 6); op {
			case 0:
				e := hotel.InventoryEntry{Dates: hotel.Dates{Span: span()}, HouseLimit: hotel.Optional[int]{Set: true, Null: true}}
				if limit := number(-1, 6); limit >= 0 {
					e.HouseLimit = hotel.Given(limit)
				}
				must(h.updateStock(e))(r)
				for d := e.From; d <= e.To; d++ {
					nights[d].limit = -1
					if !e.HouseLimit.Null {
						nights[d].limit = e.HouseLimit.Value
					}
				}
			case 1:
				pool, total, allowed := number(0, 1), number(0, 4), number(0, 2)
				e := hotel.InventoryEntry{PoolID: pools[pool], Dates: hotel.Dates{Span: span()}, Total: hotel.Given(total), Overbooking: hotel.Given(allowed)}
				must(h.updateStock(e))(r)
				for d := e.From; d <= e.To; d++ {
					nights[d].total[pool], nights[d].allowed[pool] = total, allowed
				}
			case 2: // closed nights show nothing of what becomes of them
				must(h.updateStock(hotel.InventoryEntry{RoomTypeID: rooms[number(0, 2)].ID, Dates: hotel.Dates{Span: span()}, Closed: hotel.Given(number(0, 1) == 1)}))(r)
			case 3:
				if len(booked) > 0 {
					id := rapid.SampledFrom(slices.Sorted(maps.Keys(booked))).Draw(r, "booking")
					must2(h.CancelReservation(ctx, tester, hotel.Once{}, id, hotel.CancelRequest{}))(r)
					delete(booked, id)
				}
			default:
				n := span()
				in := hotel.NewReservation{
					PropertyID: h.property.ID, RoomTypeID: rooms[number(0, 2)].ID, RatePlanID: h.flex.ID, Adults: 2,
					Stay: hotel.Stay{CheckIn: n.From, CheckOut: n.To + 1}, Guest: hotel.Guest{LastName: "Guest"}, Overbook: true,
				}
				booked[must2(h.CreateReservation(ctx, tester, hotel.Once{}, in))(r).ID] = in.Stay
			}
		}
		taken := func(d hotel.Date) (n [2]int) {
			for id := range booked {
				if b := must(h.Reservation(ctx, id))(r); b.Stay.CheckIn <= d && d < b.Stay.CheckOut {
					n[map[bool]int{true: 1}[b.RoomTypeID == h.suite.ID]]++
				}
			}
			return n
		}
		told := map[hotel.ConflictKind]map[hotel.Date][]bool{hotel.ConflictOversell: {}, hotel.ConflictPlanned: {}} // whether of suites
		for kind, of := range told {
			for _, c := range h.conflicts(r, kind) {
				if c.Status != hotel.ConflictOpen {
					continue
				}
				for _, n := range crowdFacts(r, c).Crowded {
					for d := n.From; d <= n.To; d++ {
						of[d] = append(of[d], c.Subject.RoomTypeID == h.suite.ID)
					}
				}
			}
		}
		for d, f := range nights {
			n, over, planned := taken(d), short{}, short{}
			over.doubles, over.suites = n[0]-f.total[0]-f.allowed[0], n[1]-f.total[1]-f.allowed[1]
			planned.doubles, planned.suites = n[0]-f.total[0], n[1]-f.total[1]
			if f.limit >= 0 {
				over.house = n[0] + n[1] - f.limit
			}
			for _, suite := range []bool{false, true} {
				oversold := !over.none(suite)
				// Of the whole house one conflict tells, under whichever type it was seen.
				if is := slices.Contains(told[hotel.ConflictOversell][d], suite); is && !oversold || !is && oversold && over.house <= 0 {
					r.Fatalf("%s: suites %v: told of an oversell: %v, %d taken of %+v", d, suite, is, n, f)
				}
				is := slices.Contains(told[hotel.ConflictPlanned][d], suite)
				if wanted := !oversold && !planned.none(suite); wanted && !is || is && planned.none(suite) && !oversold {
					r.Fatalf("%s: suites %v: told of a planned overbooking: %v, %d taken of %+v", d, suite, is, n, f)
				}
			}
			if over.house > 0 && len(told[hotel.ConflictOversell][d]) == 0 {
				r.Fatalf("%s: nobody told that the house is beyond its limit: %d taken of %+v", d, n, f)
			}
		}
	})
}
