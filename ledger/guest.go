package ledger

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// GuestFact is the body of an entry about a guest: which members changed, never
// what to, and the seals of the profile as it was and as it is.
type GuestFact struct {
	Fields     []string `json:"fields,omitempty"`
	Before     string   `json:"before,omitempty"`
	After      string   `json:"after,omitempty"`
	MergedInto string   `json:"merged_into,omitempty"`
	Reason     string   `json:"reason,omitempty"` // why a person was forgotten
}

// CreateGuest stores the profile of somebody. The bool tells that the key of once
// had its effect before.
func (l *Ledger) CreateGuest(ctx context.Context, by hotel.By, once hotel.Once, p hotel.GuestProfile) (hotel.GuestProfile, bool, error) {
	return l.writeGuest(ctx, by, once, func(t *tx) (string, error) {
		s, err := t.structure(p.PropertyID)
		if err != nil {
			return "", err
		}
		made := p // the item may be run for nothing
		made.Entity, made.Status = t.entity(hotel.NewID("gst")), hotel.GuestActive
		if err := made.Check(nil, s.property.Today(t.now)); err != nil {
			return "", err
		}
		return made.ID, t.putGuest(GuestCreated, nil, &made, GuestFact{})
	})
}

// ChangeGuest makes a profile different. What somebody here has written is the
// house's word from then on: no channel's message changes it.
func (l *Ledger) ChangeGuest(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.GuestProfile]) (hotel.GuestProfile, bool, error) {
	return l.writeGuest(ctx, by, once, func(t *tx) (string, error) {
		p, err := t.activeGuest(id)
		if err != nil {
			return "", err
		}
		if err := expectGuest(&p, c.IfRevision); err != nil {
			return "", err
		}
		before := p
		if err := c.Apply(&p); err != nil {
			return "", err
		}
		p.Entity = before.Entity
		if reflect.DeepEqual(p, before) {
			return id, nil
		}
		s, err := t.structure(p.PropertyID)
		if err != nil {
			return "", err
		}
		if err := p.Check(&before, s.property.Today(t.now)); err != nil {
			return "", err
		}
		p.SaidBy = ""
		return id, t.putGuest(GuestUpdated, &before, &p, GuestFact{})
	})
}

// writeGuest runs a change of a guest under its idempotency key, and returns the
// guest as it stands then.
func (l *Ledger) writeGuest(ctx context.Context, by hotel.By, once hotel.Once, f func(t *tx) (id string, err error)) (hotel.GuestProfile, bool, error) {
	return storeUnderKey(ctx, l, by, once, f, func(t *tx, id string) (hotel.GuestProfile, error) {
		p, err := t.guest(id)
		if err == nil && p.Status == hotel.GuestAnonymized {
			err = Forgotten() // after the request had its effect
		}
		return p, err
	})
}

func (t *tx) guest(id string) (hotel.GuestProfile, error) {
	return readOne[hotel.GuestProfile](t.q.GetGuest(t.ctx, id))
}

// activeGuest returns a profile that can be changed.
func (t *tx) activeGuest(id string) (hotel.GuestProfile, error) {
	p, err := t.guest(id)
	if err != nil {
		return p, err
	}
	switch p.Status {
	case hotel.GuestAnonymized:
		return p, Forgotten()
	case hotel.GuestMerged:
		return p, MergedGuest(p.MergedInto)
	case hotel.GuestActive:
	}
	return p, nil
}

// Forgotten refuses what is asked of a profile of which nothing is left.
func Forgotten() error {
	return hotel.Refuse("anonymized", "the person was forgotten: nothing is left of the profile but its id")
}

// MergedGuest refuses what is asked of a profile that is part of another by now.
func MergedGuest(into string) error {
	r := hotel.Refuse("guest_merged", "the profile is part of another by now, which has everything: use merged_into")
	r.Members = map[string]any{"merged_into": into}
	return r
}

func expectGuest(p *hotel.GuestProfile, revision int64) error {
	if revision == 0 || revision == p.Revision {
		return nil
	}
	refusal := hotel.Refuse("precondition_failed", "the guest is at revision %d, not %d: read it again", p.Revision, revision)
	refusal.Members = map[string]any{"revision": p.Revision}
	return refusal
}

// putGuest stores a profile and journals that it is another now; before is nil for
// a new one. The entry says nothing of the person.
func (t *tx) putGuest(kind Kind, before, p *hotel.GuestProfile, fact GuestFact) error {
	seal, err := t.sealKey(before, p)
	if err != nil {
		return err
	}
	if before != nil {
		p.UpdatedAt, p.Revision = t.now, before.Revision+1
		if fact.Before, err = sealOf(seal.before, before); err != nil {
			return err
		}
	}
	if fact.After, err = sealOf(seal.after, p); err != nil {
		return err
	}
	if fact.Fields == nil && before != nil {
		if fact.Fields, err = changedMembers(before, p); err != nil {
			return err
		}
	}
	d, err := documentOf(p)
	if err != nil {
		return err
	}
	if before == nil {
		err = t.q.InsertGuest(t.ctx, ledgerdb.InsertGuestParams{
			ID: d.ID, Body: d.Body, NameKey: p.NameKey(), EmailKey: p.EmailKey(), PhoneKey: p.PhoneKey(), SealKey: seal.after,
			CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt, Revision: d.Revision,
		})
	} else {
		err = t.q.UpdateGuest(t.ctx, ledgerdb.UpdateGuestParams{
			Body: d.Body, NameKey: p.NameKey(), EmailKey: p.EmailKey(), PhoneKey: p.PhoneKey(), SealKey: seal.after,
			UpdatedAt: d.UpdatedAt, Revision: d.Revision, ID: d.ID,
		})
	}
	if err != nil {
		return fmt.Errorf("store guest %s: %w", p.ID, err)
	}
	if err := t.putExternalIDs(before, p); err != nil {
		return err
	}
	_, err = t.append(entry{property: p.PropertyID, kind: kind, subject: p.ID, body: fact})
	return err
}

