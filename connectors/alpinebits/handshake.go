package alpinebits

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// agreedFor is for how long what was agreed is gone by before it is asked for anew.
const agreedFor = 24 * time.Hour

// gzipFeature stands among the features of a portal that takes compressed requests.
const gzipFeature = "gzip"

// terms is what was agreed with a portal.
type terms struct {
	version  message.Version
	features []string
}

func termsOf(found connectors.Discovered) terms {
	return terms{message.Version(found.Version), found.Features}
}

// same reports whether both are the same terms.
func (t terms) same(as terms) bool {
	return t.version == as.version && slices.Equal(slices.Sorted(slices.Values(t.features)), slices.Sorted(slices.Values(as.features)))
}

func (t terms) discovered() connectors.Discovered {
	return connectors.Discovered{Version: string(t.version), Features: t.features}
}

// agreement is the terms that calls go by. One handshake at a time is under way.
type agreement struct {
	turn chan struct{}

	mu      sync.Mutex
	terms   terms
	until   time.Time
	carried bool // from before the channel was opened
}

func newAgreement() *agreement { return &agreement{turn: make(chan struct{}, 1)} }

func (a *agreement) keep(t terms, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.terms, a.until, a.carried = t, now.Add(agreedFor), false
}

// carry takes over what was agreed before the channel was opened.
func (a *agreement) carry(t terms, now time.Time) {
	a.keep(t, now)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.carried = true
}

// old reports whether the terms are from before.
func (a *agreement) old() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.carried
}

// forget makes the next call begin with a handshake.
func (a *agreement) forget() { a.keep(terms{}, time.Time{}) }

func (a *agreement) current(now time.Time) (terms, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.terms, a.terms.version != "" && now.Before(a.until)
}

// terms returns what calls go by and shakes hands before that where it has to.
func (c *conn) terms(ctx context.Context) (terms, error) {
	select {
	case c.agreed.turn <- struct{}{}:
		defer func() { <-c.agreed.turn }()
	case <-ctx.Done():
		return terms{}, &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent, Op: "shake hands", Err: ctx.Err()}
	}
	if t, ok := c.agreed.current(c.clock.Now()); ok {
		return t, nil
	}
	t, err := c.handshake(ctx)
	if err != nil {
		return terms{}, err
	}
	c.agreed.keep(t, c.clock.Now())
	return t, nil
}

// discover asks a portal which version is spoken and what it does.
func discover(ctx context.Context, cfg Config, env connectors.Env) (connectors.Discovered, error) {
	if cfg.FarSide == PMS {
		return connectors.Discovered{}, nil // it calls us
	}
	t, err := connect(cfg, env).handshake(ctx)
	if err != nil {
		return connectors.Discovered{}, err
	}
	found := t.discovered()
	for _, o := range takes(cfg) {
		if why := missing(cfg, o.Name, found); why != "" {
			found.Doubts = append(found.Doubts, why)
		}
	}
	if cfg.GuestRequests == Pull && !hands(found) {
		found.Doubts = append(found.Doubts, "the portal hands out no reservations: none will come in as long as guest_requests is pull; set it to push where the portal sends them itself, or has none")
	}
	return found, nil
}

// handshake asks in the newest version first. A portal that does not know it may turn
// the question down as a whole, by its status or in its answer, and is asked in the
// next older one.
func (c *conn) handshake(ctx context.Context) (terms, error) {
	const op = "shake hands"
	offered := c.offer()
	for i := range offered.Versions {
		older := message.Agreement{Versions: offered.Versions[i:]}
		reply, err := c.post(ctx, op, message.Ping, older.Versions[0].Version, false, message.WritePing(older))
		if reply.Status == http.StatusBadRequest && i+1 < len(offered.Versions) {
			continue
		}
		if err != nil {
			return terms{}, err
		}
		said, err := message.ReadPong(reply.Body)
		if errors.Is(err, message.ErrRefused) && i+1 < len(offered.Versions) {
			continue
		}
		if err != nil {
			return terms{}, unreadable(op, errors.New(c.words(err.Error())))
		}
		common, ok := older.Common(said).Newest()
		if !ok {
			return terms{}, &connectors.Error{Kind: connectors.Invalid, Op: op, Err: fmt.Errorf("the portal speaks none of the versions %v, or does nothing that we ask for", older.Names())}
		}
		t := terms{common.Version, common.Features()}
		if strings.Contains(reply.Header.Get(encodingHeader), "gzip") {
			t.features = append(t.features, gzipFeature)
		}
		return t, nil
	}
	return terms{}, nil // an offer has at least one version
}

// offer is what we can do: tell counts, rate plans and what categories there are, and ask
// for reservations.
func (c *conn) offer() message.Agreement {
	var offered message.Agreement
	for _, v := range message.Versions[slices.Index(message.Versions, c.cfg.Newest):] {
		read := message.Supported{Action: message.ReadRequests.Handshake}
		rooms := message.Supported{Action: message.FreeRooms.Handshake, Supports: []string{message.AcceptCategories, message.AcceptDeltas, message.AcceptSeasons}}
		plans := message.Supported{Action: message.RatePlans.Handshake, Supports: []string{
			message.AcceptOverlay, message.AcceptArrivalDays, message.AcceptDepartDays, message.AcceptCategoryRule,
		}}
		if v != message.V2020 {
			rooms.Supports = append(rooms.Supports, message.AcceptCompleteSet)
		}
		if v == message.V2024 {
			read.Supports = []string{message.ReadRoomRates}
			plans.Supports = append(plans.Supports, message.AcceptFull)
		}
		if c.cfg.Fees {
			plans.Supports = append(plans.Supports, message.AcceptSupplements)
		}
		actions := []message.Supported{{Action: message.Ping.Handshake}, rooms, plans, read}
		if c.cfg.Inventory != "" {
			actions = append(actions, message.Supported{Action: message.Inventory.Handshake, Supports: []string{message.OccupancyChildren}})
		}
		offered.Versions = append(offered.Versions, message.Spoken{Version: v, Actions: actions})
	}
	return offered
}

// takesSets reports whether the portal takes complete sets of free rooms.
func (t terms) takesSets() bool {
	return t.version == message.V2020 || slices.Contains(t.features, message.AcceptCompleteSet)
}

// missing says what a portal lacks without which calls of an operation are not taken,
// empty when it has all of it.
func missing(c Config, operation string, found connectors.Discovered) string {
	t := termsOf(found)
	has := func(feature string) bool { return slices.Contains(t.features, feature) }
	switch operation {
	case ratePlans:
		if len(c.BaseRates) > 0 {
			return "" // it asks for prices
		}
	case freeRooms:
		switch {
		case !has(message.FreeRooms.Handshake):
			return "the portal takes no free rooms"
		case !has(message.AcceptCategories):
			return "the portal takes free rooms by single room only, not by category"
		case !has(message.AcceptDeltas) && !t.takesSets():
			return "the portal takes neither single changes nor complete sets of free rooms"
		}
		return ""
	case bookingRules:
		switch {
		case !has(message.AcceptCategoryRule):
			return "the portal takes no booking rules of categories"
		case !has(message.AcceptArrivalDays) || !has(message.AcceptDepartDays):
			return "the portal takes no days of arrival and departure"
		}
	}
	switch {
	case !has(message.RatePlans.Handshake):
		return "the portal takes no rate plans"
	case !has(message.AcceptOverlay) && len(c.WholePlans) == 0:
		return "the portal takes whole rate plans only, and the setting whole_plans names none"
	}
	return ""
}
