package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
)

type explainCommand struct {
	toDaemon
	Channel string `arg:"" help:"The channel's id; ostler channel list shows it."`
	Room    string `arg:"" help:"The room type, by its code or id."`
	Night   string `arg:"" help:"The night, such as 2026-12-24."`
	Rate    string `arg:"" optional:"" help:"The rate plan, by its code or id; none where the channel carries stock alone."`
	AsOf    string `placeholder:"TIME" help:"As it was at this instant, such as 2026-11-20T18:00:00Z."`
	All     bool   `help:"Also the steps that changed nothing."`
}

// Run tells why a channel is shown what it is shown.
func (c explainCommand) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	q := url.Values{"date": {c.Night}}
	if c.AsOf != "" {
		q.Set("as_of", c.AsOf)
	}
	var ch object
	if err := d.Get(ctx, "/channels/"+c.Channel, &ch); err != nil {
		return err
	}
	for _, of := range []struct{ list, parameter, named string }{{"/room-types", "room_type_id", c.Room}, {"/rate-plans", "rate_plan_id", c.Rate}} {
		if of.named == "" {
			continue
		}
		id, err := d.idOf(ctx, of.list+"?property_id="+ch.text("property_id"), of.named)
		if err != nil {
			return err
		}
		q.Set(of.parameter, id)
	}
	var x object
	if err := d.Get(ctx, "/channels/"+c.Channel+"/explain?"+q.Encode(), &x); err != nil {
		return err
	}
	return d.print(x, func(w *tabwriter.Writer) { showExplanation(w, ch.text("name"), x, c.All) })
}

// idOf finds an entry of a list by its code or id.
func (d *daemon) idOf(ctx context.Context, list, named string) (string, error) {
	all, err := d.all(ctx, list)
	if err != nil {
		return "", err
	}
	var codes []string
	for _, e := range all {
		if e.text("id") == named || strings.EqualFold(e.text("code"), named) {
			return e.text("id"), nil
		}
		codes = append(codes, e.text("code"))
	}
	return "", fmt.Errorf("there is no %q among %s", named, strings.Join(codes, ", "))
}

// stepWords are the steps as hotel people call them.
var stepWords = map[string]string{
	"stock": "units in the house", "out_of_order": "out of order", "out_of_inventory": "out of inventory", "overbooking": "may be overbooked",
	"sold": "sold", "held": "held, undecided", "blocks": "promised to groups", "pool_sharing": "taken by other room types", "sell_limit": "sell limit",
	"house_limit": "limit of the house", "given": "as the PMS says", "not_yet_at_pms": "bookings the PMS has not counted",
	"keep_back": "kept back from the channel", "channel_limit": "limit for the channel", "protection_share": "granted to the channel", "total_limit": "told as a total",
	"cut_off": "cut-off", "closed": "closed", "paused": "channel paused", "capability_clamp": "what the channel can be told",
	"rate_base": "typed price", "derivation": "derived price", "rule": "pricing rule", "floor_ceiling": "floor and ceiling of the plan", "markup": "channel's markup",
	"tax_basis": "with or without taxes", "currency": "channel's currency", "rounding": "rounded", "price_guard": "price guard",
	"plan_default": "the plan's own default", "property": "said of the whole house", "room_type": "said of the room type", "plan": "said of the plan", "product": "said of room and plan",
	"inherited": "taken over from another plan", "missing_price": "no price", "price_unconfirmed": "price not confirmed", "left_standing": "left as it is shown there",
}

func worded(step string) string {
	if words := stepWords[step]; words != "" {
		return words
	}
	return step
}

