package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// maxShelved is the largest body that a connector may keep under one name, in
// bytes.
const maxShelved = 8 << 20

// Shelved returns what the channel's connector keeps under a name, nil when it
// keeps nothing there.
func (l *Ledger) Shelved(ctx context.Context, channel, name string) ([]byte, error) {
	body, err := l.read.GetShelved(ctx, ledgerdb.GetShelvedParams{ChannelID: channel, Name: name})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("look up %s on the shelf of channel %s: %w", name, channel, err)
	}
	return body, nil
}

// Shelve keeps a body under a name for the channel's connector, in place of what
// was there. It is no fact about the property: the journal does not have it.
func (l *Ledger) Shelve(ctx context.Context, channel, name string, body []byte) error {
	if len(body) > maxShelved {
		return fmt.Errorf("keep %s for channel %s: %d bytes are more than %d", name, channel, len(body), maxShelved)
	}
	if body == nil {
		body = []byte{}
	}
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		if err := t.q.PutShelved(t.ctx, ledgerdb.PutShelvedParams{ChannelID: channel, Name: name, Body: body}); err != nil {
			return fmt.Errorf("keep %s for channel %s: %w", name, channel, err)
		}
		return nil
	})
}

// clearShelf forgets what a channel's connector has kept about another place.
func (t *tx) clearShelf(channel string) error {
	if err := t.q.ClearShelf(t.ctx, channel); err != nil {
		return fmt.Errorf("clear the shelf of channel %s: %w", channel, err)
	}
	return nil
}
