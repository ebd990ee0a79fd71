package channex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// operations are where each is called, and what errors call it.
var operations = map[string]struct{ path, op string }{
	updateAvailability: {"availability", "update availability"},
	updateRestrictions: {"restrictions", "update restrictions"},
}

// Send implements [connectors.Connector].
func (c *conn) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	how, known := operations[call.Operation]
	if !known {
		return connectors.Answer{}, &connectors.Error{
			Kind: connectors.Invalid, Effect: connectors.NotSent, Op: "send",
			Err: fmt.Errorf("there is no operation %q", call.Operation),
		}
	}
	reply, err := c.do(ctx, how.op, http.MethodPost, how.path, call.Body)
	if err != nil {
		return connectors.Answer{}, err
	}
	answer, err := c.parseAnswer(reply.Body, call)
	if err != nil {
		return connectors.Answer{}, unreadable(how.op, err)
	}
	return answer, nil
}

// parseAnswer matches what Channex warns of with the keys of the call, by content: a
// warning repeats the value that was not taken, and the rest was. What one in mere words
// can mean is not known to be shown, until it is read back. One about what was not in the
// call is kept under a key of its own, so that the engine sees it.
func (c *conn) parseAnswer(body []byte, call connectors.Call) (connectors.Answer, error) {
	var said updateAnswer
	if err := json.Unmarshal(body, &said); err != nil {
		return connectors.Answer{}, err
	}
	answer := connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{}}
	for _, d := range said.Data {
		if d.Type == "task" && answer.Ref == "" {
			answer.Ref = c.words(d.ID)
		}
	}
	if answer.Ref == "" && len(said.Meta.Warnings) == 0 {
		return connectors.Answer{}, errors.New("it names no task and warns of nothing") // {} or a page of somebody else's
	}
	told := map[string][]connectors.Key{} // by room type for counts, else by rate plan
	if len(said.Meta.Warnings) > 0 {
		for _, k := range call.Keys {
			told[product(k.Room, k.Rate)] = append(told[product(k.Room, k.Rate)], k)
		}
	}
	var remarks []remark
	for _, raw := range said.Meta.Warnings {
		w, ok := parseWarning(raw)
		if !ok {
			remarks = append(remarks, c.parseRemark(raw))
			continue
		}
		verdict := connectors.Verdict{Outcome: connectors.Rejected, Words: c.words(w.words)}
		named := false
		for _, k := range told[product(w.room, w.rate)] {
			if w.names(k) {
				answer.Keys[k], named = verdict, true
			}
		}
		if !named {
			answer.Keys[w.key()] = verdict
		}
	}
	if len(remarks) > 0 {
		heed(remarks, call.Body, told, &answer)
	}
	if answer.Ref == "" && answer.Rest == connectors.Applied {
		answer.Rest = connectors.Unknown // no task: of this call nothing is under way
	}
	c.doubts.settle(&answer, call.Keys)
	restrictions.Spoil(&answer, call.Keys) // what stood beside a field that was not taken
	if len(said.Meta.Warnings) > 0 {
		answer.Excerpt = c.words(string(body))
	}
	return answer, nil
}

// warning is a value that was not taken.
type warning struct {
	room, rate string
	nights     hotel.Span
	days       []string      // which of the nights; none: each of them
	groups     []hotel.Group // of the fields that are wrong; none: all that the value says
	guests     []int         // whose prices; none: the price of the room
	words      string
}

// fields are the names of the fields on the wire.
var fields = map[string]hotel.Group{
	"availability": hotel.Availability, "rate": hotel.Price, "rates": hotel.Price,
	"min_stay": hotel.Lengths, "min_stay_arrival": hotel.Lengths, "min_stay_through": hotel.Lengths, "max_stay": hotel.Lengths,
	"stop_sell": hotel.Closures, "closed_to_arrival": hotel.Closures, "closed_to_departure": hotel.Closures,
}

// parseWarning reads a warning. false: it does not say which value it is about. What is
// wrong are the fields that it names texts for. Where it names none of those, but the
// id of the rate plan, everything is that the value says; what it leaves out may be
// there as null.
func parseWarning(raw json.RawMessage) (warning, bool) {
	var said struct {
		RoomType text              `json:"room_type_id"`
		RatePlan text              `json:"rate_plan_id"`
		Date     text              `json:"date"`
		From     text              `json:"date_from"`
		To       text              `json:"date_to"`
		Days     lenient[[]string] `json:"days"`
		Rates    json.RawMessage   `json:"rates"`
		Warning  json.RawMessage   `json:"warning"`
	}
	var echo, wrong map[string]json.RawMessage
	if json.Unmarshal(raw, &said) != nil || json.Unmarshal(raw, &echo) != nil {
		return warning{}, false
	}
	from, to := string(said.From), string(said.To)
	if said.Date != "" {
		from, to = string(said.Date), string(said.Date)
	}
	w := warning{room: string(said.RoomType), rate: string(said.RatePlan), days: said.Days.v, words: wordsOf(said.Warning)}
	var errs [2]error
	w.nights.From, errs[0] = hotel.ParseDate(from)
	w.nights.To, errs[1] = hotel.ParseDate(to)
	if errors.Join(errs[:]...) != nil || w.room == "" && w.rate == "" {
		return warning{}, false
	}
	_ = json.Unmarshal(said.Warning, &wrong) // mere words name no field
	if w.groups = groupsOf(wrong); len(w.groups) == 0 {
		w.groups = groupsOf(echo)
	}
	var rates []struct {
		Occupancy int `json:"occupancy"`
	}
	if json.Unmarshal(said.Rates, &rates) == nil {
		for _, r := range rates {
			w.guests = append(w.guests, r.Occupancy)
		}
	}
	return w, true
}

// groupsOf returns the groups of the fields that are there, in order.
func groupsOf(said map[string]json.RawMessage) []hotel.Group {
	var groups []hotel.Group
	for name, group := range fields {
		if value, there := said[name]; there && string(value) != "null" && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	slices.Sort(groups)
	return groups
}

// wordsOf joins the texts of a warning by field.
func wordsOf(raw json.RawMessage) string {
	var byField map[string]json.RawMessage
	if json.Unmarshal(raw, &byField) != nil {
		return "not taken: " + strings.Trim(string(raw), `"`)
	}
	var all []string
	for field, texts := range byField {
		all = append(all, field+" "+strings.Trim(string(texts), `[]"`))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// product names what a value is about: a rate plan belongs to one room type, which is
// not said beside it.
func product(room, rate string) string {
	if rate != "" {
		return "rate " + rate
	}
	return "room " + room
}

// names reports whether a key of the same product was told by the value.
func (w warning) names(k connectors.Key) bool {
	switch {
	case !w.nights.Contains(k.Night), len(w.days) > 0 && !slices.Contains(w.days, days[k.Night.Weekday()]), len(w.groups) > 0 && !slices.Contains(w.groups, k.Group):
		return false
	case k.Group != hotel.Price || len(w.groups) == 0:
		return true
	case len(w.guests) == 0:
		return k.Occupancy == 0
	}
	return slices.Contains(w.guests, k.Occupancy)
}

// key is a key for a value that was not in the call.
func (w warning) key() connectors.Key {
	k := connectors.Key{Room: w.room, Rate: w.rate, Night: w.nights.From, Group: hotel.Availability}
	if w.rate != "" {
		k.Group = hotel.Price
		if len(w.groups) > 0 {
			k.Group = w.groups[0]
		}
	}
	return k
}
