package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// CallKind says what a stored call is for.
type CallKind string

// A push tells the channel something, a pull asks it for bookings that are new, a
// list for all bookings of a span of nights, a read for what it shows. Whoever
// wants to know asks it whatever they want to know.
const (
	Push CallKind = "push"
	Pull CallKind = "pull"
	List CallKind = "list"
	Read CallKind = "read"
	Ask  CallKind = "ask"
)

// NewDelivery is one call that is about to be made.
type NewDelivery struct {
	ChannelID string
	Revision  int64 // of a push: of the channel as the caller knows it; 0: any
	Kind      CallKind
	Operation string
	Lane      int
	SentAt    time.Time  // when the call was charged to its limits
	Deadline  time.Time  // of a push: it is not sent later
	Cells     []SentCell // of a push
	Nights    hotel.Span // of a list
}

// SentCell is one value that a call carries.
type SentCell struct {
	Cell  hotel.Cell
	Value int64
}

// Begun is what a stored call is sent with.
type Begun struct {
	ID       string
	Version  int64 // rises with every call of the channel
	Sequence int64 // where the journal stood
}

// ErrOutrun says that what a call was to carry is no longer what is wanted, or
// is under way already. Nothing was stored; plan again.
var ErrOutrun = errors.New("the plan has been outrun")

// Begin stores a call in state open, before a byte of it is sent.
func (l *Ledger) Begin(ctx context.Context, d NewDelivery) (Begun, error) {
	b := Begun{ID: hotel.NewID("dlv")}
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, c, err := t.channel(d.ChannelID)
		if err != nil {
			return err
		}
		if d.Kind == Push && (!c.Told() || d.Revision != 0 && d.Revision != c.Revision) {
			return ErrOutrun // at another revision it may be joined to another place, or its codes stand for something else
		}
		if err := t.beginCells(row, d.Cells, d.Deadline); err != nil {
			return err
		}
		if b.Version, err = t.q.NextVersion(t.ctx, d.ChannelID); err != nil {
			return fmt.Errorf("number the call: %w", err)
		}
		if d.Kind == List {
			if err := t.beginList(row, d.Nights, b.Version); err != nil {
				return err
			}
		}
		runs, err := json.Marshal(packCells(d.Cells, nil))
		if err != nil {
			return err
		}
		b.Sequence = t.heads.sequence
		if err := t.carries(d.ChannelID, b.Version, d.Cells); err != nil {
			return err
		}
		return t.q.InsertDelivery(t.ctx, ledgerdb.InsertDeliveryParams{
			ID: b.ID, ChannelID: d.ChannelID, Account: row.Account, PropertyID: row.PropertyID, Kind: string(d.Kind), Operation: d.Operation,
			Lane: int64(d.Lane), Version: b.Version, Sequence: b.Sequence, SentAt: d.SentAt.UnixMicro(), Cells: string(runs),
		})
	})
	if err != nil {
		return Begun{}, fmt.Errorf("store call to channel %s: %w", d.ChannelID, err)
	}
	return b, nil
}

// place is how far a channel's wanted values follow the journal.
type place struct {
	through int64 // all that follows from entries up to here is in them
	sold    int64 // all that follows for counters from what was sold is
}

func placeOf(ctx context.Context, q *ledgerdb.Queries, channel ledgerdb.Channel) (place, error) {
	at, live, err := placesOf(ctx, q, channel.ID)
	if err != nil || !live {
		return place{}, err
	}
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return place{}, err
	}
	p := place{newest.Sequence, newest.Sequence}
	first, ahead, err := entryAhead(ctx, q, channel.PropertyID, at.least())
	if err != nil {
		return place{}, err
	}
	if ahead {
		p.through = first - 1
		if first, ahead, err = entryAhead(ctx, q, channel.PropertyID, at[soldStrand].Sequence); err != nil {
			return place{}, err
		}
		if ahead {
			p.sold = first - 1
		}
	}
	for _, of := range []dueKind{dueStock, duePrices} {
		waiting, err := listDue(ctx, q, channel.PropertyID, of)
		if err != nil {
			return place{}, err
		}
		for _, d := range waiting {
			p.through = min(p.through, d.sequence-1)
			if of == dueStock {
				p.sold = min(p.sold, d.sequence-1)
			}
		}
	}
	return p, nil
}

