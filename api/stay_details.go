package api

import (
	"encoding/json"

	"ostler.example/internal/desk"
)

// stayDetailsBody is the member that include=stay_details adds to the answer of
// /availability.
type stayDetailsBody struct {
	Nights    int            `json:"nights"`
	Currency  string         `json:"currency" doc:"Of the property."`
	Rooms     []stayRoomBody `json:"rooms"`
	RatePlans []stayPlanBody `json:"rate_plans"`
}

type stayRoomBody struct {
	RoomType   string `json:"room_type" doc:"The code."`
	Direct     int    `json:"direct" doc:"Rooms for the whole stay."`
	Recallable int    `json:"recallable" doc:"More that are free, but on sale at channels of a guarded pool, of whichever; a booking takes them back, which may take a moment. A client of kind ota is told no more than it can be sold in all."`
}

type stayPlanBody struct {
	RatePlanID         string          `json:"rate_plan_id"`
	RoomType           string          `json:"room_type"`
	Total              *totalBody      `json:"total" doc:"Null when a night has no price."`
	Nightly            []stayNightBody `json:"nightly"`
	RestrictionsFailed []violationBody `json:"restrictions_failed"`
}

type stayNightBody struct {
	Date   string `json:"date" format:"date"`
	Amount money  `json:"amount"`
}

type violationBody struct {
	Restriction string `json:"restriction"`
	Date        string `json:"date" format:"date"`
	Detail      string `json:"detail"`
}

func stayDetailsOf(d *desk.StayDetails) stayDetailsBody {
	out := stayDetailsBody{Nights: d.Nights, Currency: string(d.Currency), Rooms: []stayRoomBody{}, RatePlans: []stayPlanBody{}}
	for _, r := range d.Rooms {
		out.Rooms = append(out.Rooms, stayRoomBody{r.Code, r.Direct, r.Recallable})
	}
	for _, p := range d.Plans {
		plan := stayPlanBody{RatePlanID: p.RatePlanID, RoomType: p.RoomCode, Nightly: []stayNightBody{}, RestrictionsFailed: []violationBody{}}
		if t := p.Total; t != nil {
			plan.Total = &totalBody{
				Room: moneyOf(t.Room), Extras: moneyOf(t.Extras), VAT: moneyOf(t.VAT), Gross: moneyOf(t.Gross), CityTax: moneyOf(t.CityTax),
			}
		}
		for _, n := range p.Nightly {
			plan.Nightly = append(plan.Nightly, stayNightBody{n.Date.String(), moneyOf(n.Amount)})
		}
		for _, v := range p.Failed {
			plan.RestrictionsFailed = append(plan.RestrictionsFailed, violationBody{string(v.Field), v.Date.String(), v.Detail})
		}
		out.RatePlans = append(out.RatePlans, plan)
	}
	return out
}

// appendDetails writes the member with its comma.
func appendDetails(b []byte, d *desk.StayDetails) ([]byte, error) {
	member, err := json.Marshal(stayDetailsOf(d))
	if err != nil {
		return nil, err
	}
	return append(append(b, `,"stay":`...), member...), nil
}
