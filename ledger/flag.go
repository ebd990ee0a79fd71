package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// PartReceive is the part of a channel that takes what is pushed to us, PartHint the far
// side's that calls when there is something to fetch. The other parts are named as their
// calls are.
const (
	PartReceive = "receive"
	PartHint    = "hint"
)

// FlagBody is the body of an entry about a fault of a channel's connector.
type FlagBody struct {
	ChannelID string          `json:"channel_id"`
	Part      string          `json:"part"`
	Fault     hotel.FaultKind `json:"fault,omitempty"`
}

// Flag notes that a part of a channel broke the rules. It stays noted until
// [Ledger.Unflag], or until a call of that part is settled which was answered as
// it should be.
func (l *Ledger) Flag(ctx context.Context, channel, part string, f hotel.Fault) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.flag(channel, part, f) })
	if err != nil {
		return fmt.Errorf("flag channel %s: %w", channel, err)
	}
	return nil
}

// Unflag notes that a part of a channel did as it should.
func (l *Ledger) Unflag(ctx context.Context, channel, part string) error {
	if _, err := l.read.GetFlag(ctx, ledgerdb.GetFlagParams{ChannelID: channel, Part: part}); errors.Is(err, sql.ErrNoRows) {
		return nil // as nearly always, and nothing is written for it
	}
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.unflag(channel, part) })
	if err != nil {
		return fmt.Errorf("take the flag off channel %s: %w", channel, err)
	}
	return nil
}

// flag notes a fault. The journal hears of the first of a part, and of its end.
func (t *tx) flag(channel, part string, f hotel.Fault) error {
	_, err := t.q.GetFlag(t.ctx, ledgerdb.GetFlagParams{ChannelID: channel, Part: part})
	first := errors.Is(err, sql.ErrNoRows)
	if err != nil && !first {
		return err
	}
	err = t.q.PutFlag(t.ctx, ledgerdb.PutFlagParams{
		ChannelID: channel, Part: part, Fault: string(f.Kind), Words: f.Words, Since: t.micros(), LastAt: t.micros(),
	})
	if err != nil || !first {
		return err
	}
	return t.tellFlag(ChannelFlagged, channel, FlagBody{channel, part, f.Kind})
}

func (t *tx) unflag(channel, part string) error {
	n, err := t.q.DeleteFlag(t.ctx, ledgerdb.DeleteFlagParams{ChannelID: channel, Part: part})
	if err != nil || n == 0 {
		return err
	}
	return t.tellFlag(ChannelUnflagged, channel, FlagBody{ChannelID: channel, Part: part})
}

func (t *tx) tellFlag(kind Kind, channel string, body FlagBody) error {
	row, err := t.q.GetChannel(t.ctx, channel)
	if err != nil {
		return notFound(err)
	}
	_, err = t.append(entry{property: row.PropertyID, kind: kind, subject: channel, body: body})
	return err
}

// flagAfter notes what a call that is over says of its part: a fault, or that
// there is none any more.
func (t *tx) flagAfter(d ledgerdb.Delivery, s Settlement) error {
	switch {
	case s.Fault.Kind != "":
		return t.flag(d.ChannelID, d.Kind, s.Fault)
	case s.State == DeliveryUnknown || s.State == DeliveryNotSent:
		return nil // nobody answered, which is no proof of good behaviour
	case s.State == DeliveryRejected:
		// All of it was: a far side that refuses whatever it is told does so still.
		was, err := t.q.GetFlag(t.ctx, ledgerdb.GetFlagParams{ChannelID: d.ChannelID, Part: d.Kind})
		if s.Parted || err == nil && hotel.FaultKind(was.Fault) == hotel.FaultRefusal || errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return t.unflag(d.ChannelID, d.Kind)
}

func flagsOf(ctx context.Context, q *ledgerdb.Queries, channel string) ([]hotel.Flag, error) {
	rows, err := q.ListFlags(ctx, channel)
	if err != nil {
		return nil, fmt.Errorf("flags of channel %s: %w", channel, err)
	}
	var out []hotel.Flag
	for _, r := range rows {
		out = append(out, hotel.Flag{
			Part: r.Part, Fault: hotel.Fault{Kind: hotel.FaultKind(r.Fault), Words: r.Words},
			Since: instant(r.Since), LastAt: instant(r.LastAt), Times: int(r.Times),
		})
	}
	return out, nil
}
