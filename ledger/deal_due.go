package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// dealAtOnce is how many counters, each on each night, one item deals anew. What is
// beyond that is noted, and dealt piece by piece, so that no change of a whole
// horizon holds the writer for long. Until its turn comes a night stays as it was:
// one that is to be guarded is sold as before, and one that was guarded keeps its
// accounts.
const dealAtOnce = 100

// nightsAtOnce is how many nights of a property one item deals anew.
func nightsAtOnce(ctx context.Context, q *ledgerdb.Queries, property string) (int, error) {
	counters, err := q.CountersOfProperty(ctx, property)
	if err != nil {
		return 0, fmt.Errorf("count the counters of %s: %w", property, err)
	}
	return max(1, dealAtOnce/max(1, int(counters))), nil
}

// guarding reports whether rooms of a property are granted to channels, or may be:
// also while a pool that is guarded no more still has nights to be given back, and
// where a contract promises them.
func (t *tx) guarding(s *structure) (bool, error) {
	if s.guards() {
		return true, nil
	}
	on, known := t.parties[s.property.ID]
	if known {
		return on, nil
	}
	some, err := t.q.Grants(t.ctx, s.property.ID)
	if err != nil {
		return false, fmt.Errorf("look for what is granted of %s: %w", s.property.ID, err)
	}
	if t.parties == nil {
		t.parties = map[string]bool{}
	}
	t.parties[s.property.ID] = some != 0
	return some != 0, nil
}

// dealLater parts from the nights that an item has touched those that it deals, the
// nearest ones, and notes the rest. One that gives cells to counters deals all: a
// cell that is new must not be told before it is known to be guarded.
func (t *tx) dealLater(property string, nights nightSet) (now nightSet, err error) {
	if t.effects.dealAll {
		return nights, nil
	}
	most, err := nightsAtOnce(t.ctx, t.q, property)
	if err != nil || len(nights) <= most {
		return nights, err
	}
	sorted := nights.sorted()
	return setOf(sorted[:most]...), t.noteDeal(property, setOf(sorted[most:]...))
}

// dealAfterwards notes all nights that the item has touched.
func (t *tx) dealAfterwards() error {
	for _, property := range sortedKeys(t.effects.deal) {
		if err := t.noteDeal(property, t.effects.deal[property]); err != nil {
			return err
		}
	}
	t.effects.deal = nil
	return nil
}

// noteDeal notes nights that another item is to deal.
func (t *tx) noteDeal(property string, nights nightSet) error {
	t.effects.due = true
	if err := t.q.InsertDealDue(t.ctx, ledgerdb.InsertDealDueParams{PropertyID: property, Nights: numbers(nights)}); err != nil {
		return fmt.Errorf("note nights of %s that are to be dealt: %w", property, err)
	}
	return nil
}

// dealAllLater notes all nights on which rooms are granted. Rooms were kept from being
// dealt on any of them for somebody who waited, and who is forgotten when the program ends.
func (t *tx) dealAllLater() error {
	t.effects.due = true
	if err := t.q.DealAllDue(t.ctx); err != nil {
		return fmt.Errorf("note the nights that are to be dealt: %w", err)
	}
	return nil
}

// dealNext deals the nearest nights that are noted of a property, and reports
// whether there was any.
func (l *Ledger) dealNext(ctx context.Context) (bool, error) {
	property, err := l.read.NextDealDue(ctx, l.restingNow(dealings))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for nights to deal: %w", err)
	}
	return true, l.piece(ctx, dealings, property, func(t *tx) error { return t.dealDue(property) })
}

func (t *tx) dealDue(property string) error {
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	most, err := nightsAtOnce(t.ctx, t.q, property)
	if err != nil {
		return err
	}
	due, err := t.q.DealDue(t.ctx, ledgerdb.DealDueParams{PropertyID: property, AtMost: int64(most)})
	if err != nil || len(due) == 0 {
		return err
	}
	if err := t.q.DeleteDealDue(t.ctx, ledgerdb.DeleteDealDueParams{PropertyID: property, Last: due[len(due)-1]}); err != nil {
		return fmt.Errorf("forget nights of %s that are dealt: %w", property, err)
	}
	nights := nightSet{}
	for _, night := range due {
		nights[hotel.Date(night)] = struct{}{}
	}
	return t.dealNights(s, nights)
}
