package ical

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Send implements [connectors.Connector]. It calls nobody: the values lie ready for
// the site when it returns.
func (c *conn) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	const op = "publish"
	refuse := func(kind connectors.Kind, err error) (connectors.Answer, error) {
		return connectors.Answer{}, &connectors.Error{Kind: kind, Effect: connectors.NotSent, Op: op, Err: err}
	}
	var changes []told
	if err := json.Unmarshal(call.Body, &changes); err != nil || call.Operation != publish {
		return refuse(connectors.Invalid, fmt.Errorf("there is no such operation as %q", call.Operation))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f, err := load[feed](ctx, c.shelf, feedName)
	if err != nil {
		return refuse(connectors.Temporary, err)
	}
	if call.Version != 0 && call.Version <= f.Version {
		return refuse(connectors.Temporary, fmt.Errorf("version %d is not above %d, which was taken", call.Version, f.Version))
	}
	answer := connectors.Answer{Rest: connectors.Applied, Ref: strconv.FormatInt(call.Version, 10)}
	for _, k := range call.Keys {
		if !c.has(k.Room) {
			if answer.Keys == nil {
				answer.Keys = map[connectors.Key]connectors.Verdict{}
			}
			answer.Keys[k] = connectors.Verdict{Outcome: connectors.Rejected, Words: "the settings have no calendar for this room"}
		}
	}
	changes = slices.DeleteFunc(changes, func(t told) bool { return !c.has(t.Room) })
	today := c.today()
	f.take(changes, today)
	f.Version = max(f.Version, call.Version)
	b, err := load[bookings](ctx, c.shelf, bookingsName)
	if err != nil {
		return refuse(connectors.Temporary, err)
	}
	rooms, err := c.taken(ctx)
	if err != nil {
		return refuse(connectors.Temporary, err)
	}
	f.publish(c.listings, b.own(), rooms, c.clock.Now(), today)
	if err := save(ctx, c.shelf, feedName, f); err != nil {
		return connectors.Answer{}, &connectors.Error{Kind: connectors.Temporary, Op: op, Err: err} // it may be on disk
	}
	return answer, nil
}

// has reports whether the settings have a calendar for the room.
func (c *conn) has(room string) bool {
	return slices.ContainsFunc(c.listings, func(l listing) bool { return l.room == room })
}

// taken is how many rooms are taken on the nights that are published.
func (c *conn) taken(ctx context.Context) (roomsTaken, error) {
	if c.rooms == nil {
		return nil, nil
	}
	today := c.today()
	return c.rooms(ctx, hotel.Span{From: today, To: windowEnd(today) - 1})
}