// showExplanation writes an explanation for people.
func showExplanation(w *tabwriter.Writer, channel string, x object, all bool) {
	fmt.Fprintf(w, "%s, night of %s, as of %s\n", channel, x.text("date"), x.text("as_of"))
	for _, n := range x.list("derivation") {
		title := strings.ReplaceAll(n.text("number"), "_", " ")
		if guests := n["guests"]; guests != nil && n.number("guests") > 0 {
			title += fmt.Sprintf(" for %d", n.number("guests"))
		}
		fmt.Fprintf(w, "\n%s: %s\n", title, n.text("result"))
		last := ""
		for _, s := range n.list("steps") {
			why := because(s)
			moved := s.text("value") != last || acted(s)
			if last = s.text("value"); moved || all {
				fmt.Fprintf(w, "  %s\t%s\t%s\n", worded(s.text("step")), s.text("value"), why)
			}
		}
	}
	fmt.Fprintln(w, "\nhow it stands at the channel")
	for _, name := range []string{"availability", "closures", "lengths"} {
		showGroup(w, name, x.in("groups").in(name))
	}
	for name := range x.in("groups") {
		if strings.HasPrefix(name, "price:") {
			showGroup(w, name, x.in("groups").in(name))
		}
	}
	if open := x.words("conflicts"); open != "" {
		fmt.Fprintln(w, "\nopen conflicts about it: "+open)
	}
	if calls := x.list("deliveries"); len(calls) > 0 {
		fmt.Fprintln(w, "\ncalls that carried it, the newest first")
		for _, c := range calls {
			outcome := c.text("outcome")
			if status := c.in("answer").number("http_status"); status > 0 {
				outcome += fmt.Sprintf(" (%d)", status)
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", c.text("sent_at"), c.text("group"), shown(c.in("value")), outcome, c.text("delivery_id")+" "+c.text("reason"))
		}
	}
}

// acted reports whether anything acted in a step.
func acted(s object) bool {
	return slices.ContainsFunc([]string{"by", "reason", "origin", "basis", "mode"}, func(member string) bool { return s[member] != nil })
}

// because is what acted in a step.
func because(s object) string {
	var why []string
	for _, member := range []string{"reason", "rule_id", "by", "from_rate_plan_id", "origin", "basis", "mode"} {
		if words, ok := s[member].(string); ok {
			why = append(why, words)
		}
	}
	for _, t := range s.list("by") {
		why = append(why, t.text("reservation_id")+t.text("block_id"))
	}
	if n := s.number("sequence"); n > 0 {
		why = append(why, fmt.Sprintf("entry %d", n))
	}
	return strings.Join(why, ", ")
}

func showGroup(w *tabwriter.Writer, name string, g object) {
	if g == nil {
		return
	}
	var facts []string
	for _, fact := range []string{"desired", "sent", "acknowledged", "read_back"} {
		if f := g.in(fact); f != nil {
			facts = append(facts, strings.ReplaceAll(fact, "_", " ")+" "+shown(f))
		}
	}
	fmt.Fprintf(w, "  %s\t%s\t%s\n", name, strings.ReplaceAll(g.text("state"), "_", " "), strings.Join(facts, ", "))
	if why := g.text("reason"); why != "" {
		fmt.Fprintf(w, "  \t\t%s\n", why)
	}
}

// shown writes a value of a field group in a few words.
func shown(v object) string {
	if a := v.in("amount"); a != nil {
		return a.text("amount") + " " + a.text("currency")
	}
	var words []string
	if v["available"] != nil {
		words = append(words, v.text("available"))
	}
	for _, f := range []string{"closed", "closed_to_arrival", "closed_to_departure"} {
		if v[f] == true {
			words = append(words, strings.ReplaceAll(f, "_", " "))
		}
	}
	for _, f := range []string{"min_stay_arrival", "min_stay_through", "max_stay_arrival", "max_stay_through", "min_advance_days", "max_advance_days"} {
		if v.number(f) > 0 {
			words = append(words, strings.ReplaceAll(f, "_", " ")+" "+v.text(f))
		}
	}
	if len(words) == 0 {
		return "open"
	}
	return strings.Join(words, " ")
}
