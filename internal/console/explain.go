package console

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
)

// carriedCall is a call that carried a night to a channel.
type carriedCall struct {
	hotel.CarriedValue
	Of, Value string
	Took      time.Duration // zero: it is not answered
}

// taker is who takes rooms of a night.
type taker struct {
	Path, Name string // no path: there is nothing to look at, or the user may not
	Rooms      int
}

// localMoment is how a moment is typed on a form, by the clock of the house.
const localMoment = "2006-01-02T15:04"

// pastNight reads which moment of the past the address asks for.
func (v *visit) pastNight() (n night, err error) {
	asked := v.r.URL.Query().Get("as_of")
	if asked == "" {
		return n, nil
	}
	at, err := parseMoment(asked, v.house.Zone())
	if err != nil {
		return n, hotel.Invalid("/as_of", "format", "is a date with a time, such as 2026-11-21T09:20")
	}
	n.AsOf, n.At = at.Format(localMoment), at.UTC()
	return n, nil
}

// explain tells why a channel is, or was, to show what it is to show, and what carried it
// there; of rooms alone where no plan is asked about. What cannot be opened is said to be so.
// was is false where the channel was not told of the night at the moment that is asked for.
func (v *visit) explain(at *nightChannel, n *night, channel hotel.Channel, told []hotel.Field) (was bool, err error) {
	rooms := n.Plan.ID == ""
	groups := at.Sight.Groups
	x, err := v.c.desk.Explain(v.r.Context(), v.caller, hotel.ExplainQuery{
		ChannelID: channel.ID, RoomTypeID: at.Sight.RoomTypeID, RatePlanID: at.Sight.RatePlanID, RemoteRoom: at.Sight.RemoteRoom, Night: at.Sight.Night, AsOf: hotel.AsOf{At: n.At},
	})
	past := n.AsOf != ""
	if r, ok := v.refusal(err); ok {
		if past && !channel.Derived() && neverWas[r.Code] {
			return false, nil
		}
		at.Problem = r.Detail
		if past {
			groups = nil
		}
	} else if err != nil {
		return false, err
	} else if past {
		if !(hotel.Channel{Status: x.Channel}).Derived() {
			return false, nil
		}
		groups, told = x.Groups, x.Told
	}
	for _, g := range groups {
		if !rooms || g.Group == hotel.Availability {
			at.Facts = append(at.Facts, v.facts(g, told))
		}
	}
	at.Asked = x.Conflicts
	for _, e := range x.Numbers {
		if rooms && e.Field != hotel.FieldAvailable || !slices.ContainsFunc(e.Steps, says) {
			continue
		}
		d := derivation{Of: v.words.T("field." + string(e.Field)), Result: v.stepValue(e.Field, e.Result())}
		if e.Group == hotel.Price && e.Occupancy > 0 {
			d.Of = v.words.T("group.price_for", e.Occupancy)
		}
		d.Steps = v.steps(e)
		at.Numbers = append(at.Numbers, d)
	}
	for _, c := range x.Calls {
		if rooms && c.Group != hotel.Availability {
			continue
		}
		call := carriedCall{CarriedValue: c, Of: v.words.T("group." + c.Group.String()), Value: v.offered(c.Group, c.Value, told)}
		if c.Group == hotel.Price && c.Occupancy > 0 {
			call.Of = v.words.T("group.price_for", c.Occupancy)
		}
		if !c.AnsweredAt.IsZero() {
			call.Took = c.AnsweredAt.Sub(c.SentAt)
		}
		at.Calls = append(at.Calls, call)
	}
	return true, nil
}

// neverWas are the codes by which a channel is said to have been told nothing of what is
// asked about, which of one that is told nothing now either is no news.
var neverWas = map[string]bool{"not_found": true, "validation_failed": true}

// says reports whether a step makes something of a number: that a night is not restricted
// is no news.
func says(s hotel.Step) bool { return s.Text != "false" && s.Text != "0" || s.By != "" }

// steps are those of a number that did something to it.
func (v *visit) steps(e hotel.Explained) []derived {
	var list []derived
	last := ""
	for i, s := range e.Steps {
		d := derived{Name: v.words.T("derive." + s.Name), Value: v.stepValue(e.Field, s), By: v.acted(s)}
		if i > 0 && d.Value == last && s.By == "" {
			continue
		}
		last = d.Value
		if e.Field == hotel.FieldAvailable && i > 0 && s.Change != 0 {
			d.Change = v.words.signed(s.Change)
		}
		if s.Name == "rate_base" {
			d.By = v.words.T("origin." + s.By)
		}
		for _, t := range s.Taken {
			d.Takers = append(d.Takers, v.takes(t))
		}
		list = append(list, d)
	}
	return list
}

// takes is who takes rooms, to be looked at.
func (v *visit) takes(t hotel.Taken) taker {
	if t.ReservationID == "" {
		return taker{Name: v.words.T("explain.block"), Rooms: t.Rooms}
	}
	one := taker{Name: v.words.T("explain.booking"), Rooms: t.Rooms}
	if v.may("reservations:read") {
		one.Path = v.path("reservations/" + t.ReservationID)
	}
	return one
}

// The forms of what acts in a step that have words of their own.
var (
	adjustedBy = regexp.MustCompile(`^([+-]?[0-9.]+) (percent|amount)$`)
	numberedBy = regexp.MustCompile(`^(at most|kept) ([0-9]+)$`)
)

// acted is what acted in a step, as far as that has words; else those of the engine.
func (v *visit) acted(s hotel.Step) string {
	if m := adjustedBy.FindStringSubmatch(s.By); m != nil {
		return v.adjusted(m[2], strings.TrimPrefix(m[1], "+"), v.house.Currency)
	}
	if m := numberedBy.FindStringSubmatch(s.By); m != nil {
		return v.words.T("by."+strings.ReplaceAll(m[1], " ", "_"), v.words.decimal(m[2]))
	}
	if s.Name == "stock" { // pools by their ids
		return ""
	}
	for _, key := range []string{"by." + s.By, "rounding." + s.By} {
		if v.words.has(key) {
			return v.words.T(key)
		}
	}
	return s.By
}
