package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/user"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"go.uber.org/zap"

	"ostler.example/internal/app"
	"ostler.example/internal/client"
)

// clientCommands are `ostler client ...`.
type clientCommands struct {
	Create       clientCreate   `cmd:"" help:"Make a client. Its secret is shown once."`
	List         clientList     `cmd:"" help:"List the clients."`
	Show         clientShow     `cmd:"" help:"Show one client."`
	Suspend      clientSuspend  `cmd:"" help:"Have a client refused from now on, until it is resumed."`
	Resume       clientResume   `cmd:"" help:"Let a suspended client in again."`
	Revoke       clientRevoke   `cmd:"" help:"End a client for good."`
	Tier         clientTier     `cmd:"" help:"Say how often a client may call."`
	Rotate       clientRotate   `cmd:"" help:"Give a client another secret, shown once; the old one stays valid until it is dropped."`
	Secret       secretCommands `cmd:"" help:"The secrets of a client."`
	Networks     clientNetworks `cmd:"" help:"Say from which networks a client may call."`
	RevokeTokens clientTokens   `cmd:"" help:"End all tokens of a client; it may ask for others."`
}

// oneClient is the client that a command is about.
type oneClient struct {
	toDaemon
	ID string `arg:"" help:"The client's id; ostler client list shows it."`
}

type clientCreate struct {
	toDaemon
	Name        string   `required:"" placeholder:"TEXT" help:"What people call it."`
	Environment string   `enum:"production,sandbox" default:"production" help:"Which world it lives in."`
	Kind        string   `enum:"ota,pms,rms,crm,bi,enterprise" default:"enterprise" help:"What it is; one of kind ota stands for one channel."`
	Channel     string   `placeholder:"ID" help:"Of kind ota: the channel that it stands for."`
	Tier        string   `placeholder:"NAME" help:"How often it may call (standard)."`
	Limit       *int     `placeholder:"N" help:"Requests an hour in place of its tier's; 0 is no limit."`
	Sandbox     string   `placeholder:"ID" help:"Of environment sandbox: which one it shares with others (one of its own)."`
	Scope       []string `placeholder:"NAME" help:"What it may do; may be repeated, and all is every scope."`
	Property    []string `default:"*" placeholder:"ID" help:"Which properties it sees; may be repeated (all of them)."`
	Network     []string `placeholder:"CIDR" help:"A network or an address that it may call from; may be repeated (anywhere)."`
}

// Run makes a client: through the daemon, or where none runs and there is no
// client yet, in the ledger itself.
func (c clientCreate) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	made, err := d.post(ctx, "/clients", c.body())
	if errors.Is(err, client.ErrNoDaemon) {
		made, err = c.offline(ctx, d)
	}
	if err != nil {
		return err
	}
	return d.print(made, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "client_id\t%s\nclient_secret\t%s\n", made.text("id"), made.text("client_secret"))
		fmt.Fprintln(w, "The secret is shown this once; only a hash of it is kept.")
	})
}

func (c clientCreate) body() map[string]any {
	body := map[string]any{
		"name": c.Name, "environment": c.Environment, "kind": c.Kind, "scopes": c.scopes(), "property_ids": c.Property,
	}
	if c.Channel != "" {
		body["channel_id"] = c.Channel
	}
	if c.Tier != "" {
		body["tier"] = c.Tier
	}
	if c.Limit != nil {
		body["hourly_limit"] = *c.Limit
	}
	if c.Sandbox != "" {
		body["sandbox_id"] = c.Sandbox
	}
	if len(c.Network) > 0 {
		body["ip_allowlist"] = c.Network
	}
	return body
}

func (c clientCreate) scopes() []string {
	if slices.Contains(c.Scope, "all") {
		return app.Scopes()
	}
	return append([]string{}, c.Scope...)
}

// offline makes the first client with nobody at work on the ledger.
func (c clientCreate) offline(ctx context.Context, d *daemon) (object, error) {
	syscall.Umask(othersNothing)
	log, err := newLog("stderr", zap.WarnLevel)
	if err != nil {
		return nil, err
	}
	me, err := user.Current()
	if err != nil {
		return nil, fmt.Errorf("who is asking: %w", err)
	}
	id, secret, err := app.FirstClient(ctx, app.FirstClientOptions{
		Config: d.settings, Operator: me.Username, Log: log, Name: c.Name, Environment: c.Environment, Kind: c.Kind, Tier: c.Tier,
		Scopes: strings.Join(c.scopes(), " "), PropertyIDs: c.Property, Networks: c.Network,
	})
	return object{"id": id, "client_secret": secret}, err
}

type clientList struct{ toDaemon }

// Run lists the clients.
func (c clientList) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	all, err := d.all(ctx, "/clients")
	if err != nil {
		return err
	}
	return d.print(all, func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "ID\tNAME\tKIND\tENVIRONMENT\tTIER\tSTATUS\tSECRETS")
		for _, one := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\n", one.text("id"), one.text("name"), one.text("kind"), one.text("environment"),
				one.text("tier"), one.text("status"), len(one.list("secrets")))
		}
	})
}

