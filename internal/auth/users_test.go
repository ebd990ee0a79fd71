package auth

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// crowd is a store of nobody, whose look-ups are answered when everybody who came has
// been turned away or asks.
type crowd struct {
	UserStore // of which only what is below is asked

	mu      sync.Mutex
	changed *sync.Cond
	coming  int // who neither asks nor has been turned away
	asked   int
}

func newCrowd(n int) *crowd {
	c := &crowd{coming: n}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// here counts one of them and wakes those who wait.
func (c *crowd) here() {
	c.coming--
	c.changed.Broadcast()
}

func (c *crowd) UserNamed(context.Context, string) (User, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	for c.here(); c.coming > 0; {
		c.changed.Wait()
	}
	return User{}, false, nil
}

func TestAttemptsAtOnceAreLimited(t *testing.T) {
	const n = 40
	store := newCrowd(n)
	u := NewUsers(UsersOptions{Store: store, Clock: &stopped{now: start()}, Cost: Cost{Passes: 1, Memory: 64}})
	var tries sync.WaitGroup
	for range n {
		tries.Go(func() {
			_, err := u.SignIn(t.Context(), "ada", "wrong password", Visitor{Address: address})
			if _, often := errors.AsType[*Throttled](err); often {
				store.mu.Lock()
				defer store.mu.Unlock()
				store.here()
			} else if !errors.Is(err, ErrPassword) {
				t.Error(err)
			}
		})
	}
	tries.Wait()
	if store.asked != 5 {
		t.Errorf("%d of %d passwords were compared, want 5", store.asked, n)
	}
}

// Names that nobody can have are not kept.
func TestLongNamesAreNotCounted(t *testing.T) {
	u := NewUsers(UsersOptions{Store: newCrowd(1), Clock: &stopped{now: start()}, Cost: Cost{Passes: 1, Memory: 64}})
	if _, err := u.SignIn(t.Context(), strings.Repeat("a", maxName+1), "wrong password", Visitor{Address: address}); !errors.Is(err, ErrPassword) {
		t.Error(err)
	}
	if n := len(u.byName.keys) + len(u.byPerson.keys); n != 0 {
		t.Errorf("%d names are kept", n)
	}
}

// Whoever is let in has used up nothing, however often.
func TestSigningInIsNotLimited(t *testing.T) {
	store := &one{user: User{ID: "usr_1", Name: "ada", Password: Cost{Passes: 1, Memory: 64}.hash("right password")}}
	u := NewUsers(UsersOptions{Store: store, Clock: &stopped{now: start()}, Cost: Cost{Passes: 1, Memory: 64}})
	for i := range 100 {
		if _, err := u.SignIn(t.Context(), "ada", "right password", Visitor{Address: address}); err != nil {
			t.Fatalf("time %d: %v", i+1, err)
		}
	}
	for i := range 6 {
		_, err := u.SignIn(t.Context(), "ada", "wrong password", Visitor{Address: address})
		if _, often := errors.AsType[*Throttled](err); often != (i == 5) {
			t.Errorf("wrong password %d after them: %v", i+1, err)
		}
	}
}

// Where nothing can be stored, whoever has signed in goes on looking, until the session is
// over by what was stored of it.
func TestSessionsGoOnWhereNothingIsStored(t *testing.T) {
	clock := &stopped{now: start()}
	store := &one{user: User{ID: "usr_1"}, session: Session{ID: "ses_1", UserID: "usr_1", CreatedAt: clock.now, SeenAt: clock.now}}
	u := NewUsers(UsersOptions{Store: store, Clock: clock})
	clock.now = clock.now.Add(2 * seenEvery)
	if _, of, err := u.Session(t.Context(), "token"); err != nil || of.ID != "usr_1" || store.tried != 1 {
		t.Errorf("%v, %v, tried %d times", of, err, store.tried)
	}
	clock.now = clock.now.Add(SessionIdle)
	if _, _, err := u.Session(t.Context(), "token"); !errors.Is(err, ErrSession) {
		t.Errorf("behind its end: %v", err)
	}
}

// one is a store of one user.
type one struct {
	UserStore // of which only what is below is asked

	user    User
	session Session
	tried   int // to note that it is used, in vain
}

func (o *one) UserNamed(context.Context, string) (User, bool, error) { return o.user, true, nil }

func (o *one) StoreSession(context.Context, Session) error { return nil }

func (o *one) User(context.Context, string) (User, bool, error) { return o.user, true, nil }

func (o *one) SessionOf(context.Context, [32]byte) (Session, bool, error) {
	return o.session, true, nil
}

func (o *one) SeeSession(context.Context, string, time.Time) error {
	o.tried++
	return errors.New("the disk is full")
}
