package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"ostler.example/hotel"
)

// UserStore keeps the users of the console, their sessions and the links by which
// they sign in. No method returns more than was stored: what has ended is for
// [Users] to know.
type UserStore interface {
	// Users returns all users by name.
	Users(ctx context.Context) ([]User, error)
	// User returns the user of an id; ok is false when there is none.
	User(ctx context.Context, id string) (u User, ok bool, err error)
	// UserNamed returns the user who signs in by a name; ok is false when there is none.
	UserNamed(ctx context.Context, name string) (u User, ok bool, err error)
	// PutUser stores a user, over the one of the same id. A name that another user has
	// is refused. Sessions and links end when endSessions is set.
	PutUser(ctx context.Context, by hotel.By, u User, endSessions bool) error
	// RemoveUser removes a user with all sessions and links.
	RemoveUser(ctx context.Context, by hotel.By, id string) error

	// StoreSession stores a session.
	StoreSession(ctx context.Context, s Session) error
	// SessionOf returns the session of a token's hash; ok is false when there is none.
	SessionOf(ctx context.Context, hash [32]byte) (s Session, ok bool, err error)
	// Sessions returns a user's sessions, the newest first.
	Sessions(ctx context.Context, userID string) ([]Session, error)
	// SeeSession notes that a session was used.
	SeeSession(ctx context.Context, id string, at time.Time) error
	// EndSession removes a user's session. One that is not there is no error.
	EndSession(ctx context.Context, userID, id string) error
	// ForgetSessions removes sessions not used since one instant or made before another,
	// and links that ended before a third.
	ForgetSessions(ctx context.Context, seen, made, links time.Time) error

	// StoreLink stores a link.
	StoreLink(ctx context.Context, l Link) error
	// RedeemLink removes the link of a hash, if it is good at an instant, and stores the
	// session for its user instead, in one transaction; ok is false when there is none.
	RedeemLink(ctx context.Context, hash [32]byte, at time.Time, s Session) (userID string, ok bool, err error)
}

// ErrPassword refuses somebody to sign in: the name is unknown, or the password is
// wrong, which are not told apart.
var ErrPassword = errors.New("the name or the password is wrong")

// ErrSession refuses a session that is unknown or over.
var ErrSession = errors.New("the session is unknown or over")

// ErrLink refuses a link that is unknown, used or over.
var ErrLink = errors.New("the link is unknown, was used, or has ended")

// UsersOptions are what Users needs. Cost may be zero for [DefaultCost].
type UsersOptions struct {
	Store UserStore
	Clock hotel.Clock
	Cost  Cost
}

// Users decides who may use the console. Its methods may be called at the same time.
type Users struct {
	store UserStore
	clock hotel.Clock
	cost  Cost
	dummy string // what the password of nobody is compared with, so that the time tells nothing

	hashing  chan struct{} // as many places as passwords are worked on at a time
	byName   *Throttle     // wrong passwords, by name and address
	byPerson *Throttle     // likewise by name, from anywhere
	byPlace  *Throttle     // likewise by address
}

// NewUsers returns the users of a store.
func NewUsers(o UsersOptions) *Users {
	if o.Cost == (Cost{}) {
		o.Cost = DefaultCost
	}
	return &Users{
		store: o.Store, clock: o.Clock, cost: o.Cost, dummy: o.Cost.hash("the password of nobody"),
		hashing: make(chan struct{}, 2),
		byName:  NewThrottle(5, 5*time.Minute), byPerson: NewThrottle(50, time.Hour), byPlace: NewThrottle(20, 10*time.Minute),
	}
}

// List returns all users by name.
func (u *Users) List(ctx context.Context) ([]User, error) { return u.store.Users(ctx) }

// Named returns the user who signs in by a name.
func (u *Users) Named(ctx context.Context, name string) (User, error) {
	found, ok, err := u.store.UserNamed(ctx, strings.ToLower(name))
	if err == nil && !ok {
		err = hotel.Refuse("not_found", "there is no user %q", name)
	}
	return found, err
}

// Add makes a user. Without a password the user can sign in by link alone.
func (u *Users) Add(ctx context.Context, by hotel.By, name, password string, roles map[string]Role) (User, error) {
	now := u.clock.Now()
	made := User{ID: hotel.NewID("usr"), Name: strings.ToLower(name), Roles: maps.Clone(roles), CreatedAt: now, UpdatedAt: now}
	if err := made.check(); err != nil {
		return User{}, err
	}
	if err := u.setPassword(ctx, &made, password); err != nil {
		return User{}, err
	}
	return made, u.store.PutUser(ctx, by, made, false)
}

