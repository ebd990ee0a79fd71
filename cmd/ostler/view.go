package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ostler.example/internal/app"
)

// view shows the demo at work: lines for a pipe, a screen for a terminal. Its
// methods may be called from several goroutines.
type view interface {
	open(banner)
	happened(app.Happening)
	status([]app.ChannelStatus)
	close()
}

// watch refreshes the channels' state until ctx ends.
func watch(ctx context.Context, demo *app.Demo, show view) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		if s, err := demo.Status(ctx); err == nil {
			show.status(s)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sentence says what happened in one line.
func sentence(h app.Happening) string {
	switch h.Kind {
	case app.HappenedTold:
		told := make([]string, len(h.Told))
		for i, t := range h.Told {
			told[i] = fmt.Sprintf("%s %s", t.Name, short(t.Took))
		}
		return fmt.Sprintf("%-8s %s -> told %s", h.Channel, h.What, strings.Join(told, ", "))
	case app.HappenedTrouble:
		return fmt.Sprintf("%-8s ! %s", h.Channel, h.What)
	case app.HappenedBooking, app.HappenedChange:
	}
	return fmt.Sprintf("%-8s %s", h.Channel, h.What)
}

func short(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// summary says how a channel stands in one line.
func summary(c app.ChannelStatus) string {
	state := "in sync"
	switch {
	case c.Rejected > 0:
		state = fmt.Sprintf("%d rejected", c.Rejected)
	case c.Unknown > 0:
		state = fmt.Sprintf("%d cells unknown", c.Unknown)
	case c.Lag > 0:
		state = fmt.Sprintf("%d cells behind", c.Lag)
	}
	var buckets []string
	for _, b := range c.Buckets {
		buckets = append(buckets, fmt.Sprintf("%s %d/%d", strings.TrimPrefix(b.Operation, "update_"), b.Remaining, b.Limit))
	}
	return fmt.Sprintf("%-8s %-18s breaker %-9s calls left a minute: %s", c.Name, state, c.Breaker, strings.Join(buckets, ", "))
}