type clientShow struct{ oneClient }

// Run shows one client.
func (c clientShow) Run(ctx context.Context) error { return c.show(ctx, http.MethodGet, "", nil) }

type clientSuspend struct{ oneClient }

// Run suspends the client.
func (c clientSuspend) Run(ctx context.Context) error { return c.status(ctx, "suspended") }

type clientResume struct{ oneClient }

// Run lets the client in again.
func (c clientResume) Run(ctx context.Context) error { return c.status(ctx, "active") }

type clientRevoke struct{ oneClient }

// Run ends the client for good.
func (c clientRevoke) Run(ctx context.Context) error { return c.status(ctx, "revoked") }

type clientNetworks struct {
	oneClient
	Network  []string `arg:"" optional:"" help:"Networks such as 192.0.2.0/24, or addresses, in place of those before."`
	Anywhere bool     `help:"Let it call from anywhere again."`
}

// Run binds the client to networks, or to none.
func (c clientNetworks) Run(ctx context.Context) error {
	if c.Anywhere == (len(c.Network) > 0) {
		return errors.New("name the networks that the client may call from, or say --anywhere")
	}
	return c.show(ctx, http.MethodPatch, "", map[string]any{"ip_allowlist": append([]string{}, c.Network...)})
}

type clientTier struct {
	oneClient
	Tier  string `arg:"" help:"One of those of the configuration, such as standard or partner."`
	Limit *int   `placeholder:"N" help:"Requests an hour in place of the tier's; 0 is no limit (those of the tier)."`
}

// Run moves the client to a tier. A limit of its own that it had ends, unless another is
// said: it would keep the tier from having any effect.
func (c clientTier) Run(ctx context.Context) error {
	return c.show(ctx, http.MethodPatch, "", map[string]any{"tier": c.Tier, "hourly_limit": c.Limit})
}

type clientTokens struct{ oneClient }

// Run ends the client's tokens.
func (c clientTokens) Run(ctx context.Context) error {
	return c.show(ctx, http.MethodPost, "/revoke-tokens", nil)
}

func (c oneClient) status(ctx context.Context, to string) error {
	return c.show(ctx, http.MethodPatch, "", map[string]any{"status": to})
}

// show asks or changes something about the client and shows it.
func (c oneClient) show(ctx context.Context, method, step string, body any) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var one object
	if err := d.Do(ctx, method, "/clients/"+c.ID+step, body, &one); err != nil {
		return err
	}
	return d.print(one, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "client\t%s\n", one.text("id"))
		for _, member := range []string{"name", "status", "environment", "kind", "channel_id", "tier"} {
			fmt.Fprintf(w, "%s\t%s\n", member, dash(one.text(member)))
		}
		fmt.Fprintf(w, "scopes\t%s\nproperty_ids\t%s\nnetworks\t%s\n", one.words("scopes"), one.words("property_ids"), cmp.Or(one.words("ip_allowlist"), "anywhere"))
		if limit, ok := one["hourly_limit"].(float64); ok {
			fmt.Fprintf(w, "hourly_limit\t%.0f\n", limit)
		}
		for _, s := range one.list("secrets") {
			fmt.Fprintf(w, "secret\t%s, of %s, ends %s\n", s.text("id"), s.text("created_at"), cmp.Or(s.text("expires_at"), "never"))
		}
	})
}

// secretCommands are `ostler client secret ...`.
type secretCommands struct {
	Add  secretAdd  `cmd:"" help:"Give a client a further secret, shown once; two are valid at a time."`
	Drop secretDrop `cmd:"" help:"End one of a client's secrets."`
}

type secretAdd struct {
	oneClient
	Days int `placeholder:"N" help:"It ends after so many days; the client hears of it before (never)."`
}

// clientRotate is the first step of changing over to another secret: the old one is dropped
// once nobody uses it any more.
type clientRotate struct{ secretAdd }

// Run gives the client a further secret.
func (c secretAdd) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var body any
	if c.Days != 0 {
		body = map[string]any{"expires_in_days": c.Days}
	}
	s, err := d.post(ctx, "/clients/"+c.ID+"/secrets", body)
	if err != nil {
		return err
	}
	return d.print(s, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "secret\t%s\nclient_secret\t%s\nends\t%s\n", s.text("id"), s.text("client_secret"), cmp.Or(s.text("expires_at"), "never"))
		fmt.Fprintf(w, "It is shown this once. Switch over, then drop the old one: ostler client secret drop %s OLD\n", c.ID)
	})
}

type secretDrop struct {
	oneClient
	Secret string `arg:"" help:"The secret's id; ostler client show has it."`
}

// Run ends the secret.
func (c secretDrop) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Do(ctx, http.MethodDelete, "/clients/"+c.ID+"/secrets/"+c.Secret, nil, nil); err != nil {
		return err
	}
	return d.print(object{"dropped": c.Secret}, func(w *tabwriter.Writer) { fmt.Fprintf(w, "dropped %s\n", c.Secret) })
}
