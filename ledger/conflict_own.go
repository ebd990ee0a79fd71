package ledger

import (
	"encoding/json"
	"slices"

	"ostler.example/hotel"
)

// OwnFacts returns a conflict as a client that stands for its channel is told it: of the
// facts what is about this channel, its bookings and what it was told, never an id of a
// direct booking or of another channel's, and of a decision the option alone. Facts of a
// kind that is not known here are left out.
func OwnFacts(c hotel.Conflict) hotel.Conflict {
	c.Facts = ownFacts(&c)
	if c.Resolution != nil {
		c.Resolution = &hotel.ConflictDecision{Option: c.Resolution.Option}
	}
	return c
}

func ownFacts(c *hotel.Conflict) json.RawMessage {
	switch c.Kind {
	case hotel.ConflictDrift, hotel.ConflictAllotment, hotel.ConflictUnmapped, hotel.ConflictStale, hotel.ConflictGroupShrink,
		hotel.ConflictCredentials, hotel.ConflictRejected, hotel.ConflictPriceGuard, hotel.ConflictCancelledInHouse,
		hotel.ConflictLateModification, hotel.ConflictOverstay, hotel.ConflictBlockDue, hotel.ConflictSoldBeforeClose,
		hotel.ConflictMissingPrice, hotel.ConflictMismatch, hotel.ConflictCancelAsked, hotel.ConflictUnread,
		hotel.ConflictReported:
		return c.Facts // about the channel, one booking of it, or the rooms promised to it
	case hotel.ConflictDuplicate:
		return redacted(c, func(f *DuplicateFacts) {
			f.Bookings = slices.DeleteFunc(f.Bookings, func(b BookingFacts) bool { return b.ChannelID != c.ChannelID })
		})
	case hotel.ConflictOversell, hotel.ConflictPlanned:
		return redacted(c, func(f *CrowdFacts) {
			f.Movable = []MovableTo{} // whoever it costs least to move may be anybody's guest
			if f.ChannelID != c.ChannelID {
				f.BookingFacts = BookingFacts{}
			}
		})
	case hotel.ConflictBlastRadius:
		return redacted(c, func(f *BlastFacts) {
			f.Channels = slices.DeleteFunc(f.Channels, func(b BlastChannel) bool { return b.ChannelID != c.ChannelID })
			f.Subject, f.UpdateID, f.ChangedBy = "", "", "" // the house's own business
		})
	case hotel.ConflictExposed:
		return redacted(c, func(f *ExposedFacts) {
			f.Nights = []ExposedNights{} // they say how many rooms the house has left
		})
	}
	return json.RawMessage("{}")
}

// redacted returns the facts after something was taken out; nothing of what cannot be read.
func redacted[F any](c *hotel.Conflict, takeOut func(*F)) json.RawMessage {
	var facts F
	if json.Unmarshal(c.Facts, &facts) != nil {
		return json.RawMessage("{}")
	}
	takeOut(&facts)
	body, err := json.Marshal(facts)
	if err != nil {
		return json.RawMessage("{}")
	}
	return body
}