// seals are the keys under which a profile was sealed, and is. The key of one that
// is no more goes with it, so that a seal tells nobody whom it was about.
type seals struct{ before, after []byte }

func (t *tx) sealKey(before, p *hotel.GuestProfile) (s seals, err error) {
	if before != nil {
		if s.before, err = t.q.GetSealKey(t.ctx, p.ID); err != nil {
			return s, fmt.Errorf("store guest %s: %w", p.ID, err)
		}
	}
	s.after = s.before
	switch {
	case p.Status != hotel.GuestActive:
		s.after = []byte{}
	case before == nil:
		s.after = make([]byte, 16)
		rand.Read(s.after)
	}
	return s, nil
}

func sealOf(key []byte, p *hotel.GuestProfile) (string, error) {
	if len(key) == 0 {
		return "", nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("seal guest %s: %w", p.ID, err)
	}
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// changedMembers names the members in which two states of a profile differ.
func changedMembers(before, p *hotel.GuestProfile) ([]string, error) {
	var was, is map[string]json.RawMessage
	for _, x := range []struct {
		of *hotel.GuestProfile
		to *map[string]json.RawMessage
	}{{before, &was}, {p, &is}} {
		text, err := json.Marshal(x.of)
		if err == nil {
			err = json.Unmarshal(text, x.to)
		}
		if err != nil {
			return nil, fmt.Errorf("compare guest %s: %w", p.ID, err)
		}
	}
	all := maps.Clone(was)
	maps.Copy(all, is)
	delete(all, "said_by")
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return string(was[name]) == string(is[name]) })
	return slices.Sorted(maps.Keys(all)), nil
}

// putExternalIDs stores by which ids other systems know the guest. Each is one
// guest's.
func (t *tx) putExternalIDs(before, p *hotel.GuestProfile) error {
	if before != nil {
		if maps.Equal(before.ExternalIDs, p.ExternalIDs) {
			return nil
		}
		if err := t.q.DeleteExternalIDs(t.ctx, p.ID); err != nil {
			return fmt.Errorf("store ids of guest %s: %w", p.ID, err)
		}
	}
	for _, system := range slices.Sorted(maps.Keys(p.ExternalIDs)) {
		id := p.ExternalIDs[system]
		other, err := t.guestKnownAs(p.PropertyID, system, id)
		if err != nil {
			return err
		}
		if other != "" {
			refusal := hotel.Refuse("duplicate_code", "another guest has one of these external_ids: merge the two profiles, or leave it out")
			refusal.Members = map[string]any{"existing_id": other}
			return refusal
		}
		err = t.q.InsertExternalID(t.ctx, ledgerdb.InsertExternalIDParams{PropertyID: p.PropertyID, ExternalID: id, System: system, GuestID: p.ID})
		if err != nil {
			return fmt.Errorf("store ids of guest %s: %w", p.ID, err)
		}
	}
	return nil
}

// guestKnownAs returns the id of the guest whom another system knows by an id of its own;
// "" is nobody.
func (t *tx) guestKnownAs(property, system, id string) (string, error) {
	guest, err := t.q.GuestByExternalID(t.ctx, ledgerdb.GuestByExternalIDParams{PropertyID: property, ExternalID: id, System: system})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("look for the guest that %s knows: %w", system, err)
	}
	return guest, nil
}

// Guest returns one profile, or [ErrNotFound].
func (l *Ledger) Guest(ctx context.Context, id string) (hotel.GuestProfile, error) {
	return readOne[hotel.GuestProfile](l.read.GetGuest(ctx, id))
}

// BookedByGuest lists what a guest has booked, the newest stay first, without the
// guest and without what people wrote about it.
func (l *Ledger) BookedByGuest(ctx context.Context, id string) ([]hotel.Reservation, error) {
	return readAll[hotel.Reservation](l.read.BookedByGuest(ctx, id))
}

// AlongWith lists the bookings that a person comes along with, under this profile and those
// that were merged into it, which are somebody else's; by id.
func (l *Ledger) AlongWith(ctx context.Context, guest string) ([]hotel.Reservation, error) {
	var out []hotel.Reservation
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		ids, err := q.AlongWith(ctx, guest)
		if err != nil {
			return fmt.Errorf("list whom guest %s comes along with: %w", guest, err)
		}
		for _, id := range ids {
			r, err := loadReservation(ctx, q, id)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// TracesOfGuest returns where there is something of a person: the profile with those that
// were merged into it, and every reservation that was ever theirs or of a group that they
// have booked, by id.
func (l *Ledger) TracesOfGuest(ctx context.Context, id string) (profiles, bookings []string, err error) {
	parts, err := readAll[hotel.GuestProfile](l.read.GuestsMergedInto(ctx, &id))
	if err != nil {
		return nil, nil, fmt.Errorf("list what was merged into guest %s: %w", id, err)
	}
	profiles = append(profiles, id)
	for _, p := range parts {
		profiles = append(profiles, p.ID)
	}
	if bookings, err = l.read.BookingsEverOf(ctx, id); err != nil {
		return nil, nil, fmt.Errorf("list what guest %s has booked: %w", id, err)
	}
	return profiles, bookings, nil
}
