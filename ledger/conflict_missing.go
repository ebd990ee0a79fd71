package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// MissingFacts are the nights on which a product would be on sale at a channel, had
// it a price. A price that the channel refuses is told of as refused.
type MissingFacts struct {
	Nights []MissingNights `json:"nights"`
	Left   []hotel.Span    `json:"left,omitempty"` // those that somebody has decided to keep closed
}

// MissingNights is a run of nights that are without a price since one entry.
type MissingNights struct {
	hotel.Span
	Sequence int64 `json:"sequence"` // of the journal entry by which it came about; 0: that is not kept
}

// unpriced is nights without a price, each with the entry since which it has none.
type unpriced map[hotel.Date]int64

// runs are the nights in order.
func (u unpriced) runs() []MissingNights {
	nights := slices.Sorted(maps.Keys(u))
	var runs []MissingNights
	for _, r := range hotel.Runs(nights, func(n int) int64 { return u[nights[n]] }) {
		runs = append(runs, MissingNights{hotel.Span{From: r.From, To: r.To}, r.Value})
	}
	return runs
}

// missingPrices is the open conflicts about prices that a channel is not told for
// want of one, and those that there should be.
type missingPrices struct{ was, is []hotel.Conflict }

// settled reports whether there is nothing to store.
func (m missingPrices) settled() bool {
	return slices.EqualFunc(m.was, m.is, func(a, b hotel.Conflict) bool { return a.Topic == b.Topic && bytes.Equal(a.Facts, b.Facts) })
}

// NoteMissingPrices raises that products are closed at channels for want of a price,
// one conflict for each mapping, and ends those of which every night has one. It is
// called every minute or so. A channel that fails keeps none of the others.
func (l *Ledger) NoteMissingPrices(ctx context.Context) error {
	var changed []string
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.ListChannels(ctx)
		if err != nil {
			return err
		}
		return each(rows, func(row ledgerdb.Channel) error {
			m, err := l.missingPrices(ctx, q, row)
			if err != nil {
				return fmt.Errorf("look which prices channel %s misses: %w", row.ID, err)
			}
			if !m.settled() {
				changed = append(changed, row.ID)
			}
			return nil
		})
	})
	return errors.Join(err, each(changed, func(id string) error {
		if err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.noteMissing(l, id) }); err != nil {
			return fmt.Errorf("note which prices channel %s misses: %w", id, err)
		}
		return nil
	}))
}

func (t *tx) noteMissing(l *Ledger, channel string) error {
	row, err := t.q.GetChannel(t.ctx, channel)
	if err != nil {
		return notFound(err)
	}
	m, err := l.missingPrices(t.ctx, t.q, row)
	if err != nil {
		return err
	}
	for _, c := range m.is {
		if err := t.raise(c); err != nil {
			return err
		}
	}
	for i := range m.was {
		if slices.ContainsFunc(m.is, func(c hotel.Conflict) bool { return c.Topic == m.was[i].Topic }) {
			continue
		}
		if err := t.over(&m.was[i]); err != nil {
			return err
		}
	}
	return nil
}

// missingPrices looks what should be open about a channel. One that is told nothing
// misses nothing.
func (l *Ledger) missingPrices(ctx context.Context, q *ledgerdb.Queries, row ledgerdb.Channel) (m missingPrices, err error) {
	open, err := readAll[hotel.Conflict](q.OpenConflicts(ctx, ledgerdb.OpenConflictsParams{PropertyID: row.PropertyID, Kind: string(hotel.ConflictMissingPrice)}))
	if err != nil {
		return m, err
	}
	m.was = slices.DeleteFunc(open, func(c hotel.Conflict) bool { return c.ChannelID != row.ID })
	slices.SortFunc(m.was, compareTopics)
	c, err := channelOf(row)
	if err != nil || !c.Told() || c.Status == hotel.Paused {
		return m, err
	}
	property, err := readOne[hotel.Property](q.GetProperty(ctx, row.PropertyID))
	if err != nil {
		return m, err
	}
	shows := property.Shows(l.clock.Now())
	rows, err := q.UnpricedNights(ctx, ledgerdb.UnpricedNightsParams{ChannelID: row.ID, First: int64(shows.From), Last: int64(shows.To)})
	if err != nil || len(rows) == 0 {
		return m, err
	}
	nights := map[int64]unpriced{}
	for _, r := range rows {
		if r.ClosuresTold == nil || hotel.DecodeOffer(hotel.Closures, *r.ClosuresTold, "").Closed.Closed {
			continue // it is not on sale anyway
		}
		if nights[r.Line] == nil {
			nights[r.Line] = unpriced{}
		}
		nights[r.Line][hotel.Date(r.Night)] = r.Entry
	}
	if len(nights) == 0 {
		return m, nil
	}
	_, mappings, err := loadLines(ctx, q, row.ID)
	if err != nil {
		return m, err
	}
	stock, err := q.HouseStock(ctx, ledgerdb.HouseStockParams{PropertyID: row.PropertyID, First: int64(shows.From), Last: int64(shows.To)})
	if err != nil {
		return m, err
	}
	for _, of := range mappings {
		for _, h := range stock {
			if h.RoomTypeID == of.RoomTypeID && h.Available == 0 {
				delete(nights[of.Line], hotel.Date(h.Night)) // nor is this
			}
		}
		if of.Retired || len(nights[of.Line]) == 0 {
			continue
		}
		c, err := missingOf(ctx, q, row, of, mappings, nights[of.Line])
		if err != nil {
			return m, err
		}
		if c != nil {
			m.is = append(m.is, *c)
		}
	}
	slices.SortFunc(m.is, compareTopics)
	return m, nil
}

