package ical

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/ical/calendar"
)

// maxWait is the longest time between two attempts at a calendar that fails.
const maxWait = 6 * time.Hour

// due reports whether a calendar is read now: when its time has come, or when it is
// wanted whole, unless it failed or has to say again what it said.
func (s source) due(now time.Time, whole bool) bool {
	return !now.Before(s.Next) || whole && s.Failures == 0 && s.Doubted == ""
}

// read reads one calendar, whole if it has to be. It notes how that went; read is
// false when there is nothing new to make something of.
func (c *conn) read(ctx context.Context, b *bookings, l listing, whole bool) (out reading, read bool, err error) {
	now, s := c.clock.Now(), b.Sources[l.name()]
	shown, err := c.shown(ctx, l)
	if err != nil {
		return reading{}, false, err
	}
	tag, modified, by := s.Tag, s.Modified, hashed(shown)
	if whole || s.Doubted != "" || s.Shown != by {
		tag, modified = "", ""
	}
	got, err := c.fetch(ctx, l, tag, modified)
	var said calendar.Calendar
	if err == nil && !got.same {
		today := c.today()
		if said, err = calendar.Read(ctx, got.body, calendar.Reading{Zone: c.zone, From: today, To: today + horizon, Free: c.cfg.Free == Held}); err != nil {
			err = c.failure(l, fmt.Errorf("what the site answers does not count: %w", err))
		}
	}
	if err != nil {
		s.Failures++
		s.Problem = connectors.AsError(err).Err.Error() // what was being done is said with it
		s.Next = now.Add(c.backOff(s.Failures, err))
		b.Sources[l.name()] = s
		return reading{}, false, quiet(err)
	}
	s.Failures, s.Problem, s.ReadAt, s.Tag, s.Modified = 0, "", now.UTC(), got.tag, got.modified
	s.Next, s.Shown = now.Add(c.pause(l, now)), by
	b.Sources[l.name()] = s
	if got.same {
		return reading{}, false, nil
	}
	if len(said.LeftOut) > 0 {
		s.Tag, s.Modified = "", "" // what cannot be read is told each time
	}
	for _, w := range said.Warnings {
		c.log.Warn("the site's calendar is odd", zap.String("listing", l.name()), zap.String("what", w))
	}
	out, s.Echoes, s.Edge = c.counts(said, l.name(), c.sieve(b, l.name(), said.Events, shown), s.Edge)
	b.Sources[l.name()] = s
	return out, true, nil
}

// by tells how a calendar is read from how it was read before: from another address,
// or by other settings, it says something else, though nothing in it has changed.
func (c *conn) by(l listing) string {
	return hashed(l.address, c.cfg.Unclear, c.cfg.Blocks, c.cfg.Free, c.cfg.TimeZone)
}

func hashed(words ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", words))
	return hex.EncodeToString(sum[:12])
}

// pause is the time to the next reading: that of the settings, less or more up to a
// tenth, so that calendars are not all read at once.
func (c *conn) pause(l listing, now time.Time) time.Duration {
	every := time.Duration(c.cfg.Every)
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.channel + l.name() + strconv.FormatInt(now.Unix(), 10))) // a hash never fails
	return every - every/10 + time.Duration(h.Sum64()%1000)*every/5000
}

// backOff is how long a calendar is left alone that could not be read for so many
// times: twice as long each time, and as long as the site asks for.
func (c *conn) backOff(failures int, err error) time.Duration {
	wait := max(time.Duration(c.cfg.Every), time.Minute)
	for range failures {
		wait = min(2*wait, maxWait)
	}
	return max(wait, connectors.AsError(err).RetryAfter)
}

// quiet takes out of an error how long the site asks us to wait: the account is not
// held for the sake of one calendar.
func quiet(err error) error {
	e := *connectors.AsError(err)
	e.RetryAfter = 0
	return &e
}
