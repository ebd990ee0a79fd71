package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

// The journal's words for users of the console. Sessions leave no entry.
const (
	UserCreated Kind = "user.created"
	UserUpdated Kind = "user.updated"
	UserRemoved Kind = "user.removed"
)

// userBody is what the journal keeps of a user: no name, for that is a person's.
type userBody struct {
	Roles    map[string]auth.Role `json:"roles"`
	Disabled bool                 `json:"disabled,omitempty"`
}

var _ auth.UserStore = (*Ledger)(nil)

// Users returns all users of the console by name.
func (l *Ledger) Users(ctx context.Context) ([]auth.User, error) {
	rows, err := l.read.ListConsoleUsers(ctx)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	users := make([]auth.User, len(rows))
	for i, r := range rows {
		if users[i], err = userOf(r); err != nil {
			return nil, err
		}
	}
	return users, nil
}

// User returns the user of an id; ok is false when there is none.
func (l *Ledger) User(ctx context.Context, id string) (u auth.User, ok bool, err error) {
	return oneUser(l.read.GetConsoleUser(ctx, id))
}

// UserNamed returns the user who signs in by a name; ok is false when there is none.
func (l *Ledger) UserNamed(ctx context.Context, name string) (u auth.User, ok bool, err error) {
	return oneUser(l.read.GetConsoleUserNamed(ctx, name))
}

func oneUser(row ledgerdb.ConsoleUser, err error) (auth.User, bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return auth.User{}, false, nil
	}
	if err != nil {
		return auth.User{}, false, fmt.Errorf("read user: %w", err)
	}
	u, err := userOf(row)
	return u, err == nil, err
}

func userOf(r ledgerdb.ConsoleUser) (auth.User, error) {
	u := auth.User{ID: r.ID, Name: r.Name, Password: r.Password, Disabled: r.Disabled != 0, CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt)}
	if err := json.Unmarshal([]byte(r.Roles), &u.Roles); err != nil {
		return auth.User{}, fmt.Errorf("read the roles of user %s: %w", r.ID, err)
	}
	return u, nil
}

// PutUser stores a user, over the one of the same id. A name that another user has
// is refused. With endSessions nobody is signed in as the user any more.
func (l *Ledger) PutUser(ctx context.Context, by hotel.By, u auth.User, endSessions bool) error {
	roles, err := json.Marshal(u.Roles)
	if err != nil {
		return fmt.Errorf("store user %s: %w", u.ID, err)
	}
	return l.write(ctx, urgent, by, func(t *tx) error {
		other, err := t.q.GetConsoleUserNamed(t.ctx, u.Name)
		if err == nil && other.ID != u.ID {
			return hotel.Invalid("/name", "duplicate", "there is a user of this name already")
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("read user: %w", err)
		}
		kind := UserCreated
		if err == nil {
			kind = UserUpdated
		}
		err = t.q.UpsertConsoleUser(t.ctx, ledgerdb.UpsertConsoleUserParams{
			ID: u.ID, Name: u.Name, Roles: string(roles), Password: u.Password, Disabled: flag(u.Disabled), CreatedAt: u.CreatedAt.UnixMicro(), UpdatedAt: u.UpdatedAt.UnixMicro(),
		})
		if err != nil {
			return fmt.Errorf("store user %s: %w", u.ID, err)
		}
		if endSessions {
			if err := t.signOut(u.ID); err != nil {
				return err
			}
		}
		_, err = t.append(entry{kind: kind, subject: u.ID, body: userBody{u.Roles, u.Disabled}})
		return err
	})
}

// RemoveUser removes a user of the console with all sessions and links.
func (l *Ledger) RemoveUser(ctx context.Context, by hotel.By, id string) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		if _, err := t.q.GetConsoleUser(t.ctx, id); err != nil {
			return notFound(err)
		}
		if err := t.signOut(id); err != nil {
			return err
		}
		if err := t.q.DeleteConsoleUser(t.ctx, id); err != nil {
			return fmt.Errorf("remove user %s: %w", id, err)
		}
		_, err := t.append(entry{kind: UserRemoved, subject: id, body: map[string]any{}})
		return err
	})
}

// signOut ends a user's sessions and links.
func (t *tx) signOut(user string) error {
	if err := errors.Join(t.q.DeleteConsoleSessionsOf(t.ctx, user), t.q.DeleteConsoleLinksOf(t.ctx, user)); err != nil {
		return fmt.Errorf("end the sessions of user %s: %w", user, err)
	}
	return nil
}

