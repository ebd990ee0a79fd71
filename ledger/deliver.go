package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// CallKind says what a stored call is for.
type CallKind string

// A push tells the channel something, a pull asks it for bookings that are new, a
// list for all bookings of a span of nights, a read for what it shows. Whoever
// wants to know asks it whatever they want to know. An act asks it to do something
// with a booking.
const (
	Push CallKind = "push"
	Pull CallKind = "pull"
	List CallKind = "list"
	Read CallKind = "read"
	Ask  CallKind = "ask"
	Act  CallKind = "act"
)

// NewDelivery is one call that is about to be made.
type NewDelivery struct {
	ChannelID string
	Revision  int64 // of a push or an act: of the channel as the caller knows it; 0: any
	Kind      CallKind
	Operation string
	Lane      int
	SentAt    time.Time  // when the call was charged to its limits
	Deadline  time.Time  // of a push, in steady time: it is not sent later
	Cells     []SentCell // of a push
	Nights    hotel.Span // of a list
	Asked     Asked      // of an act
	Standing  Standing   // of the account while the call is under way, if it is a probe

	priced map[hotel.Cell]bool // the prices of rooms that a push carries, where it carries closures too
}

// SentCell is one value that a call carries.
type SentCell struct {
	Cell  hotel.Cell
	Value int64
	Sold  int // what the channel has sold, where it is told the most that it sells in all: Value is what is left
}

// Begun is what a stored call is sent with.
type Begun struct {
	ID       string
	Key      string // by which the far side notices that it was told just this before
	Version  int64  // rises with every call of the channel
	Sequence int64  // where the journal stood
}

// ErrOutrun says that what a call was to carry is no longer what is wanted, or
// is under way already. Nothing was stored; plan again.
var ErrOutrun = errors.New("the plan has been outrun")

// Begin stores a call in state open, before a byte of it is sent. What a large call
// carries is noted as under way in several items, of which the first stores it: a
// crash in between leaves a call of which nobody knows what became.
func (l *Ledger) Begin(ctx context.Context, d NewDelivery) (Begun, error) {
	b := Begun{ID: hotel.NewID("dlv")}
	part := d.Cells[:min(len(d.Cells), cellsAtOnce)]
	runs, err := json.Marshal(packCells(d.Cells, nil))
	if err != nil {
		return Begun{}, fmt.Errorf("store call to channel %s: %w", d.ChannelID, err)
	}
	d.priced = pricesAmong(d.Cells)
	err = l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, of, err := t.beginPart(d, part)
		if err != nil {
			return err
		}
		if _, _, err := t.keepStanding(row.Account, d.Standing); err != nil { // of a probe nobody knows yet how it ends
			return err
		}
		if b.Version, err = t.q.NextVersion(t.ctx, d.ChannelID); err != nil {
			return fmt.Errorf("number the call: %w", err)
		}
		if d.Kind == Act {
			if err := t.beginAct(row, d.Asked.ReservationID, d.Asked.Action.ID); err != nil {
				return err
			}
		}
		if d.Kind == List {
			if err := t.beginList(row, d.Nights, b.Version); err != nil {
				return err
			}
		}
		repeats, err := t.repeats(row, d, string(runs), of)
		if err != nil {
			return err
		}
		b.Sequence, b.Key = t.heads.sequence, cmp.Or(repeats, b.ID)
		if err := t.carries(d.ChannelID, b.Version, d.Cells); err != nil {
			return err
		}
		return t.q.InsertDelivery(t.ctx, ledgerdb.InsertDeliveryParams{
			ID: b.ID, ChannelID: d.ChannelID, Account: row.Account, PropertyID: row.PropertyID, Kind: string(d.Kind), Operation: d.Operation,
			Lane: int64(d.Lane), Version: b.Version, Repeats: repeats, Sequence: b.Sequence, SentAt: d.SentAt.UnixMicro(), Cells: string(runs),
		})
	})
	for begun := len(part); err == nil && begun < len(d.Cells); begun += len(part) {
		part = d.Cells[begun:min(len(d.Cells), begun+cellsAtOnce)]
		// Whoever has begun a call goes on with it: what is under way nobody else ends.
		err = l.write(context.WithoutCancel(ctx), urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
			_, _, err := t.beginPart(d, part)
			return err
		})
		if err != nil {
			err = errors.Join(err, l.forgo(b.ID, d.Cells[:begun]))
		}
	}
	if err != nil {
		return Begun{}, fmt.Errorf("store call to channel %s: %w", d.ChannelID, err)
	}
	return b, nil
}

