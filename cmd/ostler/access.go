package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"text/tabwriter"
)

// accessCommands are `ostler access ...`.
type accessCommands struct {
	List           accessList    `cmd:"" help:"List those who ask for access."`
	Show           accessShow    `cmd:"" help:"Show one request, and how its tests stand."`
	Approve        accessApprove `cmd:"" aliases:"approve-sandbox" help:"Issue sandbox credentials, which the other side claims."`
	Waive          accessWaive   `cmd:"" help:"Do without one of the checks."`
	RequestChanges accessChanges `cmd:"" help:"Ask for further tests."`
	Promote        accessPromote `cmd:"" aliases:"approve-production" help:"Issue production credentials, which the other side claims."`
	Reject         accessReject  `cmd:"" help:"Turn a request down; what was issued ends."`
	Revoke         accessRevoke  `cmd:"" help:"Take access back that was given."`
}

// oneRequest is the access request that a command is about.
type oneRequest struct {
	toDaemon
	ID string `arg:"" help:"The request's id; ostler access list shows it."`
}

type accessList struct {
	toDaemon
	Status string `placeholder:"NAME" help:"Only those of this status, such as submitted."`
}

// Run lists the requests.
func (c accessList) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	path := "/access-requests"
	if c.Status != "" {
		path += "?status=" + url.QueryEscape(c.Status)
	}
	all, err := d.all(ctx, path)
	if err != nil {
		return err
	}
	return d.print(all, func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "ID\tORGANISATION\tKIND\tSTATUS\tSINCE")
		for _, one := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", one.text("id"), one.text("organisation"), one.text("kind"), one.text("status"), one.text("updated_at"))
		}
	})
}

type accessShow struct{ oneRequest }

// Run shows a request and its checks.
func (c accessShow) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var one, tests object
	if err := d.Get(ctx, "/access-requests/"+c.ID, &one); err != nil {
		return err
	}
	if err := d.Get(ctx, "/access-requests/"+c.ID+"/certification", &tests); err != nil {
		return err
	}
	one["certification"] = tests
	return d.print(one, func(w *tabwriter.Writer) {
		for _, member := range []string{"id", "status", "organisation", "contact_name", "contact_email", "kind", "preset", "use_case", "message"} {
			fmt.Fprintf(w, "%s\t%s\n", member, dash(one.text(member)))
		}
		fmt.Fprintf(w, "scopes\t%s\nproperty_ids\t%s\n", one.words("scopes"), one.words("property_ids"))
		for _, check := range tests.list("checks") {
			fmt.Fprintf(w, "check\t%s: %s\n", check.text("check"), check.text("status"))
		}
	})
}

type accessApprove struct {
	oneRequest
	Scope   []string `placeholder:"NAME" help:"What it may do; may be repeated (what it asked for)."`
	Message string   `placeholder:"TEXT" help:"What the other side is told."`
}

// Run issues sandbox credentials.
func (c accessApprove) Run(ctx context.Context) error {
	return c.step(ctx, "approve-sandbox", given{"scopes": c.Scope, "message": c.Message})
}

type accessWaive struct {
	oneRequest
	Check string `arg:"" help:"The check; ostler access show lists them."`
}

// Run waives a check.
func (c accessWaive) Run(ctx context.Context) error {
	return c.step(ctx, "waive", given{"check": c.Check})
}

type accessChanges struct {
	oneRequest
	Message string `required:"" placeholder:"TEXT" help:"What is missing."`
}

// Run asks for further tests.
func (c accessChanges) Run(ctx context.Context) error {
	return c.step(ctx, "request-changes", given{"message": c.Message})
}

type accessPromote struct {
	oneRequest
	Tier     string   `placeholder:"NAME" help:"How often it may call (standard)."`
	Scope    []string `placeholder:"NAME" help:"What it may do; may be repeated (as in the sandbox)."`
	Property []string `placeholder:"ID" help:"Which properties it sees; may be repeated (those it asked for)."`
	Channel  string   `placeholder:"ID" help:"Of kind ota: the channel that it stands for."`
	Message  string   `placeholder:"TEXT" help:"What the other side is told."`
}

// Run issues production credentials.
func (c accessPromote) Run(ctx context.Context) error {
	return c.step(ctx, "approve-production", given{
		"tier": c.Tier, "scopes": c.Scope, "property_ids": c.Property, "channel_id": c.Channel, "message": c.Message,
	})
}

type accessReject struct {
	oneRequest
	Message string `placeholder:"TEXT" help:"Why."`
}

// Run turns a request down.
func (c accessReject) Run(ctx context.Context) error {
	return c.step(ctx, "reject", given{"message": c.Message})
}

type accessRevoke struct {
	oneRequest
	Message string `placeholder:"TEXT" help:"Why."`
}

// Run takes access back.
func (c accessRevoke) Run(ctx context.Context) error {
	return c.step(ctx, "revoke", given{"message": c.Message})
}

// given is a body without what was not said.
type given map[string]any

func (g given) body() map[string]any {
	body := map[string]any{}
	for name, value := range g {
		switch v := value.(type) {
		case string:
			if v != "" {
				body[name] = v
			}
		case []string:
			if len(v) > 0 {
				body[name] = v
			}
		}
	}
	return body
}

// step takes the request a step further and says how far it is.
func (c oneRequest) step(ctx context.Context, step string, g given) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var one object
	if err := d.Do(ctx, http.MethodPost, "/access-requests/"+c.ID+"/"+step, g.body(), &one); err != nil {
		return err
	}
	return d.print(one, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "request\t%s\nstatus\t%s\n", one.text("id"), one.text("status"))
	})
}
