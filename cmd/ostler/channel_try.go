package main

import (
	"context"
	"fmt"
	"text/tabwriter"
)

type channelTest struct{ oneChannel }

// Run asks the far side whether it is there.
func (c channelTest) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	return tryChannel(ctx, d, c.ID)
}

// tryChannel asks the far side whether it is there, and shows what it offers beside what
// of ours each is or may be, and what the mapping leaves out.
func tryChannel(ctx context.Context, d *daemon, id string) error {
	got, err := d.post(ctx, "/channels/"+id+"/test", nil)
	if err != nil {
		return err
	}
	if d.raw {
		return d.print(got, func(w *tabwriter.Writer) { showReached(w, got) })
	}
	names, err := productNames(ctx, d, id)
	if err != nil {
		return err
	}
	offers := got["remote_products"] != nil
	var offered, mapped object
	if offers {
		err = d.Get(ctx, "/channels/"+id+"/remote-products", &offered)
	}
	if err == nil {
		err = d.Get(ctx, "/channels/"+id+"/mappings", &mapped)
	}
	if err != nil {
		return err
	}
	return d.print(got, func(w *tabwriter.Writer) {
		showReached(w, got)
		if offers {
			fmt.Fprintf(w, "it offers %d rooms and rates:\n\n", got.number("remote_products"))
			showOffered(w, id, offered.list("data"), names)
		}
		if len(mapped.list("mappings")) > 0 {
			showGaps(w, mapped.list("coverage"), names)
		}
	})
}

func showReached(w *tabwriter.Writer, got object) {
	fmt.Fprintf(w, "it answers, in %.2f s\n", got["took_seconds"])
	doubts, _ := got["doubts"].([]any)
	for _, doubt := range doubts {
		fmt.Fprintf(w, "look at this: %s\n", onOneLine(fmt.Sprint(doubt)))
	}
}
