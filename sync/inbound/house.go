package inbound

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// House is a property for the channel of its own system. Facts that the property has not
// given to its PMS are not taken from it: whoever has set the channel up may have meant
// another direction.
type House struct {
	Ledger  Ledger
	Channel hotel.Channel
	Clock   hotel.Clock
}

var _ connectors.House = (*House)(nil)

// sourcePMS marks what the hotel's own system wrote.
const sourcePMS = "pms"

// mostReservations is how many reservations are handed out at once.
const mostReservations = 200

func (h *House) by() hotel.By {
	return hotel.By{Actor: hotel.Actor{Kind: hotel.ActorChannel, ID: h.Channel.ID}}
}

// Layout implements [connectors.House].
func (h *House) Layout(ctx context.Context) (connectors.Layout, error) {
	p, err := h.Ledger.Property(ctx, h.Channel.PropertyID)
	if err != nil {
		return connectors.Layout{}, err
	}
	now := h.Clock.Now()
	l := connectors.Layout{Property: p, Today: p.Today(now), Last: p.Shows(now).To}
	if l.Epoch, err = h.Ledger.Epoch(ctx); err != nil {
		return connectors.Layout{}, err
	}
	if l.Rooms, err = h.Ledger.RoomTypes(ctx, p.ID); err != nil {
		return connectors.Layout{}, err
	}
	l.Rooms = slices.DeleteFunc(l.Rooms, func(r hotel.RoomType) bool { return r.Status == hotel.Archived })
	if l.Plans, err = h.Ledger.RatePlans(ctx, p.ID); err != nil {
		return connectors.Layout{}, err
	}
	l.Plans = slices.DeleteFunc(l.Plans, func(p hotel.RatePlan) bool { return p.Status == hotel.Archived })
	return l, nil
}

// owns refuses facts that are not the PMS's.
func (h *House) owns(ctx context.Context, what string, truth func(hotel.Truth) hotel.Authority) error {
	p, err := h.Ledger.Property(ctx, h.Channel.PropertyID)
	if err == nil && truth(p.Truth) != hotel.ByPMS {
		err = hotel.Refuse("owned_by_ostler", "the property keeps its %[1]s here: set truth.%[1]s to pms to have its PMS write them", what)
	}
	return err
}

// WriteStock implements [connectors.House].
func (h *House) WriteStock(ctx context.Context, entries []hotel.InventoryEntry) error {
	if err := h.owns(ctx, "stock", func(t hotel.Truth) hotel.Authority { return t.Stock }); err != nil {
		return err
	}
	_, _, err := h.Ledger.UpdateInventory(ctx, h.by(), hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.Channel.PropertyID, Source: sourcePMS, Entries: entries})
	return err
}

// WriteRates implements [connectors.House].
func (h *House) WriteRates(ctx context.Context, entries []hotel.RateEntry) error {
	if err := h.owns(ctx, "prices", func(t hotel.Truth) hotel.Authority { return t.Prices }); err != nil {
		return err
	}
	_, _, err := h.Ledger.UpdateRates(ctx, h.by(), hotel.Once{}, hotel.RateUpdate{PropertyID: h.Channel.PropertyID, Source: sourcePMS, Entries: entries})
	return err
}

// WriteRestrictions implements [connectors.House].
func (h *House) WriteRestrictions(ctx context.Context, entries []hotel.RestrictionEntry) error {
	if err := h.owns(ctx, "restrictions", func(t hotel.Truth) hotel.Authority { return t.Restrictions }); err != nil {
		return err
	}
	_, _, err := h.Ledger.UpdateRestrictions(ctx, h.by(), hotel.Once{}, hotel.RestrictionUpdate{PropertyID: h.Channel.PropertyID, Source: sourcePMS, Entries: entries})
	return err
}

// firm are the statuses of which the house's system is told: one that is only asked for
// or held may still come to nothing, and is told when it does.
var firm = []hotel.ReservationStatus{hotel.Confirmed, hotel.CheckedIn, hotel.CheckedOut, hotel.NoShow, hotel.Cancelled, hotel.Declined}

// operationHandOut is what the handing out of bookings is called where it is written down
// who was shown a guest's data.
const operationHandOut = "hand-out-reservations"

// Reservations implements [connectors.House]. Of whom it tells is written down first.
func (h *House) Reservations(ctx context.Context, since time.Time, after string) (found []hotel.Reservation, next string, err error) {
	f := hotel.ReservationFilter{
		PropertyIDs: []string{h.Channel.PropertyID}, Statuses: firm, Unacknowledged: since.IsZero(), UpdatedSince: since, Sort: hotel.SortUpdated, Limit: mostReservations + 1,
	}
	key, id, placed := strings.Cut(after, " ")
	if f.AfterKey, err = strconv.ParseInt(key, 10, 64); placed && err == nil {
		f.AfterID = id
	}
	if found, err = h.Ledger.Reservations(ctx, f); err != nil {
		return nil, "", err
	}
	if len(found) > mostReservations {
		found = found[:mostReservations]
		last := found[len(found)-1]
		next = fmt.Sprintf("%d %s", last.SortKey(f.Sort), last.ID)
	}
	var guests []string
	for _, r := range found {
		if r.GuestID != "" && !slices.Contains(guests, r.GuestID) {
			guests = append(guests, r.GuestID)
		}
	}
	if len(guests) > 0 {
		err = h.Ledger.NoteShown(ctx, h.by(), operationHandOut, guests)
	}
	if err != nil {
		return nil, "", err
	}
	return found, next, nil
}

// Acknowledge implements [connectors.House].
func (h *House) Acknowledge(ctx context.Context, id string, revision int64) error {
	r, err := h.Ledger.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{h.Channel.PropertyID}, IDs: []string{id}, Limit: 1})
	if err != nil || len(r) == 0 || r[0].Revision != revision {
		return err // it is of another house, or has changed since and waits
	}
	_, _, err = h.Ledger.AcknowledgeReservation(ctx, h.by(), hotel.Once{}, id, hotel.AcknowledgeRequest{Revision: revision})
	if refusal, ok := errors.AsType[*hotel.Refusal](err); ok && refusal.Code == "version_conflict" {
		return nil // likewise
	}
	return err
}

// Rates implements [connectors.House].
func (h *House) Rates(ctx context.Context, nights hotel.Span) ([]hotel.RateCell, error) {
	return h.Ledger.RateCells(ctx, hotel.CellQuery{PropertyID: h.Channel.PropertyID, Span: nights})
}
