package dispatch

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/plan"
)

// Foresee plans the calls by which the channel would be told what a bulk update that
// nobody has stored makes other for it, as if it had been told all that is wanted now. A
// price guard or a blast radius is not asked. It sends nothing and stores nothing; the
// worker need not run. A connector that packs wrongly, or not at all, is a [hotel.Refusal].
func (w *Worker) Foresee(ctx context.Context, of ledger.Foresight) (plan.Plan, error) {
	if err := w.learn(ctx); err != nil {
		return plan.Plan{}, err
	}
	is, would, err := w.Ledger.Foreseen(ctx, w.Channel.ID, w.reach(), of)
	if err != nil {
		return plan.Plan{}, err
	}
	was := map[hotel.Cell]int64{}
	for _, v := range closeUnpriced(w.offers(is)) {
		if v.Value != nil {
			was[v.Cell] = *v.Value
		}
	}
	sold := map[hotel.Cell]int{}
	for _, s := range would.Stock {
		sold[hotel.Cell{Line: s.Line, Group: hotel.Availability, Night: s.Night}] = s.Channel.Sold
	}
	var cells []plan.Cell
	for _, v := range closeUnpriced(w.offers(would)) {
		key, known := w.key(v.Cell)
		before, had := was[v.Cell]
		if v.Value == nil || !known || had && before == *v.Value {
			continue
		}
		c := plan.Cell{Ref: v.Cell, Key: key, Want: w.decode(v.Cell, *v.Value), Sold: sold[v.Cell], Most: w.most()}
		if v.Cell.Group == hotel.Availability {
			c.Free = c.Want.Available
		}
		if had {
			c.Held = []hotel.Offer{w.decode(v.Cell, before)}
		}
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b plan.Cell) int { return compareRefs(a.Ref, b.Ref) })
	p, err := w.encode(cells)
	if fault, ill := faultOf(err); ill {
		return plan.Plan{}, hotel.Refuse("channel_error", "its connector does not say by which calls: %s", fault.Words)
	}
	return p, err
}
