package console

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// night is one night of a room type, or of a rate plan of it.
type night struct {
	Date     hotel.Date
	Room     hotel.RoomType
	Plan     hotel.RatePlan      // "" for the rooms
	Stock    hotel.InventoryCell // of the room type
	Price    hotel.RateCell      // of the plan
	Rules    []string            // of the plan, in words
	Channels []nightChannel
	Plans    []hotel.RatePlan // of the room type, where it is told of the past, with those that are archived since
	AsOf     string           // what was typed, by the clock of the house; "": now
	At       time.Time        // likewise; zero: now
	Problem  string           // why the past cannot be told
}

// nightChannel is a night at one channel, under one of its codes.
type nightChannel struct {
	Name    string
	Gone    bool // it is told nothing any more
	Sight   hotel.Sight
	Facts   []nightFacts
	Numbers []derivation
	Calls   []carriedCall // that carried the night, the newest first
	Asked   []string      // conflicts about it, by id
	Problem string        // why it cannot be said how the numbers come about
}

// nightFacts is one field group in words: what is wanted, was sent, was confirmed and was
// read back.
type nightFacts struct {
	hotel.GroupSight
	Of    string
	Facts []nightFact
}

// nightFact is one of the four; without a value there is none.
type nightFact struct{ Name, Value string }

// derivation is how a number comes about.
type derivation struct {
	Of, Result string
	Steps      []derived
}

type derived struct {
	Name, Value, Change, By string
	Takers                  []taker
}

// tones are the looks of states that ask for one.
var tones = map[hotel.SightState]string{
	hotel.InFlight: "info", hotel.Unclear: "info", hotel.Pending: "info", hotel.HeldBack: "warn", hotel.Drifted: "warn", hotel.Rejected: "bad", hotel.InSync: "good",
}

// Tone is the look of a state.
func (view) Tone(s hotel.SightState) string { return tones[s] }

// Query names the plan and the moment in an address, "" for the rooms now.
func (n night) Query() string { return n.query(n.Plan.ID, n.AsOf) }

// Present is Query for now: nothing is told of a plan there that is archived.
func (n night) Present() string {
	if n.Plan.Status != hotel.Active {
		return ""
	}
	return n.query(n.Plan.ID, "")
}

// OfPlan is Query for another plan, "" for the rooms.
func (n night) OfPlan(id string) string { return n.query(id, n.AsOf) }

