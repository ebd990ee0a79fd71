package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// callHistory is what was said to a channel, and what it answered.
type callHistory struct {
	desk.ChannelView
	Kind     string // "": every one
	Troubled bool
	One      bool // of one call all that is kept
	Calls    []callLine
	Next     string // the address of older ones; "": these are the last
	Half     time.Duration
	Most     time.Duration // 99 of 100 calls that told it something were answered within
	Answered int           // calls that both are of
}

// callLine is one call in words.
type callLine struct {
	hotel.ChannelCall
	Took    time.Duration
	Told    []toldLine
	Refused []toldLine
}

// toldLine is what a call carried of some nights.
type toldLine struct {
	What string // the product, as far as it is known
	Of   string
	hotel.Span
	Value, Words string
}

// Kinds are those of calls.
func (callHistory) Kinds() []string { return []string{"", "push", "pull", "read", "list", "act"} }

const (
	listedCalls = 50 // on one page

	// How many lines are told of what a call carried: of each of them, and of one alone. A
	// whole house is thousands.
	listedLines = 8
	mostLinesOf = 1000
)

// history shows the calls of a channel, or one of them.
func (c *Console) history(v *visit) error {
	channel, err := v.mine()
	if err != nil {
		return err
	}
	q := v.r.URL.Query()
	h := callHistory{ChannelView: channel, Kind: q.Get("kind"), Troubled: q.Get("troubled") != ""}
	before, _ := strconv.ParseInt(q.Get("before"), 10, 64) // anything else is the newest
	f := hotel.CallFilter{ChannelID: channel.ID, Kind: h.Kind, Troubled: h.Troubled, Before: before, Limit: listedCalls + 1, Runs: listedLines}
	call, err := strconv.ParseInt(q.Get("call"), 10, 64)
	if h.One = err == nil; h.One {
		f.Before, f.Limit, f.Runs = call+1, 1, mostLinesOf
	}
	list, err := c.desk.ChannelCalls(v.r.Context(), v.caller, f)
	if err != nil {
		return err
	}
	if h.One { // the next older one where there is none of that number, as after a clean-up
		list = slices.DeleteFunc(list, func(of hotel.ChannelCall) bool { return of.Version != call })
	}
	if len(list) > listedCalls {
		list = list[:listedCalls]
		next := url.Values{"before": {strconv.FormatInt(list[listedCalls-1].Version, 10)}}
		for name, value := range map[string]string{"kind": h.Kind, "troubled": q.Get("troubled")} {
			if value != "" {
				next.Set(name, value)
			}
		}
		h.Next = "?" + next.Encode()
	}
	n, err := v.names()
	if err != nil {
		return err
	}
	for _, call := range list {
		line := callLine{ChannelCall: call, Told: v.told(call.Told, n), Refused: v.told(call.Refused, n)}
		if !call.AnsweredAt.IsZero() {
			line.Took = call.AnsweredAt.Sub(call.SentAt)
		}
		h.Calls = append(h.Calls, line)
	}
	h.Half, h.Most, h.Answered, err = v.answering(channel.ID)
	if err != nil {
		return err
	}
	return v.show("history", http.StatusOK, h)
}

// told puts in words what a call carried.
func (v *visit) told(nights []hotel.ToldNight, n names) (list []toldLine) {
	for _, t := range nights {
		line := toldLine{Span: t.Span, Words: t.Words, Of: v.words.T("group." + t.Group.String()), Value: v.offered(t.Group, t.Value, hotel.Fields)}
		if t.Group == hotel.Price && t.Occupancy > 0 {
			line.Of = v.words.T("group.price_for", t.Occupancy)
		}
		if line.What = n.rooms[t.RoomTypeID]; line.What != "" && n.plans[t.RatePlanID] != "" {
			line.What += " · " + n.plans[t.RatePlanID]
		}
		list = append(list, line)
	}
	return list
}

// measured is how many of the last calls the times of answers are of.
const measured = 200

// answering is within what time half, and 99 of 100, of the last calls that told a channel
// something were answered, of those all of which it took.
func (v *visit) answering(channel string) (half, most time.Duration, of int, err error) {
	took, err := v.c.desk.AnswerTimes(v.r.Context(), v.caller, channel, measured)
	if len(took) == 0 {
		return 0, 0, 0, err
	}
	slices.Sort(took)
	within := func(pct int) time.Duration { return took[(len(took)*pct+99)/100-1] }
	return within(50), within(99), len(took), err
}

// Brief is a short time, to the millisecond or a tenth of a second where it is one.
func (v view) Brief(d time.Duration) string {
	switch {
	case d < time.Second:
		return v.T("span.milliseconds", v.Number(int(d.Milliseconds())))
	case d < 10*time.Second:
		return v.T("span.seconds", v.words.tenths(int64(d/(10*time.Millisecond))))
	}
	return v.words.duration(d)
}
