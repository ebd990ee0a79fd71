// Package channex is the connector to Channex, a hub with several hundred online
// travel agencies behind it. It holds Ostler's side of the protocol that the README
// describes; a pretend Channex is in connectors/channex/simulator, which shares no
// code with it.
package channex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

func init() {
	connectors.Register(connectors.Driver[Config]{
		Name:         "channex",
		Summary:      "Channex, a hub with several hundred online travel agencies behind it",
		Capabilities: capabilities,
		Discover:     discover,
		Account:      account,
		Place:        account,
		Defaults:     defaults,
		Example:      example,
		Open:         open,
	})
}

// conn is a channel whose bookings are fetched when their time has come, and hinted
// one that is told besides when there is something to fetch.
type (
	conn struct {
		cfg   Config
		call  transport.Caller
		clock hotel.Clock
		log   *zap.Logger
		sold  func(context.Context) ([]connectors.SoldRoom, error) // what is; nil: nobody can tell

		shelf connectors.Shelf                                 // has the newest notice of what was not acknowledged
		tell  func(context.Context, hotel.ChannelReport) error // nil: nobody can be told

		doubts doubts
	}
	hinted struct{ *conn }
)

var (
	_ connectors.Connector   = (*conn)(nil)
	_ connectors.Reader      = (*conn)(nil)
	_ connectors.WholeReader = (*conn)(nil)
	_ connectors.Lister      = (*conn)(nil)
	_ connectors.Poller      = (*conn)(nil)
	_ connectors.Catalog     = (*conn)(nil)
	_ connectors.Rereader    = (*conn)(nil)
	_ connectors.Receiver    = hinted{}
)

// open makes the connection; it calls nobody.
func open(_ context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
	made := &conn{cfg: c, call: transport.Caller{Client: env.Client, Clock: env.Clock}, clock: env.Clock, log: env.Log, sold: env.Rooms, shelf: env.Shelf, tell: env.Report}
	if c.WebhookSecret != "" {
		return hinted{made}, nil
	}
	return made, nil
}

// Close implements [connectors.Connector]; there is nothing to give back.
func (c *conn) Close() error { return nil }

// perPage is how many things are asked for at a time, the most that Channex shows.
// Who does not say gets ten.
const perPage = 100

// maxPages bounds a list that does not end.
const maxPages = 500

// step says how to go on behind a page of a list.
type step int

const (
	further     step = iota // with the next page
	again                   // with the same: what was taken is no longer in it
	pause                   // not now, and later with the same
	pauseBehind             // not now, and later with the next
)

// pages fetches the pages of a list from one on and hands them to take, until there is
// none or take wants a pause. It returns the page to go on with, and whether there is none.
func (c *conn) pages(ctx context.Context, op, path string, query url.Values, from int, take func(data []json.RawMessage) (step, error)) (number int, whole bool, err error) {
	query.Set("filter[property_id]", c.cfg.Property)
	query.Set("pagination[limit]", strconv.Itoa(perPage))
	number = max(from, 1)
	for range maxPages {
		query.Set("pagination[page]", strconv.Itoa(number))
		var said page
		if err := c.get(ctx, op, path, query, &said); err != nil {
			return number, false, err
		}
		if said.Data == nil || said.Meta.Total == nil {
			return number, false, unreadable(op, errors.New("it is no page of a list"))
		}
		then, err := take(said.Data)
		if err != nil {
			return number, false, err
		}
		last := len(said.Data) == 0 || number*perPage >= *said.Meta.Total
		switch {
		case len(said.Data) == 0, last && (then == further || then == pauseBehind):
			return number, true, nil
		case then == pause:
			return number, false, nil
		case then == pauseBehind:
			return number + 1, false, nil
		case then == further:
			number++
		}
	}
	return number, false, unreadable(op, errors.New("the list does not end"))
}

// get fetches what query names and decodes it into answer.
func (c *conn) get(ctx context.Context, op, path string, query url.Values, answer any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	reply, err := c.do(ctx, op, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(reply.Body, answer); err != nil {
		return unreadable(op, err)
	}
	return nil
}

// do performs one request within the channel's own timeout.
func (c *conn) do(ctx context.Context, op, method, path string, body []byte) (transport.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.cfg.Timeout))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.cfg.URL, "/")+"/"+path, bytes.NewReader(body))
	if err != nil {
		return transport.Reply{}, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: op, Err: fmt.Errorf("make the request: %w", err)}
	}
	req.Header.Set("user-api-key", c.cfg.APIKey)
	req.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	reply, err := c.call.Do(req, op)
	if err != nil {
		return reply, c.explained(err, reply)
	}
	return reply, nil
}

// rest is how long a property is left alone that was called too often, or whose call was
// answered with a failure of Channex's own. Its guide says so, and not its answers: on any
// error pause for a minute, then try again. What is to be spared by that is Channex when it has
// too much to do, which 429 and 5xx say. Not with these:
//
//	400, 404 of an id, 422   are not sent again as they are, and say nothing against the next
//	                         call: a closing does not wait behind a price that is refused
//	401, 403                 end the channel's calls until somebody looks
//	no answer                is as often the house's own line, on which a closing is not to wait a
//	                         minute for each call lost: the engine waits longer each time, from a
//	                         second on, and leaves the account alone once several fail in a row
const rest = time.Minute

// explained adds to a failure what Channex says of it. That it does not know what is
// named is no state of today.
func (c *conn) explained(err error, reply transport.Reply) error {
	var said refusal
	failure := (*connectors.Error)(nil)
	if !errors.As(err, &failure) {
		return err
	}
	if failure.RetryAfter == 0 && (failure.Kind == connectors.RateLimited || reply.Status >= http.StatusInternalServerError) {
		failure.RetryAfter = rest
	}
	if json.Unmarshal(reply.Body, &said) != nil || said.Errors.Code == "" {
		return err
	}
	if failure.Kind == connectors.Temporary && (said.Errors.Code == "resource_not_found" || said.Errors.Code == "not_found") {
		failure.Kind = connectors.Unmapped
	}
	failure.Err = fmt.Errorf("%w: %s", failure.Err, c.words(said.Errors.Code+" "+said.Errors.Title+" "+string(said.Errors.Details)))
	return err
}

// unreadable is an answer that says nothing: a broken far side, not a refusal.
func unreadable(op string, err error) error {
	return &connectors.Error{Kind: connectors.Temporary, Op: op, Err: fmt.Errorf("the answer cannot be read: %w", err)}
}

// maxWords bounds what is kept of the far side's words.
const maxWords = 4 << 10

// words are the far side's own, fit to be kept.
func (c *conn) words(said string) string {
	for _, secret := range []string{c.cfg.APIKey, c.cfg.WebhookSecret} {
		if secret != "" {
			said = strings.ReplaceAll(said, secret, "***")
		}
	}
	return strings.ToValidUTF8(strings.TrimSpace(said[:min(len(said), maxWords)]), "")
}
