package auth

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

func TestThrottle(t *testing.T) {
	th, now := NewThrottle(10, time.Minute), start()
	for i := range 10 {
		if err := th.Take("a", now); err != nil {
			t.Fatalf("attempt %d: %v", i+1, err)
		}
	}
	var throttled *Throttled
	if err := th.Take("a", now); !errors.As(err, &throttled) || throttled.After != 6*time.Second {
		t.Fatalf("attempt 11: %v", err)
	}
	if err := th.Take("b", now); err != nil {
		t.Errorf("another key: %v", err)
	}
	if err := th.Check("a", now.Add(5*time.Second)); err == nil {
		t.Error("before the time")
	}
	if err := th.Take("a", now.Add(6*time.Second)); err != nil {
		t.Errorf("at the time: %v", err)
	}
}

func TestThrottleForgets(t *testing.T) {
	th, now := NewThrottle(10, time.Minute), start()
	for i := range 3 * throttleSweep {
		_ = th.Take(fmt.Sprint(i), now)
		now = now.Add(10 * time.Millisecond)
	}
	if len(th.keys) > throttleSweep+1 {
		t.Errorf("%d keys are kept", len(th.keys))
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct{ remote, want string }{
		{"192.0.2.7:1234", "192.0.2.7"},
		{"[::ffff:192.0.2.7]:1234", "192.0.2.7"},
		{"[2001:db8:1:2:3:4:5:6]:1234", "2001:db8:1:2::/64"},
		{"[2001:db8:1:2::9]:99", "2001:db8:1:2::/64"},
		{"@", "@"},
	} {
		if got := Address(c.remote); got != c.want {
			t.Errorf("%s: %s, want %s", c.remote, got, c.want)
		}
	}
}

func TestCheckClientThrottles(t *testing.T) {
	clock := &stopped{now: start()}
	a := newAuthority(t, newMemory(), clock)
	c, secret := newTestClient(t, a, Client{})
	for i := range 10 {
		if _, err := a.CheckClient(t.Context(), c.ID, "wrong", address); !errors.Is(err, ErrClient) {
			t.Fatalf("failure %d: %v", i+1, err)
		}
	}
	var throttled *Throttled
	if _, err := a.CheckClient(t.Context(), c.ID, secret, address); !errors.As(err, &throttled) {
		t.Errorf("after 10 failures: %v", err)
	}
	if _, err := a.CheckClient(t.Context(), c.ID, secret, "192.0.2.2"); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
	clock.now = clock.now.Add(throttled.After + time.Second)
	if _, err := a.CheckClient(t.Context(), c.ID, secret, address); err != nil {
		t.Errorf("after waiting: %v", err)
	}
	for i := range 10 {
		if _, err := a.CheckClient(t.Context(), fmt.Sprint("nobody", i), "x", "192.0.2.3"); !errors.Is(err, ErrClient) {
			t.Fatalf("unknown client %d: %v", i+1, err)
		}
	}
	if _, err := a.CheckClient(t.Context(), "nobody", "x", "192.0.2.3"); !errors.As(err, &throttled) {
		t.Errorf("after 10 unknown clients: %v", err)
	}
	if _, err := a.CheckClient(t.Context(), c.ID, secret, "192.0.2.3"); err != nil {
		t.Errorf("a known client beside them: %v", err)
	}
}

func TestIssueThrottles(t *testing.T) {
	a := newAuthority(t, newMemory(), &stopped{now: start()})
	c, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead)})
	for i := range 30 {
		if _, err := a.Issue(t.Context(), c, "", address); err != nil {
			t.Fatalf("token %d: %v", i+1, err)
		}
	}
	var throttled *Throttled
	if _, err := a.Issue(t.Context(), c, "", address); !errors.As(err, &throttled) {
		t.Errorf("token 31: %v", err)
	}
}

func TestCreateClientRefuses(t *testing.T) {
	a := newAuthority(t, newMemory(), &stopped{now: start()})
	for _, c := range []Client{
		{},
		{Environment: "staging"},
		{Environment: Production, Tier: "gold"},
		{Environment: Production, PropertyIDs: []string{"no good"}},
		{Environment: Production, ID: "no good"},
		{Environment: Production, Kind: "fax"},
		{Environment: Production, Kind: KindOTA},
		{Environment: Production, Kind: KindOTA, ChannelID: "ch", Scopes: ScopesOf(InventoryWrite)},
		{Environment: Production, ChannelID: "ch"},
		{Environment: Sandbox, SandboxID: "sbx", HourlyLimit: new(int)},
	} {
		if _, err := a.CreateClient(t.Context(), hotel.By{Actor: hotel.System}, hotel.Once{}, c); err == nil {
			t.Errorf("%+v was created", c)
		}
	}
}

// A client of the sandbox that has a limit of its own from before is revoked as any other.
func TestOldLimitsAreInNobodysWay(t *testing.T) {
	store := newMemory()
	a := newAuthority(t, store, &stopped{now: start()})
	c, _ := newTestClient(t, a, Client{Environment: Sandbox, SandboxID: "sbx"})
	c.HourlyLimit = new(int)
	store.clients[c.ID] = c
	change := func(edit func(*Client)) error {
		_, _, err := a.ChangeClient(t.Context(), hotel.By{Actor: hotel.System}, hotel.Once{}, c.ID, 0, func(c *Client) error { edit(c); return nil })
		return err
	}
	five := 5
	if err := change(func(c *Client) { c.HourlyLimit = &five }); err == nil {
		t.Error("it has another limit of its own")
	}
	if err := change(func(c *Client) { c.Status = ClientRevoked }); err != nil {
		t.Errorf("it is not revoked: %v", err)
	}
	if err := change(func(c *Client) { c.HourlyLimit = nil }); err != nil {
		t.Errorf("it keeps its limit: %v", err)
	}
}

func TestScopes(t *testing.T) {
	for _, s := range all {
		set, err := ParseScopes(string(s))
		if err != nil || !set.Has(s) || set.String() != string(s) || len(set.List()) != 1 {
			t.Errorf("%s: %v %v", s, set, err)
		}
	}
	if got, err := ParseScopes(AllScopes().String()); err != nil || got != AllScopes() {
		t.Errorf("all: %v %v", got, err)
	}
	if ScopesOf(RatesWrite).Has(RatesRead) {
		t.Error("write implies read")
	}
	if Scopes(0).Has("nonsense") || AllScopes().Has("nonsense") {
		t.Error("a scope that does not exist is held")
	}
}
