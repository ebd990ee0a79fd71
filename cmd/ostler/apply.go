package main

import (
	"context"
	"net/url"
)

type applyCommand struct {
	oneChannel
	Plan   string `arg:"" help:"The plan's id, as ostler plan has shown it."`
	NoWait bool   `help:"Do not wait for the end."`
}

// Run has a channel told what a plan says, and tells how that went.
func (c applyCommand) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	run, err := d.post(ctx, "/channels/"+url.PathEscape(c.ID)+"/plan/"+url.PathEscape(c.Plan)+"/apply", nil)
	if err != nil {
		return err
	}
	return d.tellRun(ctx, run, c.NoWait)
}