// covering returns what reports whether what is wanted of a counter knows of the
// channel's own newest sale. Sending an older value would open the sold room again.
// How far the channel is, is read for the first counter that it has moved itself.
func covering(ctx context.Context, q *ledgerdb.Queries, channel ledgerdb.Channel) func(group) (bool, error) {
	read := sync.OnceValues(func() (place, error) { return placeOf(ctx, q, channel) })
	return func(g group) (bool, error) {
		if g.ownSeq == 0 {
			return true, nil
		}
		p, err := read()
		return g.ownSeq <= p.sold, err
	}
}

func (t *tx) beginCells(channel ledgerdb.Channel, cells []SentCell, deadline time.Time) error {
	covers := covering(t.ctx, t.q, channel)
	table := t.cellsOf(channel)
	names := make([]hotel.Cell, len(cells))
	for i, c := range cells {
		names[i] = c.Cell
	}
	if err := table.load(names); err != nil {
		return err
	}
	var guarded []SentCell
	for _, c := range cells {
		g := table.at(c.Cell)
		if !g.sendable() || *g.next() != c.Value {
			return ErrOutrun
		}
		if known, err := covers(*g); err != nil {
			return err
		} else if !known {
			return ErrOutrun
		}
		if g.guarded && c.Cell.Group == hotel.Availability {
			guarded = append(guarded, c)
		}
		g.begin(c.Value)
	}
	if err := table.save(); err != nil {
		return err
	}
	return t.beginGuarded(channel, guarded, deadline)
}

// DeliveryState is what became of a call.
type DeliveryState string

// The states of a call that is over.
const (
	DeliveryApplied  DeliveryState = "applied"
	DeliveryPartial  DeliveryState = "partial" // some cells refused or unknown
	DeliveryRejected DeliveryState = "rejected"
	DeliveryUnknown  DeliveryState = "unknown"
	DeliveryNotSent  DeliveryState = "not_sent" // failed before a byte left
)

// Settlement is the outcome of a call.
type Settlement struct {
	DeliveryID string
	State      DeliveryState
	Rejected   map[hotel.Cell]string // with the far side's words
	Unknown    map[hotel.Cell]bool   // cells without an outcome in a call that has one
	Reference  string
	Excerpt    string
	Error      string
	Standing   Standing    // of the account, as the call left it
	Fault      hotel.Fault // what was wrong about the answer; its kind is "" when nothing was
}

// of returns what became of one cell of the call.
func (s Settlement) of(c hotel.Cell) DeliveryState {
	_, no := s.Rejected[c]
	switch {
	case s.State == DeliveryUnknown, s.State == DeliveryNotSent, s.State == DeliveryRejected:
		return s.State
	case s.Unknown[c]:
		return DeliveryUnknown
	case no:
		return DeliveryRejected
	}
	return DeliveryApplied
}

// Refuse parks cells that a channel's connector cannot express, with its
// reasons, until their wanted value changes. No call is spent on them.
func (l *Ledger) Refuse(ctx context.Context, channel string, cells []SentCell, reasons map[hotel.Cell]string) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, channel)
		if err != nil {
			return notFound(err)
		}
		table := t.cellsOf(row)
		names := make([]hotel.Cell, len(cells))
		for i, c := range cells {
			names[i] = c.Cell
		}
		if err := table.load(names); err != nil {
			return err
		}
		for _, c := range cells {
			table.at(c.Cell).parked(c.Value)
			table.answered(c.Cell)
		}
		if err := table.save(); err != nil {
			return err
		}
		if err := t.tellCells(CellsRefused, row, cells, reasons); err != nil {
			return err
		}
		return t.parked(refusing, row, cells, reasons)
	})
	if err != nil {
		return fmt.Errorf("park cells of channel %s: %w", channel, err)
	}
	return nil
}

// deliveryOpen is the state of a call that is not over.
const deliveryOpen DeliveryState = "open"

