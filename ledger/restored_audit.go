package ledger

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

const (
	// unpromised is how long a call of before a restore is taken to act still where a
	// channel promises nothing.
	unpromised = 10 * time.Minute

	// auditAgain is how often it is looked whether an audit can go on.
	auditAgain = 2 * time.Second
)

// AuditMeans is what this run of the program has found out about a channel while it was
// in a stage of its audit. None of it follows from what a clock says that somebody sets.
type AuditMeans struct {
	Stage  hotel.AuditStage
	Waited time.Duration // for which it has been in the stage at least, in steady time
	Listed bool          // all was fetched that it tells of its bookings, since it had waited until they can be
	Reads  bool          // it can be asked what it shows
	Read   bool          // all that it shows was read since the stage began
}

// AdvanceAudit takes the audit of a channel a stage further if it can be, and returns
// where it is by then and how long to wait before asking again. A stage ends:
//
//	closing        when every counter has taken that it is closed, and nothing that was
//	               told before the restore can act any more
//	closing_again  when every counter has taken it once more
//	listing        when a list of all bookings that began after that was stored, with
//	               what a guarded pool wants to know of it; of a channel without lists,
//	               when its feed was fetched
//	reading        when all that it shows was read
//
// What was found out in another stage than the one that it is in ends none.
func (l *Ledger) AdvanceAudit(ctx context.Context, channel string, can AuditMeans) (stage hotel.AuditStage, wait time.Duration, err error) {
	var a auditing
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		if a.row, err = q.GetChannel(ctx, channel); err != nil {
			return notFound(err)
		}
		if a.of, err = channelOf(a.row); err != nil || !a.of.Audit.Running() {
			return err
		}
		if a.of.Audit.Stage != can.Stage {
			return nil
		}
		a.can, a.now = can, l.clock.Now()
		return a.look(ctx, q)
	})
	if err != nil || a.next == "" {
		return a.stage(), cmp.Or(a.wait, auditAgain), err
	}
	err = l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		if _, _, err := t.channelAt(channel, a.of.Revision); err != nil {
			return err
		}
		return t.setAudit(channel, a.next)
	})
	if err != nil {
		return a.stage(), 0, fmt.Errorf("audit channel %s: %w", channel, err)
	}
	return a.next, 0, nil
}

// auditing is a channel in its audit, as it is looked at.
type auditing struct {
	row ledgerdb.Channel
	of  hotel.Channel
	can AuditMeans
	now time.Time

	next hotel.AuditStage // "": it stays in the one that it is in
	wait time.Duration    // 0: as usual
}

func (a *auditing) stage() hotel.AuditStage {
	if a.of.Audit == nil {
		return ""
	}
	return a.of.Audit.Stage
}

// look finds out whether the stage is over.
func (a *auditing) look(ctx context.Context, q *ledgerdb.Queries) error {
	terms, err := termsOf(a.row)
	if err != nil {
		return err
	}
	switch a.of.Audit.Stage {
	case hotel.AuditClosing:
		closed, err := a.closed(ctx, q)
		if err != nil || !closed {
			return err
		}
		alive := cmp.Or(terms.Lifetime, unpromised)
		if terms.Versions {
			alive = 0
		}
		if a.wait = alive - a.can.Waited; a.wait <= 0 {
			a.next = hotel.AuditClosingAgain
		}
	case hotel.AuditClosingAgain:
		closed, err := a.closed(ctx, q)
		if err != nil || !closed {
			return err
		}
		a.next = hotel.AuditListing
	case hotel.AuditListing:
		if a.wait = max(0, terms.SaleSettle) - a.can.Waited; a.wait > 0 {
			return nil
		}
		known, err := a.sold(ctx, q, terms)
		if err != nil || !known {
			return err
		}
		if a.next = hotel.Audited; a.can.Reads {
			a.next = hotel.AuditReading
		}
	case hotel.AuditReading:
		if a.can.Read {
			a.next = hotel.Audited
		}
	case hotel.Audited:
	}
	return nil
}

// closed reports whether the channel has taken for every counter that nothing is for
// sale.
func (a *auditing) closed(ctx context.Context, q *ledgerdb.Queries) (bool, error) {
	open, err := onSale(ctx, q, a.of, a.now)
	if err != nil || open.Cells > 0 { // what was sold before is found out in the next stage
		return false, err
	}
	today, err := a.today(ctx, q)
	if err != nil {
		return false, err
	}
	lag, err := q.StockLag(ctx, ledgerdb.StockLagParams{ChannelID: a.of.ID, First: today, Last: int64(finalNight)})
	return lag.Cells == 0, err
}

// sold reports whether all is known that the channel can tell of its bookings.
func (a *auditing) sold(ctx context.Context, q *ledgerdb.Queries, terms hotel.Terms) (bool, error) {
	switch {
	case !a.can.Listed:
		return false, nil
	case exposure.LevelOf(terms) != exposure.Guaranteed:
		return true, nil // nothing proves what its guarded counters sell: somebody has to say so
	}
	today, err := a.today(ctx, q)
	if err != nil {
		return false, err
	}
	unknown, err := q.HasUnknownParty(ctx, ledgerdb.HasUnknownPartyParams{ChannelID: a.of.ID, First: today})
	return unknown == 0, err
}

func (a *auditing) today(ctx context.Context, q *ledgerdb.Queries) (int64, error) {
	property, err := readOne[hotel.Property](q.GetProperty(ctx, a.of.PropertyID))
	return int64(property.Today(a.now)), err
}

// setAudit takes a channel's audit to a stage.
func (t *tx) setAudit(channel string, stage hotel.AuditStage) error {
	var c hotel.Channel
	_, err := t.changeChannel(channel, func(of *hotel.Channel) error {
		next := *of.Audit
		next.Stage, next.Since = stage, t.now
		of.Audit = &next
		c = *of
		return nil
	}, func(c hotel.Channel) entry {
		return entry{property: c.PropertyID, kind: ChannelUpdated, subject: channel, body: ChannelBody{Channel: c}}
	})
	if err == nil && stage == hotel.AuditClosingAgain {
		err = t.doubt(c, hotel.Span{})
	}
	return err
}

// expectAudited refuses to put a channel on sale while one of its property is still
// being found out about: what that has sold could be sold again.
func (t *tx) expectAudited(property string) error {
	rows, err := t.q.ListChannels(t.ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	var running []string
	for _, row := range rows {
		c, err := channelOf(row)
		if err != nil {
			return err
		}
		if c.PropertyID == property && c.Audit.Running() {
			running = append(running, c.ID)
		}
	}
	if len(running) == 0 {
		return nil
	}
	r := hotel.Refuse("audit_running", "since the restore it is not known yet what %d channels have sold: wait until they are audited, or disconnect by force the one that cannot be reached", len(running))
	r.Members = map[string]any{"channels": running}
	return r
}
