package hotel

import (
	"slices"
	"strings"
	"time"
)

// Reservation is one room booked for one stay. Rooms booked together share a
// GroupID. What people wrote about it, and its guest, are kept apart from the
// rest: they are nobody's business who reads the journal.
type Reservation struct {
	Entity          `json:"-"`
	Confirmation    string              `json:"confirmation"` // ten characters that a guest can read out
	PropertyID      string              `json:"property_id"`
	GroupID         string              `json:"group_id,omitempty"`
	BlockID         string              `json:"block_id,omitempty"` // draws from this block's lines rather than from what is free
	Status          ReservationStatus   `json:"status"`
	HoldExpires     time.Time           `json:"hold_expires_at,omitzero"` // when it is declined unless confirmed
	RoomTypeID      string              `json:"room_type_id,omitempty"`   // what is consumed; "" while a channel's code is unmapped
	RatePlanID      string              `json:"rate_plan_id,omitempty"`
	BookedRoom      string              `json:"booked_room_type_id,omitempty"` // the room type that was sold
	HeldRoom        string              `json:"held_room_type_id,omitempty"`   // the room type held meanwhile when unmapped
	RoomNumber      string              `json:"room_number,omitempty"`
	Stay            Stay                `json:"stay"`
	FirstOut        Date                `json:"original_check_out"`
	RoomUntil       Date                `json:"room_until,omitempty"`    // up to when the room is taken, where that is not the check-out; 0: it is
	EarlierRooms    []EarlierRoom       `json:"earlier_rooms,omitempty"` // of a guest who was moved in mid-stay, in order
	ArrivalTime     string              `json:"expected_arrival_time,omitempty"`
	Adults          int                 `json:"adults"`
	ChildrenAges    []int               `json:"children_ages,omitempty"` // -1: the channel gave only a count
	GuestID         string              `json:"guest_id"`
	Guest           Guest               `json:"-"`
	Companions      []string            `json:"additional_guest_ids,omitempty"` // further guests
	SuggestedGuests []string            `json:"suggested_guest_ids,omitempty"`  // profiles that may be of the same person
	GuestRevision   int64               `json:"-"`                              // of the guest's profile
	Source          Source              `json:"source"`
	Nightly         []NightPrice        `json:"nightly,omitempty"`
	Extras          []Extra             `json:"extras,omitempty"`
	Total           Money               `json:"total"` // sum of Nightly, or what the channel said; no currency when PriceKnown is false
	PriceKnown      bool                `json:"price_known"`
	Totals          *Totals             `json:"totals,omitempty"`   // what the whole comes to; nil when PriceKnown is false
	TaxMode         TaxMode             `json:"tax_mode,omitempty"` // of Nightly
	Free            bool                `json:"complimentary,omitempty"`
	HouseUse        bool                `json:"house_use,omitempty"`
	Exchange        *BookingExchange    `json:"exchange,omitempty"`          // of a price in another currency than the property's; nil: no rate is known
	Commission      *Money              `json:"commission,omitempty"`        // nil: unknown
	NetOfCommission bool                `json:"net_of_commission,omitempty"` // prices are what is left after the commission, and not what the guest pays
	Guarantee       string              `json:"guarantee,omitempty"`         // none, card_on_file, deposit or prepaid
	DepositPaid     *Money              `json:"deposit_paid,omitempty"`
	Policy          *CancellationPolicy `json:"cancellation_policy,omitempty"` // the plan's when it was booked
	NoShowFee       *Penalty            `json:"no_show,omitempty"`             // likewise
	Cancel          *Cancellation       `json:"cancel,omitempty"`              // also of a no-show
	Refused         DeclineReason       `json:"decline_reason,omitempty"`
	Arrived         *Passage            `json:"arrived,omitempty"`
	Departed        *Passage            `json:"departed,omitempty"`
	Overbooked      bool                `json:"overbooked,omitempty"` // it found no room when it came
	Issues          []Issue             `json:"issues,omitempty"`
	Kept            []KeptField         `json:"kept_fields,omitempty"`
	Actions         []ChannelAction     `json:"channel_actions,omitempty"`
	Acknowledged    *Acknowledgement    `json:"acknowledged,omitempty"`
	Imported        bool                `json:"imported,omitempty"` // it existed before it was known here
	Segment         string              `json:"market_segment,omitempty"`
	Tags            []string            `json:"tags,omitempty"`
	Words           `json:"-"`
	Sequence        int64 `json:"-"` // journal position of the last change
}

// ReservationRevision is how a reservation stood after one of its changes, which is
// at the journal position Sequence.
type ReservationRevision struct {
	Reservation
	Event string // what had happened, such as reservation.checked_in
	Actor Actor
}

