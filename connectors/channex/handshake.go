package channex

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
)

// property is what of a property's own settings at Channex matters to what is told it, and
// to what becomes of that.
type property struct {
	Currency text             `json:"currency"`
	TimeZone text             `json:"timezone"`
	Settings lenient[keeping] `json:"settings"`
}

// keeping is how Channex keeps a property. What it does not say is as it begins with.
type keeping struct {
	MinStayType text  `json:"min_stay_type"`
	StateLength *int  `json:"state_length"`
	Modify      *bool `json:"allow_availability_autoupdate_on_modification"`
	Cancel      *bool `json:"allow_availability_autoupdate_on_cancellation"`
	MinPrice    text  `json:"min_price"`
	MaxPrice    text  `json:"max_price"`
	CutOff      text  `json:"cut_off_time"`
	MaxAdvance  text  `json:"max_day_advance"`
}

// discover implements the driver's Discover: it looks at the property's own settings, and
// tells what of them speaks against those of the channel, and against the house.
func discover(ctx context.Context, c Config, env connectors.Env) (connectors.Discovered, error) {
	var said struct {
		Data struct {
			Attributes *property `json:"attributes"`
		} `json:"data"`
	}
	const op = "look at the property"
	ch := &conn{cfg: c, call: transport.Caller{Client: env.Client, Clock: env.Clock}, clock: env.Clock, log: env.Log, sold: env.Rooms}
	if err := ch.get(ctx, op, "properties/"+url.PathEscape(c.Property), nil, &said); err != nil {
		return connectors.Discovered{}, ch.withProperties(ctx, err)
	}
	if said.Data.Attributes == nil {
		return connectors.Discovered{}, unreadable(op, errors.New("it is no property"))
	}
	zone := ""
	if env.Property != nil {
		house, err := env.Property(ctx)
		if err != nil {
			return connectors.Discovered{}, err
		}
		zone = house.TimeZone
	}
	there := said.Data.Attributes
	plans, err := all[ratePlan](ctx, ch, "look at the rate plans", "rate_plans")
	if err != nil {
		return connectors.Discovered{}, err
	}
	missing, err := ch.missing(ctx, plans)
	if err != nil {
		return connectors.Discovered{}, err
	}
	found := connectors.Discovered{Doubts: slices.Concat(there.doubts(c, zone), missing, doubtsOf(plans, c))}
	for _, f := range [][2]string{
		{"currency", string(there.Currency)},
		{"timezone", string(there.TimeZone)},
		{"min_stay_type", string(there.Settings.v.MinStayType)},
		{"state_length", there.Settings.v.days()},
	} {
		if f[1] != "" {
			found.Features = append(found.Features, f[0]+"="+ch.words(f[1]))
		}
	}
	return found, nil
}

// doubtsOf says which rate plans are priced otherwise than the channel tells prices: by
// Channex itself, or for others than the channel has a price for.
func doubtsOf(plans []ratePlan, c Config) []string {
	var doubts []string
	add := func(format string, is func(ratePlan) bool) {
		var of []string
		for _, p := range plans {
			if is(p) {
				of = append(of, named(p.Attributes.Title, p.ID))
			}
		}
		if len(of) > 0 {
			doubts = append(doubts, fmt.Sprintf(format, firstOf(of)))
		}
	}
	add("prices of these rate plans are worked out there, and what they are told is ignored: make their rate_mode manual, inheriting nothing, or leave them unmapped: %s",
		func(p ratePlan) bool { return p.Attributes.RateMode != "" && p.Attributes.RateMode != "manual" })
	add("these rate plans take over fields of another one there (inherit_…), so that what they are told of those is not what is shown: let them inherit nothing, or leave them unmapped: %s",
		ratePlan.inherits)
	add("these rate plans have a price for each number of guests there, of which that of the primary occupancy alone is told: set sell_mode to per_person, or where other plans have one price name these in other_sell_mode, by their ids: %s",
		func(p ratePlan) bool { return c.mode(p.ID) == PerRoom && p.Attributes.SellMode == PerPerson })
	add("these rate plans have one price for the room there, and are told one for each number of guests: set sell_mode to per_room, or where other plans have those name these in other_sell_mode, by their ids: %s",
		func(p ratePlan) bool { return c.mode(p.ID) == PerPerson && p.Attributes.SellMode == PerRoom })
	return doubts
}

// days are the nights that are kept, "" where it does not say.
func (k keeping) days() string {
	if k.StateLength == nil {
		return ""
	}
	return strconv.Itoa(*k.StateLength)
}

// doubts says what speaks against a channel's settings, and against the time zone of the
// house where that is known.
func (p property) doubts(c Config, zone string) []string {
	var doubts []string
	add := func(when bool, format string, args ...any) {
		if when {
			doubts = append(doubts, fmt.Sprintf(format, args...))
		}
	}
	k := p.Settings.v
	add(k.MinStayType != "" && string(k.MinStayType) != string(c.MinStayType),
		"the property there reads minimum stays as %.20q, the channel is told %q: set min_stay_type", string(k.MinStayType), c.MinStayType)
	add(p.Currency != "" && string(p.Currency) != string(c.Currency),
		"the property there is in %.20q, the channel is told %q: unless its rate plans have a currency of their own, set currency", string(p.Currency), c.Currency)
	add(p.TimeZone != "" && zone != "" && string(p.TimeZone) != zone,
		"the property there is in the time zone %.40q, the house in %q: near midnight one of them takes a night for over that the other sells", string(p.TimeZone), zone)
	if k.StateLength != nil {
		add(*k.StateLength < c.HorizonDays, "the property there keeps %d days and drops the rest without a word, the channel is told %d: set horizon_days", *k.StateLength, c.HorizonDays)
		add(*k.StateLength > c.HorizonDays, "the property there keeps %d days, the channel is told %d: what is shown on those behind stays as it is", *k.StateLength, c.HorizonDays)
	}
	for _, u := range []struct {
		there    *bool
		here     bool
		on, name string
	}{{k.Modify, c.CountsModify, "change", "counts_modification"}, {k.Cancel, c.CountsCancel, "cancellation", "counts_cancellation"}} {
		add(u.there != nil && *u.there != u.here, "the property there moves its count by itself on a %s: %t; the channel takes it for %t: switch it off there, or set %s", u.on, u.there != nil && *u.there, u.here, u.name)
	}
	add(k.MinPrice != "" || k.MaxPrice != "", "the property there raises or lowers prices to its own bounds without a word: min_price %.20q, max_price %.20q", string(k.MinPrice), string(k.MaxPrice))
	add(k.CutOff != "", "the property there closes nights by itself at cut_off_time %.20q", string(k.CutOff))
	add(k.MaxAdvance != "", "the property there shows no rooms beyond max_day_advance %.20q, and again only when everything is told anew", string(k.MaxAdvance))
	return doubts
}
