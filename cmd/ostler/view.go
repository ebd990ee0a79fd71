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

// toldSign stands before the channels that were told of something.
const toldSign = " -> told "

// sentence says what happened in one line.
func sentence(h app.Happening) string {
	switch h.Kind {
	case app.HappenedTold:
		told := make([]string, len(h.Told))
		for i, t := range h.Told {
			told[i] = fmt.Sprintf("%s %s", t.Name, short(t.Took))
		}
		return fmt.Sprintf("%-8s %s%s%s", h.Channel, h.What, toldSign, strings.Join(told, ", "))
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

// standing says how far a channel is in a few words.
func standing(c app.ChannelStatus) string {
	switch {
	case c.Rejected > 0:
		return cells(c.Rejected) + " rejected"
	case c.Unknown > 0:
		return cells(c.Unknown) + " unknown"
	case c.Lag > 0:
		return cells(c.Lag) + " behind"
	case c.Deriving:
		return "being worked out"
	case c.LastPushAt.IsZero():
		return "told nothing yet"
	}
	return "in sync"
}

func cells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}

// limits says how many calls a channel's buckets have left.
func limits(c app.ChannelStatus) string {
	buckets := make([]string, len(c.Buckets))
	for i, b := range c.Buckets {
		buckets[i] = fmt.Sprintf("%s %d of %d in %.0f s", strings.TrimPrefix(b.Operation, "update_"), b.Remaining, b.Limit, b.Per.Seconds())
	}
	if len(buckets) == 0 {
		return "unused"
	}
	return strings.Join(buckets, ", ")
}

// summary says how a channel stands in one line.
func summary(c app.ChannelStatus) string {
	return fmt.Sprintf("%-8s %-18s breaker %-9s calls left: %s", c.Name, standing(c), c.Breaker, limits(c))
}
