package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// selectGuests is the statement that lists the ids that a filter selects, a page
// of them in order, along the index of the order or of what they are found by.
func selectGuests(f hotel.GuestFilter) (sql string, args []any) {
	var c conditions
	in(&c, "property_id", f.PropertyIDs)
	in(&c, "status", f.Statuses)
	narrow := false
	for _, key := range []struct{ column, value string }{{"email_key", hotel.GuestKey(f.Email)}, {"phone_key", hotel.PhoneKey(f.Phone)}} {
		if key.value != "" {
			c.and(key.column+" = ? AND "+key.column+" <> ''", key.value) // as in the index
			narrow = true
		}
	}
	if first := hotel.GuestKey(f.LastName); first != "" {
		c.and("name_key >= ? AND name_key < ? AND name_key <> ''", first, first+"\U0010FFFF")
		narrow = true
	}
	if f.ExternalID != "" {
		var own conditions
		in(&own, "property_id", f.PropertyIDs)
		own.and("external_id = ?", f.ExternalID)
		c.and("id IN (SELECT guest_id FROM guest_external_id WHERE "+own.text()+")", own.args...)
		narrow = true
	}
	if f.ChannelID != "" {
		c.and("EXISTS (SELECT 1 FROM reservation r WHERE r.guest_id = guest.id AND r.channel_id = ?)", f.ChannelID)
	}
	if !f.UpdatedSince.IsZero() {
		c.and("updated_at >= ?", f.UpdatedSince.UnixMicro())
	}
	key := "created_at"
	if f.Sort == hotel.GuestsByUpdated {
		key = "updated_at"
	}
	if narrow {
		key = "+" + key // keeps SQLite from reading everything in order instead
	}
	direction, behind := "ASC", ">"
	if f.Descending {
		direction, behind = "DESC", "<"
	}
	if f.AfterID != "" {
		c.and(fmt.Sprintf("(%s, id) %s (?, ?)", key, behind), f.AfterKey, f.AfterID)
	}
	return fmt.Sprintf("SELECT id FROM guest WHERE %s ORDER BY %s %s, id %s LIMIT %d", c.text(), key, direction, direction, f.Limit), c.args
}

// Guests lists profiles.
func (l *Ledger) Guests(ctx context.Context, f hotel.GuestFilter) (out []hotel.GuestProfile, err error) {
	sql, args := selectGuests(f)
	ids, err := l.ids(ctx, sql, args)
	if err != nil {
		return nil, fmt.Errorf("list guests: %w", err)
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		for _, id := range ids {
			p, err := readOne[hotel.GuestProfile](q.GetGuest(ctx, id))
			if err != nil {
				return err
			}
			out = append(out, p)
		}
		return nil
	})
	return out, err
}
