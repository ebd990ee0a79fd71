package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// products lists what the far side offers, beside what of ours each is or may be.
func (c channelMap) products(ctx context.Context, d *daemon, names productWords) error {
	var got object
	if err := d.Get(ctx, "/channels/"+c.ID+"/remote-products", &got); err != nil {
		return err
	}
	return d.print(got, func(w *tabwriter.Writer) { showOffered(w, c.ID, got.list("data"), names) })
}

// showOffered lists what a far side offers beside what of ours it is or may be, and says
// what to do next.
func showOffered(w *tabwriter.Writer, channel string, offered []object, names productWords) {
	fmt.Fprintln(w, "ROOM THERE\tRATE THERE\tROOM\tRATE\tOF OURS\tSURE")
	unmapped := 0
	var doubts []string
	for _, p := range offered {
		ours, sure := "-", "-"
		if m := p.in("mapped"); m != nil {
			ours, sure = names.product(m), "mapped"
		} else {
			unmapped++
			if q := p.in("proposal"); q != nil {
				ours, sure = names.product(q), q.text("confidence")
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", p.text("remote_room_id"), dash(p.text("remote_rate_id")), p.text("room_name"), p.text("rate_name"), ours, sure)
		if said := texts(p["doubts"]); said != "" {
			doubts = append(doubts, fmt.Sprintf("look at %s, %s here: %s", remote(p), ours, said))
		}
	}
	if len(doubts) > 0 {
		fmt.Fprintln(w, "\n"+strings.Join(doubts, "\n"))
	}
	if unmapped > 0 {
		fmt.Fprintf(w, "\n%d are not mapped: nothing of ours is sold as them.\n", unmapped)
		fmt.Fprintf(w, "take what is proposed: ostler channel map %s --take high --dry-run\n", channel)
		fmt.Fprintf(w, "map one yourself:      ostler channel map %s ROOM/PLAN=ROOM_THERE/RATE_THERE\n", channel)
	}
	if unmapped < len(offered) {
		fmt.Fprintf(w, "\nwhat it would be told, before anything is: ostler channel plan %s\n", channel)
	}
}

// sureness are the confidences of proposals, the least first.
var sureness = []string{"low", "medium", "high"}

// taken returns the proposals that are sure enough as pairs, once somebody has seen them
// and agreed.
func (c channelMap) taken(ctx context.Context, d *daemon, names productWords) ([]string, error) {
	var got object
	if err := d.Get(ctx, "/channels/"+c.ID+"/remote-products", &got); err != nil {
		return nil, err
	}
	pairs, left := slices.Clone(c.Pairs), 0
	w := d.out
	if d.raw {
		w = io.Discard
	}
	for _, p := range got.list("data") {
		q := p.in("proposal")
		switch {
		case q == nil && p.in("mapped") == nil:
			left++
			fmt.Fprintf(w, "%s (%s %s): nothing of ours is called like it\n", remote(p), p.text("room_name"), p.text("rate_name"))
		case q == nil:
		case slices.Index(sureness, q.text("confidence")) < slices.Index(sureness, c.Take):
			left++
			fmt.Fprintf(w, "%s (%s %s): left, %s is not sure enough (%s): %s\n", remote(p), p.text("room_name"), p.text("rate_name"), names.product(q), q.text("confidence"), texts(q["reasons"]))
		default:
			pairs = append(pairs, names.product(q)+"="+remote(p))
			fmt.Fprintf(w, "%s (%s %s) is %s (%s): %s\n", remote(p), p.text("room_name"), p.text("rate_name"), names.product(q), q.text("confidence"), texts(q["reasons"]))
		}
	}
	fmt.Fprintf(w, "%d are taken, %d are left\n\n", len(pairs)-len(c.Pairs), left)
	if len(pairs) == 0 {
		return nil, errors.New("nothing that is proposed is so sure; ostler channel map " + c.ID + " --products lists all of it")
	}
	if !c.Yes && !c.DryRun && !names.live { // of one that is live more is asked below
		if err := confirm("Is each of these right?", "--yes", "ostler channel map "+c.ID+" --products"); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// texts are the members of a list of texts, one behind the other.
func texts(list any) string {
	var all []string
	said, _ := list.([]any)
	for _, one := range said {
		all = append(all, fmt.Sprint(one))
	}
	return strings.Join(all, "; ")
}

// product is a room type and a rate plan in the property's codes.
func (p productWords) product(of object) string {
	name := p.of(of.text("room_type_id")) + "/" + p.of(of.text("rate_plan_id"))
	if of["occupancy"] != nil {
		name += fmt.Sprint(":", of["occupancy"])
	}
	return name
}
