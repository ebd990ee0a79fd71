package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

type channelMap struct {
	oneChannel
	Pairs    []string `arg:"" optional:"" placeholder:"ROOM/PLAN[:GUESTS]=CODE/CODE" help:"Room type and rate plan, by code or id, and their codes there; added to what is mapped. With GUESTS the price told there is that for so many."`
	Remove   []string `placeholder:"CODE/CODE" help:"Takes a mapping away, by its codes there; may be repeated."`
	Replace  bool     `help:"Take away everything that is not named."`
	Sell     bool     `help:"Have the plans that are named sold there: their sold_by names the channel."`
	Products bool     `help:"List what the far side offers, and what of ours it is or may be."`
	Take     string   `enum:",high,medium,low" default:"" help:"Take the proposals of --products that are at least so sure: high, medium or low. They are shown first."`
	Yes      bool     `help:"Do it without being asked: take what is proposed, tell a channel that is live what its plan says."`

	AcceptRaises bool   `help:"Accept the nights that the plan of a channel that is live raises, without being asked."`
	By           string `placeholder:"NAME" help:"Who answers for them; your user name by default."`

	DryRun bool `help:"Say what it would be like, and store nothing."`
}

// Run shows the mappings, changed first where that is asked for.
func (c channelMap) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := productNames(ctx, d, c.ID)
	if err != nil {
		return err
	}
	if c.Products {
		return c.products(ctx, d, names)
	}
	var got object
	if err := d.Get(ctx, "/channels/"+c.ID+"/mappings", &got); err != nil {
		return err
	}
	if c.Take != "" {
		if c.Pairs, err = c.taken(ctx, d, names); err != nil {
			return err
		}
	}
	if len(c.Pairs)+len(c.Remove) > 0 || c.Replace {
		mappings, err := c.changed(got.list("mappings"), names)
		if err == nil && !c.DryRun {
			err = c.sell(ctx, d, names)
		}
		if err == nil {
			got, err = c.put(ctx, d, got.list("mappings"), mappings, names)
		}
		if err != nil {
			return err
		}
		c.doubt(ctx, d, mappings)
	}
	return d.print(got, func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "ROOM TYPE\tRATE PLAN\tROOM THERE\tRATE THERE")
		for _, m := range got.list("mappings") {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", names.of(m.text("room_type_id")), names.of(m.text("rate_plan_id")), m.text("remote_room_id"), m.text("remote_rate_id"))
		}
		showGaps(w, got.list("coverage"), names)
		showCarriage(w, got.in("fields"))
		if c.DryRun {
			fmt.Fprintln(w, "\nnothing is stored")
		}
	})
}

// showGaps tells what of ours a mapping leaves out, and what else is worth a look.
func showGaps(w io.Writer, coverage []object, names productWords) {
	for _, x := range coverage {
		fmt.Fprintf(w, "\nlook at %s: %s\n", strings.Trim(names.of(x.text("room_type_id"))+"/"+names.of(x.text("rate_plan_id")), "/"), x.text("detail"))
	}
}

// showCarriage tells what the channel cannot be told as it is, and what comes of that.
func showCarriage(w io.Writer, fields object) {
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		of := fields.in(field)
		lost := ""
		if n := of.number("legal_stays_lost"); n > 0 {
			lost = fmt.Sprintf("; %d stays of the next 365 nights that the house allows are turned away there", n)
		}
		switch {
		case of.text("carriage") == "coarser":
			fmt.Fprintf(w, "\n%s is made up for by others%s\n", field, lost)
		case of.text("policy") == "close":
			fmt.Fprintf(w, "\n%s cannot be told: nights that need it are closed there%s\n", field, lost)
		case lost != "":
			fmt.Fprintf(w, "\n%s cannot be told%s\n", field, lost)
		}
	}
}

// sell names the channel in sold_by of the plans, where that is asked for. At one that is
// live this opens what is mapped to them already, before any plan shows it, so it asks.
func (c channelMap) sell(ctx context.Context, d *daemon, names productWords) error {
	if !c.Sell {
		return nil
	}
	for _, pair := range c.Pairs {
		ours, _, _ := strings.Cut(pair, "=")
		_, code, _ := strings.Cut(ours, "/")
		code, _, _ = strings.Cut(code, ":")
		path := "/rate-plans/" + names.plans[code]
		var plan object
		if err := d.Get(ctx, path, &plan); err != nil {
			return err
		}
		sellers := strings.Fields(plan.words("sold_by"))
		if slices.Contains(sellers, c.ID) {
			continue
		}
		if names.live && !c.Yes {
			if err := confirm(fmt.Sprintf("The channel is live: what is mapped to %s there already opens at once. Is this meant?", code), "--yes", "what is mapped without --sell"); err != nil {
				return err
			}
		}
		if err := d.Do(ctx, http.MethodPatch, path, map[string]any{"sold_by": append(sellers, c.ID)}, nil); err != nil {
			return err
		}
	}
	return nil
}

// doubt warns of codes that the far side does not offer, as far as it can be
// asked.
func (c channelMap) doubt(ctx context.Context, d *daemon, mappings []object) {
	var offered object
	if d.Get(ctx, "/channels/"+c.ID+"/remote-products", &offered) != nil {
		return
	}
	known := map[string]bool{}
	for _, p := range offered.list("data") {
		known[remote(p)] = true
	}
	for _, m := range mappings {
		if !known[remote(m)] {
			fmt.Fprintf(screened{os.Stderr}, "warning: the far side offers no %s; ostler channel map %s --products lists what it does\n", remote(m), c.ID)
		}
	}
}

