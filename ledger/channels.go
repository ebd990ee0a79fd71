package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// CreateChannel stores a new channel of a property. Without a status it is a
// draft; nobody is told anything. replayed tells that the request's key had its
// effect before.
func (l *Ledger) CreateChannel(ctx context.Context, by hotel.By, once hotel.Once, c hotel.Channel) (hotel.Channel, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) { return t.createChannel(c) }, (*tx).storedChannel)
}

func (t *tx) createChannel(c hotel.Channel) (string, error) {
	if c.ID == "" {
		c.ID = hotel.NewID("ch")
	}
	if c.Status == "" {
		c.Status = hotel.Draft
	}
	if _, err := t.structure(c.PropertyID); err != nil {
		return "", err
	}
	if _, err := t.q.GetChannel(t.ctx, c.ID); err == nil {
		return "", hotel.Refuse("duplicate_code", "there is a channel %s already", c.ID)
	}
	body, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("write down channel %s: %w", c.ID, err)
	}
	err = t.q.InsertChannel(t.ctx, ledgerdb.InsertChannelParams{
		ID: c.ID, PropertyID: c.PropertyID, Status: string(c.Status), Account: c.Account, Settings: string(c.Settings),
		Body: string(body), CreatedAt: t.micros(), UpdatedAt: t.micros(),
	})
	if err != nil {
		return "", fmt.Errorf("store channel %s: %w", c.ID, err)
	}
	_, err = t.append(entry{property: c.PropertyID, kind: ChannelCreated, subject: c.ID, body: ChannelBody{Channel: c}})
	return c.ID, err
}

// ChangeChannel lets edit change what a channel is: its settings, its prices,
// its name; not what it is connected to. edit runs once, in the transaction, on
// the channel as it is then. ifRevision refuses as precondition_failed when the
// revision is another; 0: any. A channel that edit leaves as it was stays as it
// was.
func (l *Ledger) ChangeChannel(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, edit func(*hotel.Channel) error,
) (hotel.Channel, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) {
		if err := t.expectChannel(id, ifRevision); err != nil {
			return "", err
		}
		return id, t.updateChannel(id, edit)
	}, (*tx).storedChannel)
}

// updateChannel changes a channel, and has its offers worked out again when that
// can make them others.
func (t *tx) updateChannel(id string, edit func(*hotel.Channel) error) error {
	_, was, err := t.channel(id)
	if err != nil {
		return err
	}
	nights, err := t.horizon(was.PropertyID)
	if err != nil {
		return err
	}
	if err := t.release(id); err != nil {
		return err
	}
	is := was
	_, err = t.changeChannel(id, func(c *hotel.Channel) error {
		if err := edit(c); err != nil || c.Place == was.Place {
			return err
		}
		c.Moved = c.Status == hotel.Paused
		return t.mayLeave(was)
	}, func(c hotel.Channel) entry {
		is = c
		body := ChannelBody{Channel: c}
		if offersDiffer(was, c) {
			body.Horizon = &nights
		}
		return entry{property: c.PropertyID, kind: ChannelUpdated, subject: id, offers: body.Horizon != nil, body: body}
	})
	if err == nil && (is.Policies.GuardedUnsafe != was.Policies.GuardedUnsafe || is.Policies.GuardedUnreachable != was.Policies.GuardedUnreachable) {
		err = t.redealAll(is.PropertyID)
	}
	if err == nil && is.Place != was.Place {
		return errors.Join(t.clearShelf(id), t.rejoin(was))
	}
	if err != nil || is.Pricing.Currency == was.Pricing.Currency {
		return err
	}
	return errors.Join(t.q.ForgetPrices(t.ctx, id), t.q.ForgetOccupancies(t.ctx, id))
}

// offersDiffer reports whether two versions of a channel may be shown different
// things. Settings count: they decide what the channel can carry.
func offersDiffer(a, b hotel.Channel) bool {
	return a.Place != b.Place || !bytes.Equal(a.Settings, b.Settings) || !reflect.DeepEqual(a.Markup, b.Markup) || !reflect.DeepEqual(a.Pricing, b.Pricing) ||
		!reflect.DeepEqual(a.CutOff, b.CutOff) || !reflect.DeepEqual(a.Policies.Absent, b.Policies.Absent) || !reflect.DeepEqual(a.Days, b.Days)
}

// ChannelBody is the body of the entries about a channel itself: what it is from
// then on, and the nights whose offers are to be worked out again, if any.
type ChannelBody struct {
	hotel.Channel
	Horizon *hotel.Span `json:"horizon,omitempty"`
	Opening *int        `json:"opening_available,omitempty"` // rooms shown on every night when it went live, as stated

	Unchecked  []hotel.Unchecked `json:"accept_unchecked,omitempty"` // what it could not be asked for when it went live
	AcceptedBy string            `json:"accepted_by,omitempty"`      // who answers for that, and for the nights that were raised
}

// channel reads a channel.
func (t *tx) channel(id string) (ledgerdb.Channel, hotel.Channel, error) {
	row, err := t.q.GetChannel(t.ctx, id)
	if err != nil {
		return row, hotel.Channel{}, notFound(err)
	}
	c, err := channelOf(row)
	return row, c, err
}

func (t *tx) storedChannel(id string) (hotel.Channel, error) {
	_, c, err := t.channel(id)
	return c, err
}

// expectChannel refuses when the channel has another revision than the asked
// one.
func (t *tx) expectChannel(id string, revision int64) error {
	_, c, err := t.channel(id)
	if err != nil {
		return err
	}
	return c.Expect(revision)
}

// changeChannel stores what edit makes of a channel and journals it. It returns
// the sequence of the entry, 0 when nothing changed.
func (t *tx) changeChannel(id string, edit func(*hotel.Channel) error, said func(hotel.Channel) entry) (int64, error) {
	row, c, err := t.channel(id)
	if err != nil {
		return 0, err
	}
	was := c
	if err := edit(&c); err != nil {
		return 0, err
	}
	body, err := json.Marshal(c)
	if err != nil {
		return 0, fmt.Errorf("write down channel %s: %w", id, err)
	}
	if string(body) == row.Body && string(c.Settings) == row.Settings {
		return 0, nil
	}
	err = t.q.UpdateChannel(t.ctx, ledgerdb.UpdateChannelParams{
		Status: string(c.Status), Account: c.Account, Settings: string(c.Settings), Body: string(body), UpdatedAt: t.micros(), ID: id,
	})
	if err != nil {
		return 0, fmt.Errorf("store channel %s: %w", id, err)
	}
	if was.ShutByUs() && !c.ShutByUs() { // from here on it may be shown otherwise by anybody
		if err := t.q.ForgetShown(t.ctx, id); err != nil {
			return 0, fmt.Errorf("forget what channel %s showed: %w", id, err)
		}
	}
	sequence, err := t.append(said(c))
	if err == nil && was.Status == c.Status && was.Shadow != c.Shadow {
		_, err = t.append(entry{property: c.PropertyID, kind: ChannelModeChanged, subject: id, body: map[string]bool{"shadow": c.Shadow}})
	}
	return sequence, err
}

func channelOf(r ledgerdb.Channel) (hotel.Channel, error) {
	var c hotel.Channel
	if err := json.Unmarshal([]byte(r.Body), &c); err != nil {
		return c, fmt.Errorf("read channel %s: %w", r.ID, err)
	}
	c.Entity = entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision)
	c.Settings = []byte(r.Settings)
	return c, nil
}
