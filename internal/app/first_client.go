package app

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// Scopes lists every scope there is.
func Scopes() []string {
	var names []string
	for _, s := range auth.AllScopes().List() {
		names = append(names, string(s))
	}
	return names
}

// FirstClientOptions describe a client that is made without a daemon.
type FirstClientOptions struct {
	Config                        config.Config
	Operator                      string // who does it, for the journal
	Log                           *zap.Logger
	Name, Environment, Kind, Tier string
	Scopes                        string // separated by spaces
	PropertyIDs                   []string
	Networks                      []string // from which alone it may call; none: anywhere
}

// FirstClient makes a client in a ledger that nobody works on and that has none:
// with one, the daemon is to be asked.
func FirstClient(ctx context.Context, o FirstClientOptions) (id, secret string, err error) {
	if there, err := exists(ledgerPath(o.Config.Data)); err != nil || !there {
		return "", "", errors.Join(err, noLedger(o.Config.Data))
	}
	lock, err := ledger.LockFolder(o.Config.Data)
	if err != nil {
		return "", "", err
	}
	id, secret, err = firstClient(ctx, o)
	return id, secret, errors.Join(err, lock.Release())
}

func firstClient(ctx context.Context, o FirstClientOptions) (id, secret string, err error) {
	clock := hotel.SystemClock{}
	l, err := ledger.Open(ctx, ledger.Options{Path: ledgerPath(o.Config.Data), Clock: clock, Log: o.Log})
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	all, err := l.Clients(ctx)
	if err != nil {
		return "", "", err
	}
	if len(all) > 0 {
		return "", "", fmt.Errorf("there are %d clients already, and no daemon to ask: start it with systemctl start ostler, or ostler serve", len(all))
	}
	authority, err := auth.New(ctx, auth.Options{Store: l, Clock: clock, Log: o.Log, Tiers: auth.Tiers(o.Config.RateLimits.Tiers)})
	if err != nil {
		return "", "", err
	}
	scopes, err := auth.ParseScopes(o.Scopes)
	if err != nil {
		return "", "", err
	}
	networks, err := auth.ParseNetworks(o.Networks)
	if err != nil {
		return "", "", err
	}
	made, err := authority.CreateClient(ctx, hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: o.Operator}}, hotel.Once{}, auth.Client{
		Name: o.Name, Environment: auth.Environment(o.Environment), Kind: o.Kind, Tier: o.Tier, Scopes: scopes, PropertyIDs: o.PropertyIDs, IPAllowlist: networks,
	})
	return made.ID, made.Secret, err
}
