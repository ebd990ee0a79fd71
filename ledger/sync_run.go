package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// BeginSyncRun stores that a channel is to be brought up to date. A full run puts
// everything that the channel shows in doubt, so that it is told all of it
// again. [ErrOutrun] says that something has happened since the order's plan was
// made that may make it another.
func (l *Ledger) BeginSyncRun(ctx context.Context, by hotel.By, once hotel.Once, channel string, order hotel.SyncOrder) (hotel.SyncRun, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) { return t.beginSyncRun(channel, order) }, (*tx).syncRun)
}

// SyncRunOf returns the run that a request under this key has begun before; false
// when none has.
func (l *Ledger) SyncRunOf(ctx context.Context, by hotel.By, once hotel.Once) (hotel.SyncRun, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, id string, done bool) (hotel.SyncRun, error) {
		if !done {
			return hotel.SyncRun{}, nil
		}
		return t.syncRun(id)
	})
}

func (t *tx) syncRun(id string) (hotel.SyncRun, error) {
	row, err := t.q.GetSyncRun(t.ctx, id)
	return syncRunOf(row), notFound(err)
}

func (t *tx) beginSyncRun(channel string, order hotel.SyncOrder) (string, error) {
	_, c, err := t.channel(channel)
	if err != nil {
		return "", err
	}
	kind := order.Kind
	if c.Shadow && kind.Tells() {
		return "", hotel.Refuse("channel_in_shadow", "the channel is in shadow and told nothing: activate it by its plan")
	}
	ready := c.Status == hotel.ChannelActive
	switch kind {
	case hotel.SyncReservations:
		ready = c.Status.Receives()
	case hotel.SyncReadBack:
		ready = c.Readable()
	case hotel.SyncFull, hotel.SyncDelta:
	}
	if !ready {
		return "", hotel.Refuse("channel_not_active", "the channel is %s: test and activate it first", c.Status)
	}
	if order.PlannedAt > 0 {
		moved, err := t.movedSince(c, order.PlannedAt)
		if err != nil {
			return "", err
		}
		if moved {
			return "", ErrOutrun
		}
	}
	if kind == hotel.SyncFull {
		if err := t.doubt(c, order.Nights); err != nil {
			return "", err
		}
	}
	id := hotel.NewID("run")
	var first, last *int64
	if of := order.Nights; of != (hotel.Span{}) {
		first, last = new(int64(of.From)), new(int64(of.To))
	}
	err = t.q.InsertSyncRun(t.ctx, ledgerdb.InsertSyncRunParams{
		ID: id, ChannelID: channel, Kind: string(kind), FirstNight: first, LastNight: last, SequenceFrom: t.heads.sequence, StartedAt: t.micros(),
	})
	if err != nil {
		return "", fmt.Errorf("store sync run: %w", err)
	}
	asked := map[string]any{"run_id": id, "kind": kind, "nights": order.Nights}
	_, err = t.append(entry{property: c.PropertyID, kind: ChannelSyncAsked, subject: channel, body: asked})
	return id, err
}

// doubt puts what a channel shows in doubt: of some nights, or of all.
func (t *tx) doubt(c hotel.Channel, only hotel.Span) error {
	nights, err := t.horizon(c.PropertyID)
	if err != nil {
		return err
	}
	last := finalNight
	if only != (hotel.Span{}) {
		nights, last = hotel.Span{From: max(nights.From, only.From), To: min(nights.To, only.To)}, only.To
	}
	entered, err := t.append(entry{property: c.PropertyID, kind: ChannelDoubted, subject: c.ID, body: map[string]any{"nights": nights}})
	if err != nil {
		return err
	}
	first := ledgerdb.DoubtPricesParams{ChannelID: c.ID, First: int64(nights.From), Last: int64(last), Sequence: &entered}
	err = errors.Join(
		t.q.DoubtStock(t.ctx, ledgerdb.DoubtStockParams{ChannelID: c.ID, First: int64(nights.From), Last: int64(last), Sequence: entered}),
		t.q.DoubtPrices(t.ctx, first), t.q.DoubtOccupancies(t.ctx, ledgerdb.DoubtOccupanciesParams(first)),
	)
	if err != nil {
		return fmt.Errorf("doubt what channel %s shows: %w", c.ID, err)
	}
	return nil
}

// StartSyncRun notes that the channel was called since a run was asked for, and reports
// whether it was.
func (l *Ledger) StartSyncRun(ctx context.Context, run hotel.SyncRun) (bool, error) {
	called, err := l.read.CalledSince(ctx, ledgerdb.CalledSinceParams{ChannelID: run.ChannelID, Since: run.StartedAt.UnixMicro()})
	if err == nil && called {
		err = l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
			return t.q.StartSyncRun(t.ctx, ledgerdb.StartSyncRunParams{UpdatedAt: t.micros(), ID: run.ID})
		})
	}
	if err != nil {
		return false, fmt.Errorf("start sync run %s: %w", run.ID, err)
	}
	return called, nil
}

// EndSyncRun stores how a run ended. One that has ended stays as it is.
func (l *Ledger) EndSyncRun(ctx context.Context, run hotel.SyncRun) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.EndSyncRun(t.ctx, ledgerdb.EndSyncRunParams{
			Status: string(run.Status), SequenceTo: t.heads.sequence, Planned: int64(run.Cells.Planned), Sent: int64(run.Cells.Sent), Calls: int64(run.Calls),
			Acknowledged: int64(run.Cells.Acknowledged), Unknown: int64(run.Cells.Unknown), Rejected: int64(run.Cells.Rejected),
			LastError: run.LastError, EndedAt: microsOrNil(t.now), UpdatedAt: t.micros(), ID: run.ID,
		})
	})
}

