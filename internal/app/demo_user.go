package app

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// demoUser is who the demo's console is for.
const demoUser = "demo"

// console makes the user of the demo's console where there is none, writes into
// demo.json how to sign in, and makes the link that is shown. A password stands in
// demo.json alone: when that is lost, the user has a new one.
func (d *Demo) console(ctx context.Context, old, file *demoFile) error {
	url, name := strings.TrimSuffix(d.BaseURL, "/v1")+"/", demoUser
	by, roles := operator("demo"), map[string]auth.Role{auth.AllProperties: auth.RoleOwner}
	password := old.ConsolePassword
	_, err := d.Env.Users.Named(ctx, name)
	refused, missing := errors.AsType[*hotel.Refusal](err)
	switch {
	case missing && refused.Code == "not_found":
		password = new(rand.Text())
		_, err = d.Env.Users.Add(ctx, by, name, *password, roles)
	case err == nil && password == nil:
		password = new(rand.Text())
		_, err = d.Env.Users.Change(ctx, by, name, auth.UserChange{Password: *password})
	}
	if err != nil {
		return err
	}
	file.ConsoleURL, file.ConsoleUser, file.ConsolePassword = &url, &name, password
	link, err := d.Env.Users.Link(ctx, name)
	d.ConsoleURL = strings.TrimSuffix(url, "/") + linkPath + link
	return err
}
