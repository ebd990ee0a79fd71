// Package alpinebits is the connector to portals that speak AlpineBits HotelData: it
// is the hotel's side, which tells how many rooms are free and takes reservations
// in. The messages are in connectors/alpinebits/message; the portal that it is tried
// against is in connectors/alpinebits/simulator, which shares no code with it.
package alpinebits

import (
	"context"
	"strings"
	"sync"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

func init() {
	connectors.Register(connectors.Driver[Config]{
		Name:         "alpinebits",
		Summary:      "portals and booking engines that speak AlpineBits HotelData 2024-10, 2022-10 or 2020-10",
		Capabilities: capabilities,
		Discover:     discover,
		Account:      account,
		Place:        place,
		Defaults:     defaults,
		Example:      example,
		Open:         open,
	})
}

// conn is what every channel can do.
type conn struct {
	cfg    Config
	call   transport.Caller
	clock  hotel.Clock
	log    *zap.Logger
	agreed *agreement
	owed   *owed
	told   pictures
	heard  histories
	rooms  func(ctx context.Context) ([]connectors.SoldRoom, error) // nil: nobody tells
	house  func(ctx context.Context) (hotel.Property, error)        // likewise
	shut   func(ctx context.Context) ([]hotel.Span, error)          // likewise
}

// pulled is a channel that we ask for reservations, pushed one that sends them.
type (
	pulled struct{ *conn }
	pushed struct{ *conn }
)

var (
	_ connectors.Connector = (*conn)(nil)
	_ connectors.Lister    = (*conn)(nil)
	_ connectors.Rereader  = (*conn)(nil)
	_ connectors.Poller    = pulled{}
	_ connectors.Receiver  = pushed{}
)

// open makes the connection; it calls nobody.
func open(_ context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
	if c.FarSide == PMS {
		return served{c, env.Clock, env.Log, env.Shelf}, nil
	}
	shared := connect(c, env)
	if env.Found.Version != "" {
		shared.agreed.carry(termsOf(env.Found), env.Clock.Now())
	}
	switch {
	case c.GuestRequests == Push:
		return pushed{shared}, nil
	case len(c.BaseRates) > 0:
		return asking{pulled{shared}}, nil
	}
	return pulled{shared}, nil
}

func connect(c Config, env connectors.Env) *conn {
	return &conn{
		cfg: c, call: transport.Caller{Client: env.Client, Clock: env.Clock}, clock: env.Clock, log: env.Log,
		agreed: newAgreement(), owed: &owed{shelf: env.Shelf}, told: pictures{env.Shelf}, heard: histories{env.Shelf, &sync.Mutex{}},
		rooms: env.Rooms, house: env.Property, shut: env.Shut,
	}
}

// Close implements [connectors.Connector]; there is nothing to give back.
func (c *conn) Close() error { return nil }

// property is the hotel as the portal knows it.
func (c *conn) property() message.Hotel {
	return message.Hotel{Code: c.cfg.Hotel, Name: c.cfg.HotelName}
}

// maxWords bounds what is kept of the portal's words.
const maxWords = 4 << 10

// words are the portal's own, fit to be kept.
func (c *conn) words(said string) string {
	for _, secret := range []string{c.cfg.Password, c.cfg.InboundPassword} {
		if secret != "" {
			said = strings.ReplaceAll(said, secret, "***")
		}
	}
	return strings.ToValidUTF8(said[:min(len(said), maxWords)], "")
}
