package hotel

// Channel is one configured connection of one property to an external channel.
type Channel struct {
	Entity     `json:"-"`
	PropertyID string                 `json:"property_id"`
	Connector  string                 `json:"connector"`
	Name       string                 `json:"name"`
	Status     ChannelStatus          `json:"status"`
	Frozen     bool                   `json:"frozen,omitempty"` // paused as it stood, not closed: it is told nothing
	Shadow     bool                   `json:"shadow,omitempty"` // looked at beside whoever runs it: worked out, and told nothing
	Audit      *Audit                 `json:"audit,omitempty"`  // since the ledger was restored from a backup; nil: nothing is to be found out
	Settings   []byte                 `json:"-"`                // JSON, over the connector's defaults; holds secrets, never shown as it is
	Account    string                 `json:"account"`          // whose buckets and breaker it shares
	Place      string                 `json:"place,omitempty"`  // the far side and the property there that it is joined to
	Moved      bool                   `json:"moved,omitempty"`  // joined to another place while it was paused, and not live since: what that has sold is not known
	Markup     *Markup                `json:"markup,omitempty"`
	Schedule   string                 `json:"schedule"`                     // cron expression of the reservations pull
	ReadBack   string                 `json:"read_back_schedule,omitempty"` // cron expression by which everything that it shows is read; "": every hour
	Days       *int                   `json:"horizon_days,omitempty"`       // so many days from today on it is sold at the most, and closed beyond; nil: as far as the property sells and the far side takes
	Pricing    ChannelPricing         `json:"pricing,omitzero"`
	CutOff     *CutOff                `json:"cut_off,omitempty"`
	Commission *Commission            `json:"commission,omitempty"`
	Sellers    map[string]SellerTerms `json:"sellers,omitempty"` // what is other about single sellers behind a relay, by name
	Weight     *int                   `json:"weight,omitempty"`  // its share when guarded rooms are dealt; nil: what it has sold lately
	Policies   Policies               `json:"policies,omitzero"`
	Priority   int                    `json:"priority,omitempty"` // of two that are alike the lower number is dealt to first
}

// DefaultReadBack is when everything that a channel shows is read unless it says
// otherwise.
const DefaultReadBack = "@every 1h"

// DefaultRefresh is when a channel that cannot be asked what it shows is told
// everything again unless it says otherwise.
const DefaultRefresh = "@every 24h"

// ChannelPricing is what a channel's prices are made into. The zero value sends
// them as the property has them.
type ChannelPricing struct {
	Basis    PriceBasis `json:"price_basis,omitempty"`   // "": as the plan has it
	Currency Currency   `json:"currency,omitempty"`      // "": the property's
	Exchange *Exchange  `json:"exchange_rate,omitempty"` // required when the currency is another
	Guard    PriceGuard `json:"price_guard,omitzero"`
}

// PriceBasis says whether the prices sent contain taxes.
type PriceBasis string

// The bases.
const (
	TaxIncluded PriceBasis = "tax_included"
	TaxExcluded PriceBasis = "tax_excluded"
)

// Exchange turns the property's currency into the channel's: so many units of it
// for one of the property's, as somebody typed it.
type Exchange struct {
	Rate string `json:"rate"` // decimal
	Date Date   `json:"date"` // the day whose rate it is
}

// PriceGuard holds back prices that look like a slip of the hand.
type PriceGuard struct {
	Floor        *Money    `json:"floor,omitempty"`
	Ceiling      *Money    `json:"ceiling,omitempty"`
	MaxChangePct string    `json:"max_change_pct,omitempty"` // against the last acknowledged price of the night; "": any change
	TooHigh      GuardRule `json:"too_high,omitempty"`       // "": GuardHold
}

// GuardRule is what happens to a price that is too high. One that is too low is
// always held.
type GuardRule string

// Hold keeps what is shown, Close takes the night off sale, Send sends it and
// tells somebody.
const (
	GuardHold  GuardRule = "hold"
	GuardClose GuardRule = "close"
	GuardSend  GuardRule = "send"
)

// Commission is what a channel takes for a booking.
type Commission struct {
	Pct      string `json:"pct"`
	Base     string `json:"base"` // gross or net_of_tax
	OnNoShow bool   `json:"on_no_show_charge"`
}

// SellerTerms is what is other about one seller behind a relay than about the channel.
type SellerTerms struct {
	Markup     *Markup     `json:"markup,omitempty"` // only where the relay takes a price for each
	Commission *Commission `json:"commission,omitempty"`
}

// ChannelStatus is where a channel stands in its life.
type ChannelStatus string

// The states of a channel.
const (
	Draft         ChannelStatus = "draft"        // never reached yet
	Testing       ChannelStatus = "testing"      // it was reached; bookings are received, it is told nothing
	ChannelActive ChannelStatus = "active"       // it is kept equal to the ledger
	Paused        ChannelStatus = "paused"       // it is kept closed or, frozen, told nothing; bookings are received
	Disconnected  ChannelStatus = "disconnected" // nothing goes either way
)

// Receives reports whether bookings of a channel in this state are taken in.
func (s ChannelStatus) Receives() bool { return s != Draft && s != Disconnected }

// Told reports whether the channel is told anything: what it is to sell, or
// while it is paused that nothing is for sale.
func (c Channel) Told() bool {
	return !c.Shadow && (c.Status == ChannelActive || c.Status == Paused && !c.Frozen)
}

// ShutByUs reports whether the channel stands in a pause of ours: nobody else runs it, and
// it comes back to what it showed before.
func (c Channel) ShutByUs() bool { return c.Status == Paused && !c.Shadow }

// Live reports whether the channel is told whatever changes.
func (c Channel) Live() bool { return c.Status == ChannelActive && !c.Shadow }

// Derived reports whether what the channel is to show is worked out, told or not.
func (c Channel) Derived() bool { return c.Status == ChannelActive || c.Status == Paused }

// Readable reports whether the channel is asked what it shows: one that is told what to
// show, and one in shadow.
func (c Channel) Readable() bool { return c.Told() || c.InShadow() && c.Derived() }

// InShadow reports whether somebody else may be running the channel still. Nothing
// is sent to it then, nothing acknowledged, and nothing read that is gone once it
// was read: its bookings are listed. It is so from the first test on until it goes
// live.
func (c Channel) InShadow() bool {
	return c.Shadow || c.Status == Draft || c.Status == Testing
}

// Markup is what a channel's price has on top of the property's.
type Markup struct {
	Kind  AdjustmentKind `json:"kind"`
	Value string         `json:"value"` // decimal
}

// Expect refuses, as precondition_failed, a channel that is at another revision
// than somebody has seen; 0 is any.
func (c Channel) Expect(revision int64) error {
	if revision == 0 || revision == c.Revision {
		return nil
	}
	r := Refuse("precondition_failed", "the channel has been changed meanwhile")
	r.Members = map[string]any{"revision": c.Revision}
	return r
}

// Mapping joins one product of ours with one of a channel's. One remote product
// maps to one of ours; one room type may map to several remote rooms.
type Mapping struct {
	Line       int64 // numbers the mapping in the ledger; 0 before it is stored
	ChannelID  string
	RoomTypeID string
	RatePlanID string
	RemoteRoom string
	RemoteRate string
	Guests     int  // whom the price told is for, in adults; 0: those of the room type's base occupancy
	Retired    bool // nothing is sold under the code any more: it is kept closed
}