func compareTopics(a, b hotel.Conflict) int { return bytes.Compare([]byte(a.Topic), []byte(b.Topic)) }

// missingOf describes the nights of a mapping that have no price, nil where somebody
// has decided about each of them.
func missingTopic(channel string, of hotel.Mapping) string {
	return fmt.Sprintf("%s/%d", channel, of.Line)
}

func missingOf(ctx context.Context, q *ledgerdb.Queries, row ledgerdb.Channel, of hotel.Mapping, mappings []hotel.Mapping, nights unpriced) (*hotel.Conflict, error) {
	topic := missingTopic(row.ID, of)
	last, err := readOne[hotel.Conflict](q.LastConflict(ctx, ledgerdb.LastConflictParams{PropertyID: row.PropertyID, Kind: string(hotel.ConflictMissingPrice), Topic: topic}))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	left := nightSet{}
	if err == nil {
		before, err := missingFactsOf(&last)
		if err != nil {
			return nil, err
		}
		for _, s := range before.Left {
			left.addSpan(s)
		}
		if last.Resolution != nil && last.Resolution.Option == hotel.OptionKeepClosed {
			for _, n := range before.Nights {
				left.addSpan(n.Span)
			}
		}
	}
	for d := range left {
		if _, still := nights[d]; !still {
			delete(left, d) // it has a price, or is over
		}
		delete(nights, d)
	}
	if len(nights) == 0 {
		return nil, nil
	}
	facts := MissingFacts{nights.runs(), left.spans()}
	body, err := json.Marshal(facts)
	return &hotel.Conflict{
		PropertyID: row.PropertyID, ChannelID: row.ID, Kind: hotel.ConflictMissingPrice, Topic: topic, Severity: hotel.Warning, Facts: body,
		Subject: soldAt(of, slices.Values(mappings), facts.Nights[0].From),
	}, err
}

func missingFactsOf(c *hotel.Conflict) (facts MissingFacts, err error) {
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}

// enactMissing gives the product a price on the nights that have none.
func (t *tx) enactMissing(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option != hotel.OptionSetPrice {
		return nil
	}
	var a struct {
		Amount hotel.Money `json:"amount"`
	}
	if err := d.Read(&a); err != nil {
		return err
	}
	facts, err := missingFactsOf(c)
	if err != nil {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	_, mappings, err := loadLines(t.ctx, t.q, c.ChannelID)
	if err != nil {
		return err
	}
	guests := 0
	for _, m := range mappings {
		if missingTopic(c.ChannelID, m) == c.Topic {
			guests = m.Guests
		}
	}
	u := hotel.RateUpdate{PropertyID: c.PropertyID, Source: string(hotel.FromUser)}
	for _, n := range facts.Nights {
		span := n.Span
		span.From = max(span.From, s.property.BusinessDate(t.now))
		if span.From <= span.To {
			typed, err := t.typePrices(s, "/amount", c.Subject.RoomTypeID, c.Subject.RatePlanID, span, guests, a.Amount)
			if err != nil {
				return err
			}
			u.Entries = append(u.Entries, typed...)
		}
	}
	if len(u.Entries) == 0 {
		return hotel.Refuse("not_available", "the nights are over")
	}
	_, err = t.drawUp(s, rateRequest(u))
	if r, refused := errors.AsType[*hotel.Refusal](err); refused && len(r.Items) > 0 {
		return hotel.Invalid("/amount", r.Items[0].Code, "%s", r.Items[0])
	}
	return err
}
