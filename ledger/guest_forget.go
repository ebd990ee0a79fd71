package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// ForgetGuest leaves nothing of a person: not in the profile and those that were
// merged into it, not in what reservations say and ever said of them, not in the
// channels' messages, and not in the files below. It returns when that is so. A
// guest with a stay that is not over is in use.
func (l *Ledger) ForgetGuest(ctx context.Context, by hotel.By, once hotel.Once, id string, q hotel.ForgetRequest) (hotel.GuestProfile, bool, error) {
	p, replayed, err := storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) { return id, t.forget(id, q) }, (*tx).guest)
	if err != nil {
		return hotel.GuestProfile{}, false, err
	}
	if err := l.scrubOwed(ctx); err != nil {
		refusal := hotel.Refuse("temporarily_unavailable", "the person is forgotten, but copies may still be in the files below; they go when the request is repeated with its Idempotency-Key, with the next person, or at the next start")
		return hotel.GuestProfile{}, false, errors.Join(refusal, err)
	}
	return p, replayed, nil
}

func (t *tx) forget(id string, q hotel.ForgetRequest) error {
	p, err := t.activeGuest(id)
	if err != nil {
		return err
	}
	if err := expectGuest(&p, q.IfRevision); err != nil {
		return err
	}
	open, err := t.q.OpenBookings(t.ctx, id)
	if err != nil {
		return fmt.Errorf("look for open bookings of guest %s: %w", id, err)
	}
	if len(open) > 0 {
		refusal := hotel.Refuse("resource_in_use", "the guest has bookings that are not over; reservation_ids lists them")
		refusal.Members = map[string]any{"reservation_ids": open}
		return refusal
	}
	return t.forgetPerson(&p, q.Reason)
}

// forgetPerson removes what is kept of an active guest, whatever they have booked.
func (t *tx) forgetPerson(p *hotel.GuestProfile, reason string) error {
	id := p.ID
	bookings, err := t.q.BookingsEverOf(t.ctx, id)
	if err != nil {
		return fmt.Errorf("list what guest %s has booked: %w", id, err)
	}
	along, err := t.q.AlongWith(t.ctx, id)
	if err != nil {
		return fmt.Errorf("list whom guest %s came along with: %w", id, err)
	}
	end := hotel.GuestProfile{Entity: p.Entity, PropertyID: p.PropertyID, Status: hotel.GuestAnonymized}
	if err := t.putGuest(GuestForgotten, p, &end, GuestFact{Reason: reason}); err != nil {
		return err
	}
	if err := t.oweScrub(); err != nil {
		return fmt.Errorf("forget guest %s: %w", id, err)
	}
	for _, booking := range bookings {
		if err := t.forgetIn(booking, id); err != nil {
			return err
		}
	}
	for _, booking := range along {
		if slices.Contains(bookings, booking) {
			continue
		}
		r, err := t.reservation(booking)
		if err != nil {
			return err
		}
		if err := t.forgetMessages(&r); err != nil { // what stands in it are the words of whoever has booked it
			return err
		}
	}
	return t.forgetUnread(p)
}

// forgetIn takes out of a reservation what was written about it, and out of its
// past what it said of the guest. A card stays with somebody else whom it is for.
func (t *tx) forgetIn(reservation, guest string) error {
	r, err := t.reservation(reservation)
	if err != nil {
		return err
	}
	words := hotel.Words{}
	if r.GuestID != guest && stay.Live(r.Status) {
		words.Card, words.CardAccess = r.Card, r.CardAccess
	}
	if wordy(r.Words) {
		s, err := t.structure(r.PropertyID)
		if err != nil {
			return err
		}
		before := r
		r.Words = words
		if err := t.bookEntry(ReservationUpdated, s, &r, &before); err != nil {
			return err
		}
	}
	if err := t.q.ForgetSnapshots(t.ctx, ledgerdb.ForgetSnapshotsParams{ReservationID: r.ID, GuestID: guest}); err != nil {
		return fmt.Errorf("forget guest %s in reservation %s: %w", guest, r.ID, err)
	}
	if err := t.q.ForgetWords(t.ctx, r.ID); err != nil {
		return fmt.Errorf("forget guest %s in reservation %s: %w", guest, r.ID, err)
	}
	return t.forgetMessages(&r)
}

// forgetMessages empties what channels have sent of a reservation's booking.
func (t *tx) forgetMessages(r *hotel.Reservation) error {
	if r.Source.Reference == "" {
		return nil
	}
	if err := t.q.ForgetMessages(t.ctx, ledgerdb.ForgetMessagesParams{ChannelID: r.Source.ChannelID, Ref: r.Source.Reference, Reuse: int64(r.Source.Reuse)}); err != nil {
		return fmt.Errorf("empty the messages of reservation %s: %w", r.ID, err)
	}
	return nil
}

// wordy reports whether anybody wrote anything.
func wordy(w hotel.Words) bool {
	text, err := jsonText(w)
	return err != nil || text != "{}"
}

// forgetUnread empties messages that nobody could read and that name the person.
func (t *tx) forgetUnread(p *hotel.GuestProfile) error {
	channels, err := t.q.ListChannels(t.ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	for _, c := range channels {
		if c.PropertyID != p.PropertyID {
			continue
		}
		rows, err := t.q.UnreadMessages(t.ctx, c.ID)
		if err != nil {
			return fmt.Errorf("list unread messages: %w", err)
		}
		for _, m := range rows {
			if !names(m.Raw, p) {
				continue
			}
			if err := t.q.ForgetMessage(t.ctx, ledgerdb.ForgetMessageParams{ChannelID: c.ID, Key: m.Key}); err != nil {
				return fmt.Errorf("forget guest %s in messages: %w", p.ID, err)
			}
		}
	}
	return nil
}

// names reports whether a message has the person's address, number or last name.
func names(raw []byte, p *hotel.GuestProfile) bool {
	text := bytes.ToLower(raw)
	return slices.ContainsFunc([]string{p.EmailKey(), p.NameKey(), strings.ToLower(p.Phone)}, func(of string) bool {
		return of != "" && bytes.Contains(text, []byte(of))
	})
}
