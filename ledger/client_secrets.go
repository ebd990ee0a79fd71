package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

// The journal's words for secrets, which it never has.
const (
	ClientSecretAdded    Kind = "client.secret_added"
	ClientSecretDropped  Kind = "client.secret_dropped"
	ClientSecretExpiring Kind = "client.secret_expiring"
)

// SecretFact is the body of a secret's entries.
type SecretFact struct {
	ClientID  string    `json:"client_id"`
	SecretID  string    `json:"secret_id"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	Warned    int64     `json:"warned,omitempty"` // days before its end, of the warning
}

// Secrets lists a client's valid secrets, the oldest first.
func (l *Ledger) Secrets(ctx context.Context, id string) ([]auth.Secret, error) {
	rows, err := l.read.ListClientSecrets(ctx, ledgerdb.ListClientSecretsParams{ClientID: id, At: l.clock.Now().UnixMicro()})
	if err != nil {
		return nil, fmt.Errorf("read secrets of client %s: %w", id, err)
	}
	secrets := make([]auth.Secret, len(rows))
	for i, r := range rows {
		secrets[i] = secretOf(r)
	}
	return secrets, nil
}

// AddSecret gives a client a further secret, which ends at an instant, or with a zero
// time never. Beyond [auth.MaxSecrets] it is
// refused as resource_in_use: drop one first.
func (l *Ledger) AddSecret(ctx context.Context, by hotel.By, once hotel.Once, id string, hash [32]byte, expires time.Time) (auth.Secret, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, kept string, done bool) (s auth.Secret, err error) {
		if _, err := t.client(id); err != nil {
			return s, err
		}
		rows, err := t.validSecrets(id)
		if err != nil {
			return s, err
		}
		for _, r := range rows {
			if done && r.ID == kept {
				s = secretOf(r)
			}
		}
		if done {
			return s, nil
		}
		if len(rows) >= auth.MaxSecrets {
			return s, hotel.Refuse("resource_in_use", "the client has %d secrets, and no more are valid at a time: drop one first", len(rows))
		}
		s = auth.Secret{ID: hotel.NewID("sec"), CreatedAt: t.now, ExpiresAt: expires}
		err = t.q.InsertClientSecret(t.ctx, ledgerdb.InsertClientSecretParams{ID: s.ID, ClientID: id, Hash: hash[:], CreatedAt: t.micros(), ExpiresAt: microsOrNil(expires)})
		if err != nil {
			return s, fmt.Errorf("store a secret of client %s: %w", id, err)
		}
		if _, err := t.append(entry{kind: ClientSecretAdded, subject: id, body: SecretFact{ClientID: id, SecretID: s.ID, ExpiresAt: expires}}); err != nil {
			return s, err
		}
		if err := t.touchClient(id); err != nil {
			return s, err
		}
		return s, t.keep(s.ID)
	})
}

// DropSecret ends one of a client's secrets. The last one cannot be dropped:
// suspend the client.
func (l *Ledger) DropSecret(ctx context.Context, by hotel.By, id, secret string) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		rows, err := t.validSecrets(id)
		if err != nil {
			return err
		}
		found := false
		for _, r := range rows {
			found = found || r.ID == secret
		}
		switch {
		case !found:
			return ErrNotFound
		case len(rows) == 1:
			return hotel.Refuse("resource_in_use", "it is the client's only secret: add another first, or suspend the client")
		}
		return t.dropSecret(SecretFact{ClientID: id, SecretID: secret})
	})
}

// dropSecret ends a secret.
func (t *tx) dropSecret(s SecretFact) error {
	if err := t.q.DeleteClientSecret(t.ctx, s.SecretID); err != nil {
		return fmt.Errorf("drop a secret of client %s: %w", s.ClientID, err)
	}
	if _, err := t.append(entry{kind: ClientSecretDropped, subject: s.ClientID, body: s}); err != nil {
		return err
	}
	return t.touchClient(s.ClientID)
}

// touchClient makes a revision of a client of which something has changed that is kept
// beside it.
func (t *tx) touchClient(id string) error {
	if err := t.q.TouchClient(t.ctx, ledgerdb.TouchClientParams{UpdatedAt: t.micros(), ID: id}); err != nil {
		return fmt.Errorf("store a revision of client %s: %w", id, err)
	}
	return nil
}

// validSecrets lists a client's secrets that have not ended.
func (t *tx) validSecrets(id string) ([]ledgerdb.ListClientSecretsRow, error) {
	rows, err := t.q.ListClientSecrets(t.ctx, ledgerdb.ListClientSecretsParams{ClientID: id, At: t.micros()})
	if err != nil {
		return nil, fmt.Errorf("read secrets of client %s: %w", id, err)
	}
	return rows, nil
}

func secretOf(r ledgerdb.ListClientSecretsRow) auth.Secret {
	return auth.Secret{ID: r.ID, CreatedAt: instant(r.CreatedAt), ExpiresAt: instantOrZero(r.ExpiresAt)}
}

// secretWarnings are how many days before its end a client is told of it.
var secretWarnings = []int64{1, 7, 30}

// TendSecrets removes secrets that have ended, and tells the clients of those that end
// soon: 30 days before, 7 days and one day.
func (l *Ledger) TendSecrets(ctx context.Context) error {
	soon := l.clock.Now().Add(time.Duration(slices.Max(secretWarnings)) * dayLength).UnixMicro()
	ending, err := l.read.EndingSecrets(ctx, soon)
	if err != nil {
		return fmt.Errorf("read which secrets end: %w", err)
	}
	now := l.clock.Now()
	if !slices.ContainsFunc(ending, func(s ledgerdb.EndingSecretsRow) bool { return warnOf(s, now) != s.Warned }) {
		return nil
	}
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		ending, err := t.q.EndingSecrets(t.ctx, soon)
		if err != nil {
			return fmt.Errorf("read which secrets end: %w", err)
		}
		for _, s := range ending {
			if err := t.tendSecret(s); err != nil {
				return err
			}
		}
		return nil
	})
}

// warnOf is the warning that a client should have had of the end of a secret; 0 when
// it has ended.
func warnOf(s ledgerdb.EndingSecretsRow, now time.Time) int64 {
	left := instantOrZero(s.ExpiresAt).Sub(now)
	if left <= 0 {
		return 0
	}
	for _, days := range secretWarnings {
		if left <= time.Duration(days)*dayLength {
			return days
		}
	}
	return s.Warned
}

func (t *tx) tendSecret(s ledgerdb.EndingSecretsRow) error {
	fact := SecretFact{ClientID: s.ClientID, SecretID: s.ID, ExpiresAt: instantOrZero(s.ExpiresAt)}
	if !t.now.Before(fact.ExpiresAt) {
		return t.dropSecret(fact)
	}
	days := warnOf(s, t.now)
	if days == s.Warned {
		return nil
	}
	if err := t.q.WarnOfSecret(t.ctx, ledgerdb.WarnOfSecretParams{Warned: days, ID: s.ID}); err != nil {
		return fmt.Errorf("note that client %s was warned: %w", s.ClientID, err)
	}
	fact.Warned = days
	_, err := t.append(entry{kind: ClientSecretExpiring, subject: s.ClientID, body: fact})
	return err
}

// SecretWarnings lists the latest warning of each secret that ends, of the clients of a
// sandbox: their secrets are kept here, and their events in the sandbox's own ledger.
func (l *Ledger) SecretWarnings(ctx context.Context, sandbox string) ([]SecretFact, error) {
	rows, err := l.read.WarnedSecrets(ctx, ledgerdb.WarnedSecretsParams{SandboxID: &sandbox, At: l.clock.Now().UnixMicro()})
	if err != nil {
		return nil, fmt.Errorf("read which secrets of sandbox %s end: %w", sandbox, err)
	}
	facts := make([]SecretFact, len(rows))
	for i, r := range rows {
		facts[i] = SecretFact{ClientID: r.ClientID, SecretID: r.ID, ExpiresAt: instantOrZero(r.ExpiresAt), Warned: r.Warned}
	}
	return facts, nil
}

// TellOfSecrets tells here of warnings that another ledger keeps, of each once.
func (l *Ledger) TellOfSecrets(ctx context.Context, warnings []SecretFact) error {
	if len(warnings) == 0 {
		return nil
	}
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for _, w := range warnings {
			told, err := t.toldOf(w)
			if err != nil {
				return err
			}
			if told {
				continue
			}
			if _, err := t.append(entry{kind: ClientSecretExpiring, subject: w.ClientID, body: w}); err != nil {
				return err
			}
		}
		return nil
	})
}

// toldOf reports whether the journal has a warning already.
func (t *tx) toldOf(w SecretFact) (bool, error) {
	entries, err := t.q.EntriesOfSubject(t.ctx, ledgerdb.EntriesOfSubjectParams{Through: math.MaxInt64, Kind: string(ClientSecretExpiring), Subject: w.ClientID})
	if err != nil {
		return false, fmt.Errorf("read what client %s was told of its secrets: %w", w.ClientID, err)
	}
	for _, e := range entries {
		var f SecretFact
		if err := json.Unmarshal([]byte(e.Body), &f); err != nil {
			return false, fmt.Errorf("read entry %d: %w", e.Sequence, err)
		}
		if f.SecretID == w.SecretID && f.Warned == w.Warned {
			return true, nil
		}
	}
	return false, nil
}