// IgnoredMessage is what a channel said of a booking that had heard newer by then, and
// that changed nothing of a reservation.
type IgnoredMessage struct {
	Key        string // of the message, as the channel's connector names it
	Event      string // booked, modified or cancelled
	Revision   string // the channel's own; "": it has none
	ModifiedAt time.Time
	At         time.Time // when it came
	// The journal positions of the first and the last entry that followed from it. Where it
	// names several rooms, some of them may have changed.
	First, Sequence int64
}

// Words are what somebody wrote about a booking, and a card that stands for its
// guarantee. They are kept with the guest's data, for they may name people.
type Words struct {
	Notes        string            `json:"notes,omitempty"`
	Requests     string            `json:"requests,omitempty"` // what the guest asked for
	Invoice      *Invoice          `json:"invoice_address,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	Card         *Card             `json:"card,omitempty"`
	CardAccess   *CardAccess       `json:"card_access,omitempty"`
	CancelReason string            `json:"cancel_reason,omitempty"`
	CancelNote   string            `json:"cancel_note,omitempty"`
}

// ReservationStatus is where a reservation stands. Which status holds a room, and
// how one follows another, is in package stay.
type ReservationStatus string

// The statuses.
const (
	Enquired   ReservationStatus = "enquired"   // somebody asked; no room is held
	Requested  ReservationStatus = "requested"  // asked for firmly; a room is held until we answer
	Held       ReservationStatus = "held"       // a room is kept for somebody who still has to decide
	Waitlisted ReservationStatus = "waitlisted" // there was no room; it is told when there is
	Confirmed  ReservationStatus = "confirmed"
	CheckedIn  ReservationStatus = "checked_in"
	CheckedOut ReservationStatus = "checked_out"
	Cancelled  ReservationStatus = "cancelled"
	NoShow     ReservationStatus = "no_show"
	Declined   ReservationStatus = "declined" // refused, or left to expire
)

// DeclineReason says why a reservation was declined.
type DeclineReason string

// The reasons: the house or the guest said no, or nobody said anything in time.
const (
	ByProperty DeclineReason = "property"
	ByGuest    DeclineReason = "guest"
	Expired    DeclineReason = "expired"
)

// RoomOn returns the room type that the reservation takes on a night.
func (r *Reservation) RoomOn(night Date) string {
	for _, e := range r.EarlierRooms {
		if night < e.Until {
			return e.RoomTypeID
		}
	}
	if r.RoomTypeID == "" {
		return r.HeldRoom
	}
	return r.RoomTypeID
}

// EarlierRoom is where a guest slept before being moved.
type EarlierRoom struct {
	Until      Date   `json:"until"` // exclusive
	RoomTypeID string `json:"room_type_id"`
}

// Direct is the channel id of bookings that came through no channel.
const Direct = "direct"

// Source says where a booking came from.
type Source struct {
	ChannelID  string    `json:"channel_id"`                  // Direct, or a channel's id
	Place      string    `json:"place,omitempty"`             // where the channel was joined to when it told of it: see [Channel]
	SubChannel string    `json:"sub_channel,omitempty"`       // the seller behind a relay
	Reference  string    `json:"channel_reference,omitempty"` // the channel's reservation number
	Reuse      int       `json:"reference_reuse,omitempty"`   // how many bookings of the channel had the reference before
	RoomRef    string    `json:"room_reference,omitempty"`    // the channel's number of the room in it
	Revision   string    `json:"channel_revision,omitempty"`  // the channel's ordering token of the newest message applied
	ModifiedAt time.Time `json:"channel_modified_at,omitzero"`
	BookedAt   time.Time `json:"booked_at"`
	Collect    Collector `json:"collect,omitempty"`
}

// SameSeller reports whether two sources of a channel may have the same seller behind it:
// who does not name one may mean any, and each writes a name in its own way.
func (s Source) SameSeller(o Source) bool {
	return s.SubChannel == "" || o.SubChannel == "" || strings.EqualFold(s.SubChannel, o.SubChannel)
}

// Collector is who takes the guest's money.
type Collector string

// The collectors.
const (
	HotelCollects   Collector = "hotel"
	ChannelCollects Collector = "channel"
)

// AmountBasis is what the prices of a booking are.
type AmountBasis string

// The bases.
const (
	GuestPrice      AmountBasis = "guest_price"       // what the guest pays
	NetOfCommission AmountBasis = "net_of_commission" // what is left of that after the commission
)

// NightPrice is what one night costs, and by which plan. An overridden one was set
// by hand and is not priced again.
type NightPrice struct {
	Date       Date   `json:"date"`
	RatePlanID string `json:"rate_plan_id,omitempty"`
	Amount     Money  `json:"amount"`
	Override   bool   `json:"override,omitempty"`
}

// Totals are what a stay comes to. Room and Extras are without VAT, and Gross is
// their sum with it. City tax is in neither.
type Totals struct {
	Room    Money `json:"room"`
	Extras  Money `json:"extras"`
	VAT     Money `json:"vat"`
	Gross   Money `json:"gross"`
	CityTax Money `json:"city_tax"` // due at the property, in its currency
}

// Extra is something sold with the room: so many on each date from DateFrom to
// DateTo, both inclusive.
type Extra struct {
	Code      string `json:"code"`
	Name      string `json:"name,omitempty"`
	DateFrom  Date   `json:"date_from"`
	DateTo    Date   `json:"date_to"`
	Quantity  int    `json:"quantity"`
	UnitPrice Money  `json:"unit_price"`
}

// Issue is something odd about a channel's message that a person should see.
type Issue struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// HasIssue reports whether something of a code is odd about the reservation.
func (r *Reservation) HasIssue(code string) bool {
	return slices.ContainsFunc(r.Issues, func(i Issue) bool { return i.Code == code })
}

// Cancellation says when and by whom a reservation was cancelled or marked as a
// no-show, and what that costs the guest.
type Cancellation struct {
	At      time.Time `json:"at"`
	By      Actor     `json:"by"`
	Penalty *Money    `json:"penalty,omitempty"` // nil: not known, for want of a price or a policy
	Waived  bool      `json:"waived,omitempty"`
}

// Passage is a guest's arrival or departure.
type Passage struct {
	At      time.Time `json:"at"`
	On      Date      `json:"on"`                     // business date
	Assumed bool      `json:"assumed,omitempty"`      // by the day roll: nobody saw it
	Room    string    `json:"room_type_id,omitempty"` // of an arrival: where the guest moved in
	Booked  Stay      `json:"booked,omitzero"`        // of a departure: the stay before the guest left
}

// KeptField is a member that somebody here set on a channel's booking. Later
// messages of the channel leave it alone.
type KeptField struct {
	Field string    `json:"field"`
	By    Actor     `json:"by"`
	At    time.Time `json:"at"`
}

// The fields that can be kept: the room type, the guest's particulars, who sleeps in
// the room, children included, and what the channel says besides.
const (
	KeptRoom       = "room_type_id"
	KeptGuest      = "guest"
	KeptParty      = "adults"
	KeptCompanions = "additional_guest_ids"
	KeptArrival    = "expected_arrival_time"
	KeptRequests   = "guest_requests"
	KeptExtras     = "extras"
	KeptDeposit    = "deposit_paid"
)

// Keeps reports whether a field was set by somebody here.
func (r *Reservation) Keeps(field string) bool {
	for _, k := range r.Kept {
		if k.Field == field {
			return true
		}
	}
	return false
}

// Acknowledgement is a client's word that it has stored a revision.
type Acknowledgement struct {
	Revision  int64     `json:"revision"`
	At        time.Time `json:"at"`
	Reference string    `json:"pms_reference,omitempty"`
}

// Invoice is who pays, as it is to stand on the bill.
type Invoice struct {
	Name    string `json:"name,omitempty"`
	Company string `json:"company,omitempty"`
	TaxID   string `json:"tax_id,omitempty"`
	Email   string `json:"email,omitempty"`
	Country string `json:"country,omitempty"`
	Address
}

// cardBrands are the types of cards in the codes of OpenTravel (OTA PaymentCardProvider),
// which channels use.
var cardBrands = map[string]string{
	"AX": "american_express", "BC": "bank_card", "BL": "carte_bleue", "CU": "unionpay", "DN": "diners_club", "DS": "discover", "EL": "electron",
	"JC": "jcb", "MA": "maestro", "MC": "mastercard", "VI": "visa",
}

// CardBrand names a type of card by its code of OpenTravel; "" for what has none.
func CardBrand(code string) string { return cardBrands[code] }

// Card is what may be known of a payment card. There is no number in it.
type Card struct {
	Brand       string    `json:"brand,omitempty"`
	Last4       string    `json:"last4,omitempty"`
	ExpMonth    int       `json:"exp_month,omitempty"`
	ExpYear     int       `json:"exp_year,omitempty"`
	TokenRef    string    `json:"token_ref,omitempty"`
	Virtual     bool      `json:"virtual,omitempty"`
	ActiveFrom  time.Time `json:"active_from,omitzero"`
	ActiveUntil time.Time `json:"active_until,omitzero"`
	Balance     *Money    `json:"balance,omitempty"`
	ChargeAt    *Date     `json:"charge_at,omitempty"`
}

// CardAccess says where whoever may charge the card gets at it, since its number is
// not kept here.
type CardAccess struct {
	Kind  string    `json:"kind"`           // extranet, token or none
	URL   string    `json:"url,omitempty"`  // of the page at the channel or of whoever keeps the token
	Until time.Time `json:"until,omitzero"` // when it ends; zero: nobody said
}

// The kinds of access to a card.
const (
	CardInExtranet = "extranet" // shown by the channel to the hotel's people
	CardByToken    = "token"    // kept by somebody who charges it for the card's token_ref
	CardNowhere    = "none"     // nobody here can get at it
)
