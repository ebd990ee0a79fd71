package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"text/tabwriter"
)

type importCommand struct {
	Reservations importReservations `cmd:"" help:"Take over reservations from a file."`
}

type importReservations struct {
	toDaemon
	File     string `arg:"" type:"existingfile" help:"A CSV file; docs/operating.md has its columns."`
	Property string `help:"The property; needed when there are several."`
	DryRun   bool   `help:"Tell what would be done, and store nothing."`
}

// errRows says that some rows were not taken over.
var errRows = errors.New("not every row could be taken over: mend the file and import it again, what is stored stays as it is")

// Run sends the file to the daemon and tells what became of each row that needs
// somebody to look at it.
func (c importReservations) Run(ctx context.Context) error {
	file, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	if c.Property == "" {
		if c.Property, err = onlyProperty(ctx, d); err != nil {
			return err
		}
	}
	query := url.Values{"property_id": {c.Property}, "dry_run": {fmt.Sprint(c.DryRun)}}
	var got object
	if err := d.Send(ctx, "/imports/reservations?"+query.Encode(), "text/csv", file, &got); err != nil {
		return err
	}
	err = d.print(got, func(w *tabwriter.Writer) {
		for _, r := range got.list("results") {
			for _, e := range r.list("errors") {
				fmt.Fprintf(w, "%s:%d\t%s\t%s\n", c.File, r.number("line"), dash(e.text("parameter")), e.text("detail"))
			}
		}
		made := "stored"
		if c.DryRun {
			made = "would be stored"
		}
		fmt.Fprintf(w, "%d rows: %d %s, %d known from their channel, %d imported before, %d wrong\n",
			got.number("rows"), got.number("created"), made, got.number("attached"), got.number("duplicates"), got.number("invalid"))
		if nights := got.words("oversold_nights"); nights != "" {
			fmt.Fprintf(w, "more is sold than there is on: %s\n", nights)
		}
	})
	if err == nil && got.number("invalid") > 0 {
		return errRows
	}
	return err
}

// onlyProperty returns the property of a house that has one.
func onlyProperty(ctx context.Context, d *daemon) (string, error) {
	all, err := d.all(ctx, "/properties?status=active")
	switch {
	case err != nil:
		return "", err
	case len(all) != 1:
		return "", fmt.Errorf("there are %d properties: name one with --property", len(all))
	}
	return all[0].text("id"), nil
}
