package api

import (
	"ostler.example/hotel"
)

type ratePlanBody struct {
	EntityBody
	PropertyID   string                    `json:"property_id"`
	Code         string                    `json:"code" maxLength:"40"`
	Name         string                    `json:"name" maxLength:"200"`
	RoomTypeIDs  []string                  `json:"room_type_ids" minItems:"1" maxItems:"200"`
	Currency     string                    `json:"currency" required:"false" pattern:"^[A-Z]{3}$" patternDescription:"an ISO 4217 code" example:"EUR" doc:"The property's; only a restricted plan, for channels, may have another."`
	Pricing      string                    `json:"pricing_model" required:"false" enum:"per_room,per_occupancy"`
	MealPlan     string                    `json:"meal_plan" required:"false" enum:"room_only,breakfast,half_board,full_board,all_inclusive"`
	TaxMode      string                    `json:"tax_mode" required:"false" enum:"inclusive,exclusive"`
	DerivedFrom  *hotel.Derivation         `json:"derived_from" required:"false" doc:"Null when the plan has prices of its own. At most three derivations follow each other."`
	Inherit      *[]hotel.Inheritance      `json:"inherit,omitempty" doc:"What a derived plan takes over: closed, closed_to_arrival, closed_to_departure, min_stay, max_stay, advance. Left out: everything."`
	Included     []hotel.Included          `json:"included" required:"false" maxItems:"50" doc:"Meals and the like inside the price, with an amount by age band; the band with an empty name is everybody of no other."`
	Cancellation *hotel.CancellationPolicy `json:"cancellation_policy,omitempty" doc:"Steps in the order of their deadlines, which are local times; only the last may be without one."`
	NoShow       *hotel.NoShowPolicy       `json:"no_show_policy,omitempty" doc:"Left out: the penalty of the last cancellation step."`
	Guarantee    string                    `json:"guarantee" required:"false" enum:"none,card_on_file,deposit,prepaid"`
	MinAdvance   *int                      `json:"min_advance_days" required:"false" minimum:"0" maximum:"1095"`
	MaxAdvance   *int                      `json:"max_advance_days" required:"false" minimum:"1" maximum:"1095" doc:"Null: as far ahead as the house is sold."`
	CutOff       *hotel.CutOff             `json:"cut_off" required:"false" doc:"As that of the property, for this plan."`
	PriceLimits  []hotel.PriceLimit        `json:"price_limits" required:"false" maxItems:"200"`
	Defaults     RestrictionBody           `json:"default_restrictions" required:"false" doc:"What counts where no night says otherwise."`
	Audience     string                    `json:"audience" required:"false" enum:"public,restricted" doc:"A public plan is sold by every client of the property that stands for no channel, and by those it names; a restricted one by those it names alone."`
	SoldBy       []string                  `json:"sold_by" required:"false" maxItems:"200" doc:"Ids of the property's channels and of clients that sell it. Who is not there is refused, unless the plan has named them before."`
	Metadata     map[string]string         `json:"metadata" required:"false" maxProperties:"20" doc:"The client's own; values of at most 500 characters."`
	Position     int                       `json:"position" required:"false" minimum:"0" maximum:"9999" doc:"Its place in lists."`
	Status       string                    `json:"status" readOnly:"true" enum:"active,archived"`
}

func ratePlanOf(p hotel.RatePlan) ratePlanBody {
	b := body[ratePlanBody](p)
	b.EntityBody = entityOf(p.Entity)
	b.RoomTypeIDs, b.SoldBy, b.Included, b.PriceLimits = some(b.RoomTypeIDs), some(b.SoldBy), some(b.Included), some(b.PriceLimits)
	b.Metadata = someOf(b.Metadata)
	return b
}
