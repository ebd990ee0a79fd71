package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

const duePrefix = "house:"

func dueReader(property string, cause int64) string {
	return fmt.Sprintf("%s%s:%d", duePrefix, property, cause)
}

// decode reads the body of an entry.
func decode[B any](e Entry) (B, error) {
	var b B
	if err := json.Unmarshal(e.Body, &b); err != nil {
		return b, fmt.Errorf("body of journal entry %d: %w", e.Sequence, err)
	}
	return b, nil
}

// DeriveDue derives one chunk of the house values that follow from large bulk
// writes. It reports whether there was anything to do; whoever runs it calls
// again until there is not.
func (l *Ledger) DeriveDue(ctx context.Context) (bool, error) {
	if _, err := l.read.NextDue(ctx); errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		due, err := t.q.NextDue(t.ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read what is due: %w", err)
		}
		row, err := t.q.GetEntry(t.ctx, due.Sequence)
		if err != nil {
			return fmt.Errorf("read journal entry %d: %w", due.Sequence, err)
		}
		return t.deriveChunk(entryOf(row), due)
	})
	return true, err
}

// deriveChunk derives the next nights of a fact, and forgets the fact behind
// its last one.
func (t *tx) deriveChunk(e Entry, due ledgerdb.Cursor) error {
	s, err := t.structure(e.PropertyID)
	if err != nil {
		return err
	}
	a, err := s.affectedBy(e)
	if err != nil {
		return err
	}
	perNight := a.cells(s) / max(1, len(a.nights))
	nights := a.nights.sorted()[due.Position:]
	chunk := min(len(nights), max(1, deriveChunk/max(1, perNight)))
	a.nights = setOf(nights[:chunk]...)
	if err := t.derive(s, a, e.Sequence); err != nil {
		return err
	}
	if chunk == len(nights) {
		return t.q.DeleteCursor(t.ctx, due.Reader)
	}
	return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: due.Reader, Sequence: due.Sequence, Position: due.Position + int64(chunk)})
}

// affectedBy says which house values a journalled fact may have moved.
func (s *structure) affectedBy(e Entry) (affected, error) {
	a := affected{property: e.PropertyID, nights: nightSet{}}
	body, err := decode[struct {
		Ranges []hotel.Span `json:"ranges"`
	}](e)
	if err != nil {
		return a, err
	}
	for _, r := range body.Ranges {
		for d := r.From; d <= r.To; d++ {
			a.nights[d] = struct{}{}
		}
	}
	switch e.Kind {
	case StockChanged, RoomTypeCreated, ReservationCreated, ReservationUpdated, ReservationCancelled:
		a.stock = true
	case RatePlanCreated:
		a.affect(e.Kind, s.selling(product{plan: e.Subject}))
	case PricesChanged, RestrictionsChanged:
		a.affect(e.Kind, s.selling(productOf(e.Subject)))
	default:
		return a, fmt.Errorf("journal entry %d of kind %s moves no house values", e.Sequence, e.Kind)
	}
	return a, nil
}
