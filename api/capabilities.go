package api

import (
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// capabilitiesBody is what a channel can do, in the words of hotel.Terms.
type capabilitiesBody struct {
	StockPer     string                  `json:"stock_per" enum:"room,product" doc:"The number that goes down by itself when it sells."`
	Fields       map[string]carriageBody `json:"fields" doc:"How each field travels. One that is missing is absent: the channel cannot carry it."`
	Stay         *string                 `json:"stay" enum:"arrival,through,both" doc:"On which nights it reads a minimum stay: that of the arrival, every one of the stay, or each has a field of its own; null: it is told none."`
	Occupancies  bool                    `json:"occupancies" doc:"Takes a price for each number of guests."`
	Otherwise    []string                `json:"occupancies_otherwise" doc:"The rates there, by their codes, of which the opposite is so."`
	Currencies   []string                `json:"currencies" doc:"Empty: any."`
	HorizonDays  *int                    `json:"horizon_days" doc:"The farthest night that it takes, in days from today; null: no limit."`
	ClosesApart  bool                    `json:"closes_apart" doc:"That a night is closed is told in other calls than counts are, so that it can be closed while its count is not taken."`
	CutOff       bool                    `json:"cut_off" doc:"It has a last minute of its own for arrivals. Those of the house, the plan and the channel are sent to it all the same, at their minute: the earliest counts."`
	Sellers      string                  `json:"sellers" enum:"one,many"`
	Sites        *int                    `json:"sites" doc:"Of many sellers: at how many one count is shown at the most, each selling it by itself; null: nobody knows, or it is one."`
	PerSeller    bool                    `json:"per_seller" doc:"It takes a price or a share of its own for each seller. No connector does: a markup of a single seller is refused, its commission counts in reports."`
	KeepsSum     bool                    `json:"keeps_sum" doc:"Of many sellers: none sells what the relay has not taken off its one count before."`
	Acknowledges string                  `json:"acknowledges" enum:"queue,relay,seller" doc:"What its yes means."`
	AdjustsOn    adjustsBody             `json:"adjusts_on" doc:"Whether it moves its own count."`
	Difference   string                  `json:"difference" enum:"none,clamps,refuses" doc:"What it does with a change of its count that would take it below 0; none: it is told counts, never changes of them."`
	TotalLimit   bool                    `json:"total_limit" doc:"A number is the most that it may sell in all, what it has sold included."`
	AtMostOnce   bool                    `json:"at_most_once"`
	Versions     bool                    `json:"versions" doc:"It refuses what is older than the last."`
	RepeatKey    bool                    `json:"repeat_key"`
	ListsByDate  bool                    `json:"lists_by_date"`
	BookingTime  bool                    `json:"reports_booking_time" doc:"What it tells of a new booking says when it was made there. Otherwise nobody knows whether it was made before a closing took effect."`
	FeedOrder    string                  `json:"feed_order" enum:"none,revision_text,revision_number,time,revision_count" doc:"Which part of a message says which of two about one booking is newer; revision_count: a number that grows by one, so that a message that did not come is missed."`
	Groups       string                  `json:"groups" enum:"whole,change" doc:"Which rooms a message about a booking of several names: all of them, the others being gone, or those that change."`
	Lifetime     *float64                `json:"lifetime" doc:"Seconds after which a call that was not answered can no longer take effect; null: no promise."`
	SaleSettle   *float64                `json:"sale_settle" doc:"Seconds from a sale until a list of bookings shows it; null: it tells nothing."`
	GuardLevel   string                  `json:"guard_level" enum:"guaranteed,one_way,bounded_risk,close_only" doc:"What guarded pools can promise about it. Below one_way it is kept closed on guarded nights."`
	PollSeconds  *float64                `json:"their_poll_interval" doc:"Seconds between its readings of us; null: we push."`
	Buckets      []bucketBody            `json:"buckets" doc:"Its published limits."`
	InOrder      bool                    `json:"in_order"`
	Reads        bool                    `json:"reads" doc:"It can be asked what it shows."`
	Lists        bool                    `json:"lists" doc:"It can be asked for its bookings by date."`
	Polls        bool                    `json:"polls" doc:"Its bookings are fetched."`
	Receives     bool                    `json:"receives" doc:"Its bookings are pushed to us."`
	Serves       bool                    `json:"serves" doc:"The hotel's own system: it writes facts of the property and takes its reservations, and sells nothing."`
	Catalog      bool                    `json:"catalog" doc:"It can be asked what it sells."`
	Actions      []actionBody            `json:"actions" doc:"What it can be asked to do with its bookings; anything else is done in its extranet."`
}

type actionBody struct {
	Kind          string   `json:"kind" enum:"confirm,decline,cancel,shorten,no_show"`
	AnswerSeconds *float64 `json:"answers_within" doc:"Seconds for which its answer is waited for; null: an hour."`
	WindowSeconds *float64 `json:"taken_within" doc:"Of a no-show: seconds from the midnight of the arrival date for which it is taken; null: for good."`
}

type carriageBody struct {
	Carriage string `json:"carriage" enum:"exact,coarser,absent"`
	Min      *int   `json:"min,omitempty"`
	Max      *int   `json:"max,omitempty"`
	Level    string `json:"level" enum:"product,room,property" doc:"What one value of it is for."`

	ThroughIncludesDeparture bool `json:"through_includes_departure,omitempty" doc:"Of a length that is read on every night: it is read on the check-out date too."`
	ResetsWhenOmitted        bool `json:"resets_when_omitted,omitempty" doc:"A message about the night that leaves it out sets it back to a default of the channel's own."`
}

type adjustsBody struct {
	Book   string `json:"book" enum:"yes,no,never,unknown"`
	Modify string `json:"modify" enum:"yes,no,never,unknown"`
	Cancel string `json:"cancel" enum:"yes,no,never,unknown"`
}

type bucketBody struct {
	Operation  string  `json:"operation" doc:"Empty: every one."`
	Scope      string  `json:"scope" enum:"account,property"`
	Limit      int     `json:"limit"`
	PerSeconds float64 `json:"per_seconds"`
	Remaining  int     `json:"remaining"`
}

func capabilitiesOf(a hotel.Abilities) capabilitiesBody {
	b := capabilitiesBody{
		StockPer: a.StockPer.String(), Fields: map[string]carriageBody{}, Occupancies: a.Occupancies, Otherwise: some(a.Otherwise), Currencies: some(a.Currencies),
		HorizonDays: positive(a.HorizonDays), Sellers: a.Sellers.String(), Sites: positive(a.Sites), KeepsSum: a.KeepsSum, Acknowledges: a.Acknowledges.String(),
		AdjustsOn:  adjustsBody{a.AdjustsOn.Book.String(), a.AdjustsOn.Modify.String(), a.AdjustsOn.Cancel.String()},
		TotalLimit: a.TotalLimit, FeedOrder: a.FeedOrder.String(), Difference: "none", Groups: "whole",
		AtMostOnce: a.AtMostOnce, Versions: a.Versions, RepeatKey: a.RepeatKey, ListsByDate: a.ListsByDate, BookingTime: a.BookingTime, CutOff: a.CutOff, ClosesApart: a.ClosesApart,
		InOrder: a.InOrder, Reads: a.Reads, Lists: a.Lists, Polls: a.Polls, Receives: a.Receives, Serves: a.Serves, Catalog: a.Catalog,
	}
	if a.PartialGroups {
		b.Groups = "change"
	}
	b.GuardLevel = string(exposure.LevelOf(a.Terms))
	b.Lifetime, b.PollSeconds = span(a.Lifetime), span(a.TheirPollInterval)
	if a.SaleSettle != hotel.Never {
		s := a.SaleSettle.Seconds()
		b.SaleSettle = &s
	}
	for f, c := range a.Fields {
		b.Fields[string(f)] = carriageBody{c.As.String(), positive(c.Min), positive(c.Max), c.Level.String(), c.ThroughIncludesDeparture, c.ResetsWhenOmitted}
	}
	b.Stay = stayOf(a.Terms)
	b.Buckets = bucketsOf(a.Limits)
	b.Actions = []actionBody{}
	for _, action := range a.Actions {
		b.Actions = append(b.Actions, actionBody{string(action.Kind), span(action.Answers), span(action.Within)})
	}
	return b
}

// stayOf says on which nights a channel reads a minimum stay; nil: it is told none.
func stayOf(t hotel.Terms) *string {
	arrival, through := t.Fields[hotel.FieldMinStayArrival].As == hotel.Exact, t.Fields[hotel.FieldMinStayThrough].As == hotel.Exact
	switch {
	case arrival && through:
		return new("both")
	case arrival:
		return new("arrival")
	case through:
		return new("through")
	}
	return nil
}

func bucketsOf(limits []hotel.Limit) []bucketBody {
	buckets := []bucketBody{}
	for _, l := range limits {
		scope := "account"
		if l.PerProperty {
			scope = "property"
		}
		buckets = append(buckets, bucketBody{l.Operation, scope, l.N, l.Per.Seconds(), l.Remaining})
	}
	return buckets
}

// span is null for a time that is not set.
func span(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	return new(d.Seconds())
}

// positive is null for a bound that is not set.
func positive(n int) *int {
	if n <= 0 {
		return nil
	}
	return &n
}
