package wire

import (
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// What a program may ask of the house, each named as the member of [Told] that answers it.
const (
	AskRooms        = "rooms"        // what is sold on the channel
	AskProperty     = "property"     // the property
	AskClosed       = "closed"       // when the house has closed all that is sold on the channel
	AskInstallation = "installation" // a name of this installation
	AskTaken        = "taken"        // how many rooms are taken on some nights
)

// House asks what the house says of one of them. Number tells those of one call apart.
type House struct {
	Number int64       `json:"number"`
	Get    string      `json:"get"`
	Nights *hotel.Span `json:"nights,omitempty"` // of what is taken: which, both ends included
}

// Told is what the house says, or why there is no answer. A list that is asked for is there
// with nothing in it too.
type Told struct {
	Number       int64        `json:"number"`
	Rooms        []SoldRoom   `json:"rooms,omitzero"`
	Property     *Property    `json:"property,omitempty"`
	Closed       []hotel.Span `json:"closed,omitzero"` // both ends included
	Installation string       `json:"installation,omitempty"`
	Taken        []Taken      `json:"taken,omitzero"`
	Error        string       `json:"error,omitempty"`
}

// Taken says that so many rooms are taken on neighbouring nights, From and To included.
type Taken struct {
	Room  string     `json:"room"`
	From  hotel.Date `json:"from"`
	To    hotel.Date `json:"to"`
	Rooms int        `json:"rooms"` // 1 or more
}

// SoldRoom is [connectors.SoldRoom] without what is the house's own affair.
type SoldRoom struct {
	Room  string   `json:"room"`
	Rates []string `json:"rates"`

	Code              string   `json:"code"` // the house's own
	Name              string   `json:"name"`
	Description       string   `json:"description,omitempty"`
	TotalUnits        int      `json:"total_units,omitempty"`
	BaseOccupancy     int      `json:"base_occupancy"`
	MinOccupancy      int      `json:"min_occupancy,omitempty"`
	StandardOccupancy int      `json:"standard_occupancy,omitempty"` // left out: the base occupancy
	MaxAdults         int      `json:"max_adults"`
	MaxChildren       int      `json:"max_children"`
	MaxInfants        *int     `json:"max_infants,omitempty"` // left out: as many as there is room for
	MaxOccupancy      int      `json:"max_occupancy"`
	InfantsUseBed     bool     `json:"infants_use_bed,omitempty"`
	BedTypes          []string `json:"bed_types,omitempty"`
	Amenities         []string `json:"amenities,omitempty"`
}

// Property is [hotel.Property] as a guest may know it: nothing of how it is run.
type Property struct {
	Name        string          `json:"name"`
	TimeZone    string          `json:"time_zone"`
	Currency    hotel.Currency  `json:"currency"`
	Country     string          `json:"country"`
	Address     hotel.Address   `json:"address,omitzero"`
	Geo         *hotel.Geo      `json:"geo,omitempty"`
	Phone       string          `json:"phone,omitempty"`
	Email       string          `json:"email,omitempty"`
	CheckIn     string          `json:"check_in_time"`
	CheckOut    string          `json:"check_out_time"`
	DayRoll     string          `json:"day_roll_time"`
	HorizonDays int             `json:"booking_horizon_days"`
	CutOff      *hotel.CutOff   `json:"cut_off,omitempty"`
	Taxes       []hotel.Tax     `json:"taxes,omitempty"`
	AgeBands    []hotel.AgeBand `json:"age_bands,omitempty"`
}

// FromRooms writes what is sold on a channel.
func FromRooms(sold []connectors.SoldRoom) []SoldRoom {
	out := make([]SoldRoom, 0, len(sold))
	for _, s := range sold {
		t := s.Type
		out = append(out, SoldRoom{
			Room: s.Room, Rates: append([]string{}, s.Rates...), Code: t.Code, Name: t.Name, Description: t.Description, TotalUnits: t.TotalUnits,
			BaseOccupancy: t.BaseOccupancy, MinOccupancy: t.MinOccupancy, StandardOccupancy: t.StandardOccupancy, MaxAdults: t.MaxAdults,
			MaxChildren: t.MaxChildren, MaxInfants: t.MaxInfants, MaxOccupancy: t.MaxOccupancy, InfantsUseBed: t.InfantsUseBed,
			BedTypes: t.BedTypes, Amenities: t.Amenities,
		})
	}
	return out
}

// Read returns the room as the seam knows it.
func (s SoldRoom) Read() connectors.SoldRoom {
	return connectors.SoldRoom{Room: s.Room, Rates: s.Rates, Type: hotel.RoomType{
		Code: s.Code, Name: s.Name, Description: s.Description, TotalUnits: s.TotalUnits,
		BaseOccupancy: s.BaseOccupancy, MinOccupancy: s.MinOccupancy, StandardOccupancy: s.StandardOccupancy, MaxAdults: s.MaxAdults,
		MaxChildren: s.MaxChildren, MaxInfants: s.MaxInfants, MaxOccupancy: s.MaxOccupancy, InfantsUseBed: s.InfantsUseBed,
		BedTypes: s.BedTypes, Amenities: s.Amenities,
	}}
}

// FromTaken writes how many rooms are taken, by room and night. Nights on which none is are
// left out.
func FromTaken(taken map[string]map[hotel.Date]int) []Taken {
	out := []Taken{}
	for _, room := range slices.Sorted(maps.Keys(taken)) {
		for _, night := range slices.Sorted(maps.Keys(taken[room])) {
			n, last := taken[room][night], len(out)-1
			switch {
			case n <= 0:
			case last >= 0 && out[last] == (Taken{room, out[last].From, night - 1, n}):
				out[last].To = night
			default:
				out = append(out, Taken{room, night, night, n})
			}
		}
	}
	return out
}

// ReadTaken returns what is said of some nights by room and night, as the seam knows it.
func ReadTaken(said []Taken, nights hotel.Span) map[string]map[hotel.Date]int {
	out := map[string]map[hotel.Date]int{}
	for _, t := range said {
		for night := max(t.From, nights.From); night <= min(t.To, nights.To); night++ {
			if out[t.Room] == nil {
				out[t.Room] = map[hotel.Date]int{}
			}
			out[t.Room][night] = t.Rooms
		}
	}
	return out
}

// FromProperty writes a property.
func FromProperty(p hotel.Property) *Property {
	return &Property{
		Name: p.Name, TimeZone: p.TimeZone, Currency: p.Currency, Country: p.Country, Address: p.Address, Geo: p.Geo, Phone: p.Phone, Email: p.Email,
		CheckIn: p.CheckIn, CheckOut: p.CheckOut, DayRoll: p.DayRoll, HorizonDays: p.HorizonDays, CutOff: p.CutOff, Taxes: p.Taxes, AgeBands: p.AgeBands,
	}
}

// Read returns the property as the seam knows it.
func (p *Property) Read() hotel.Property {
	return hotel.Property{
		Name: p.Name, TimeZone: p.TimeZone, Currency: p.Currency, Country: p.Country, Address: p.Address, Geo: p.Geo, Phone: p.Phone, Email: p.Email,
		CheckIn: p.CheckIn, CheckOut: p.CheckOut, DayRoll: p.DayRoll, HorizonDays: p.HorizonDays, CutOff: p.CutOff, Taxes: p.Taxes, AgeBands: p.AgeBands,
	}
}