// Settle stores the outcome of a call for each of its cells and closes it. A
// call that is closed already stays as it is.
func (l *Ledger) Settle(ctx context.Context, s Settlement) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetDelivery(t.ctx, s.DeliveryID)
		if err != nil {
			return notFound(err)
		}
		if row.State != string(deliveryOpen) {
			// Its outcome is stored. A later word must not touch cells that
			// another call may carry by now.
			return nil
		}
		if err := t.stand(row.Account, s.Standing); err != nil {
			return err
		}
		if err := t.flagAfter(row, s); err != nil {
			return err
		}
		return t.settle(row, s)
	})
	if err != nil {
		return fmt.Errorf("settle call %s: %w", s.DeliveryID, err)
	}
	return nil
}

func (t *tx) settle(d ledgerdb.Delivery, s Settlement) error {
	channel, err := t.q.GetChannel(t.ctx, d.ChannelID)
	if err != nil {
		return notFound(err)
	}
	cells, err := unpackCells(d.Cells)
	if err != nil {
		return fmt.Errorf("cells of call %s: %w", d.ID, err)
	}
	names := make([]hotel.Cell, len(cells))
	for i, c := range cells {
		names[i] = c.Cell
	}
	table := t.cellsOf(channel)
	if err := table.load(names); err != nil {
		return err
	}
	var refused, unclear []SentCell
	guarded := map[DeliveryState][]SentCell{}
	for _, c := range cells {
		g, became := table.at(c.Cell), s.of(c.Cell)
		switch became {
		case DeliveryUnknown, DeliveryNotSent:
			g.lost()
			if s.State != DeliveryUnknown && s.State != DeliveryNotSent {
				unclear = append(unclear, c)
			}
		case DeliveryRejected:
			g.refused(c.Value)
			refused = append(refused, c)
		default:
			g.applied(c.Value, d.Sequence, t.micros())
		}
		table.answered(c.Cell)
		if g.guarded && c.Cell.Group == hotel.Availability {
			guarded[became] = append(guarded[became], c)
		}
	}
	if err := table.save(); err != nil {
		return err
	}
	if err := t.settleGuarded(channel, guarded); err != nil {
		return err
	}
	if d.Kind == string(Push) {
		if err := t.settledParkings(channel, refused, s.Rejected); err != nil {
			return err
		}
	}
	if d.Kind == string(List) && s.State == DeliveryApplied {
		if err := t.endList(channel, d.Version); err != nil {
			return err
		}
	}
	words, err := packedOrNone(refused, s.Rejected)
	if err != nil {
		return err
	}
	open, err := packedOrNone(unclear, nil)
	if err != nil {
		return err
	}
	return t.q.SettleDelivery(t.ctx, ledgerdb.SettleDeliveryParams{
		State: string(s.State), AnsweredAt: microsOrNil(t.now), Refused: words, Unclear: open,
		Reference: s.Reference, Excerpt: s.Excerpt, Error: s.Error, ID: d.ID,
	})
}

// Recover turns every call that was open when the program ended into one whose
// outcome is unknown. It returns how many there were.
func (l *Ledger) Recover(ctx context.Context) (int, error) {
	n := 0 // no named result: see CreateReservation
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		rows, err := t.q.OpenDeliveries(t.ctx)
		if err != nil {
			return err
		}
		n = len(rows)
		if err := t.q.RestartParties(t.ctx, microsOrNil(t.now)); err != nil {
			return fmt.Errorf("restart parties: %w", err)
		}
		for _, d := range rows {
			if err := t.settle(d, Settlement{State: DeliveryUnknown, Error: "the program ended before an answer was stored"}); err != nil {
				return err
			}
		}
		return t.redealDrained()
	})
	if err != nil {
		return 0, fmt.Errorf("recover open calls: %w", err)
	}
	return n, nil
}

// Sent is one call that counts against a limit.
type Sent struct {
	PropertyID, Operation string
	At                    time.Time
}

// SentSince lists the calls of a channel account behind an instant, in order, so
// that its limits hold across restarts.
func (l *Ledger) SentSince(ctx context.Context, account string, after time.Time) ([]Sent, error) {
	rows, err := l.read.SentSince(ctx, ledgerdb.SentSinceParams{Account: account, SentAt: after.UnixMicro()})
	if err != nil {
		return nil, fmt.Errorf("calls of account %s: %w", account, err)
	}
	out := make([]Sent, len(rows))
	for i, r := range rows {
		out[i] = Sent{r.PropertyID, r.Operation, instant(r.SentAt)}
	}
	return out, nil
}