// StoreSession stores a session of a user of the console.
func (l *Ledger) StoreSession(ctx context.Context, s auth.Session) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.storeSession(s) })
}

func (t *tx) storeSession(s auth.Session) error {
	err := t.q.InsertConsoleSession(t.ctx, ledgerdb.InsertConsoleSessionParams{
		ID: s.ID, Hash: s.Hash[:], UserID: s.UserID, CreatedAt: s.CreatedAt.UnixMicro(), SeenAt: s.SeenAt.UnixMicro(), Address: s.Address, Agent: s.Agent,
	})
	if err != nil {
		return fmt.Errorf("store a session of user %s: %w", s.UserID, err)
	}
	return nil
}

// SessionOf returns the session of a token's hash; ok is false when there is none.
func (l *Ledger) SessionOf(ctx context.Context, hash [32]byte) (s auth.Session, ok bool, err error) {
	row, err := l.read.GetConsoleSession(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return auth.Session{}, false, nil
	}
	if err != nil {
		return auth.Session{}, false, fmt.Errorf("read a session: %w", err)
	}
	return sessionOf(row), true, nil
}

func sessionOf(r ledgerdb.ConsoleSession) auth.Session {
	return auth.Session{
		ID: r.ID, Hash: [32]byte(r.Hash), UserID: r.UserID, CreatedAt: instant(r.CreatedAt), SeenAt: instant(r.SeenAt), Address: r.Address, Agent: r.Agent,
	}
}

// Sessions returns a user's sessions, the newest first.
func (l *Ledger) Sessions(ctx context.Context, userID string) ([]auth.Session, error) {
	rows, err := l.read.ListConsoleSessions(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("read the sessions of user %s: %w", userID, err)
	}
	sessions := make([]auth.Session, len(rows))
	for i, r := range rows {
		sessions[i] = sessionOf(r)
	}
	return sessions, nil
}

// SeeSession notes that a session was used.
func (l *Ledger) SeeSession(ctx context.Context, id string, at time.Time) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.SeeConsoleSession(t.ctx, ledgerdb.SeeConsoleSessionParams{SeenAt: at.UnixMicro(), ID: id})
	})
}

// EndSession removes a user's session. One that is not there is no error.
func (l *Ledger) EndSession(ctx context.Context, userID, id string) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeleteConsoleSession(t.ctx, ledgerdb.DeleteConsoleSessionParams{ID: id, UserID: userID})
	})
}

// ForgetSessions removes sessions not used since one instant or made before another,
// and links that ended before a third.
func (l *Ledger) ForgetSessions(ctx context.Context, seen, made, links time.Time) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return errors.Join(
			t.q.ForgetConsoleSessions(t.ctx, ledgerdb.ForgetConsoleSessionsParams{Seen: seen.UnixMicro(), Made: made.UnixMicro()}),
			t.q.ForgetConsoleLinks(t.ctx, links.UnixMicro()),
		)
	})
}

// StoreLink stores a link by which a user can sign in once.
func (l *Ledger) StoreLink(ctx context.Context, k auth.Link) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.InsertConsoleLink(t.ctx, ledgerdb.InsertConsoleLinkParams{Hash: k.Hash[:], UserID: k.UserID, ExpiresAt: k.ExpiresAt.UnixMicro()})
	})
}

// RedeemLink removes the link of a hash, if it is good at an instant, and stores the
// session for its user instead; ok is false when there is none.
func (l *Ledger) RedeemLink(ctx context.Context, hash [32]byte, at time.Time, s auth.Session) (userID string, ok bool, err error) {
	var found bool // no named results: the batch may go on when the caller has left
	var user string
	err = l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetConsoleLink(t.ctx, hash[:])
		if errors.Is(err, sql.ErrNoRows) || err == nil && row.ExpiresAt <= at.UnixMicro() {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a link: %w", err)
		}
		if err := t.q.DeleteConsoleLink(t.ctx, hash[:]); err != nil {
			return fmt.Errorf("use a link: %w", err)
		}
		s.UserID = row.UserID
		user, found = row.UserID, true
		return t.storeSession(s)
	})
	if err != nil {
		return "", false, err
	}
	return user, found, nil
}
