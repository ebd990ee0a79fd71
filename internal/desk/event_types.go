package desk

import (
	"strings"

	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// EventType is a kind of event that readers of the feed are told of.
type EventType struct {
	Name  string
	Scope auth.Scope // whoever hears of it may read what it is about
	When  string
}

// EventTypes lists every public kind of event, by name in groups. One that is heard
// with either of two scopes is there twice.
func EventTypes() []EventType {
	types := []EventType{
		{string(ledger.ReservationCreated), auth.ReservationsRead, "A reservation came to be, from whatever origin."},
		{string(ledger.ReservationUpdated), auth.ReservationsRead, "Dates, room, price, guest or notes changed."},
	}
	for _, step := range []string{
		"requested", "held", "confirmed", "declined", "cancelled", "checked_in", "checked_out", "no_show",
		"check_in_reverted", "check_out_reverted", "reinstated",
	} {
		types = append(types, EventType{"reservation." + step, auth.ReservationsRead, "The reservation took this step."})
	}
	types = append(
		types,
		EventType{string(ledger.ReservationUnmapped), auth.ReservationsRead, "A channel's booking came whose room is not mapped."},
		EventType{string(ledger.ReservationUnacknowledged), auth.ReservationsRead, "A channel's booking was not acknowledged for half an hour, though a webhook endpoint says that its client acknowledges."},
		EventType{string(ledger.ReservationChannelAction), auth.ReservationsRead, "The channel of a booking was asked to do something with it, has answered, or somebody did it there; channel_actions tells how it stands."},
		EventType{string(ledger.ReservationWaitlist), auth.ReservationsRead, "A room became free that the waiting reservation fits."},
		EventType{string(ledger.GuestCreated), auth.GuestsRead, "A guest's profile came to be."},
		EventType{string(ledger.GuestUpdated), auth.GuestsRead, "A guest's profile changed; the event names the members and nothing else."},
		EventType{string(ledger.GuestWasMerged), auth.GuestsRead, "A guest's profile became part of another, which the event names."},
		EventType{string(ledger.GuestForgotten), auth.GuestsRead, "A person was forgotten: whoever has a copy forgets it too."},
		EventType{string(ledger.BlockCreated), auth.InventoryRead, "A block was made."},
		EventType{string(ledger.BlockUpdated), auth.InventoryRead, "A block changed."},
		EventType{string(ledger.BlockReleased), auth.InventoryRead, "Rooms of a block went back."},
		EventType{string(ledger.InventoryUpdated), auth.InventoryRead, "The rooms that the house has to sell changed."},
		EventType{string(ledger.InventoryOverbooked), auth.InventoryRead, "A booking found no room."},
		EventType{string(ledger.RatesUpdated), auth.RatesRead, "The prices that the house sells at changed."},
		EventType{string(ledger.HouseRulesUpdated), auth.RatesRead, "The restrictions of the house changed."},
		EventType{string(ledger.AriUpdateCompleted), auth.InventoryRead, "All channels are done with a bulk update; it says what they did not take."},
		EventType{string(ledger.AriUpdateCompleted), auth.RatesRead, "All channels are done with a bulk update; it says what they did not take."},
	)
	for _, part := range []struct {
		name  string
		scope auth.Scope
	}{{"property", auth.PropertiesRead}, {"pool", auth.PropertiesRead}, {"room_type", auth.PropertiesRead}, {"rate_plan", auth.RatesRead}} {
		for _, step := range []string{"created", "updated", "archived"} {
			types = append(types, EventType{part.name + "." + step, part.scope, "It was " + step + "."})
		}
	}
	for _, k := range []ledger.Kind{ledger.PricingRuleCreated, ledger.PricingRuleUpdated, ledger.PricingRuleDeleted} {
		_, step, _ := strings.Cut(string(k), ".")
		types = append(types, EventType{string(k), auth.RatesRead, "It was " + step + "."})
	}
	for _, step := range []string{"activated", "paused", "disconnected"} {
		types = append(types, EventType{"channel." + step, auth.ChannelsRead, "The channel was " + step + "."})
	}
	return append(
		types,
		EventType{string(ledger.ChannelModeChanged), auth.ChannelsRead, "The channel went live, or back into the shadow."},
		EventType{string(ledger.CircuitOpened), auth.ChannelsRead, "Calls of the channel failed so often that it is left alone for a while."},
		EventType{string(ledger.ConflictDetected), auth.ChannelsRead, "Somebody has to decide something."},
		EventType{string(ledger.ConflictSettled), auth.ChannelsRead, "A conflict was settled, or a policy has decided."},
		EventType{string(ledger.DriftFound), auth.ChannelsRead, "A read-back found that a channel shows something else than it was told."},
		EventType{string(ledger.ChannelFailed), auth.ChannelsRead, "The channel has come into error: its credentials are refused, it has failed for 15 minutes, or it cannot be opened."},
		EventType{string(ledger.ChannelFlagged), auth.ChannelsRead, "A part of the channel's connector, or of its far side, broke the rules; the channel is flagged."},
		EventType{string(ledger.ChannelUnflagged), auth.ChannelsRead, "That part did as it should again."},
		EventType{string(ledger.ChannelStale), auth.ChannelsRead, "The channel has owed something for a minute: what it shows is out of date."},
		EventType{string(ledger.ChannelSilent), auth.ChannelsRead, "The channel has told of no booking for unusually long, by its own history."},
		EventType{string(ledger.ChannelHeard), auth.ChannelsRead, "A channel that was silent tells of bookings again, or is on sale no more."},
		EventType{string(ledger.ChannelRecovered), auth.ChannelsRead, "The channel is in error no more, or has confirmed all that it owed."},
		EventType{string(ledger.CircuitClosed), auth.ChannelsRead, "The channel answers again."},
		EventType{string(ledger.WebhookEndpointDisabled), auth.WebhooksRead, "One of your webhook endpoints is gone, or has failed for days, and is called no more."},
		EventType{string(ledger.ClientSecretExpiring), auth.EventsRead, secretEnds},
		EventType{string(ledger.ClientSecretExpiring), auth.WebhooksRead, secretEnds},
	)
}

// secretEnds is when a client hears of its own secret.
const secretEnds = "One of your secrets ends in 30 days, in 7 days or tomorrow: take another."

var scopesOfEvents = func() map[string][]auth.Scope {
	scopes := map[string][]auth.Scope{}
	for _, t := range EventTypes() {
		scopes[t.Name] = append(scopes[t.Name], t.Scope)
	}
	return scopes
}()

// EventScopes returns the scopes of which hearing of a kind of event needs one
// besides events:read; none for what is no public event.
func EventScopes(kind string) []auth.Scope { return scopesOfEvents[kind] }

// EventGroup returns the part of an event's name that says what it is about.
func EventGroup(name string) string {
	group, _, _ := strings.Cut(name, ".")
	return group
}
