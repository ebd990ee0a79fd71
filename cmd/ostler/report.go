package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"text/tabwriter"
)

type reportCommand struct {
	toDaemon
	Name     string   `arg:"" optional:"" help:"Which report; without it they are listed."`
	From     string   `placeholder:"DATE" help:"The first night, inclusive."`
	To       string   `placeholder:"DATE" help:"The last night, inclusive."`
	Property []string `placeholder:"ID" help:"Of these properties alone."`
	GroupBy  []string `placeholder:"NAME" help:"What there is a row for, such as day, month, room_type or channel; up to two."`
	Currency string   `placeholder:"CODE" help:"Of the amounts, where the properties have several."`
	Compare  string   `placeholder:"NAME" help:"What stands beside each figure: previous_period, last_year_date or last_year_weekday."`
	AsOf     string   `placeholder:"TIME" help:"As the books stood at this instant, such as 2026-11-20T18:00:00Z."`
	Since    string   `placeholder:"TIME" help:"Of the report pickup: from how the books stood then."`
	Until    string   `placeholder:"TIME" help:"Of the report pickup: to how they stood then; now without it."`
	By       string   `placeholder:"NAME" help:"Of the report cancellations: whether the dates are those of arrival or of booking (created_at)."`
	CSV      bool     `name:"csv" help:"Print a table for other programs."`
}

// query is what of the command goes to the daemon. Nothing stands beside the figures
// unless somebody wants it to: lines are only so wide.
func (c reportCommand) query() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{
		"date_from": c.From, "date_to": c.To, "property_id": strings.Join(c.Property, ","), "group_by": strings.Join(c.GroupBy, ","),
		"currency": c.Currency, "compare": c.Compare, "as_of": c.AsOf, "pickup_since": c.Since, "pickup_until": c.Until, "by": c.By,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if c.Compare == "" {
		q.Set("compare", "none")
	}
	return q
}

// Run shows a report, or lists them.
func (c reportCommand) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	if c.Name == "" {
		return c.list(ctx, d)
	}
	if c.From == "" || c.To == "" {
		return errors.New("--from and --to say of which nights, such as --from 2026-12-01 --to 2026-12-31")
	}
	path := "/reports/" + url.PathEscape(c.Name) + "?" + c.query().Encode()
	if d.raw {
		var got object
		if err := d.Get(ctx, path, &got); err != nil {
			return err
		}
		return d.print(got, nil)
	}
	table, err := d.Text(ctx, path, "text/csv")
	if err != nil {
		return err
	}
	if c.CSV {
		_, err := fmt.Fprint(d.out, table)
		return err
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return fmt.Errorf("the report cannot be read: %w", err)
	}
	return d.print(rows, func(w *tabwriter.Writer) {
		for i, row := range rows {
			for j, v := range row {
				if row[j] = dash(v); i == 0 {
					row[j] = strings.ToUpper(strings.ReplaceAll(v, "_", " "))
				}
			}
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
	})
}

// list tells which reports there are, and by what their rows can be grouped.
func (c reportCommand) list(ctx context.Context, d *daemon) error {
	var got object
	if err := d.Get(ctx, "/reports", &got); err != nil {
		return err
	}
	return d.print(got, func(w *tabwriter.Writer) {
		for _, r := range got.list("data") {
			fmt.Fprintf(w, "%s\t%s\t%s\n", r.text("name"), r.text("description"), r.words("group_by"))
		}
	})
}
