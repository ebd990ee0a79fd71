package console

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel/report"
)

// chart is a figure over time, laid out in its own units.
type chart struct {
	ID     string // of its heading
	Title  string
	Total  string // of the whole time
	Curves []curve
	Ticks  []tick // heights with a line and a label
	Times  []tick // labels below
	Slots  []slot
	Known  bool // there is something to draw
}

// curve is what is drawn of one row of values.
type curve struct {
	Name, Class string
	Path        string
	Area        string // under it; "": none
	Dots        []dot
	values      []report.Value
}

type dot struct{ X, Y string }

// tick is a label where it stands.
type tick struct {
	X, Y   string
	Anchor string
	Text   string
}

// slot is one of the times, with its values in words.
type slot struct {
	Name   string
	X, W   string // where it lies in the chart
	Values []string
}

// The chart, in its units.
const (
	plotWidth = 560
	plotTop   = 18
	plotFloor = 166
	plotEdge  = 6
	mostTimes = 5 // labels below, on a narrow screen as well
	mostDots  = 40
)

// period is a time that a chart has values of: what it is called, and the same in short.
type period struct{ key, name, short string }

// plot lays out curves over the same times; say puts a value into words, and mark the
// height of a line.
func (c *chart) plot(kind report.Kind, times []period, say func(report.Value) string, mark func(int64) string) {
	low, high := int64(0), int64(0)
	for _, k := range c.Curves {
		for _, v := range k.values {
			if v.Known {
				c.Known, low, high = true, min(low, v.N), max(high, v.N)
			}
		}
	}
	step := stepOf(high-low, kind)
	low, high = -roundUp(-low, step), max(roundUp(high, step), step)
	n := int64(max(1, len(times)))
	x := func(i, part int) string { // the middle of a slot, or its ends
		return tenths(10*plotEdge + (2*int64(i)+1+int64(part))*10*(plotWidth-2*plotEdge)/(2*n))
	}
	y := func(v int64) string { return tenths(10*plotFloor - (v-low)*10*(plotFloor-plotTop)/(high-low)) }
	for at := low; at <= high; at += step {
		c.Ticks = append(c.Ticks, tick{Y: y(at), Text: mark(at)})
	}
	every := (len(times) + mostTimes - 1) / mostTimes
	for i, t := range times {
		s := slot{Name: t.name, X: x(i, -1), W: tenths(10 * (plotWidth - 2*plotEdge) / n)}
		for _, k := range c.Curves {
			s.Values = append(s.Values, say(k.values[i]))
		}
		if c.Slots = append(c.Slots, s); i%every == 0 {
			label := tick{X: x(i, 0), Anchor: "middle", Text: t.short}
			if i == 0 && len(times) > 1 {
				label.X, label.Anchor = x(0, -1), "start"
			}
			c.Times = append(c.Times, label)
		}
	}
	for i := range c.Curves {
		c.Curves[i].draw(x, y, low)
	}
}

// draw makes the path of a curve, broken where a value is not known. One that stands
// alone is a dot, and so is each where there are few.
func (k *curve) draw(x func(int, int) string, y func(int64) string, low int64) {
	var path, area strings.Builder
	known := func(i int) bool { return i >= 0 && i < len(k.values) && k.values[i].Known }
	begun := 0
	for i, v := range k.values {
		if !v.Known {
			continue
		}
		at := x(i, 0) + " " + y(v.N)
		if !known(i - 1) {
			begun = i
			path.WriteString("M" + at)
			area.WriteString("M" + x(i, 0) + " " + y(max(0, low)) + "L" + at)
		} else {
			path.WriteString("L" + at)
			area.WriteString("L" + at)
		}
		if !known(i + 1) {
			area.WriteString("L" + x(i, 0) + " " + y(max(0, low)) + "Z")
		}
		alone := begun == i && !known(i+1)
		if alone || len(k.values) <= mostDots {
			k.Dots = append(k.Dots, dot{x(i, 0), y(v.N)})
		}
	}
	if k.Path = path.String(); k.Area != "" {
		k.Area = area.String()
	}
}

// stepOf is the distance of lines that divides a span into four or fewer, in round
// numbers of what is measured.
func stepOf(span int64, kind report.Kind) int64 {
	unit := int64(100)
	if kind == report.Count {
		unit = 1
	}
	for ; ; unit *= 10 {
		for _, times := range []int64{1, 2, 5} {
			if span <= 4*unit*times || unit > math.MaxInt64/1000 {
				return unit * times
			}
		}
	}
}

// roundUp is the next multiple of a step from n on.
func roundUp(n, step int64) int64 {
	if n <= 0 {
		return -(-n / step * step)
	}
	return (n + step - 1) / step * step
}

// tenths writes tenths of a unit.
func tenths(n int64) string {
	text := strconv.FormatInt(n/10, 10)
	if rest := max(n%10, -(n % 10)); rest != 0 {
		text += "." + strconv.FormatInt(rest, 10)
	}
	return text
}

// mix is a figure of things that are no times: a bar for each.
type mix struct {
	ID       string
	Title    string
	Lines    []mixLine
	Compared bool
}

type mixLine struct {
	Name                  string
	Width, Was            int // thousandths of the largest
	Value, Before, Differ string
}

// measure makes bars of values, in thousandths of the largest of them.
func (m *mix) measure(now, before []report.Value) {
	most := int64(1)
	for _, v := range slices.Concat(now, before) {
		most = max(most, v.N)
	}
	part := func(v report.Value) int { return int(max(0, v.N) * 1000 / most) }
	for i := range m.Lines {
		m.Lines[i].Width = part(now[i])
		if before != nil {
			m.Lines[i].Was = part(before[i])
		}
	}
}
