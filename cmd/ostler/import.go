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
	History      importHistory      `cmd:"" help:"Take over what was sold of nights that are over, in sum, for last year's figures."`
}

// importFile is a file whose rows are taken over.
type importFile struct {
	toDaemon
	File     string `arg:"" type:"existingfile" help:"A CSV file; docs/operating.md has its columns."`
	Property string `help:"The property; needed when there are several."`
	DryRun   bool   `help:"Tell what would be done, and store nothing."`
}

type (
	importReservations struct{ importFile }
	importHistory      struct{ importFile }
)

// errRows says that some rows were not taken over.
var errRows = errors.New("not every row could be taken over: mend the file and import it again, what is stored stays as it is")

// Run takes over reservations and tells what became of each row that needs somebody to
// look at it.
func (c importReservations) Run(ctx context.Context) error {
	return c.send(ctx, "reservations", func(got object, w *tabwriter.Writer) {
		c.wrong(w, got.list("results"))
		fmt.Fprintf(w, "%d rows: %d %s, %d known from their channel, %d imported before, %d wrong\n",
			got.number("rows"), got.number("created"), c.done("stored"), got.number("attached"), got.number("duplicates"), got.number("invalid"))
		if nights := got.words("oversold_nights"); nights != "" {
			fmt.Fprintf(w, "more is sold than there is on: %s\n", nights)
		}
	})
}

// Run takes over past nights in sum.
func (c importHistory) Run(ctx context.Context) error {
	return c.send(ctx, "history", func(got object, w *tabwriter.Writer) {
		h := got.in("history")
		c.wrong(w, h.list("invalid"))
		fmt.Fprintf(w, "%d rows: %d %s, %d %s, %d said the same before, %d wrong\n",
			h.number("rows"), h.number("stored"), c.done("stored"), h.number("replaced"), c.done("replaced"), h.number("unchanged"), len(h.list("invalid")))
	})
}

// send sends the file to the daemon. Tell writes what became of it.
func (c importFile) send(ctx context.Context, kind string, tell func(got object, w *tabwriter.Writer)) error {
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
	query := url.Values{"property_id": {c.Property}, "kind": {kind}, "dry_run": {fmt.Sprint(c.DryRun)}}
	var got object
	if err := d.Send(ctx, "/imports/reservations?"+query.Encode(), "text/csv", file, &got); err != nil {
		return err
	}
	err = d.print(got, func(w *tabwriter.Writer) { tell(got, w) })
	if wrong := got.number("invalid") + len(got.in("history").list("invalid")); err == nil && wrong > 0 {
		return errRows
	}
	return err
}

// wrong tells of each row what is wrong with it.
func (c importFile) wrong(w *tabwriter.Writer, rows []object) {
	for _, r := range rows {
		for _, e := range r.list("errors") {
			fmt.Fprintf(w, "%s:%d\t%s\t%s\n", c.File, r.number("line"), dash(e.text("parameter")), e.text("detail"))
		}
	}
}

// done is what was done to rows, or would be.
func (c importFile) done(what string) string {
	if c.DryRun {
		return "would be " + what
	}
	return what
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
