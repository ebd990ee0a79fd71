package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Time is the body of a [ClockTick] entry. Nothing that is worked out asks a
// clock: it takes the time of the property's newest tick, so that the same
// journal always gives the same values.
type Time struct {
	Before hotel.Date `json:"date_before"` // the property's calendar date at the tick before
	Today  hotel.Date `json:"date"`

	// The nights that have come within the booking horizon since.
	Ranges []hotel.Span `json:"ranges,omitempty"`
}

// Tick lets time pass: at each property where a midnight, a day roll or a cut-off
// has come since its clock last ticked, it ticks once, however many have come.
// It is called once a minute or so; a call that is left out is made up by the
// next. A property whose clock cannot tick stops no other.
func (l *Ledger) Tick(ctx context.Context) error {
	due, failed := l.tickDue(ctx)
	return errors.Join(failed, each(due, func(property string) error {
		if err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.tick(property) }); err != nil {
			return fmt.Errorf("clock of property %s: %w", property, err)
		}
		return nil
	}))
}

// tickDue lists the properties whose clock is to tick, but for those of which it cannot
// be said.
func (l *Ledger) tickDue(ctx context.Context) (due []string, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		properties, err := readAll[hotel.Property](q.ListProperties(ctx))
		if err != nil {
			return err
		}
		now := l.clock.Now()
		return each(properties, func(p hotel.Property) error {
			if p.Status == hotel.Archived {
				return nil
			}
			plans, err := readAll[hotel.RatePlan](q.ListRatePlans(ctx, p.ID))
			if err != nil {
				return fmt.Errorf("look at the clock of property %s: %w", p.ID, err)
			}
			ticks, _, err := clockOf(ctx, q, p, plans, now)
			if err != nil {
				return fmt.Errorf("look at the clock of property %s: %w", p.ID, err)
			}
			if ticks {
				due = append(due, p.ID)
			}
			return nil
		})
	})
	return due, err
}

// clockOf reports whether a property's clock is to tick, and when it last did;
// the zero time when it never has.
func clockOf(ctx context.Context, q *ledgerdb.Queries, p hotel.Property, plans []hotel.RatePlan, now time.Time) (ticks bool, last time.Time, err error) {
	if last, err = lastTick(ctx, q, p.ID); err != nil || last.IsZero() {
		return err == nil, last, err
	}
	var cutOffs []hotel.CutOff
	note := func(c *hotel.CutOff) {
		if c != nil {
			cutOffs = append(cutOffs, *c)
		}
	}
	note(p.CutOff)
	for i := range plans {
		note(plans[i].CutOff)
	}
	channels, err := q.ListChannelsOf(ctx, p.ID)
	if err != nil {
		return false, last, err
	}
	for _, r := range channels {
		c, err := channelOf(r)
		if err != nil {
			return false, last, err
		}
		note(c.CutOff)
	}
	return !now.Before(p.NextMoment(last, cutOffs)), last, nil
}

// lastTick returns the time of a property's newest tick, the zero time when
// there is none.
func lastTick(ctx context.Context, q *ledgerdb.Queries, property string) (time.Time, error) {
	row, err := q.GetCursor(ctx, clockReader(property))
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return instantOrZero(&row.Position), err
}

func clockReader(property string) string { return "clock:" + property }

// tick journals that time has passed at a property, and does what follows from
// it: the nights that have come within reach are worked out, and what blocks
// still promised after their release is given back.
func (t *tx) tick(property string) error {
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	ticks, last, err := clockOf(t.ctx, t.q, s.property, s.plans, t.now)
	if err != nil || !ticks {
		return err
	}
	if last.IsZero() {
		last = s.property.CreatedAt
	}
	now := Time{Before: s.property.Today(last), Today: s.property.Today(t.now)}
	horizon := hotel.Date(s.property.HorizonDays)
	if fresh := (hotel.Span{From: max(now.Before+horizon+1, now.Today), To: now.Today + horizon}); fresh.From <= fresh.To {
		now.Ranges = []hotel.Span{fresh}
	}
	seq, err := t.append(entry{property: property, kind: ClockTick, subject: property, offers: true, nights: now.Ranges, body: now})
	if err != nil {
		return err
	}
	err = t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: clockReader(property), Sequence: seq, Position: t.micros()})
	if err != nil {
		return err
	}
	nights := nightSet{}
	for _, r := range now.Ranges {
		nights.addSpan(r)
	}
	t.redeal(property, nights)
	if err := t.follow(s, s.affectedByTime(nights), seq); err != nil {
		return err
	}
	if horizon := s.property.Shows(t.now); now.Before < now.Today || s.property.BusinessDate(last) < s.property.BusinessDate(t.now) {
		days := nightSet{}
		days.addSpan(horizon)
		t.consider(s, days)
	}
	if now.Before < now.Today {
		if err := t.forgetParties(s, now.Today); err != nil {
			return err
		}
		if err := t.withinReach(s, now.Before, now.Today); err != nil {
			return err
		}
		if err := t.agePrices(s, hotel.Span{From: now.Today, To: now.Today + horizon}); err != nil {
			return err
		}
		if err := t.agePlanned(s); err != nil {
			return err
		}
		if err := t.overCells(property, now.Today); err != nil {
			return err
		}
		if err := t.forgetOvergranted(s); err != nil {
			return err
		}
	}
	if err := t.releaseDue(s); err != nil {
		return err
	}
	return t.blocksDue(s)
}

// agePrices derives again what rules make of the prices: each night is a day
// nearer, the pickup counts other days, and a lock may have ended.
func (t *tx) agePrices(s *structure, nights hotel.Span) error {
	aged := affected{property: s.property.ID, products: s.watching(), prices: true, nights: nightSet{}, patched: true}
	if len(aged.products) == 0 {
		return nil
	}
	aged.nights.addSpan(nights)
	seq, err := t.append(entry{property: s.property.ID, kind: PricesAged, subject: s.property.ID, body: Ageing{[]hotel.Span{nights}}})
	if err != nil {
		return err
	}
	return t.follow(s, aged, seq)
}

// Ageing is the body of a [PricesAged] entry.
type Ageing struct {
	Ranges []hotel.Span `json:"ranges"`
}

// affectedByTime says which house values a tick may have moved.
func (s *structure) affectedByTime(nights nightSet) affected {
	a := affected{property: s.property.ID, nights: nights, stock: true}
	a.affect(ClockTick, s.selling(product{}))
	return a
}
