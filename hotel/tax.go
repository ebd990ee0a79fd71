package hotel

// Tax is one tax or fee of a property.
type Tax struct {
	Code        string  `json:"code"`
	Name        string  `json:"name"`
	Kind        TaxKind `json:"kind"`
	Value       string  `json:"value"`                     // decimal: percent, or an amount in the property's currency
	Included    bool    `json:"included" required:"false"` // prices with tax contain it
	AgeFrom     int     `json:"age_from,omitempty"`        // guests below it do not pay
	MaxNights   int     `json:"max_nights,omitempty"`      // of a stay; 0: all
	Seasons     []Span  `json:"season,omitempty"`          // nights on which it is due; empty: all
	ValidFrom   *Date   `json:"valid_from,omitempty"`      // by night, inclusive
	ValidTo     *Date   `json:"valid_to,omitempty"`
	Cap         *Money  `json:"cap,omitempty"`          // the most of it: for each person and night, or for each room and night where it is not by person
	Base        string  `json:"base,omitempty"`         // room, or room_and_meals
	CollectedBy string  `json:"collected_by,omitempty"` // hotel, channel or as_channel_says
	CountsAs    TaxUse  `json:"counts_as"`
}

// TaxKind says how a tax is measured.
type TaxKind string

// The kinds of tax.
const (
	PercentTax   TaxKind = "percent"
	PerRoomNight TaxKind = "per_room_night"
	PerPersonTax TaxKind = "per_person_night"
	PerStay      TaxKind = "per_stay"
)

// TaxUse says what a tax is in the books. City tax is in no price and no total.
type TaxUse string

// The uses.
const (
	VAT     TaxUse = "vat"
	CityTax TaxUse = "city_tax"
	Fee     TaxUse = "fee"
)
