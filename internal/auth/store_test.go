package auth

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// memory is a store that forgets with the test. refuse makes its writes fail;
// asked, when set, is called in the middle of every look-up of a token.
type memory struct {
	Clientele    // of which only what is below is asked
	RequestStore // likewise
	AnswerStore  // likewise

	mu      sync.Mutex
	clients map[string]Client
	secrets map[string][][32]byte
	tokens  map[[32]byte]Token
	windows map[string]RateWindow
	saves   int
	reads   int
	refuse  bool
	asked   func()
}

var errRefused = errors.New("no room on the disk")

func newMemory() *memory {
	return &memory{
		clients: map[string]Client{}, secrets: map[string][][32]byte{},
		tokens: map[[32]byte]Token{}, windows: map[string]RateWindow{},
	}
}

func (m *memory) ForgetTraffic(context.Context, time.Time) error { return nil }

func (m *memory) ForgetAnswers(context.Context, hotel.Date) error { return nil }

func (m *memory) TendSecrets(context.Context) error { return nil }

func (m *memory) CreateClient(_ context.Context, _ hotel.By, _ hotel.Once, c Client, secret [32]byte) (Client, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clients[c.ID] = c
	m.secrets[c.ID] = append(m.secrets[c.ID], secret)
	return c, false, nil
}

func (m *memory) Client(_ context.Context, id string) (Client, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.clients[id]
	return c, ok, nil
}

func (m *memory) ChangeClient(_ context.Context, _ hotel.By, _ hotel.Once, id string, _ int64, edit func(*Client) error) (Client, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.clients[id]
	if err := edit(&c); err != nil {
		return Client{}, false, err
	}
	m.clients[id] = c
	return c, false, nil
}

func (m *memory) Clients(context.Context) ([]Client, error) { return nil, nil }

func (m *memory) SecretHashes(_ context.Context, id string, _ time.Time) ([][32]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.secrets[id], nil
}

func (m *memory) StoreToken(_ context.Context, t Token) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tokens[t.Hash] = t
	return nil
}

func (m *memory) Token(_ context.Context, hash [32]byte) (Token, bool, error) {
	m.mu.Lock()
	t, ok := m.tokens[hash]
	m.reads++
	asked := m.asked
	m.mu.Unlock()
	if asked != nil {
		asked()
	}
	return t, ok, nil
}

func (m *memory) RevokeToken(_ context.Context, hash [32]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.tokens, hash)
	return nil
}

func (m *memory) DeleteExpiredTokens(_ context.Context, before time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for h, t := range m.tokens {
		if t.ExpiresAt.Before(before) {
			delete(m.tokens, h)
		}
	}
	return nil
}

func (m *memory) RateWindows(context.Context) ([]RateWindow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []RateWindow
	for _, w := range m.windows {
		list = append(list, w)
	}
	return list, nil
}

func (m *memory) SaveRateWindows(_ context.Context, windows []RateWindow) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse {
		return errRefused
	}
	m.saves++
	for _, w := range windows {
		m.windows[w.ClientID] = w
	}
	return nil
}

// stopped is a clock that stands still until it is moved.
type stopped struct{ now time.Time }

func (c *stopped) Now() time.Time                  { return c.now }
func (c *stopped) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *stopped) Steady() time.Time               { return c.Now() }

func start() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC) }

func newAuthority(t *testing.T, store Store, clock hotel.Clock) *Authority {
	t.Helper()
	a, err := New(t.Context(), Options{Store: store, Clock: clock, Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func newTestClient(t *testing.T, a *Authority, c Client) (Client, string) {
	t.Helper()
	if c.Environment == "" {
		c.Environment = Production
	}
	made, err := a.CreateClient(t.Context(), hotel.By{Actor: hotel.System}, hotel.Once{}, c)
	if err != nil {
		t.Fatal(err)
	}
	return made.Client, made.Secret
}
