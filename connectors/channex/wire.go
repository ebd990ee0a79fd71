package channex

import (
	"encoding/json"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// The types of the protocol. Dates are YYYY-MM-DD and spans inclusive; amounts are
// decimal text in the currency of the rate plan or of the booking.

// values is the body of an update.
type values[V any] struct {
	Values []V `json:"values"`
}

// when is one night, or a span of them, of which only some days of the week may be
// meant.
type when struct {
	Date hotel.Date `json:"date,omitzero"`
	From hotel.Date `json:"date_from,omitzero"`
	To   hotel.Date `json:"date_to,omitzero"`
	Days []string   `json:"days,omitempty"`
}

// days are the names of the days of the week, by [time.Weekday].
var days = [7]string{"su", "mo", "tu", "we", "th", "fr", "sa"}

func whenOf(e connectors.Entry) when {
	if e.Nights.From == e.Nights.To {
		return when{Date: e.Nights.From}
	}
	w := when{From: e.Nights.From, To: e.Nights.To}
	for i, name := range days {
		if e.Days[i] {
			w.Days = append(w.Days, name)
		}
	}
	return w
}

// availabilityValue sets the count of a room type, restrictionsValue what it names of
// a rate plan. What is left out stays as it is.
type (
	availabilityValue struct {
		Property string `json:"property_id"`
		RoomType string `json:"room_type_id"`
		when
		Available int `json:"availability"`
	}
	restrictionsValue struct {
		Property string `json:"property_id"`
		RatePlan string `json:"rate_plan_id"`
		when
		Rate              string          `json:"rate,omitempty"`
		Rates             []occupancyRate `json:"rates,omitempty"`
		MinStayArrival    *int            `json:"min_stay_arrival,omitempty"`
		MinStayThrough    *int            `json:"min_stay_through,omitempty"`
		MaxStay           *int            `json:"max_stay,omitempty"`
		ClosedToArrival   *bool           `json:"closed_to_arrival,omitempty"`
		ClosedToDeparture *bool           `json:"closed_to_departure,omitempty"`
		StopSell          *bool           `json:"stop_sell,omitempty"`
	}
	occupancyRate struct {
		Occupancy int    `json:"occupancy"`
		Rate      string `json:"rate"`
	}
)

// updateAnswer is what an update is answered, also when nothing of it is taken.
type updateAnswer struct {
	Data []struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	} `json:"data"`
	Meta struct {
		Message  string            `json:"message"`
		Warnings []json.RawMessage `json:"warnings"`
	} `json:"meta"`
}

// refusal is the body of an answer that is none of success.
type refusal struct {
	Errors struct {
		Code    string          `json:"code"`
		Title   string          `json:"title"`
		Details json.RawMessage `json:"details"`
	} `json:"errors"`
}

// page is a part of a list.
type page struct {
	Data []json.RawMessage `json:"data"`
	Meta struct {
		Total *int `json:"total"`
	} `json:"meta"`
}

// roomType and ratePlan are what can be mapped.
type (
	roomType struct {
		ID         string `json:"id"`
		Attributes struct {
			Title  string `json:"title"`
			Adults int    `json:"occ_adults"` // at most
		} `json:"attributes"`
	}
	ratePlan struct {
		ID         string `json:"id"`
		Attributes struct {
			Title    string         `json:"title"`
			Currency hotel.Currency `json:"currency"`
			Meals    string         `json:"meal_type"`
			SellMode SellMode       `json:"sell_mode"`
			RateMode text           `json:"rate_mode"`
			Options  []option       `json:"options"`

			InheritRate       lenient[bool] `json:"inherit_rate"`
			InheritArrival    lenient[bool] `json:"inherit_closed_to_arrival"`
			InheritDeparture  lenient[bool] `json:"inherit_closed_to_departure"`
			InheritStopSell   lenient[bool] `json:"inherit_stop_sell"`
			InheritMinArrival lenient[bool] `json:"inherit_min_stay_arrival"`
			InheritMinThrough lenient[bool] `json:"inherit_min_stay_through"`
			InheritMaxStay    lenient[bool] `json:"inherit_max_stay"`
		} `json:"attributes"`
		Relationships struct {
			RoomType struct {
				Data struct {
					ID string `json:"id"`
				} `json:"data"`
			} `json:"room_type"`
		} `json:"relationships"`
	}
	option struct {
		ID        string `json:"id"`
		Occupancy int    `json:"occupancy"`
		Primary   bool   `json:"is_primary"`
	}
)

// room returns the room type that a rate plan belongs to.
func (p ratePlan) room() string { return p.Relationships.RoomType.Data.ID }

// inherits reports whether a plan takes over from another one what it is told here.
func (p ratePlan) inherits() bool {
	a := &p.Attributes
	return a.InheritRate.v || a.InheritArrival.v || a.InheritDeparture.v || a.InheritStopSell.v || a.InheritMinArrival.v || a.InheritMinThrough.v || a.InheritMaxStay.v
}

// board is what of a plan's meals the hotel has a word for. "none" is what nobody chose.
func (p ratePlan) board() string {
	switch meals := p.Attributes.Meals; meals {
	case "room_only", "half_board", "full_board", "all_inclusive":
		return meals
	case "breakfast", "bed_and_breakfast":
		return "breakfast"
	}
	return ""
}

// countsAnswer has the counts by room type and night, restrictionsAnswer what else is
// shown, by occupancy option and night. The id of a plan's primary option is the
// plan's own.
type (
	countsAnswer struct {
		Data map[string]map[hotel.Date]int `json:"data"`
	}
	restrictionsAnswer struct {
		Data map[string]map[hotel.Date]shownNight `json:"data"`
	}
	shownNight struct {
		Rate              text `json:"rate"`
		MinStayArrival    int  `json:"min_stay_arrival"`
		MinStayThrough    int  `json:"min_stay_through"`
		MaxStay           int  `json:"max_stay"`
		ClosedToArrival   bool `json:"closed_to_arrival"`
		ClosedToDeparture bool `json:"closed_to_departure"`
		StopSell          bool `json:"stop_sell"`
	}
)

// text is text, or a number as it is written. Anything else is none: a detail of a
// booking that is of another kind than expected is not worth the booking.
type text string

// UnmarshalJSON reads it.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	var n json.Number
	switch {
	case json.Unmarshal(b, &s) == nil:
		*t = text(s)
	case json.Unmarshal(b, &n) == nil:
		*t = text(n)
	default:
		*t = ""
	}
	return nil
}
