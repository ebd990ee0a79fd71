package console

import (
	"fmt"
	"strings"

	"ostler.example/hotel"
)

// nightsChart is prices by night as two lines, before and after, in its own units.
type nightsChart struct {
	Width, Height int
	Before, After string // paths
	Rules         []chartRule
	Weekends      []chartBox
	Ticks         []chartText
	Points        []chartPoint
}

type chartRule struct {
	X1, X2, Y, TextY int
	Text             string
}

type chartBox struct{ X, Y, W, H int }

type chartText struct {
	X, Y int
	Text string
}

// chartPoint is one night, to be pointed at.
type chartPoint struct {
	X, Y, Left, Wide int
	Differs          bool
	Title            string
}

// The measures of the chart of nights.
const (
	chartWidth, chartHeight = 640, 210
	chartLeft, chartRight   = 8, 632
	chartTop, chartBottom   = 16, 178
)

// nightsChart draws what a product costs before and after, night by night.
func (v *visit) nightsChart(prices []hotel.SimulatedPrice) nightsChart {
	c := nightsChart{Width: chartWidth, Height: chartHeight}
	low, high := prices[0].Before.Minor, prices[0].Before.Minor
	for _, p := range prices {
		low, high = min(low, p.Before.Minor, p.After.Minor), max(high, p.Before.Minor, p.After.Minor)
	}
	pad := max((high-low)/10, 1)
	bottom, top := low-pad, high+pad
	wide := (chartRight - chartLeft) / len(prices)
	x := func(i int) int { return chartLeft + (2*i+1)*(chartRight-chartLeft)/(2*len(prices)) }
	y := func(minor int64) int {
		return chartBottom - int((minor-bottom)*int64(chartBottom-chartTop)/(top-bottom))
	}
	for _, minor := range []int64{low, (low + high) / 2, high} {
		at := y(minor)
		text := v.words.price(hotel.Money{Minor: minor, Currency: prices[0].Before.Currency})
		if n := len(c.Rules); n > 0 && c.Rules[n-1].Text == text {
			continue
		}
		c.Rules = append(c.Rules, chartRule{chartLeft, chartRight, at, at - 4, text})
	}
	var before, after strings.Builder
	every := max(1, len(prices)/7)
	for i, p := range prices {
		if weekend(p.Date) {
			c.Weekends = append(c.Weekends, chartBox{x(i) - wide/2, chartTop, max(wide, 1), chartBottom - chartTop})
		}
		if i%every == 0 {
			c.Ticks = append(c.Ticks, chartText{x(i), chartHeight - 10, v.words.shortDate(p.Date)})
		}
		for _, line := range []struct {
			into  *strings.Builder
			minor int64
		}{{&before, p.Before.Minor}, {&after, p.After.Minor}} {
			move := "L"
			if i == 0 {
				move = "M"
			}
			fmt.Fprintf(line.into, "%s%d %d", move, x(i), y(line.minor))
		}
		title := v.words.date(p.Date) + ": " + v.words.money(p.Before)
		if p.Before != p.After {
			title += " → " + v.words.money(p.After)
		}
		c.Points = append(c.Points, chartPoint{x(i), y(p.After.Minor), x(i) - wide/2, max(wide, 1), p.Before != p.After, title})
	}
	c.Before, c.After = before.String(), after.String()
	return c
}
