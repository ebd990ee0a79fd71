package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type rateBody struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	CellDates
	Amount           *money            `json:"amount" doc:"What the property sells at, for the base occupancy; null when there is no price."`
	OccupancyAmounts map[string]string `json:"occupancy_amounts,omitempty" doc:"By number of guests, where the plan has a price for each."`
	ExtraAdult       *money            `json:"extra_adult,omitempty" doc:"Of a further adult, as it was typed."`
	ExtraChild       map[string]money  `json:"extra_child,omitempty" doc:"Of a further child, by age band, as it was typed."`
	Lock             *lockBody         `json:"lock" doc:"Rules leave the price alone; null when they do not."`
	BaseAmount       *money            `json:"base_amount" doc:"The amount before the plan's own rules and limits."`
	BaseOccupancies  map[string]string `json:"base_occupancy_amounts,omitempty" doc:"Likewise, with include=base."`
	Origin           string            `json:"origin" enum:"none,manual,manual_override,derived,rule" doc:"Where the amount comes from."`
	AppliedRuleIDs   []string          `json:"applied_rule_ids" doc:"The pricing rules that made the amount, also through the plan it is derived from."`
	ChannelAmount    *money            `json:"channel_amount,omitempty" doc:"With channel_id: what that channel is to show."`
	Version          int64             `json:"version"`
	Source           *string           `json:"source" doc:"Whose price counts: api, user (somebody of the house), pms or channel:ch_… by the rank of the property (its policy rate_rank); undo where a bulk update was taken back."`
	UpdatedAt        *string           `json:"updated_at" format:"date-time"`
}

func rateOf(c hotel.RateCell, withBase bool) rateBody {
	b := rateBody{
		RoomTypeID: c.RoomTypeID, RatePlanID: c.RatePlanID, CellDates: nightOf(c.Date),
		Amount: moneyOrNone(c.Amount), OccupancyAmounts: byGuests(c.ByOccupancy), BaseAmount: moneyOrNone(c.Base),
		ExtraAdult: moneyOrNone(c.ExtraAdult), ChannelAmount: moneyOrNone(c.Shown),
		Origin: string(c.Origin), AppliedRuleIDs: append([]string{}, c.Rules...),
		Version: c.Version, Source: orNull(c.Source), UpdatedAt: stampOrNull(c.UpdatedAt),
	}
	if withBase {
		b.BaseOccupancies = byGuests(c.BaseByOccupancy)
	}
	for band, amount := range c.ExtraChild {
		if b.ExtraChild == nil {
			b.ExtraChild = make(map[string]money, len(c.ExtraChild))
		}
		b.ExtraChild[band] = moneyOf(amount)
	}
	b.Lock = lockOf(c.Lock)
	return b
}

func byGuests(amounts map[int]hotel.Money) map[string]string {
	if len(amounts) == 0 {
		return nil
	}
	out := make(map[string]string, len(amounts))
	for guests, amount := range amounts {
		out[strconv.Itoa(guests)] = amount.Amount()
	}
	return out
}

// ratesIn are the parameters of the list of prices.
type ratesIn struct {
	CellsIn
	RatePlanID []string `query:"rate_plan_id" doc:"One of several."`
	ChannelID  string   `query:"channel_id" doc:"Show beside each price what this channel is to show."`
	Include    []string `query:"include" enum:"base"`
}

type rateEntry struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	EntryDates
	Values rateValues `json:"values"`
}

type rateValues struct {
	Amount           optional[money]                 `json:"amount,omitzero" doc:"For the base occupancy; null takes the price away."`
	OccupancyAmounts map[string]optional[amountText] `json:"occupancy_amounts,omitzero" maxProperties:"20" doc:"By number of guests, in the currency of the plan; null takes the price away."`
	ExtraAdult       optional[money]                 `json:"extra_adult,omitzero" doc:"Of an adult above the base occupancy."`
	ExtraChild       map[string]optional[money]      `json:"extra_child,omitzero" maxProperties:"6" doc:"Of a child or infant, by age band; null takes the price away."`
	Lock             optional[lockBody]              `json:"lock,omitzero" doc:"Keeps pricing rules away from the price; null lets them act again."`
	Adjust           *priceStep                      `json:"adjust,omitempty" doc:"Instead of amounts: change those that are typed there, also by occupancy."`
}

func (v rateValues) none() bool {
	return !v.Amount.Set && len(v.OccupancyAmounts) == 0 && !v.ExtraAdult.Set && len(v.ExtraChild) == 0 && !v.Lock.Set && v.Adjust == nil
}