// EndStaleSyncRuns ends the runs that were under way when the program ended.
func (l *Ledger) EndStaleSyncRuns(ctx context.Context) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.EndStaleSyncRuns(t.ctx, ledgerdb.EndStaleSyncRunsParams{
			LastError: "the program ended before the run did; what it was for goes on by itself", EndedAt: microsOrNil(t.now), UpdatedAt: t.micros(),
		})
	})
}

// SyncRun returns one run. While it is under way, its calls and cells are those up
// to now.
func (l *Ledger) SyncRun(ctx context.Context, id string) (hotel.SyncRun, error) {
	row, err := l.read.GetSyncRun(ctx, id)
	if err != nil {
		return hotel.SyncRun{}, notFound(err)
	}
	run := syncRunOf(row)
	if !run.Status.Over() {
		run, err = l.RunCalls(ctx, run)
	}
	return run, err
}

// SyncRuns lists runs of a channel, the newest first.
func (l *Ledger) SyncRuns(ctx context.Context, f hotel.SyncRunFilter) ([]hotel.SyncRun, error) {
	rows, err := l.read.ListSyncRuns(ctx, ledgerdb.ListSyncRunsParams{
		ChannelID: f.ChannelID, Before: cmp.Or(f.After, "\x7f"), Since: f.Since.UnixMicro(),
		Kinds: jsonList(f.Kinds), Statuses: jsonList(f.Statuses), AtMost: int64(f.Limit),
	})
	if err != nil {
		return nil, fmt.Errorf("list sync runs of %s: %w", f.ChannelID, err)
	}
	runs := make([]hotel.SyncRun, len(rows))
	for i, r := range rows {
		runs[i] = syncRunOf(r)
	}
	return runs, nil
}

// callsOf are the calls that a run of each kind is made of.
var callsOf = map[hotel.SyncKind][]CallKind{
	hotel.SyncFull: {Push}, hotel.SyncDelta: {Push}, hotel.SyncReservations: {Pull, List}, hotel.SyncReadBack: {Read},
}

// RunCalls is a run with the calls of its kind that were made since it began. What they
// carried, and what the channel said to that, counts where the run tells it something: one
// that asks carries nothing, and says itself how it went.
func (l *Ledger) RunCalls(ctx context.Context, run hotel.SyncRun) (hotel.SyncRun, error) {
	rows, err := l.read.CallsSince(ctx, ledgerdb.CallsSinceParams{
		ChannelID: run.ChannelID, Since: run.StartedAt.UnixMicro(), Kinds: jsonList(callsOf[run.Kind]),
	})
	if err != nil {
		return run, fmt.Errorf("read calls to %s: %w", run.ChannelID, err)
	}
	run.Calls = len(rows)
	if !run.Kind.Tells() {
		return run, nil
	}
	run.Cells, run.LastError = hotel.SyncCells{}, ""
	for _, r := range rows {
		if err := countCall(&run.Cells, r); err != nil {
			return run, err
		}
		run.LastError = cmp.Or(r.Error, run.LastError)
	}
	return run, nil
}

// countCall adds what a call carried, and what became of it.
func countCall(cells *hotel.SyncCells, r ledgerdb.Delivery) error {
	n, err := countCells(r.Cells)
	if err != nil {
		return fmt.Errorf("cells of call %s: %w", r.ID, err)
	}
	cells.Planned += n
	if DeliveryState(r.State) != DeliveryNotSent {
		cells.Sent += n
	}
	switch DeliveryState(r.State) {
	case DeliveryApplied, DeliveryPartial, DeliveryRejected:
		refused, err := countCells(r.Refused)
		if err != nil {
			return fmt.Errorf("refused cells of call %s: %w", r.ID, err)
		}
		cells.Rejected += refused
		cells.Acknowledged += n - refused
	default:
		cells.Unknown += n
	}
	return nil
}

func countCells(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	var runs []sentRun
	if err := json.Unmarshal([]byte(text), &runs); err != nil {
		return 0, err
	}
	n := 0
	for _, r := range runs {
		n += int(r.To-r.From) + 1
	}
	return n, nil
}

func syncRunOf(r ledgerdb.SyncRun) hotel.SyncRun {
	out := hotel.SyncRun{
		ID: r.ID, ChannelID: r.ChannelID, Kind: hotel.SyncKind(r.Kind), Status: hotel.SyncStatus(r.Status),
		SequenceFrom: r.SequenceFrom, SequenceTo: r.SequenceTo, Calls: int(r.Calls), LastError: r.LastError,
		Cells:     hotel.SyncCells{Planned: int(r.Planned), Sent: int(r.Sent), Acknowledged: int(r.Acknowledged), Unknown: int(r.Unknown), Rejected: int(r.Rejected)},
		StartedAt: instant(r.StartedAt), EndedAt: instantOrZero(r.EndedAt), UpdatedAt: instant(r.UpdatedAt), Revision: r.Revision,
	}
	if r.FirstNight != nil {
		out.Nights = hotel.Span{From: hotel.Date(*r.FirstNight), To: hotel.Date(*r.LastNight)}
	}
	return out
}

// SyncedAt tells up to which entry a channel has confirmed everything about some
// nights, and how many of their cells nobody knows of.
func (l *Ledger) SyncedAt(ctx context.Context, channel string, nights hotel.Span) (through int64, unknown int, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		lag, err := l.lagWithin(ctx, q, row, nights)
		through, unknown = lag.synced, lag.unknown
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("what channel %s has confirmed: %w", channel, err)
	}
	return through, unknown, nil
}
