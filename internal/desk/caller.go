package desk

import (
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Caller is who asks, and in which request.
type Caller struct {
	auth.Who
	RequestID string
	Once      hotel.Once // the zero value for a request that carries no key
}

// by is the caller for the journal.
func (c Caller) by() hotel.By {
	actor := hotel.Actor{Kind: hotel.ActorClient, ID: c.ClientID}
	switch {
	case c.Operator != "":
		actor = hotel.Actor{Kind: hotel.ActorOperator, ID: c.Operator}
	case c.User != "":
		actor = hotel.Actor{Kind: hotel.ActorUser, ID: c.User}
	}
	return hotel.By{Actor: actor, RequestID: c.RequestID}
}

// person reports whether somebody of the house asks, and no client.
func (c Caller) person() bool { return c.User != "" || c.Operator != "" }

// need refuses a caller without the scope.
func (c Caller) need(scope auth.Scope) error {
	if c.Scopes.Has(scope) {
		return nil
	}
	r := hotel.Refuse("insufficient_scope", "this needs the scope %s", scope)
	r.Members = map[string]any{"scope": string(scope)}
	return r
}

// needAll refuses a caller without one of the scopes.
func (c Caller) needAll(scopes []string) error {
	for _, scope := range scopes {
		if err := c.need(auth.Scope(scope)); err != nil {
			return err
		}
	}
	return nil
}

// enter refuses a caller without the scope, or without a grant for the
// property. A property without a grant reads as one that does not exist.
func (c Caller) enter(scope auth.Scope, propertyID string) error {
	if err := c.need(scope); err != nil {
		return err
	}
	if !c.Sees(propertyID) {
		return noProperty()
	}
	return nil
}

// ota reports whether the caller stands for an external channel, which is sold
// only what names it.
func (c Caller) ota() bool { return c.Kind == "ota" }

// seller is the caller as plans name it in sold_by.
func (c Caller) seller() hotel.Seller {
	if c.ota() {
		return hotel.Seller{ID: c.ChannelID, Channel: true}
	}
	return hotel.Seller{ID: c.ClientID}
}

// findOwn refuses what was found of another channel than the one that the caller
// stands for, in the words for what does not exist.
func (c Caller) findOwn(channelID string) error {
	if c.seesChannel(channelID) {
		return nil
	}
	return nothing()
}

// seesHouse refuses a caller that stands for a channel what is the whole
// house's.
func (c Caller) seesHouse() error {
	if c.ota() {
		return nothing()
	}
	return nil
}

// writer is who wrote a cell, as far as the caller may know: one that stands for a channel
// is not told of another.
func (c Caller) writer(source string) string {
	if id, ok := strings.CutPrefix(source, string(hotel.FromChannel)+":"); ok && !c.seesChannel(id) {
		return ""
	}
	return source
}

// seesChannel reports whether the caller may see the channel. One that stands for
// a channel sees that one alone.
func (c Caller) seesChannel(id string) bool { return !c.ota() || c.ChannelID == id }

func noProperty() error {
	return hotel.Refuse("property_not_found", "there is no property by this id")
}

// find refuses what was found in a property without a grant, in the words for
// what does not exist.
func (c Caller) find(propertyID string) error {
	if c.Sees(propertyID) {
		return nil
	}
	return nothing()
}

func nothing() error { return hotel.Refuse("not_found", "there is nothing by this id") }
