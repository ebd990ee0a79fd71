package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"
)

type channelPlan struct {
	oneChannel
	Kind string `enum:",live,delta,full" default:"" help:"live: all that it takes to go live; delta: what it is still to be told; full: everything. By default a delta where it is live."`
	From string `placeholder:"DATE" help:"Of these nights alone; not to go live."`
	To   string `placeholder:"DATE" help:"The last of them."`
}

// Run shows the plan.
func (c channelPlan) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var plan object
	asked := url.Values{}
	for name, value := range map[string]string{"kind": c.Kind, "date_from": c.From, "date_to": c.To} {
		if value != "" {
			asked.Set(name, value)
		}
	}
	if err := d.Get(ctx, "/channels/"+c.ID+"/plan?"+asked.Encode(), &plan); err != nil {
		return err
	}
	return d.print(plan, func(w *tabwriter.Writer) {
		showPlan(w, plan)
		switch kind := plan.text("kind"); {
		case kind == "live":
			fmt.Fprintf(w, "take it live: ostler channel activate %s\n", c.ID)
		case plan.number("calls_total") > 0:
			fmt.Fprintf(w, "have it told: ostler apply %s %s\n", c.ID, plan.text("plan_id"))
		}
	})
}

// showPlan writes a plan for people.
func showPlan(w io.Writer, plan object) {
	fmt.Fprintf(w, "%d calls tell %d cells, in about %.0f s\n", plan.number("calls_total"), plan.number("cells_total"), plan["estimated_seconds"])
	for _, o := range plan.list("operations") {
		fmt.Fprintf(w, "  %s\t%d calls\t%d cells\n", o.text("operation"), o.number("calls"), o.number("cells"))
	}
	for _, h := range plan.list("held") {
		fmt.Fprintf(w, "%d cells are held back (%s)\n", h.number("cells"), h.text("reason_code"))
	}
	if n := plan.number("refused_cells"); n > 0 {
		fmt.Fprintf(w, "%d cells cannot be told\n", n)
	}
	if unchecked := plan.words("unchecked"); unchecked != "" {
		fmt.Fprintf(w, "cannot be asked for what it has sold (%s): what is not stored here is sold again\n", unchecked)
	}
	raises := plan.list("raises")
	if len(raises) == 0 {
		fmt.Fprintln(w, "no night shows more rooms than now")
		return
	}
	fmt.Fprintln(w, "more rooms than now:")
	for _, r := range raises {
		shown := "not known"
		if r["from"] != nil {
			shown = r.text("from")
		}
		fmt.Fprintf(w, "  %s\t%s to %s\t%s -> %s\n", r.text("remote_room_id"), r.text("date_from"), r.text("date_to"), shown, r.text("to"))
	}
}

type channelActivate struct {
	oneChannel
	AcceptRaises    bool     `help:"Accept the nights that the plan raises, without being asked."`
	AcceptUnchecked []string `placeholder:"NAME" help:"What the channel may have sold and cannot be asked for, as the plan names it: those bookings are stored, or there are none."`
	By              string   `placeholder:"NAME" help:"Who answers for them; your user name by default."`
	NoWait          bool     `help:"Do not wait until it has been told everything."`
	Shadow          bool     `help:"Only work out what it would be told, and send nothing."`
}

// Run sets the channel live by its plan and waits until it has been told
// everything.
func (c channelActivate) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	if c.Shadow {
		ch, err := d.post(ctx, "/channels/"+c.ID+"/activate", map[string]any{"mode": "shadow"})
		if err != nil {
			return err
		}
		return d.print(ch, func(w *tabwriter.Writer) {
			fmt.Fprintf(w, "channel %s is in shadow: nothing is sent there; ostler channel plan shows what would be\n", c.ID)
		})
	}
	var plan object
	if err := d.Get(ctx, "/channels/"+c.ID+"/plan?kind=live", &plan); err != nil {
		return err
	}
	if !d.raw {
		w := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', 0)
		showPlan(w, plan)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if len(plan.list("raises")) > 0 && !c.AcceptRaises {
		if err := confirm("Is each of these nights to be sold there?", "--accept-raises", "ostler channel plan "+c.ID); err != nil {
			return err
		}
	}
	unchecked := c.AcceptUnchecked
	if listed := strings.Fields(plan.words("unchecked")); len(listed) > 0 && len(unchecked) == 0 {
		if err := confirm("Is every booking stored that it may have sold, and cannot be asked for?", "--accept-unchecked="+strings.Join(listed, ","), "ostler channel plan "+c.ID); err != nil {
			return err
		}
		unchecked = listed
	}
	ch, err := d.post(ctx, "/channels/"+c.ID+"/activate", map[string]any{
		"mode": "live", "plan_id": plan["plan_id"], "accept_raises": plan["raises"], "accept_unchecked": unchecked, "accepted_by": answersFor(c.By),
	})
	if err != nil {
		return err
	}
	if !c.NoWait {
		if ch, err = d.awaitTold(ctx, c.ID); err != nil {
			return err
		}
	}
	return d.print(ch, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "channel %s is %s, with %d cells to tell and %d refused\n", c.ID, ch.text("status"), ch.number("lag_cells"), ch.number("rejected_cells"))
	})
}

// answersFor is who answers for what was agreed to: whoever was named, or whoever runs
// the program.
func answersFor(named string) string {
	if me, err := user.Current(); named == "" && err == nil {
		return me.Username
	}
	return named
}

// confirm asks the person at the terminal. flag says it beforehand, look shows what it is
// about.
func confirm(question, flag, look string) error {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return errors.New("nobody is there to be asked: look at " + look + ", then repeat this with " + flag)
	}
	fmt.Fprintf(os.Stderr, "%s [y/N] ", question)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return err
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return errors.New("not done")
	}
	return nil
}

// lookEvery is how often a command looks at what it waits for.
const lookEvery = 200 * time.Millisecond

// awaitTold waits until a channel has been told everything up to now, or cannot
// be.
func (d *daemon) awaitTold(ctx context.Context, id string) (object, error) {
	var first object
	if err := d.Get(ctx, "/channels/"+id+"/plan?kind=live", &first); err != nil {
		return nil, err
	}
	target := first.number("at_sequence")
	show := newProgress(os.Stderr)
	defer show.end()
	most := 1
	for {
		var ch object
		if err := d.Get(ctx, "/channels/"+id, &ch); err != nil {
			return nil, err
		}
		switch {
		case ch.number("synced_through") >= target || ch.text("status") != "active":
			return ch, nil
		case ch.text("circuit") == "open":
			return ch, fmt.Errorf("the far side fails: %s; it goes on by itself once it answers", ch.in("last_error").text("detail"))
		}
		lag := ch.number("lag_cells")
		most = max(most, lag)
		show.report(fmt.Sprintf("%d cells to tell", lag), 1-float64(lag)/float64(most))
		if err := wait(ctx, lookEvery); err != nil {
			return nil, err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
