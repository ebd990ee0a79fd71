package console

import (
	"strconv"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

// heatMap shows a share by day: a line for each month, a column for each of its days.
type heatMap struct {
	Months []tick
	Days   []tick
	Cells  []heatCell
	Height int
}

type heatCell struct {
	X, Y  int
	Warm  int // tenths of the whole, rounded up
	Title string
}

// The map, in its units.
const (
	heatStep = 24
	heatLeft = 62
	heatTop  = 20
)

// heat lays out shares of each day, in hundredths of a per cent.
func (v *visit) heat(span hotel.Span, of func(hotel.Date) report.Value) *heatMap {
	m := &heatMap{}
	for day := 1; day <= 31; day++ {
		m.Days = append(m.Days, tick{X: strconv.Itoa(heatLeft + (day-1)*heatStep + heatStep/2), Y: "13", Text: strconv.Itoa(day)})
	}
	month := ""
	for d := span.From; d <= span.To; d++ {
		if now := d.String()[:len("2006-01")]; now != month {
			month = now
			m.Height += heatStep
			m.Months = append(m.Months, tick{X: "0", Y: strconv.Itoa(heatTop + m.Height - 8), Text: v.words.monthOf(d)})
		}
		share := of(d)
		c := heatCell{X: heatLeft + (d.Time().Day()-1)*heatStep, Y: heatTop + m.Height - heatStep, Title: v.words.date(d) + ": " + v.figure(report.Percent, "", share)}
		if c.Warm = -1; share.Known {
			c.Warm = int(min(10, (share.N+999)/1000))
		}
		m.Cells = append(m.Cells, c)
	}
	m.Height += heatTop
	return m
}

// Scale is where the shades of the legend stand, from the coolest.
func (heatMap) Scale() []int {
	at := make([]int, 11)
	for i := range at {
		at[i] = i * 10
	}
	return at
}
