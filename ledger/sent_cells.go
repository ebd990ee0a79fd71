package ledger

import (
	"encoding/json"
	"slices"

	"ostler.example/hotel"
)

// sentRun is how a call's cells are stored.
type sentRun struct {
	Line      int64       `json:"line"`
	Group     hotel.Group `json:"group"`
	Occupancy int         `json:"occupancy,omitempty"`
	From      hotel.Date  `json:"from"`
	To        hotel.Date  `json:"to"`
	Value     int64       `json:"value"`
	Sold      int         `json:"sold,omitempty"`
	Words     string      `json:"words,omitempty"` // the far side's, when it refused
}

// packCells groups neighbouring nights with equal values into runs.
func packCells(cells []SentCell, words map[hotel.Cell]string) []sentRun {
	sorted := slices.Clone(cells)
	slices.SortFunc(sorted, func(a, b SentCell) int {
		return compareCells(a.Cell, b.Cell)
	})
	runs := []sentRun{}
	for _, c := range sorted {
		r := sentRun{c.Cell.Line, c.Cell.Group, c.Cell.Occupancy, c.Cell.Night, c.Cell.Night, c.Value, c.Sold, words[c.Cell]}
		if n := len(runs) - 1; n >= 0 {
			longer := runs[n]
			longer.To++
			joined := r
			joined.From = longer.From
			if longer == joined {
				runs[n] = joined
				continue
			}
		}
		runs = append(runs, r)
	}
	return runs
}

// packedOrNone is how cells are stored where mostly there are none.
func packedOrNone(cells []SentCell, words map[hotel.Cell]string) (string, error) {
	if len(cells) == 0 {
		return "", nil
	}
	b, err := json.Marshal(packCells(cells, words))
	return string(b), err
}

func compareCells(a, b hotel.Cell) int {
	for _, c := range []int64{a.Line - b.Line, int64(a.Group) - int64(b.Group), int64(a.Occupancy - b.Occupancy), int64(a.Night - b.Night)} {
		if c < 0 {
			return -1
		}
		if c > 0 {
			return 1
		}
	}
	return 0
}

func unpackCells(text string) ([]SentCell, error) {
	runs, err := unpackRuns(text)
	var cells []SentCell
	for _, r := range runs {
		cells = append(cells, r.cells()...)
	}
	return cells, err
}

func unpackRuns(text string) ([]sentRun, error) {
	var runs []sentRun
	err := json.Unmarshal([]byte(text), &runs)
	return runs, err
}

// cells returns the cells of a run.
func (r sentRun) cells() []SentCell {
	var cells []SentCell
	for d := r.From; d <= r.To; d++ {
		cells = append(cells, SentCell{hotel.Cell{Line: r.Line, Group: r.Group, Occupancy: r.Occupancy, Night: d}, r.Value, r.Sold})
	}
	return cells
}

// inAll is the number that was told, where it is the most that the channel sells in all.
func (c SentCell) inAll() *int {
	if c.Sold == 0 {
		return nil
	}
	return new(int(c.Value) + c.Sold)
}