func (night) query(plan, moment string) string {
	q := url.Values{}
	if plan != "" {
		q.Set("plan", plan)
	}
	if moment != "" {
		q.Set("as_of", moment)
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// Next is the night that is so many on.
func (n night) Next(nights int) hotel.Date { return n.Date + hotel.Date(nights) }

// night shows what the house says of a night, and what every channel shows of it.
func (c *Console) night(v *visit) error {
	n, err := v.pastNight()
	if err == nil {
		err = v.askedNight(&n)
	}
	if err != nil {
		return err
	}
	for _, fill := range []func(*night) error{v.nightHouse, v.nightChannels} {
		if err := fill(&n); err != nil {
			return err
		}
	}
	return v.show("night", http.StatusOK, n)
}

// askedNight is the one that the address names. Of the past is told as well what is not in
// use any more: what a plan was sold as then, its channels know.
func (v *visit) askedNight(n *night) error {
	var err error
	if n.Date, err = hotel.ParseDate(v.r.PathValue("night")); err != nil {
		return hotel.Refuse("not_found", "there is no such night")
	}
	structure := v.sold
	if n.AsOf != "" {
		structure = v.structure
	}
	rooms, plans, err := structure()
	if err != nil {
		return err
	}
	room := slices.IndexFunc(rooms, func(r hotel.RoomType) bool { return r.ID == v.r.PathValue("room") })
	id := v.r.URL.Query().Get("plan")
	plan := slices.IndexFunc(plans, func(p hotel.RatePlan) bool {
		return p.ID == id && room >= 0 && (n.AsOf != "" || slices.Contains(p.RoomTypeIDs, rooms[room].ID))
	})
	if room < 0 || id != "" && plan < 0 {
		return hotel.Refuse("not_found", "there is no such room type or rate plan in this house")
	}
	if n.Room = rooms[room]; plan >= 0 {
		n.Plan = plans[plan]
	}
	if n.AsOf != "" {
		n.Plans = slices.DeleteFunc(plans, func(p hotel.RatePlan) bool { return !slices.Contains(p.RoomTypeIDs, n.Room.ID) })
	}
	return nil
}

// nightHouse reads what the house says of the night.
func (v *visit) nightHouse(n *night) error {
	if n.AsOf != "" {
		return nil // it is not shown beside the past
	}
	ctx, span := v.r.Context(), hotel.Span{From: n.Date, To: n.Date}
	inv, err := v.c.desk.Inventory(ctx, v.caller, hotel.InventoryQuery{PropertyID: v.house.ID, Span: span, RoomTypeIDs: []string{n.Room.ID}})
	if err != nil {
		return err
	}
	if len(inv.Cells) > 0 {
		n.Stock = inv.Cells[0]
	}
	if n.Plan.ID == "" {
		return nil
	}
	q := hotel.CellQuery{PropertyID: v.house.ID, Span: span, RoomTypeIDs: []string{n.Room.ID}, RatePlanIDs: []string{n.Plan.ID}}
	prices, err := v.c.desk.Rates(ctx, v.caller, q)
	if err != nil {
		return err
	}
	if len(prices) > 0 {
		n.Price = prices[0]
	}
	rules, err := v.c.desk.Restrictions(ctx, v.caller, q)
	if err != nil {
		return err
	}
	if len(rules) > 0 {
		n.Rules = v.restrictions(marksOf(rules[0].Closed, rules[0].Lengths))
	}
	return nil
}

// restrictions are fields that restrict a night, in words.
func (v *visit) restrictions(marks []restricted) []string {
	var said []string
	for _, m := range marks {
		said = append(said, v.restriction(m))
	}
	return said
}

// restriction is a field that restricts a night, in words.
func (v *visit) restriction(m restricted) string {
	key := "restriction." + string(m.field)
	if m.n == 0 {
		return v.words.T(key)
	}
	return v.words.count(key, m.n)
}

// nightChannels finds what every channel shows of the night, and why. Of a room type the
// number of rooms alone is told of, once for each of the channel's rooms. Of the past tell
// the channels that were told of the night then, also those that are disconnected since.
func (v *visit) nightChannels(n *night) error {
	if !v.may(auth.ChannelsRead) {
		return nil
	}
	list, err := v.c.desk.ChannelList(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return err
	}
	if n.AsOf == "" {
		list = slices.DeleteFunc(list, func(c hotel.Channel) bool { return !c.Derived() })
	}
	slices.SortFunc(list, func(a, b hotel.Channel) int { return strings.Compare(a.ID, b.ID) })
	of := hotel.SightQuery{RoomTypeIDs: []string{n.Room.ID}, Span: hotel.Span{From: n.Date, To: n.Date}, AtLeast: math.MaxInt}
	if n.Plan.ID != "" {
		of.RatePlanIDs = []string{n.Plan.ID}
	}
	for _, c := range list {
		of.ChannelID = c.ID
		seen, err := v.c.desk.Sights(v.r.Context(), v.caller, desk.SightQuery{SightQuery: of})
		if err != nil {
			return err
		}
		var rooms []string
		for _, s := range seen.Cells {
			if n.Plan.ID == "" {
				if slices.Contains(rooms, s.RemoteRoom) {
					continue
				}
				rooms = append(rooms, s.RemoteRoom)
				s.Groups = slices.DeleteFunc(s.Groups, func(g hotel.GroupSight) bool { return g.Group != hotel.Availability })
			}
			at := nightChannel{Name: c.Name, Gone: !c.Derived(), Sight: s}
			was, err := v.explain(&at, n, c, seen.Told)
			if err != nil {
				return err
			}
			if was {
				n.Channels = append(n.Channels, at)
			}
		}
	}
	return nil
}

// facts are the four of a group in words.
func (v *visit) facts(g hotel.GroupSight, told []hotel.Field) nightFacts {
	f := nightFacts{GroupSight: g, Of: v.words.T("group." + g.Group.String())}
	if g.Group == hotel.Price && g.Occupancy > 0 {
		f.Of = v.words.T("group.price_for", g.Occupancy)
	}
	for _, fact := range []struct {
		name string
		is   *hotel.ShownFact
	}{{"fact.desired", g.Desired}, {"fact.sent", g.Sent}, {"fact.acknowledged", g.Acknowledged}, {"fact.read_back", g.ReadBack}} {
		value := ""
		if fact.is != nil {
			value = v.offered(g.Group, fact.is.Value, told)
		}
		f.Facts = append(f.Facts, nightFact{v.words.T(fact.name), value})
	}
	return f
}

// offered is what a channel is told of a group, in words.
func (v *visit) offered(g hotel.Group, o hotel.Offer, told []hotel.Field) string {
	var marks []restricted
	switch g {
	case hotel.Availability:
		return v.words.number(o.Available)
	case hotel.Price:
		return v.words.money(o.Amount)
	case hotel.Closures:
		marks = marksOf(o.Closed, hotel.LengthLimits{})
	case hotel.Lengths:
		marks = marksOf(hotel.Closed{}, o.Lengths)
	}
	marks = slices.DeleteFunc(marks, func(m restricted) bool { return !slices.Contains(told, m.field) })
	if len(marks) == 0 {
		return v.words.T("offered." + g.String())
	}
	return strings.Join(v.restrictions(marks), ", ")
}

// stepValue is a number after a step.
func (v *visit) stepValue(f hotel.Field, s hotel.Step) string {
	switch {
	case f == hotel.FieldAvailable:
		return v.words.number(s.Count)
	case f == hotel.FieldAmount:
		return strings.Replace(s.Text, ".", v.words.T("number.point"), 1)
	case s.Text == "0":
		return v.words.T("offered.lengths")
	case s.Text == "true", s.Text == "false":
		return v.words.T("flag." + s.Text)
	}
	return s.Text
}
