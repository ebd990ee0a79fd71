package wire

import (
	"fmt"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Capabilities are [connectors.Capabilities] in words. What is left out is not
// claimed; times are whole seconds.
type Capabilities struct {
	// What can be told.
	StockPer    string                   `json:"stock_per"`
	Fields      map[hotel.Field]Carriage `json:"fields"`
	Occupancies bool                     `json:"occupancies,omitempty"`
	Otherwise   []string                 `json:"occupancies_otherwise,omitempty"`
	Currencies  []string                 `json:"currencies,omitempty"`
	HorizonDays int                      `json:"horizon_days,omitempty"`
	CutOff      bool                     `json:"cut_off,omitempty"`

	// Who sells.
	Sellers      string `json:"sellers"`
	Sites        int    `json:"sites,omitempty"`
	KeepsSum     bool   `json:"keeps_sum,omitempty"`
	Acknowledges string `json:"acknowledges"`

	// How its count moves, and what a request may still do.
	AdjustsOn       Adjusts `json:"adjusts_on,omitzero"`
	TotalLimit      bool    `json:"total_limit,omitempty"`
	AtMostOnce      bool    `json:"at_most_once,omitempty"`
	Versions        bool    `json:"versions,omitempty"`
	RepeatKey       bool    `json:"repeat_key,omitempty"`
	LifetimeSeconds int64   `json:"lifetime_seconds,omitempty"`

	// How its bookings are heard of.
	ListsByDate              bool   `json:"lists_by_date,omitempty"`
	SaleSettleSeconds        int64  `json:"sale_settle_seconds,omitempty"` // -1: never
	TheirPollIntervalSeconds int64  `json:"their_poll_interval_seconds,omitempty"`
	ReportsBookingTime       bool   `json:"reports_booking_time,omitempty"`
	FeedOrder                string `json:"feed_order,omitempty"`
	PartialGroups            bool   `json:"partial_groups,omitempty"`
	PullTimeSeconds          int64  `json:"pull_time_seconds,omitempty"` // how long fetching them once may take, where that is longer than usual

	// What it can be asked to do with its bookings, by act.
	Actions []ActionTerms `json:"actions,omitempty"`

	// What calls may carry, and how often they may be made.
	Operations []Operation `json:"operations"`
	Buckets    []Bucket    `json:"buckets,omitempty"`
	InOrder    bool        `json:"in_order,omitempty"`

	// The calls that the program answers besides open and send.
	Encodes   bool `json:"encodes,omitempty"` // else Ostler packs by the operations
	Reads     bool `json:"reads,omitempty"`
	Whole     bool `json:"reads_whole,omitempty"`
	Lists     bool `json:"lists,omitempty"`
	Polls     bool `json:"polls,omitempty"`
	Receives  bool `json:"receives,omitempty"`
	Publishes bool `json:"publishes,omitempty"`
	Visits    bool `json:"visits,omitempty"` // it says when what it publishes was last read
	Products  bool `json:"products,omitempty"`
	Rereads   bool `json:"rereads,omitempty"`
	Discovers bool `json:"discovers,omitempty"`
	Hints     bool `json:"hints,omitempty"` // what it receives are hints, and its bookings are polled
}

// ActionTerms is [hotel.ActionTerms].
type ActionTerms struct {
	Kind           string `json:"kind"`
	AnswersSeconds int64  `json:"answers_seconds,omitempty"`
	WithinSeconds  int64  `json:"within_seconds,omitempty"`
}

// Carriage is [hotel.Carriage].
type Carriage struct {
	As                       string `json:"as"`
	Min                      int    `json:"min,omitempty"`
	Max                      int    `json:"max,omitempty"`
	Level                    string `json:"level,omitempty"`
	ThroughIncludesDeparture bool   `json:"through_includes_departure,omitempty"`
	ResetsWhenOmitted        bool   `json:"resets_when_omitted,omitempty"`
}

// Adjusts is [hotel.Adjusts].
type Adjusts struct {
	Book   string `json:"book,omitempty"`
	Modify string `json:"modify,omitempty"`
	Cancel string `json:"cancel,omitempty"`
}

// Operation is [connectors.Operation].
type Operation struct {
	Name    string   `json:"name"`
	Groups  []string `json:"groups"`
	About   string   `json:"about,omitempty"`
	Nights  string   `json:"nights,omitempty"`
	Entries int      `json:"entries,omitempty"`
	Bytes   int      `json:"bytes,omitempty"`
	Joined  []string `json:"joined,omitempty"`
	Apart   bool     `json:"apart,omitempty"`
	Opens   bool     `json:"opens,omitempty"`
}

// Bucket is [connectors.Bucket].
type Bucket struct {
	Operation  string `json:"operation,omitempty"`
	Scope      string `json:"scope"`
	N          int    `json:"n"`
	PerSeconds int64  `json:"per_seconds"`
}

var (
	actions = []hotel.ActionKind{hotel.ActionConfirm, hotel.ActionDecline, hotel.ActionCancel, hotel.ActionShorten, hotel.ActionNoShow}
	abouts  = []string{"any_product", "one_room", "one_product"}
	nights  = []string{"in_a_row", "one_night", "by_day_of_week"}
	scopes  = []string{"", "account", "property"}
)

// FromCapabilities writes what a connector of this program can do.
func FromCapabilities(c connectors.Capabilities) Capabilities {
	out := Capabilities{
		StockPer: c.StockPer.String(), Fields: map[hotel.Field]Carriage{}, Occupancies: c.Occupancies, Otherwise: c.Otherwise, Currencies: c.Currencies, HorizonDays: c.HorizonDays, CutOff: c.CutOff,
		Sellers: c.Sellers.String(), Sites: c.Sites, KeepsSum: c.KeepsSum, Acknowledges: c.Acknowledges.String(),
		AdjustsOn:  Adjusts{c.AdjustsOn.Book.String(), c.AdjustsOn.Modify.String(), c.AdjustsOn.Cancel.String()},
		TotalLimit: c.TotalLimit, AtMostOnce: c.AtMostOnce, Versions: c.Versions, RepeatKey: c.RepeatKey,
		LifetimeSeconds: seconds(c.Lifetime), ListsByDate: c.ListsByDate, SaleSettleSeconds: seconds(c.SaleSettle),
		TheirPollIntervalSeconds: seconds(c.TheirPollInterval), ReportsBookingTime: c.BookingTime, FeedOrder: c.FeedOrder.String(), PartialGroups: c.PartialGroups,
		PullTimeSeconds: seconds(c.PullTime),
		InOrder:         c.InOrder, Encodes: true, Reads: c.Reads, Whole: c.ReadsWhole, Lists: c.Lists, Polls: c.Polls, Receives: c.Receives, Publishes: c.Publishes,
		Products: c.HasCatalog, Rereads: c.Rereads, Hints: c.Hints,
	}
	for _, a := range c.Actions {
		out.Actions = append(out.Actions, ActionTerms{string(a.Kind), seconds(a.Answers), seconds(a.Within)})
	}
	for f, carried := range c.Fields {
		out.Fields[f] = Carriage{
			As: carried.As.String(), Min: carried.Min, Max: carried.Max, Level: carried.Level.String(),
			ThroughIncludesDeparture: carried.ThroughIncludesDeparture, ResetsWhenOmitted: carried.ResetsWhenOmitted,
		}
	}
	for _, o := range c.Operations {
		w := Operation{Name: o.Name, About: abouts[o.About], Nights: nights[o.Nights], Entries: o.Entries, Bytes: o.Bytes, Apart: o.Apart, Opens: o.Opens}
		for _, g := range o.Groups {
			w.Groups = append(w.Groups, g.String())
		}
		for _, g := range o.Joined {
			w.Joined = append(w.Joined, g.String())
		}
		out.Operations = append(out.Operations, w)
	}
	for _, b := range c.Buckets {
		out.Buckets = append(out.Buckets, Bucket{Operation: b.Operation, Scope: scopes[b.Scope], N: b.N, PerSeconds: seconds(b.Per)})
	}
	return out
}

// seconds rounds up, so that no promise becomes a shorter one than was meant.
func seconds(d time.Duration) int64 {
	if d == hotel.Never {
		return -1
	}
	return int64((d + time.Second - 1) / time.Second)
}

func duration(seconds int64) time.Duration {
	if seconds < 0 {
		return hotel.Never
	}
	return time.Duration(min(seconds, maxSeconds)) * time.Second
}

// maxSeconds is the longest time that a program can speak of: ten years.
const maxSeconds = 10 * 366 * 24 * 3600

// Read returns what the words mean and every one that has no meaning.
func (c Capabilities) Read() (connectors.Capabilities, []error) {
	r := &reading{}
	out := connectors.Capabilities{
		Terms: hotel.Terms{
			StockPer: need(r, "stock_per", c.StockPer, hotel.PerRoom), Fields: map[hotel.Field]hotel.Carriage{},
			Occupancies: c.Occupancies, Otherwise: c.Otherwise, Currencies: c.Currencies, HorizonDays: r.number("horizon_days", c.HorizonDays), CutOff: c.CutOff,
			Sellers: need(r, "sellers", c.Sellers, hotel.One), Sites: r.number("sites", c.Sites), KeepsSum: c.KeepsSum,
			Acknowledges: need(r, "acknowledges", c.Acknowledges, hotel.ByQueue),
			AdjustsOn: hotel.Adjusts{
				Book: may(r, "adjusts_on.book", c.AdjustsOn.Book, hotel.AdjustUnknown), Modify: may(r, "adjusts_on.modify", c.AdjustsOn.Modify, hotel.AdjustUnknown),
				Cancel: may(r, "adjusts_on.cancel", c.AdjustsOn.Cancel, hotel.AdjustUnknown),
			},
			TotalLimit: c.TotalLimit, AtMostOnce: c.AtMostOnce, Versions: c.Versions, RepeatKey: c.RepeatKey,
			Lifetime:    r.seconds("lifetime_seconds", c.LifetimeSeconds),
			ListsByDate: c.ListsByDate, SaleSettle: duration(c.SaleSettleSeconds),
			TheirPollInterval: r.seconds("their_poll_interval_seconds", c.TheirPollIntervalSeconds),
			BookingTime:       c.ReportsBookingTime,
			FeedOrder:         may(r, "feed_order", c.FeedOrder, hotel.OrderNone), PartialGroups: c.PartialGroups,
		},
		InOrder: c.InOrder, Reads: c.Reads, ReadsWhole: c.Whole, Lists: c.Lists, Polls: c.Polls, Receives: c.Receives, Publishes: c.Publishes,
		HasCatalog: c.Products, Rereads: c.Rereads, Hints: c.Hints, PullTime: r.seconds("pull_time_seconds", c.PullTimeSeconds),
	}
	if c.Publishes && c.Receives {
		r.add("publishes: not together with receives, which is mounted at the same address")
	}
	if c.Publishes != (c.TheirPollIntervalSeconds > 0) {
		r.add("their_poll_interval_seconds: goes with publishes, and only with it")
	}
	if c.Visits && !c.Publishes {
		r.add("visits: goes with publishes")
	}
	if c.Whole && !c.Reads {
		r.add("reads_whole: goes with reads")
	}
	if c.Hints && (!c.Receives || !c.Polls) {
		r.add("hints: goes with receives and polls")
	}
	for i, a := range c.Actions {
		at := fmt.Sprintf("actions[%d]", i)
		if !slices.Contains(actions, hotel.ActionKind(a.Kind)) {
			r.add("%s.kind: %q is none of %q", at, a.Kind, actions)
		}
		out.Actions = append(out.Actions, hotel.ActionTerms{
			Kind: hotel.ActionKind(a.Kind), Answers: r.seconds(at+".answers_seconds", a.AnswersSeconds), Within: r.seconds(at+".within_seconds", a.WithinSeconds),
		})
	}
	for f, carried := range c.Fields {
		at := "fields." + string(f)
		if f.Group() == 0 {
			r.add("%s: there is no such field", at)
		}
		out.Fields[f] = hotel.Carriage{
			As:  need(r, at+".as", carried.As, hotel.Absent),
			Min: r.number(at+".min", carried.Min), Max: r.number(at+".max", carried.Max), Level: may(r, at+".level", carried.Level, hotel.PerRate),
			ThroughIncludesDeparture: carried.ThroughIncludesDeparture, ResetsWhenOmitted: carried.ResetsWhenOmitted,
		}
	}
	for i, o := range c.Operations {
		at := fmt.Sprintf("operations[%d]", i)
		read := connectors.Operation{
			Name: o.Name, About: connectors.About(r.index(at+".about", o.About, abouts)), Nights: connectors.Nights(r.index(at+".nights", o.Nights, nights)), Apart: o.Apart, Opens: o.Opens,
			Entries: r.number(at+".entries", o.Entries), Bytes: r.number(at+".bytes", o.Bytes),
		}
		if o.Name == "" {
			r.add("%s.name: is required", at)
		}
		for _, g := range o.Groups {
			read.Groups = append(read.Groups, need(r, at+".groups", g, hotel.Availability))
		}
		for _, g := range o.Joined {
			read.Joined = append(read.Joined, need(r, at+".joined", g, hotel.Availability))
		}
		if o.Opens && (!slices.Contains(read.Joined, hotel.Price) || !read.Tells(hotel.Closures)) {
			r.add("%s.opens: goes with closures among its groups, and price among what is joined", at)
		}
		out.Operations = append(out.Operations, read)
	}
	for i, b := range c.Buckets {
		at := fmt.Sprintf("buckets[%d]", i)
		if b.N < 1 || b.PerSeconds < 1 || b.Scope == "" {
			r.add("%s: n and per_seconds are at least 1, scope is account or property", at)
		}
		out.Buckets = append(out.Buckets, connectors.Bucket{
			Operation: b.Operation, Scope: connectors.Scope(r.index(at+".scope", b.Scope, scopes)), N: b.N, Per: duration(b.PerSeconds),
		})
	}
	return out, r.mistakes
}
