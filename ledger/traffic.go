package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

// The marks of calls in the sandbox.
const (
	markKeyed = 1 << iota
	markConditional
	markEarly
)

// dayLength is that of one in UTC.
const dayLength = 24 * time.Hour

// SaveTraffic adds to what is counted of clients' calls.
func (l *Ledger) SaveTraffic(ctx context.Context, tallies []auth.Tally) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for _, c := range tallies {
			marks := flag(c.Keyed)*markKeyed | flag(c.Conditional)*markConditional | flag(c.Early)*markEarly
			err := t.q.AddTraffic(t.ctx, ledgerdb.AddTrafficParams{
				ClientID: c.ClientID, Day: int64(c.Day.Sub(time.Unix(0, 0)) / dayLength), Operation: c.Operation, Status: int64(c.Status),
				Marks: marks, Calls: int64(c.Count),
			})
			if err != nil {
				return fmt.Errorf("store the calls of client %s: %w", c.ClientID, err)
			}
		}
		return nil
	})
}

// Traffic returns what is counted of a client's calls.
func (l *Ledger) Traffic(ctx context.Context, clientID string) ([]auth.Tally, error) {
	rows, err := l.read.ListTraffic(ctx, clientID)
	if err != nil {
		return nil, fmt.Errorf("read the calls of client %s: %w", clientID, err)
	}
	list := make([]auth.Tally, len(rows))
	for i, r := range rows {
		list[i] = auth.Tally{ClientID: clientID, Day: time.Unix(0, 0).UTC().Add(time.Duration(r.Day) * dayLength), Count: int(r.Calls), Call: auth.Call{
			Operation: r.Operation, Status: int(r.Status), Keyed: r.Marks&markKeyed != 0, Conditional: r.Marks&markConditional != 0, Early: r.Marks&markEarly != 0,
		}}
	}
	return list, nil
}

// ForgetTraffic drops what is counted of days before one.
func (l *Ledger) ForgetTraffic(ctx context.Context, before time.Time) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeleteTraffic(t.ctx, int64(before.Sub(time.Unix(0, 0))/dayLength))
	})
}