// pricesAmong returns the prices of rooms among cells, nil where none of the cells are
// closures, which alone have to be beside their price.
func pricesAmong(cells []SentCell) map[hotel.Cell]bool {
	if !slices.ContainsFunc(cells, func(c SentCell) bool { return c.Cell.Group == hotel.Closures }) {
		return nil
	}
	priced := map[hotel.Cell]bool{}
	for _, c := range cells {
		if c.Cell.Group == hotel.Price && c.Cell.Occupancy == 0 {
			priced[c.Cell] = true
		}
	}
	return priced
}

// cellsAtOnce is how many cells of a call one item takes in, so that a large call
// does not hold up what others write.
const cellsAtOnce = 1000

// beginPart notes cells of a call as under way.
func (t *tx) beginPart(d NewDelivery, cells []SentCell) (ledgerdb.Channel, cargo, error) {
	row, c, err := t.channelAt(d.ChannelID, d.Revision)
	if err != nil {
		return row, cargo{}, err
	}
	if d.Kind == Push && !c.Told() {
		return row, cargo{}, ErrOutrun
	}
	of, err := t.beginCells(row, cells, d)
	return row, of, err
}

// channelAt reads a channel for a worker that knows it at a revision; 0: at any. At
// another one it may be joined to another place, its codes stand for something else,
// and its guard judges otherwise: that is [ErrOutrun].
func (t *tx) channelAt(id string, revision int64) (ledgerdb.Channel, hotel.Channel, error) {
	row, c, err := t.channel(id)
	if err == nil && revision != 0 && revision != c.Revision {
		err = ErrOutrun
	}
	return row, c, err
}

// forgo closes a call that is not to be sent after all, whose first cells were noted
// as under way, unless somebody has closed it. Nobody else may end what is under way,
// so it is done whoever waits.
func (l *Ledger) forgo(id string, begun []SentCell) error {
	s := Settlement{DeliveryID: id, State: DeliveryNotSent, Error: "what it was to carry is no longer wanted"}
	row, err := l.read.GetDelivery(context.Background(), id)
	if err != nil {
		return fmt.Errorf("read call %s: %w", id, err)
	}
	return l.settleParts(context.Background(), row, begun, s)
}

// place is how far a channel's wanted values follow the journal.
type place struct {
	newest  int64
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
	p := place{newest: newest.Sequence, through: newest.Sequence, sold: newest.Sequence}
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

// cargo is what is to be known of the cells that a call carries.
type cargo struct {
	guarded bool  // rooms among them are granted
	ownSeq  int64 // newest entry by which the channel moved a count of them itself
	shown   bool  // the channel was seen to show something else since it was told
}

func (t *tx) beginCells(channel ledgerdb.Channel, cells []SentCell, d NewDelivery) (of cargo, err error) {
	covers := covering(t.ctx, t.q, channel)
	table := t.cellsOf(channel)
	if err := table.load(cellsOfSent(cells)); err != nil {
		return of, err
	}
	inAll, err := t.inAllOf(channel, spanOfCells(cells))
	if err != nil {
		return of, err
	}
	s, err := t.structure(channel.PropertyID)
	if err != nil {
		return of, err
	}
	today := s.property.Today(t.now) // the plan may be of yesterday
	var guarded []SentCell
	for _, c := range cells {
		if c.Cell.Night < today {
			return of, ErrOutrun
		}
		g := table.at(c.Cell)
		if !g.sendable() || *g.next() != c.Value && !g.tightens(c) && !table.opensAtPrice(c, d.priced) || c.Sold != inAll.of(c.Cell, c.Value) {
			return of, ErrOutrun
		}
		if known, err := covers(*g); err != nil {
			return of, err
		} else if !known {
			return of, ErrOutrun
		}
		of.ownSeq, of.shown = max(of.ownSeq, g.ownSeq), of.shown || g.state == seen || g.state == left
		if g.guarded && c.Cell.Group == hotel.Availability {
			guarded = append(guarded, c)
		}
		g.begin(c.Value)
	}
	if err := table.save(); err != nil {
		return of, err
	}
	of.guarded = len(guarded) > 0
	return of, t.beginGuarded(channel, guarded, d.Deadline)
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
