package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Sealing says how what is kept sealed is sealed anew.
type Sealing struct {
	// Settings returns a channel's settings as they are to be kept. An error says that
	// some of them are not sealed as they are to be; the others are, and are kept.
	Settings func(hotel.Channel) ([]byte, error)

	// Text returns what is sealed of a client as it is to be kept.
	Text func(sealed []byte, client string) ([]byte, error)
}

// Sealed is what became of what is kept sealed.
type Sealed struct {
	Changed int      // secrets, and settings of channels, that are sealed otherwise now
	Lost    []string // whose secrets are not all sealed as they are to be: "channel ID", "webhook endpoint ID"
	Left    error    // why copies of what was there may be left in the files, until the next start
}

// SealAnew has everything sealed as it is to be: the settings of channels, the secrets and
// headers of webhooks. It changes nobody's revision and is no entry of the journal, which
// has none of it. Where something changed, nothing of what was there is left in any file
// once it returns, unless Left says why: another process may be reading.
func (l *Ledger) SealAnew(ctx context.Context, s Sealing) (Sealed, error) {
	var out Sealed
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		out = Sealed{} // a write may be done again
		if err := t.sealSettings(s, &out); err != nil {
			return err
		}
		if err := t.sealWebhooks(s, &out); err != nil || out.Changed == 0 {
			return err
		}
		// As after forgetting somebody: what is cut off here is done by the next start.
		return t.oweScrub()
	})
	if err != nil {
		return Sealed{}, fmt.Errorf("seal anew what is sealed: %w", err)
	}
	slices.Sort(out.Lost)
	out.Lost = slices.Compact(out.Lost)
	if out.Changed > 0 {
		out.Left = l.scrubOwed(ctx)
	}
	return out, nil
}

func (t *tx) sealSettings(s Sealing, out *Sealed) error {
	rows, err := t.q.ListChannels(t.ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		c, err := channelOf(row)
		if err != nil {
			return err
		}
		now, err := s.Settings(c)
		if err != nil {
			out.Lost = append(out.Lost, "channel "+row.ID)
		}
		if string(now) != row.Settings {
			if err := t.q.SealSettings(t.ctx, ledgerdb.SealSettingsParams{Settings: string(now), ID: row.ID}); err != nil {
				return err
			}
			out.Changed++
		}
	}
	return nil
}

func (t *tx) sealWebhooks(s Sealing, out *Sealed) error {
	seal := func(sealed []byte, client, endpoint string, put func([]byte) error) error {
		now, err := s.Text(sealed, client)
		if err != nil {
			out.Lost = append(out.Lost, "webhook endpoint "+endpoint)
			return nil
		}
		if string(now) == string(sealed) {
			return nil
		}
		out.Changed++
		return put(now)
	}
	secrets, err := t.q.SealedWebhookSecrets(t.ctx)
	if err != nil {
		return err
	}
	for _, r := range secrets {
		if err := seal(r.Sealed, r.ClientID, r.EndpointID, func(now []byte) error {
			return t.q.SealWebhookSecret(t.ctx, ledgerdb.SealWebhookSecretParams{Sealed: now, ID: r.ID})
		}); err != nil {
			return err
		}
	}
	headers, err := t.q.SealedWebhookHeaders(t.ctx)
	if err != nil {
		return err
	}
	for _, r := range headers {
		if err := seal(r.Headers, r.ClientID, r.ID, func(now []byte) error {
			return t.q.SealWebhookHeaders(t.ctx, ledgerdb.SealWebhookHeadersParams{Headers: now, ID: r.ID})
		}); err != nil {
			return err
		}
	}
	return nil
}
