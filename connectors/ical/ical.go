// Package ical is the connector to booking sites that know nothing but calendars:
// iCalendar feeds (RFC 5545) that each side reads from the other. What is taken here
// is published for the site to read; what is taken there is read from its calendars.
// The README says what that can promise, which is little.
//
// What a calendar says is read and written in connectors/ical/calendar; here is what
// follows from it. The pretend site is in connectors/ical/simulator.
package ical

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/ical/calendar"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

func init() {
	connectors.Register(connectors.Driver[Config]{
		Name:         "ical",
		Summary:      "sites that share availability by iCalendar feeds",
		Capabilities: capabilities,
		Account:      place,
		Place:        place,
		Defaults:     defaults,
		Example:      example,
		Open:         open,
	})
}

// conn is one open channel.
type conn struct {
	cfg      Config
	listings []listing
	zone     *time.Location
	channel  string
	house    string // ends the UIDs that any channel of this installation publishes
	call     transport.Caller
	clock    hotel.Clock
	log      *zap.Logger
	shelf    connectors.Shelf
	tell     func(context.Context, hotel.ChannelReport) error // nil: nobody can be told
	rooms    func(context.Context, hotel.Span) (map[string]map[hotel.Date]int, error)

	reading chan struct{} // holds one while the site's calendars are read

	mu   sync.Mutex                // held while the shelf is changed
	seen map[string]calendar.Event // by reference, as it was last read
}

var (
	_ connectors.Connector = (*conn)(nil)
	_ connectors.Poller    = (*conn)(nil)
	_ connectors.Lister    = (*conn)(nil)
	_ connectors.Catalog   = (*conn)(nil)
	_ connectors.Publisher = (*conn)(nil)
	_ connectors.Visited   = (*conn)(nil)
)

// anonymous ends the UIDs of an installation whose name nobody can tell.
const anonymous = "ostler"

// open makes the connection; it calls no site.
func open(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
	listings, err := listingsOf(c.Calendars)
	if err != nil {
		return nil, fmt.Errorf("calendars: %w", err)
	}
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("time zone: %w", err)
	}
	house := anonymous
	if env.Installation != nil {
		name, err := env.Installation(ctx)
		if err != nil {
			return nil, fmt.Errorf("name of the installation: %w", err)
		}
		house = strings.ToLower(name) + "." + anonymous
	}
	return &conn{
		cfg: c, listings: listings, zone: zone, channel: env.ChannelID, house: house,
		call:  transport.Caller{Client: env.Client, Clock: env.Clock},
		clock: env.Clock, log: env.Log, shelf: env.Shelf, tell: env.Report, rooms: env.Taken,
		reading: make(chan struct{}, 1), seen: map[string]calendar.Event{},
	}, nil
}

// Close implements [connectors.Connector]; there is nothing to give back.
func (c *conn) Close() error { return nil }

// Products implements [connectors.Catalog]: the rooms of the settings, for a site
// tells of none.
func (c *conn) Products(context.Context) ([]connectors.RemoteProduct, error) {
	var products []connectors.RemoteProduct
	for _, l := range c.listings {
		if l.number == 1 {
			products = append(products, connectors.RemoteProduct{Room: l.room, RoomName: l.room})
		}
	}
	return products, nil
}

// today is the date at the property.
func (c *conn) today() hotel.Date { return hotel.DateIn(c.clock.Now(), c.zone) }

// domain ends the UIDs that this channel publishes, and no other's.
func (c *conn) domain() string { return strings.ToLower(c.channel) + "." + c.house }