// UserChange is what becomes different of a user; what is nil or "" stays. One that says
// nothing ends the sessions of the user and no more.
type UserChange struct {
	Password string
	Roles    map[string]Role
	Disabled *bool
}

// Change makes a user different. Whoever is signed in as the user is not any more.
func (u *Users) Change(ctx context.Context, by hotel.By, name string, c UserChange) (User, error) {
	changed, err := u.Named(ctx, name)
	if err != nil {
		return User{}, err
	}
	if c.Roles != nil {
		changed.Roles = maps.Clone(c.Roles)
	}
	if c.Disabled != nil {
		changed.Disabled = *c.Disabled
	}
	if err := changed.check(); err != nil {
		return User{}, err
	}
	if err := u.setPassword(ctx, &changed, c.Password); err != nil {
		return User{}, err
	}
	changed.UpdatedAt = u.clock.Now()
	return changed, u.store.PutUser(ctx, by, changed, true)
}

// Remove removes a user.
func (u *Users) Remove(ctx context.Context, by hotel.By, name string) error {
	gone, err := u.Named(ctx, name)
	if err != nil {
		return err
	}
	return u.store.RemoveUser(ctx, by, gone.ID)
}

func (u *Users) setPassword(ctx context.Context, of *User, password string) error {
	if password == "" {
		return nil
	}
	if err := checkPassword(password); err != nil {
		return err
	}
	if err := u.enter(ctx); err != nil {
		return err
	}
	defer u.leave()
	of.Password = u.cost.hash(password)
	return nil
}

