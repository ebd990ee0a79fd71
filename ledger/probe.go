package ledger

import (
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// probeAgain is how often one value of each product is tried that a channel refused: the
// refusal may have been of the rate as it stood there, which somebody has put right.
// Closings have a time of their own, [closingAgain].
const probeAgain = time.Hour

// probes reports whether values of a group are tried again one by one: of the others
// what closes is told again by itself, and what opens is not pressed.
func probes(of hotel.Group) bool { return of == hotel.Price || of == hotel.Lengths }

// probeRefused has the nearest night of each product told again of which prices or
// lengths of stay are refused, unless one is on its way.
func (t *tx) probeRefused(row ledgerdb.Channel, today hotel.Date) error {
	open, err := t.openConflicts(row.PropertyID, hotel.ConflictRejected)
	if err != nil {
		return err
	}
	table := t.cellsOf(row)
	for i := range open {
		cells := slices.DeleteFunc(cellsOfConflict(&open[i]), func(c hotel.Cell) bool { return !probes(c.Group) || c.Night < today })
		if open[i].ChannelID != row.ID || len(cells) == 0 {
			continue
		}
		if err := table.load(cells); err != nil {
			return err
		}
		slices.SortFunc(cells, func(a, b hotel.Cell) int { return int(a.Night - b.Night) })
		refused := slices.IndexFunc(cells, func(c hotel.Cell) bool { g := table.cells.at(c); return g != nil && g.state == rejected })
		if refused < 0 || slices.ContainsFunc(cells, func(c hotel.Cell) bool {
			g := table.cells.at(c)
			return g != nil && (g.sendable() || g.state == inFlight)
		}) {
			continue
		}
		table.cells.at(cells[refused]).retry(t.heads.sequence)
		t.effects.touchOffers(row.PropertyID)
	}
	return table.save()
}

// followProbe has the rest of what was refused told again when one of it was taken as it
// was refused.
func (r *rejection) followProbe(cells []hotel.Cell) error {
	if r.kind != hotel.ConflictRejected || !slices.ContainsFunc(cells, func(c hotel.Cell) bool {
		g := r.table.cells.at(c)
		return probes(c.Group) && g != nil && g.want != nil && g.state == settled && !g.dirty() && alikeInWords(r.c.words(c, g.want), r.refused[c])
	}) {
		return nil
	}
	for _, c := range cells {
		if g := r.table.cells.at(c); g != nil {
			g.retry(r.c.t.heads.sequence)
		}
	}
	r.c.t.effects.touchOffers(r.c.row.PropertyID)
	return r.table.save()
}

// probed reports whether a value that was refused is on its way once more, unchanged:
// nobody knows yet whether it still is.
func (r *rejection) probed(c hotel.Cell) bool {
	g := r.table.cells.at(c)
	return r.kind == hotel.ConflictRejected && probes(c.Group) && (g.sendable() || g.state == inFlight) &&
		alikeInWords(r.c.words(c, g.want), r.refused[c])
}
