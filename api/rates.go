package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type rateBody struct {
	RoomTypeID       string            `json:"room_type_id"`
	RatePlanID       string            `json:"rate_plan_id"`
	Date             string            `json:"date" format:"date"`
	Amount           *money            `json:"amount,omitempty" doc:"What the property sells at, for the base occupancy; left out when there is no price."`
	OccupancyAmounts map[string]string `json:"occupancy_amounts,omitempty" doc:"By number of guests, where the plan has a price for each."`
	BaseAmount       *money            `json:"base_amount,omitempty" doc:"As it was typed."`
	Origin           string            `json:"origin" enum:"none,manual,derived,manual_override" doc:"Where the amount comes from."`
	Version          int64             `json:"version"`
	Source           *string           `json:"source"`
	UpdatedAt        *string           `json:"updated_at" format:"date-time"`
}

func rateOf(c hotel.RateCell) rateBody {
	b := rateBody{
		RoomTypeID: c.RoomTypeID, RatePlanID: c.RatePlanID, Date: c.Date.String(),
		Amount: moneyOrNone(c.Amount), BaseAmount: moneyOrNone(c.Own), Origin: originOf(c),
		Version: c.Version, Source: orNull(c.Source), UpdatedAt: stampOrNull(c.UpdatedAt),
	}
	if len(c.ByOccupancy) > 0 {
		b.OccupancyAmounts = make(map[string]string, len(c.ByOccupancy))
		for guests, amount := range c.ByOccupancy {
			b.OccupancyAmounts[strconv.Itoa(guests)] = amount.Amount()
		}
	}
	return b
}

func originOf(c hotel.RateCell) string {
	typed := c.Own != nil || len(c.OwnByOccupancy) > 0
	switch {
	case typed && c.Derived:
		return "manual_override"
	case typed:
		return "manual"
	case c.Amount != nil || len(c.ByOccupancy) > 0:
		return "derived"
	}
	return "none"
}

// productCellsIn are the parameters of lists by product and night.
type productCellsIn struct {
	CellsIn
	RatePlanID string `query:"rate_plan_id"`
}

type rateEntry struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	EntryDates
	Values rateValues `json:"values"`
}

type rateValues struct {
	Amount           optional[money]             `json:"amount,omitzero" doc:"For the base occupancy; null takes the price away."`
	OccupancyAmounts map[string]optional[string] `json:"occupancy_amounts,omitzero" maxProperties:"20" doc:"By number of guests, in the currency of the plan; null takes the price away."`
}

func (s *server) registerRates() {
	list := huma.Operation{
		OperationID: "list-rates", Method: http.MethodGet, Path: "/rates",
		Summary: "Prices by product and night", Tags: []string{tagInventory},
	}
	register(s, list, needs(auth.RatesRead), func(ctx context.Context, in *productCellsIn) (*listOf[rateBody], error) {
		q := in.query()
		q.RatePlanID = in.RatePlanID
		cells, err := s.desk.Rates(ctx, callerOf(ctx), q)
		if err != nil {
			return nil, inParameters(err)
		}
		at := func(c hotel.RateCell) position { return position{int64(c.Date), c.RoomTypeID + "/" + c.RatePlanID} }
		return cellPage(ctx, s, in.CellPaging, cells, at, rateOf)
	})
	update := huma.Operation{
		OperationID: "update-rates", Method: http.MethodPost, Path: "/rates/updates",
		Summary: "Change prices in bulk", Description: updateText, Tags: []string{tagInventory}, DefaultStatus: http.StatusOK,
	}
	register(s, update, bulk(auth.RatesWrite), func(ctx context.Context, in *updateIn[rateEntry]) (*updated, error) {
		currencies, err := s.planCurrencies(ctx, in.Body)
		if err != nil {
			return nil, err
		}
		u, err := updateOf(in.Body, func(i int, e rateEntry) (hotel.RateEntry, error) {
			return e.readRate(i, currencies[e.RatePlanID])
		})
		if err != nil {
			return nil, err
		}
		upd, replayed, err := s.desk.UpdateRates(ctx, callerOf(ctx), u)
		return s.updated(ctx, upd, replayed, err)
	})
}

// planCurrencies tells in which currency amounts without one are written; it
// asks only when there are such amounts.
func (s *server) planCurrencies(ctx context.Context, b updateBody[rateEntry]) (map[string]hotel.Currency, error) {
	currencies := map[string]hotel.Currency{}
	for _, e := range b.Entries {
		if len(e.Values.OccupancyAmounts) > 0 {
			return s.desk.PlanCurrencies(ctx, callerOf(ctx), b.PropertyID)
		}
	}
	return currencies, nil
}

func (e rateEntry) readRate(i int, currency hotel.Currency) (hotel.RateEntry, error) {
	at := "/entries/" + strconv.Itoa(i) + "/values"
	dates, err := e.read(i, !e.Values.Amount.Set && len(e.Values.OccupancyAmounts) == 0)
	if err != nil {
		return hotel.RateEntry{}, err
	}
	entry := hotel.RateEntry{RoomTypeID: e.RoomTypeID, RatePlanID: e.RatePlanID, Dates: dates, ExpectedVersion: e.ExpectedVersion.pointer()}
	if entry.Amount, err = readAmount(e.Values.Amount, at+"/amount"); err != nil {
		return hotel.RateEntry{}, err
	}
	for guests, amount := range e.Values.OccupancyAmounts {
		pointer := at + "/occupancy_amounts/" + pointerText.Replace(guests)
		n, err := strconv.Atoi(guests)
		if err != nil || n < 1 || n > maxGuests || strconv.Itoa(n) != guests {
			return hotel.RateEntry{}, hotel.Invalid(pointer, "pattern", "the member is named by a number of guests, 1 to %d", maxGuests)
		}
		var whole optional[money]
		if whole.Set, whole.Null = amount.Set, amount.Null; !amount.Null {
			if currency == "" {
				return hotel.RateEntry{}, hotel.Invalid("/entries/"+strconv.Itoa(i)+"/rate_plan_id", "unknown_rate_plan", "the property has no such rate plan")
			}
			whole.Value = money{Amount: amount.Value, Currency: string(currency)}
		}
		v, err := readAmount(whole, pointer)
		if err != nil {
			return hotel.RateEntry{}, err
		}
		if entry.Occupancies == nil {
			entry.Occupancies = map[int]hotel.Optional[hotel.Money]{}
		}
		entry.Occupancies[n] = v
	}
	return entry, nil
}

func readAmount(o optional[money], at string) (hotel.Optional[hotel.Money], error) {
	v := hotel.Optional[hotel.Money]{Set: o.Set, Null: o.Null}
	if !o.Set || o.Null {
		return v, nil
	}
	var err error
	v.Value, err = o.Value.read(at)
	return v, err
}
