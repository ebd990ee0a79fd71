package plan

import (
	"cmp"
	"slices"
)

// order returns the cells of one lane in the order in which they are encoded.
// Neighbouring nights of one room, rate, group and occupancy that want the same
// value stay together, because a connector sends them as one range; the ranges
// follow each other by their first night and its free rooms:
//
//	room    night   free   want       encoded as
//	double  1 Mar   2      0     ┐
//	double  2 Mar   4      0     ┘    1st: double, 1–2 Mar
//	single  2 Mar   1      0     ─    2nd: single, 2 Mar (fewer free than suite)
//	suite   2 Mar   3      0     ─    3rd: suite, 2 Mar
//	double  3 Mar   4      1     ─    4th: double, 3 Mar (another value)
//
// So nothing is split for the sake of urgency, and the order is the same
// however the cells were handed in.
func order(cells []Cell) []Cell {
	slices.SortFunc(cells, func(a, b Cell) int {
		return cmp.Or(byLine(a, b), cmp.Compare(a.Key.Night, b.Key.Night))
	})
	var ranges [][]Cell
	start := 0
	for i := range cells {
		if i+1 == len(cells) || !continues(cells[i], cells[i+1]) {
			ranges = append(ranges, cells[start:i+1])
			start = i + 1
		}
	}
	slices.SortStableFunc(ranges, func(a, b []Cell) int {
		return urgency(a[0].Key.Night, a[0].Free, b[0].Key.Night, b[0].Free)
	})
	return slices.Concat(ranges...)
}

// byLine compares what two cells are about, apart from the night.
func byLine(a, b Cell) int {
	return cmp.Or(
		cmp.Compare(a.Key.Group, b.Key.Group),
		cmp.Compare(a.Key.Room, b.Key.Room),
		cmp.Compare(a.Key.Rate, b.Key.Rate),
		cmp.Compare(a.Key.Occupancy, b.Key.Occupancy),
	)
}

// continues reports whether b is the night after a in the same range.
func continues(a, b Cell) bool {
	return byLine(a, b) == 0 && b.Key.Night == a.Key.Night+1 && a.Want == b.Want
}
