package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

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
	Parted     bool                  // the far side refused the call as a whole: it is told again in parts, and nothing is parked
	Unknown    map[hotel.Cell]bool   // cells without an outcome in a call that has one
	TurnedAway bool                  // of an act that was rejected: at the door, with no word on what it asks for
	HTTPStatus int                   // of the last answer; 0: there was none, or not by HTTP
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
// reasons, until their wanted value changes. No call is spent on them. [ErrOutrun]
// says that the channel is at another revision than the one it was asked at (0: any).
func (l *Ledger) Refuse(ctx context.Context, channel string, revision int64, cells []SentCell, reasons map[hotel.Cell]string) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, _, err := t.channelAt(channel, revision)
		if err != nil {
			return err
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
			table.at(c.Cell).parked(c)
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
// call that is closed already stays as it is. A large call is settled in several
// items: what is parted off is stored first, and the rest with the last one. After a
// crash in between nobody knows what became of any of it, and it is told again.
func (l *Ledger) Settle(ctx context.Context, s Settlement) error {
	row, err := l.read.GetDelivery(ctx, s.DeliveryID) // but for its outcome a call never changes
	var cells []SentCell
	if err == nil {
		cells, err = unpackCells(row.Cells)
	}
	if err != nil {
		return fmt.Errorf("settle call %s: %w", s.DeliveryID, notFound(err))
	}
	return l.settleParts(ctx, row, cells, s)
}

// settleParts stores what became of cells of a call, and closes it.
func (l *Ledger) settleParts(ctx context.Context, row ledgerdb.Delivery, cells []SentCell, s Settlement) error {
	parts, rest := s.parts(cells)
	for i := range len(parts) + 1 {
		err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
			state, err := t.q.DeliveryState(t.ctx, row.ID)
			if err != nil {
				return notFound(err)
			}
			if state != string(deliveryOpen) {
				// Its outcome is stored. A later word must not touch cells that
				// another call may carry by now.
				return nil
			}
			if i < len(parts) {
				channel, err := t.q.GetChannel(t.ctx, row.ChannelID)
				if err != nil {
					return notFound(err)
				}
				_, _, err = t.settleCells(channel, row, parts[i], s)
				return err
			}
			if err := t.stand(row.Account, s.Standing); err != nil {
				return err
			}
			if err := t.flagAfter(row, s); err != nil {
				return err
			}
			return t.settle(row, rest, s)
		})
		if err != nil {
			return fmt.Errorf("settle call %s: %w", row.ID, err)
		}
	}
	return nil
}

// parts parts cells from a call's, as many each time as one item takes in, until one
// takes in the rest. What was refused, and what alone is unclear in a call that has an
// outcome, stays with the rest: the call is closed with the list of it.
func (s Settlement) parts(cells []SentCell) (parts [][]SentCell, rest []SentCell) {
	listless := s.State == DeliveryUnknown || s.State == DeliveryNotSent
	var now []SentCell
	for i, c := range cells {
		if open := len(cells) - i; len(now)%cellsAtOnce == 0 && open+len(rest) <= cellsAtOnce {
			rest = append(rest, cells[i:]...)
			break
		}
		if listless || s.of(c.Cell) == DeliveryApplied {
			now = append(now, c)
		} else {
			rest = append(rest, c)
		}
	}
	return slices.Collect(slices.Chunk(now, cellsAtOnce)), rest
}

// settleAll stores one outcome for all of a call and closes it.
func (t *tx) settleAll(d ledgerdb.Delivery, s Settlement) error {
	cells, err := unpackCells(d.Cells)
	if err != nil {
		return fmt.Errorf("cells of call %s: %w", d.ID, err)
	}
	return t.settle(d, cells, s)
}

// settle stores what became of the cells of a call that are left, and closes it.
func (t *tx) settle(d ledgerdb.Delivery, cells []SentCell, s Settlement) error {
	channel, err := t.q.GetChannel(t.ctx, d.ChannelID)
	if err != nil {
		return notFound(err)
	}
	refused, unclear, err := t.settleCells(channel, d, cells, s)
	if err != nil {
		return err
	}
	if d.Kind == string(Push) {
		if !s.Parted {
			if err := t.settledParkings(channel, refused, s.Rejected); err != nil {
				return err
			}
			if len(refused) > 0 {
				if err := t.retryInTime(channel); err != nil {
					return err
				}
			}
		}
		if err := t.pushed(d, s.State); err != nil {
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
		HttpStatus: int64(s.HTTPStatus), Reference: s.Reference, Excerpt: s.Excerpt, Error: s.Error, ID: d.ID,
	})
}

// settleCells stores what became of cells of a call. It returns those that were
// refused, and those of which nobody knows though the call has an outcome.
func (t *tx) settleCells(channel ledgerdb.Channel, d ledgerdb.Delivery, cells []SentCell, s Settlement) (refused, unclear []SentCell, err error) {
	names := make([]hotel.Cell, len(cells))
	for i, c := range cells {
		names[i] = c.Cell
	}
	table := t.cellsOf(channel)
	if err := table.load(names); err != nil {
		return nil, nil, err
	}
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
			if refused = append(refused, c); s.Parted {
				g.lost()
			} else {
				g.refused(c)
			}
		default:
			g.applied(c.Value, d.Sequence, t.micros())
		}
		table.answered(c.Cell)
		if g.guarded && c.Cell.Group == hotel.Availability {
			guarded[became] = append(guarded[became], c)
		}
	}
	if err := table.save(); err != nil {
		return nil, nil, err
	}
	return refused, unclear, t.settleGuarded(channel, guarded)
}

// Recover turns every call that was open when the program ended into one whose
// outcome is unknown. It returns how many there were. The rooms of guarded pools are
// dealt by [Ledger.DeriveDue], so that a property for which that fails stops no other.
func (l *Ledger) Recover(ctx context.Context) (int, error) {
	n := 0 // no named result: see underKey
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		rows, err := t.q.OpenDeliveries(t.ctx)
		if err != nil {
			return err
		}
		n = len(rows)
		if err := t.q.RestartParties(t.ctx, microsOrNil(t.steady)); err != nil {
			return fmt.Errorf("restart parties: %w", err)
		}
		for _, d := range rows {
			if err := t.settleAll(d, Settlement{State: DeliveryUnknown, Error: "the program ended before an answer was stored"}); err != nil {
				return err
			}
		}
		if err := t.dealAllLater(); err != nil {
			return err
		}
		return t.dealAfterwards()
	})
	if err != nil {
		return 0, fmt.Errorf("recover open calls: %w", err)
	}
	return n, nil
}
