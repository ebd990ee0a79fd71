package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"
)

// userCommands are `ostler user ...`.
type userCommands struct {
	Add     userAdd     `cmd:"" help:"Make a user; the password is asked for, or read from the input."`
	List    userList    `cmd:"" help:"List the users."`
	Set     userSet     `cmd:"" help:"Change a user's roles or password; whoever is signed in as the user is not any more."`
	Disable userDisable `cmd:"" help:"Let nobody sign in as the user, and end its sessions."`
	Enable  userEnable  `cmd:"" help:"Let the user sign in again."`
	SignOut userSignOut `cmd:"" help:"End all sessions of a user."`
	Link    userLink    `cmd:"" help:"Print a link by which the user can sign in once, within a day."`
	Remove  userRemove  `cmd:"" help:"Remove a user."`
}

const usersPath = "/console/users"

// oneUser is the user that a command is about.
type oneUser struct {
	toDaemon
	Name string `arg:"" help:"What the user signs in by, such as an e-mail address."`
}

func (c oneUser) path() string { return usersPath + "/" + url.PathEscape(c.Name) }

type userAdd struct {
	oneUser
	Role       string   `required:"" enum:"owner,operator,revenue,front_desk,read_only" help:"What the user is: owner, operator, revenue, front_desk or read_only."`
	Property   []string `default:"*" placeholder:"ID" help:"In which properties; may be repeated (all of them)."`
	NoPassword bool     `help:"Ask for none: the user can sign in by link alone."`
}

// Run makes a user.
func (c userAdd) Run(ctx context.Context) error {
	body := map[string]any{"name": c.Name, "roles": rolesOf(c.Role, c.Property)}
	if !c.NoPassword {
		password, err := readPassword(os.Stdin, os.Stderr)
		if err != nil {
			return err
		}
		body["password"] = password
	}
	return c.do(ctx, http.MethodPost, usersPath, body)
}

type userSet struct {
	oneUser
	Role     string   `enum:",owner,operator,revenue,front_desk,read_only" default:"" help:"What the user is from now on."`
	Property []string `default:"*" placeholder:"ID" help:"With --role: in which properties; may be repeated (all of them)."`
	Password bool     `help:"Set a new password, which is asked for, or read from the input."`
}

// Run changes a user.
func (c userSet) Run(ctx context.Context) error {
	body := map[string]any{}
	if c.Role != "" {
		body["roles"] = rolesOf(c.Role, c.Property)
	}
	if c.Password {
		password, err := readPassword(os.Stdin, os.Stderr)
		if err != nil {
			return err
		}
		body["password"] = password
	}
	if len(body) == 0 {
		return errors.New("nothing to change: give --role or --password")
	}
	return c.do(ctx, http.MethodPatch, c.path(), body)
}

func rolesOf(role string, properties []string) map[string]string {
	roles := map[string]string{}
	for _, p := range properties {
		roles[p] = role
	}
	return roles
}

// do asks for something about the user and shows the user.
func (c oneUser) do(ctx context.Context, method, path string, body any) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var one object
	if err := d.Do(ctx, method, path, body, &one); err != nil {
		return err
	}
	return d.print(one, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "user\t%s\nroles\t%s\nstate\t%s\n", one.text("name"), roleWords(one), userState(one))
	})
}

func userState(user object) string {
	if off, _ := user["disabled"].(bool); off {
		return "disabled"
	}
	return "active"
}

func roleWords(user object) string {
	roles := user.in("roles")
	var words []string
	for _, property := range slices.Sorted(maps.Keys(roles)) {
		words = append(words, property+"="+roles.text(property))
	}
	return strings.Join(words, " ")
}

type userDisable struct{ oneUser }

// Run disables the user.
func (c userDisable) Run(ctx context.Context) error {
	return c.do(ctx, http.MethodPatch, c.path(), map[string]any{"disabled": true})
}

type userEnable struct{ oneUser }

// Run enables the user.
func (c userEnable) Run(ctx context.Context) error {
	return c.do(ctx, http.MethodPatch, c.path(), map[string]any{"disabled": false})
}

type userSignOut struct{ oneUser }

// Run ends the sessions.
func (c userSignOut) Run(ctx context.Context) error {
	return c.do(ctx, http.MethodPatch, c.path(), map[string]any{})
}

type userList struct{ toDaemon }

// Run lists the users.
func (c userList) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var got object
	if err := d.Get(ctx, usersPath, &got); err != nil {
		return err
	}
	return d.print(got, func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "NAME\tROLES\tSINCE\tSTATE")
		for _, one := range got.list("data") {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", one.text("name"), roleWords(one), one.text("created_at"), userState(one))
		}
	})
}

type userLink struct{ oneUser }

// Run prints a link to sign in by.
func (c userLink) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	got, err := d.post(ctx, c.path()+"/link", nil)
	if err != nil {
		return err
	}
	return d.print(got, func(w *tabwriter.Writer) { fmt.Fprintln(w, got.text("url")) })
}

type userRemove struct{ oneUser }

// Run removes the user.
func (c userRemove) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var got object
	if err := d.Do(ctx, http.MethodDelete, c.path(), nil, &got); err != nil {
		return err
	}
	return d.print(got, func(w *tabwriter.Writer) { fmt.Fprintf(w, "removed %s\n", c.Name) })
}

// readPassword asks for a password twice at a terminal, and reads one line of any
// other input. It is never an argument: those stand in the list of processes.
func readPassword(in *os.File, ask io.Writer) (string, error) {
	if !term.IsTerminal(int(in.Fd())) {
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil && (!errors.Is(err, io.EOF) || line == "") {
			return "", errors.New("no password was given: type it at a terminal, or put it on the input")
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var given [2]string
	for i, prompt := range []string{"Password: ", "Once more: "} {
		fmt.Fprint(ask, prompt)
		typed, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(ask)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		given[i] = string(typed)
	}
	if given[0] != given[1] {
		return "", errors.New("the two are not the same; nothing was changed")
	}
	return given[0], nil
}