// remote is a product in the far side's codes.
func remote(m object) string { return m.text("remote_room_id") + "/" + m.text("remote_rate_id") }

// changed lays the pairs over the mappings that are there.
func (c channelMap) changed(now []object, names productWords) ([]object, error) {
	var out []object
	if !c.Replace {
		out = now
	}
	for _, gone := range c.Remove {
		before := len(out)
		out = slices.DeleteFunc(out, func(m object) bool { return remote(m) == gone })
		if len(out) == before {
			return nil, fmt.Errorf("--remove %s: nothing is mapped to that", gone)
		}
	}
	for _, pair := range c.Pairs {
		ours, theirs, ok := strings.Cut(pair, "=")
		room, plan, both := strings.Cut(ours, "/")
		if !ok || !both {
			return nil, fmt.Errorf("%s: expected ROOM/PLAN=ROOM_THERE/RATE_THERE", pair)
		}
		plan, guests, atOccupancy := strings.Cut(plan, ":")
		remoteRoom, remoteRate, _ := strings.Cut(theirs, "/")
		m := object{"remote_room_id": remoteRoom, "remote_rate_id": remoteRate}
		for _, x := range []struct {
			member, said string
			ids          map[string]string
		}{{"room_type_id", room, names.rooms}, {"rate_plan_id", plan, names.plans}} {
			id, known := x.ids[x.said]
			if !known {
				return nil, fmt.Errorf("%s: the property has no %s", pair, strings.ReplaceAll(strings.TrimSuffix(x.member, "_id"), "_", " ")+" "+x.said)
			}
			m[x.member] = id
		}
		if atOccupancy {
			n, err := strconv.Atoi(guests)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("%s: the price is for a number of guests, not for %q", pair, guests)
			}
			m["occupancy"] = n
		}
		out = slices.DeleteFunc(out, func(was object) bool { return remote(was) == remote(m) })
		out = append(out, m)
	}
	return slices.Clip(out), nil
}

// put stores mappings, or only tries them. A channel that is live goes by its plan, which
// is shown first.
func (c channelMap) put(ctx context.Context, d *daemon, now, then []object, names productWords) (got object, err error) {
	path, body := "/channels/"+c.ID+"/mappings", map[string]any{"mappings": then}
	if c.DryRun || names.live {
		if err := d.Do(ctx, http.MethodPut, path+"?dry_run=true", body, &got); err != nil {
			return nil, err
		}
		if plan := got.in("plan"); plan.number("cells_total")+plan.number("refused_cells") > 0 {
			if err := c.agree(d, meant(now, then, names), plan); err != nil {
				return nil, err
			}
			body["plan_id"], body["accept_raises"], body["accepted_by"] = plan["plan_id"], plan["raises"], answersFor(c.By)
		}
		if c.DryRun {
			return got, nil
		}
	}
	got = nil
	return got, d.Do(ctx, http.MethodPut, path, body, &got)
}

// agree shows what a channel that is live would be told, and asks whether that is meant.
func (c channelMap) agree(d *daemon, words []string, plan object) error {
	if !d.raw {
		fmt.Fprintf(d.out, "the channel is live, and is told at once:\n  %s\n\n", strings.Join(words, "\n  "))
		w := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', 0)
		showPlan(w, plan)
		fmt.Fprintln(w)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	look := "what it would be told with --dry-run"
	switch raises := len(plan.list("raises")) > 0; {
	case c.DryRun || raises && c.AcceptRaises || !raises && c.Yes:
		return nil
	case raises:
		return confirm("Is each of these nights to be sold there?", "--accept-raises", look)
	}
	return confirm("Is this meant?", "--yes", look)
}

// meant says in words what becomes of each code.
func meant(now, then []object, names productWords) (told []string) {
	was, is := map[string]string{}, map[string]string{}
	for _, m := range now {
		was[remote(m)] = names.product(m)
	}
	for _, m := range then {
		is[remote(m)] = names.product(m)
	}
	for _, code := range slices.Sorted(maps.Keys(was)) {
		switch ours := is[code]; ours {
		case was[code]:
		case "":
			told = append(told, fmt.Sprintf("%s was %s, and is closed there on all nights", code, was[code]))
		default:
			told = append(told, fmt.Sprintf("%s was %s, and is %s: it gets the rooms and prices of that", code, was[code], ours))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(is)) {
		if was[code] == "" {
			told = append(told, fmt.Sprintf("%s is %s, and is opened there where the house sells it", code, is[code]))
		}
	}
	return told
}

// productWords are the codes of a property's room types and rate plans.
type productWords struct {
	live         bool              // the channel is told what changes
	rooms, plans map[string]string // ids, by code and by id
	codes        map[string]string // by id
}

func productNames(ctx context.Context, d *daemon, channel string) (productWords, error) {
	words := productWords{rooms: map[string]string{}, plans: map[string]string{}, codes: map[string]string{}}
	var ch object
	if err := d.Get(ctx, "/channels/"+channel, &ch); err != nil {
		return words, err
	}
	words.live = ch.text("status") == "active" && ch["shadow"] != true
	for path, ids := range map[string]map[string]string{"/room-types": words.rooms, "/rate-plans": words.plans} {
		all, err := d.all(ctx, path+"?property_id="+ch.text("property_id"))
		if err != nil {
			return words, err
		}
		for _, one := range all {
			ids[one.text("code")], ids[one.text("id")] = one.text("id"), one.text("id")
			words.codes[one.text("id")] = one.text("code")
		}
	}
	return words, nil
}

func (p productWords) of(id string) string {
	if code := p.codes[id]; code != "" {
		return code
	}
	return id
}
