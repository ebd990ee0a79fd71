package sync_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// errors lists what the journal tells of channels in error, in order.
func (b *bench) errors() (kinds []string) {
	b.t.Helper()
	entries, err := b.ldg.Entries(b.t.Context(), 0, 100000)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Kind != ledger.ChannelFailed && e.Kind != ledger.ChannelRecovered {
			continue
		}
		var of ledger.RecoveredBody
		if err := json.Unmarshal(e.Body, &of); err != nil {
			b.t.Fatal(err)
		}
		if e.Kind == ledger.ChannelFailed || of.From == ledger.FromError { // and not from being out of date
			kinds = append(kinds, string(e.Kind))
		}
	}
	return kinds
}

func (b *bench) wantErrors(want ...string) {
	b.t.Helper()
	if got := b.errors(); !slices.Equal(got, want) {
		b.t.Errorf("told %q, want %q", got, want)
	}
}

// restart ends the engine and starts another on the same ledger.
func (b *bench) restart() {
	b.t.Helper()
	if err := b.eng.Stop(); err != nil {
		b.t.Fatal(err)
	}
	b.newEngine()
	if err := b.eng.Start(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// A channel that is frozen or in shadow is told nothing and goes on selling: that its
// bookings cannot be fetched is told as of any other.
func TestAnErrorOfAChannelThatIsToldNothing(t *testing.T) {
	for name, stands := range map[string]func(b *bench) error{
		"frozen": func(b *bench) error {
			_, _, err := b.ldg.PauseChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, true)
			return err
		},
		"in shadow": func(b *bench) error {
			_, _, err := b.ldg.ShadowChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				f := b.far("a")
				b.channel("a", f.Settings(300))
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.live()
				b.pass(time.Minute)
				if err := stands(b); err != nil {
					t.Fatal(err)
				}
				b.pass(time.Minute)
				f.Plant(t, testkit.Fault{Kind: testkit.ServerError, Seconds: 7200})
				b.pass(90 * time.Minute)
				b.wantErrors("channel.error")
			})
		})
	}
}

// That a channel is in error is told once, at once where it is denied and after a quarter
// of an hour where it fails, and its end once, whatever is started anew meanwhile.
func TestAnErrorOfAChannelIsToldOnce(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		after  time.Duration
	}{"denied": {http.StatusUnauthorized, 0}, "failing": {http.StatusServiceUnavailable, 15 * time.Minute}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				f := b.far("a")
				b.channel("a", f.Settings(300))
				if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
					t.Fatal(err)
				}
				b.net.Serve(context.Background(), f.Host, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status) }))
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				if c.after > 0 {
					b.pass(c.after)
					b.wantErrors()
					b.pass(5 * time.Minute)
				} else {
					b.pass(10 * time.Second)
				}
				b.wantErrors("channel.error")
				b.restart()
				b.pass(5 * time.Minute)
				b.wantErrors("channel.error")

				b.net.Serve(context.Background(), f.Host, f)
				b.pass(20 * time.Minute)
				b.wantErrors("channel.error", "channel.recovered")
				b.restart()
				b.pass(5 * time.Minute)
				b.wantErrors("channel.error", "channel.recovered")
			})
		})
	}
}
