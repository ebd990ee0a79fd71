package app

import (
	"context"
	"maps"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/backup"
	"ostler.example/internal/config"
	"ostler.example/internal/metrics"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
	"ostler.example/sync/dispatch"
	"ostler.example/sync/gate"
)

// counting has the engine's calls counted.
func counting(m *metrics.Metrics) chansync.Observer {
	return chansync.Observer{
		Told:    func(t dispatch.Told) { m.Pushed(t.ChannelID, string(t.State), t.DoneAt.Sub(t.SentAt)) },
		Circuit: func(channel string, t gate.Transition) { m.CircuitMoved(channel, string(t.To)) },
	}
}

// hooks are what the parts of an environment tell of what they do. Nil ones are not
// told.
type hooks struct {
	committed func(items int, took time.Duration)
	answered  func(pattern, method string, status int, took time.Duration)
	called    func(well bool)
}

func hooksOf(m *metrics.Metrics) hooks {
	if m == nil {
		return hooks{}
	}
	return hooks{m.Committed, m.Answered, m.WebhookCalled}
}

// figures is how an environment stands.
func (e *Environment) figures(ctx context.Context, now time.Time) (metrics.Figures, error) {
	f, err := e.Ledger.Figures(ctx)
	if err != nil {
		return metrics.Figures{}, err
	}
	since := func(at time.Time) time.Duration {
		if at.IsZero() {
			return 0
		}
		return max(0, now.Sub(at))
	}
	out := metrics.Figures{
		Sequence: f.Sequence, Readers: f.Readers, Conflicts: make(map[string]int, len(f.Conflicts)), Exposed: f.Exposed, Files: f.Files,
		Webhooks: f.Webhooks, WebhookAge: since(f.WebhooksSince), Unacknowledged: since(f.Unacknowledged),
	}
	for kind, n := range f.Conflicts {
		out.Conflicts[string(kind)] = n
	}
	gates := map[string]gate.Status{}
	for _, s := range e.Engine.Status() {
		if s.Failure == "" {
			gates[s.ChannelID] = s.Gate
		}
	}
	for i := range f.Channels {
		out.Channels = append(out.Channels, channelFigures(&f.Channels[i], gates[f.Channels[i].ID], since))
	}
	return out, nil
}

func channelFigures(c *ledger.ChannelFigures, g gate.Status, since func(time.Time) time.Duration) metrics.Channel {
	out := metrics.Channel{
		ID: c.ID, Property: c.PropertyID, Connector: c.Connector, Status: string(c.Status),
		Lag: c.Lag, Unknown: c.Unknown, Refused: c.Rejected, Held: c.Held,
		Behind: since(c.Behind), Unread: c.Unread, Pulled: since(c.LastPullAt), Fetched: !c.LastPullAt.IsZero(),
		Breaker: string(g.Breaker), Queued: g.Queued,
	}
	for _, b := range g.Buckets {
		out.Buckets = append(out.Buckets, metrics.Bucket{Operation: b.Operation, Property: b.Property, Limit: b.Limit, Remaining: b.Remaining})
	}
	return out
}

// standing is how the daemon's environment and its backups stand, and the certificates
// that its listeners show.
func standing(e *Environment, wires map[string]*wire, clock hotel.Clock, c config.Config) func(context.Context) (metrics.Figures, error) {
	return func(ctx context.Context) (metrics.Figures, error) {
		now := clock.Now()
		f, err := e.figures(ctx, now)
		if err != nil {
			return f, err
		}
		newest, err := backup.Newest(backupFolder(c), "")
		f.HasBackup = err == nil && !newest.IsZero() // a folder that cannot be read is what doctor tells of
		if f.HasBackup {
			f.Backup = max(0, now.Sub(newest))
		}
		for _, name := range slices.Sorted(maps.Keys(wires)) {
			leaf := wires[name].certificate.Load().Leaf
			f.Certificates = append(f.Certificates, metrics.Certificate{Listener: name, Left: leaf.NotAfter.Sub(now), Due: !now.Before(endsSoon(leaf))})
		}
		return f, nil
	}
}
