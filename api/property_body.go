package api

import (
	"ostler.example/hotel"
)

type propertyBody struct {
	ID string `json:"id" required:"false" doc:"The operator's own, or made when it is left out."`
	StoredBody
	Name         string                `json:"name" maxLength:"200"`
	LegalName    string                `json:"legal_name" required:"false" maxLength:"200"`
	TimeZone     string                `json:"time_zone" example:"Europe/Berlin"`
	Currency     string                `json:"currency" pattern:"^[A-Z]{3}$" patternDescription:"an ISO 4217 code" example:"EUR" doc:"Cannot change while there are rate plans."`
	Country      string                `json:"country" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2" example:"DE"`
	Address      hotel.Address         `json:"address" required:"false"`
	Geo          *hotel.Geo            `json:"geo,omitempty"`
	Phone        *string               `json:"phone" required:"false" example:"+4930123456"`
	Email        *string               `json:"email" required:"false"`
	CheckIn      string                `json:"check_in_time" required:"false" example:"15:00"`
	CheckOut     string                `json:"check_out_time" required:"false" example:"11:00"`
	DayRoll      string                `json:"day_roll_time" required:"false" example:"03:00" doc:"When the business date moves on, local time."`
	BusinessDate string                `json:"business_date" format:"date" readOnly:"true" doc:"The date that the house works on."`
	Horizon      int                   `json:"booking_horizon_days" required:"false" minimum:"1" maximum:"1095" example:"730"`
	CutOff       *hotel.CutOff         `json:"cut_off" required:"false" doc:"The last minute at which an arrival can be booked at a channel; the earliest of those of the house, the plan and the channel counts. Direct sales are not bound by it: the desk and its programs sell to whoever stands there."`
	Taxes        []hotel.Tax           `json:"taxes" required:"false" maxItems:"50"`
	AgeBands     []hotel.AgeBand       `json:"age_bands" required:"false" maxItems:"6" doc:"From age 0 up, without gap or overlap; to_age is exclusive."`
	Mode         string                `json:"availability_mode" required:"false" enum:"derived,given" doc:"Whether Ostler counts the free rooms or is told them."`
	Truth        hotel.Truth           `json:"truth" required:"false" doc:"Whose word counts for each kind of fact: ostler or pms."`
	Recording    string                `json:"stay_recording" required:"false" enum:"assumed,recorded"`
	ReleaseTime  string                `json:"release_time" required:"false" example:"18:00"`
	OverdueHolds *bool                 `json:"overdue_departure_holds" required:"false" doc:"Null: as stay_recording has it."`
	Segments     []hotel.MarketSegment `json:"market_segments" required:"false" maxItems:"50"`
	Metadata     map[string]string     `json:"metadata" required:"false" maxProperties:"20" doc:"The client's own; values of at most 500 characters."`
	Status       string                `json:"status" required:"false" enum:"active,suspended,archived" doc:"A suspended property sells nothing; one is archived at its own address."`
}

func (s *server) propertyBody(p hotel.Property) propertyBody {
	b := body[propertyBody](p)
	b.ID, b.StoredBody = p.ID, storedOf(p.Entity)
	b.BusinessDate = s.desk.Today(p).String()
	b.Taxes, b.AgeBands, b.Segments, b.Metadata = some(b.Taxes), some(b.AgeBands), some(b.Segments), someOf(b.Metadata)
	return b
}