// enter waits for one of the few places in which passwords are worked on: each takes
// much memory, and nobody books a room by it.
func (u *Users) enter(ctx context.Context) error {
	select {
	case u.hashing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (u *Users) leave() { <-u.hashing }

// Visitor is where somebody signs in from.
type Visitor struct {
	Address string // see [Address]
	Agent   string
}

// SignIn begins a session and returns its token, which exists nowhere else. A name or
// password that is wrong is [ErrPassword]; whoever is wrong too often is [Throttled].
func (u *Users) SignIn(ctx context.Context, name, password string, from Visitor) (token string, err error) {
	name = strings.ToLower(strings.TrimSpace(name))
	if len(name) > maxName {
		return "", ErrPassword // nobody has it, and it is not worth remembering
	}
	failed, err := u.attempt(name, from.Address)
	if err != nil {
		return "", err
	}
	found, same, err := u.compare(ctx, name, password)
	if err == nil && !same {
		return "", ErrPassword
	}
	failed.undo()
	if err != nil {
		return "", err
	}
	token, s := u.newSession(from)
	s.UserID = found.ID
	return token, u.store.StoreSession(ctx, s)
}

// ChangePassword gives a user another password for the one that the user has, and returns
// the token of a new session: all others have ended. A user who has none, and came by a
// link, is asked for none. A wrong password counts as one at [Users.SignIn] does.
func (u *Users) ChangePassword(ctx context.Context, by hotel.By, of User, was, password string, from Visitor) (token string, err error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	if of.Password != "" {
		failed, err := u.attempt(of.Name, from.Address)
		if err != nil {
			return "", err
		}
		_, same, err := u.compare(ctx, of.Name, was)
		if err == nil && !same {
			return "", ErrPassword
		}
		if failed.undo(); err != nil {
			return "", err
		}
	}
	if _, err := u.Change(ctx, by, of.Name, UserChange{Password: password}); err != nil {
		return "", err
	}
	token, s := u.newSession(from)
	s.UserID = of.ID
	return token, u.store.StoreSession(ctx, s)
}

// attempt counts a wrong password before it is compared, so that of many that come at
// once no more are compared than one after the other. undo takes it back.
func (u *Users) attempt(name, address string) (counted attempt, err error) {
	counted = attempt{clock: u.clock}
	for _, by := range []taken{{u.byName, name + " " + address}, {u.byPerson, name}, {u.byPlace, address}} {
		if err := by.throttle.Take(by.key, u.clock.Now()); err != nil {
			counted.undo()
			return attempt{}, err
		}
		counted.of = append(counted.of, by)
	}
	return counted, nil
}

// attempt is what was counted of a sign-in, by each throttle.
type attempt struct {
	clock hotel.Clock
	of    []taken
}

type taken struct {
	throttle *Throttle
	key      string
}

func (a attempt) undo() {
	for _, by := range a.of {
		by.throttle.Give(by.key, a.clock.Now())
	}
}

// compare returns the user of a name and whether the password is theirs. It takes as
// long for a name that nobody has.
func (u *Users) compare(ctx context.Context, name, password string) (found User, same bool, err error) {
	found, ok, err := u.store.UserNamed(ctx, name)
	if err != nil {
		return User{}, false, fmt.Errorf("look up user: %w", err)
	}
	against := found.Password
	if !ok || against == "" || found.Disabled {
		ok, against = false, u.dummy
	}
	if err := u.enter(ctx); err != nil {
		return User{}, false, err
	}
	defer u.leave()
	same = len(password) <= maxPassword && samePassword(against, password)
	return found, same && ok, nil
}

func (u *Users) newSession(from Visitor) (string, Session) {
	now, token := u.clock.Now(), newToken(Production)
	agent := from.Agent
	if len(agent) > 200 {
		agent = strings.ToValidUTF8(agent[:200], "")
	}
	return token, Session{ID: hotel.NewID("ses"), Hash: Hash(token), CreatedAt: now, SeenAt: now, Address: from.Address, Agent: agent}
}

// Link returns the token of a link by which the user can sign in once.
func (u *Users) Link(ctx context.Context, name string) (string, error) {
	of, err := u.Named(ctx, name)
	if err != nil {
		return "", err
	}
	if of.Disabled {
		return "", hotel.Refuse("user_disabled", "the user %q is disabled: enable it first", of.Name)
	}
	token := newToken(Production)
	return token, u.store.StoreLink(ctx, Link{Hash: Hash(token), UserID: of.ID, ExpiresAt: u.clock.Now().Add(LinkLife)})
}

// Redeem begins a session by a link, which is good for this once.
func (u *Users) Redeem(ctx context.Context, link string, from Visitor) (token string, err error) {
	now := u.clock.Now()
	if err := u.byPlace.Check(from.Address, now); err != nil {
		return "", err
	}
	token, s := u.newSession(from)
	_, ok, err := u.store.RedeemLink(ctx, Hash(link), now, s)
	if err != nil {
		return "", err
	}
	if !ok {
		if err := u.byPlace.Take(from.Address, now); err != nil {
			return "", err
		}
		return "", ErrLink
	}
	return token, nil
}

// seenEvery is how exactly it is known when a session was last used.
const seenEvery = time.Minute

// Session returns the session of a token and its user, and notes that it is used. One
// that is over is [ErrSession].
func (u *Users) Session(ctx context.Context, token string) (Session, User, error) {
	s, ok, err := u.store.SessionOf(ctx, Hash(token))
	if err != nil {
		return Session{}, User{}, err
	}
	now := u.clock.Now()
	if !ok || s.over(now) {
		return Session{}, User{}, ErrSession
	}
	of, ok, err := u.store.User(ctx, s.UserID)
	if err != nil {
		return Session{}, User{}, err
	}
	if !ok || of.Disabled {
		return Session{}, User{}, ErrSession
	}
	if now.Sub(s.SeenAt) >= seenEvery {
		s.SeenAt = now
		// What cannot be noted, as on a full disk, ends the session the sooner, and keeps
		// nobody from looking at the house meanwhile.
		_ = u.store.SeeSession(ctx, s.ID, now)
	}
	return s, of, nil
}

// Sessions returns a user's sessions that are not over, the newest first.
func (u *Users) Sessions(ctx context.Context, userID string) ([]Session, error) {
	all, err := u.store.Sessions(ctx, userID)
	now, live := u.clock.Now(), all[:0]
	for _, s := range all {
		if !s.over(now) {
			live = append(live, s)
		}
	}
	return live, err
}

// End ends a session of the user's.
func (u *Users) End(ctx context.Context, userID, id string) error {
	return u.store.EndSession(ctx, userID, id)
}

// Tidy forgets sessions and links that are over.
func (u *Users) Tidy(ctx context.Context) error {
	now := u.clock.Now()
	return u.store.ForgetSessions(ctx, now.Add(-SessionIdle), now.Add(-SessionLife), now)
}