type priceStep struct {
	Kind     string `json:"kind" enum:"percent,amount"`
	Value    string `json:"value" pattern:"^-?\\d{1,12}(\\.\\d{1,4})?$" patternDescription:"a decimal number such as -10" example:"-10" doc:"Percent, -100 to 1000, or an amount in the currency of the plan."`
	Rounding string `json:"rounding,omitempty" enum:"none,nearest_1,nearest_5,end_9,end_99" default:"none" doc:"Of what is stored; half-even."`
}

func (s *server) registerRates() {
	list := huma.Operation{
		OperationID: "list-rates", Method: http.MethodGet, Path: "/rates",
		Summary: "Prices by product and night", Tags: []string{tagInventory},
	}
	register(s, list, needs(auth.RatesRead), func(ctx context.Context, in *ratesIn) (*listOf[rateBody], error) {
		q := in.query()
		q.RatePlanIDs, q.ChannelID = in.RatePlanID, in.ChannelID
		cells, err := s.desk.Rates(ctx, callerOf(ctx), q)
		if err != nil {
			return nil, inParameters(err)
		}
		at := func(c hotel.RateCell) position { return position{int64(c.Date), c.RoomTypeID + "/" + c.RatePlanID} }
		withBase := slices.Contains(in.Include, "base")
		return cellPage(ctx, s, in.CellPaging, cells, at, func(c hotel.RateCell) rateBody { return rateOf(c, withBase) })
	})
	update := huma.Operation{
		OperationID: "update-rates", Method: http.MethodPost, Path: "/rates/updates",
		Summary: "Change prices in bulk", Description: updateText, Tags: []string{tagInventory}, DefaultStatus: http.StatusOK,
		Metadata: map[string]any{cellKey: reflect.TypeFor[rateBody]()},
	}
	register(s, update, bulk(auth.RatesWrite), func(ctx context.Context, in *updateIn[rateEntry]) (*updated, error) {
		currencies, err := s.planCurrencies(ctx, in.Body)
		if err != nil {
			return nil, err
		}
		u := updateOf(in.Body, func(e rateEntry) hotel.RateEntry { return e.readRate(currencies[e.RatePlanID]) })
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

func (e rateEntry) readRate(currency hotel.Currency) hotel.RateEntry {
	var faults unread
	v := e.Values
	entry := hotel.RateEntry{
		RoomTypeID: e.RoomTypeID, RatePlanID: e.RatePlanID, Dates: e.read(v.none(), &faults), ExpectedVersion: e.ExpectedVersion.pointer(),
		Amount: faults.amount(v.Amount, "/values/amount"), ExtraAdult: faults.amount(v.ExtraAdult, "/values/extra_adult"),
	}
	if a := v.Adjust; a != nil {
		entry.Adjust = &hotel.PriceStep{Kind: hotel.AdjustmentKind(a.Kind), Value: a.Value, Rounding: hotel.Rounding(a.Rounding)}
	}
	for band, amount := range v.ExtraChild {
		if entry.ExtraChild == nil {
			entry.ExtraChild = make(map[string]hotel.Optional[hotel.Money], len(v.ExtraChild))
		}
		entry.ExtraChild[band] = faults.amount(amount, "/values/extra_child/"+hotel.PointerPart(band))
	}
	entry.Lock, entry.Occupancies = faults.lock(v.Lock), v.readOccupancies(currency, &faults)
	entry.Unread = faults
	return entry
}

// readOccupancies reads the prices by number of guests, which are in the currency of
// the plan; "" when the property has no such plan.
func (v rateValues) readOccupancies(currency hotel.Currency, f *unread) map[int]hotel.Optional[hotel.Money] {
	if len(v.OccupancyAmounts) == 0 {
		return nil
	}
	amounts := make(map[int]hotel.Optional[hotel.Money], len(v.OccupancyAmounts))
	for guests, amount := range v.OccupancyAmounts {
		at := "/values/occupancy_amounts/" + hotel.PointerPart(guests)
		n, err := strconv.Atoi(guests)
		if err != nil || n < 1 || n > maxGuests || strconv.Itoa(n) != guests {
			f.add(at, "pattern", "the member is named by a number of guests, 1 to %d", maxGuests)
			continue
		}
		o := hotel.Optional[hotel.Money]{Set: amount.Set, Null: amount.Null}
		if !amount.Null && currency != "" { // without the plan, the ledger says that there is none
			o.Value, err = amount.Value.read(currency, at)
			f.refused(err)
		}
		amounts[n] = o
	}
	return amounts
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
