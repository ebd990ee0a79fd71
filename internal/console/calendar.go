package console

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

const (
	gridNights = 28  // on one page of the calendar
	gridRows   = 40  // likewise, unless one room type has more
	gridPast   = 400 // days back that it goes
)

// grid is a page of the calendar: room types and their rate plans by night.
type grid struct {
	Span   hotel.Span
	Nights []gridNight
	Blocks []gridBlock
	Rooms  []hotel.RoomType // of the house
	Room   string           // the id of the room type that the page begins with; "": the first
	Next   string           // likewise of the next page; "": this is the last
	Names  []string         // of the channels, in the order of the dots
}

type gridNight struct {
	hotel.Date
	Class string
	First bool // of its month, or of the page
}

// gridBlock is a room type and what it is sold under.
type gridBlock struct {
	Room  hotel.RoomType
	Rooms gridRow
	Plans []gridRow
}

// gridRow is a line of the calendar: the rooms of a type, or the prices of a plan.
type gridRow struct {
	ID    string
	Plan  hotel.RatePlan // "" for the rooms
	Cells []gridCell
}

// gridCell is one night of a line.
type gridCell struct {
	Path  string // of the page about it, from the calendar on
	Class string
	Text  string      // the number of rooms, or the price
	Marks []string    // what restricts the night, in short
	Dots  []hotel.Dot // by channel; "": it does not sell it
	Said  string      // marks and dots in words
}

// Day is that of the month.
func (n gridNight) Day() int { return n.Time().Day() }

// Kinds are the dots that there are.
func (grid) Kinds() []hotel.Dot { return hotel.Dots }

// From is where the page begins that is so many nights on.
func (g grid) From(nights int) hotel.Date { return g.Span.From + hotel.Date(nights) }

// calendar shows a window of nights.
func (c *Console) calendar(v *visit) error {
	today := c.desk.Today(v.house)
	g := grid{Span: hotel.Span{From: today}, Room: v.r.URL.Query().Get("room")}
	if asked := v.r.URL.Query().Get("from"); asked != "" {
		var err error
		if g.Span.From, err = hotel.ParseDate(asked); err != nil {
			return hotel.Invalid("/from", "date", "is not a date")
		}
	}
	g.Span.From = min(max(g.Span.From, today-gridPast), today+hotel.Date(v.house.HorizonDays))
	g.Span.To = g.Span.From + gridNights - 1
	for n := g.Span.From; n <= g.Span.To; n++ {
		g.Nights = append(g.Nights, gridNight{n, nightClass(n, today), n == g.Span.From || n.Time().Day() == 1})
	}
	if err := v.gridLines(&g, gridRows); err != nil {
		return err
	}
	of, err := c.desk.Grid(v.r.Context(), v.caller, hotel.CellQuery{PropertyID: v.house.ID, Span: g.Span, RoomTypeIDs: g.shown()})
	if err != nil {
		return err
	}
	v.gridStock(&g, of.Stock)
	v.gridPrices(&g, of.Prices)
	v.gridRestrictions(&g, of.Rules)
	if err := v.gridDots(&g); err != nil {
		return err
	}
	return v.show("calendar", http.StatusOK, g)
}

// shown are the room types of the page.
func (g *grid) shown() []string {
	ids := make([]string, len(g.Blocks))
	for i, b := range g.Blocks {
		ids[i] = b.Room.ID
	}
	return ids
}

// nightClass says what a night is to the eye.
func nightClass(n, today hotel.Date) string {
	class := ""
	if n < today {
		class = " past"
	}
	if n == today {
		class = " today"
	}
	if weekend(n) {
		class += " weekend"
	}
	return strings.TrimPrefix(class, " ")
}

// gridLines finds what the page has lines for, about so many at most.
func (v *visit) gridLines(g *grid, most int) error {
	rooms, plans, err := v.sold()
	if err != nil {
		return err
	}
	g.Rooms = rooms
	first := max(0, slices.IndexFunc(g.Rooms, func(r hotel.RoomType) bool { return r.ID == g.Room }))
	if first == 0 {
		g.Room = ""
	}
	rows := 0
	for _, r := range g.Rooms[first:] {
		b := gridBlock{Room: r, Rooms: gridRowOf(g, r.ID, hotel.RatePlan{})}
		for _, p := range plans {
			if slices.Contains(p.RoomTypeIDs, r.ID) {
				b.Plans = append(b.Plans, gridRowOf(g, r.ID, p))
			}
		}
		if rows += 1 + len(b.Plans); rows > most && len(g.Blocks) > 0 {
			g.Next = r.ID
			break
		}
		g.Blocks = append(g.Blocks, b)
	}
	return nil
}

// sold are the room types and rate plans that are in use.
func (v *visit) sold() ([]hotel.RoomType, []hotel.RatePlan, error) {
	rooms, plans, err := v.structure()
	rooms = slices.DeleteFunc(rooms, func(r hotel.RoomType) bool { return r.Status != hotel.Active })
	plans = slices.DeleteFunc(plans, func(p hotel.RatePlan) bool { return p.Status != hotel.Active })
	return rooms, plans, err
}

// structure are all room types and rate plans of the house.
func (v *visit) structure() ([]hotel.RoomType, []hotel.RatePlan, error) {
	rooms, err := v.c.desk.RoomTypes(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return nil, nil, err
	}
	plans, err := v.c.desk.RatePlans(v.r.Context(), v.caller, v.house.ID)
	return rooms, plans, err
}

// gridRowOf is an empty line of a room type, or of a plan of it.
func gridRowOf(g *grid, room string, plan hotel.RatePlan) gridRow {
	row, query := gridRow{ID: room, Plan: plan, Cells: make([]gridCell, len(g.Nights))}, ""
	if plan.ID != "" {
		row.ID, query = lineOf(room, plan.ID), "?plan="+plan.ID
	}
	for i, n := range g.Nights {
		row.Cells[i] = gridCell{Path: "calendar/" + room + "/" + n.String() + query, Class: n.Class, Text: "–"}
	}
	return row
}

// cell is where a night of a room type, or of a plan of it, stands; nil: not on the page.
func (g *grid) cell(room, plan string, night hotel.Date) *gridCell {
	if !g.Span.Contains(night) {
		return nil
	}
	for i := range g.Blocks {
		b := &g.Blocks[i]
		if b.Room.ID != room {
			continue
		}
		if plan == "" {
			return &b.Rooms.Cells[night-g.Span.From]
		}
		for k := range b.Plans {
			if b.Plans[k].Plan.ID == plan {
				return &b.Plans[k].Cells[night-g.Span.From]
			}
		}
	}
	return nil
}

func (v *visit) gridStock(g *grid, cells []hotel.InventoryCell) {
	for _, c := range cells {
		cell := g.cell(c.RoomTypeID, "", c.Date)
		if cell == nil {
			continue
		}
		cell.Text = v.words.number(c.Available)
		if c.Net < 0 {
			cell.Text = "−" + v.words.number(-c.Net)
			cell.mark("over", "", v.words.T("cell.over"))
		}
		switch {
		case c.Closed:
			cell.mark("closed", v.words.T("cell.closed"), v.restriction(restricted{field: hotel.FieldClosed}))
		case c.Available == 0 && c.Net >= 0:
			cell.mark("full", "", "")
		}
	}
}

func (v *visit) gridPrices(g *grid, cells []hotel.RateCell) {
	for _, c := range cells {
		if cell := g.cell(c.RoomTypeID, c.RatePlanID, c.Date); cell != nil && c.Amount != nil {
			cell.Text = v.words.price(*c.Amount)
		}
	}
}

func (v *visit) gridRestrictions(g *grid, cells []hotel.RestrictionCell) {
	for _, c := range cells {
		cell := g.cell(c.RoomTypeID, c.RatePlanID, c.Date)
		if cell == nil {
			continue
		}
		for _, m := range marksOf(c.Closed, c.Lengths) {
			class := ""
			if m.field == hotel.FieldClosed {
				class = "closed"
			}
			cell.mark(class, v.words.T("mark."+string(m.field), m.n), v.restriction(m))
		}
	}
}

// mark notes what there is to know of a night.
func (c *gridCell) mark(class, short, said string) {
	if class != "" {
		c.Class = strings.TrimPrefix(c.Class+" "+class, " ")
	}
	if short != "" {
		c.Marks = append(c.Marks, short)
	}
	if said != "" {
		c.Said += said + ". "
	}
}

// restricted is a field that restricts a night; n is the length of one that has one.
type restricted struct {
	field hotel.Field
	n     int
}

// marksOf are the fields that restrict a night.
func marksOf(closed hotel.Closed, of hotel.LengthLimits) []restricted {
	var marks []restricted
	for _, m := range []struct {
		field hotel.Field
		is    bool
	}{{hotel.FieldClosed, closed.Closed}, {hotel.FieldClosedToArrival, closed.Arrival}, {hotel.FieldClosedToDeparture, closed.Departure}} {
		if m.is {
			marks = append(marks, restricted{m.field, 0})
		}
	}
	for _, m := range []restricted{
		{hotel.FieldMinStayArrival, of.MinStayArrival},
		{hotel.FieldMinStayThrough, of.MinStayThrough},
		{hotel.FieldMaxStayArrival, of.MaxStayArrival},
		{hotel.FieldMaxStayThrough, of.MaxStayThrough},
		{hotel.FieldMinAdvance, of.MinAdvance},
		{hotel.FieldMaxAdvance, of.MaxAdvance},
	} {
		if m.n > 0 && (m.n > 1 || !strings.HasPrefix(string(m.field), "min_stay")) {
			marks = append(marks, m)
		}
	}
	return marks
}

// gridDots finds how each night stands at every channel that shows it, by one look at
// all of them.
func (v *visit) gridDots(g *grid) error {
	if !v.may(auth.ChannelsRead) {
		return nil
	}
	channels, err := v.c.desk.Standings(v.r.Context(), v.caller, hotel.StandingQuery{PropertyID: v.house.ID, RoomTypeIDs: g.shown(), Span: g.Span})
	if err != nil {
		return err
	}
	for _, c := range channels {
		g.Names = append(g.Names, c.Name)
	}
	for i, c := range channels {
		for _, n := range c.Nights {
			if cell := g.cell(n.RoomTypeID, n.RatePlanID, n.Night); cell != nil {
				cell.dot(i, len(channels), n.States)
			}
		}
	}
	said := v.dotWords(g)
	for _, b := range g.Blocks {
		for _, row := range append([]gridRow{b.Rooms}, b.Plans...) {
			for i := range row.Cells {
				row.Cells[i].sayDots(said)
			}
		}
	}
	return nil
}

// dot notes how the night stands at one of the channels. Where that has it under several
// codes, the worst counts.
func (c *gridCell) dot(at, of int, states []hotel.SightState) {
	if c.Dots == nil {
		c.Dots = make([]hotel.Dot, of)
	}
	for _, s := range states {
		c.Dots[at] = c.Dots[at].Or(s.Dot())
	}
}

// dotWords are what dots say of each channel, in its order; an equal one says nothing.
func (v *visit) dotWords(g *grid) []map[hotel.Dot]string {
	said := make([]map[hotel.Dot]string, len(g.Names))
	for i, name := range g.Names {
		said[i] = map[hotel.Dot]string{}
		for _, d := range []hotel.Dot{hotel.DotOnItsWay, hotel.DotDiffers, hotel.DotCannot} {
			said[i][d] = v.words.T("dot.said", name, v.words.T("dot."+string(d)))
		}
	}
	return said
}

// sayDots says in words at which channels a night is not as it should be.
func (c *gridCell) sayDots(said []map[hotel.Dot]string) {
	for i, d := range c.Dots {
		c.mark("", "", said[i][d])
	}
}

// dotMarks are the dots there are, as elements of the page.
var dotMarks = func() map[hotel.Dot]string {
	marks := map[hotel.Dot]string{"": "<i></i>"}
	for _, d := range hotel.Dots {
		marks[d] = `<i class="` + string(d) + `"></i>`
	}
	return marks
}()

// Drawn are the cells of a line as elements, of which a page has more than a thousand: a
// template is too slow for each of them.
func (r gridRow) Drawn() template.HTML {
	var b strings.Builder
	write := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
	}
	text := template.HTMLEscapeString
	for _, c := range r.Cells {
		write(`<td`)
		if c.Class != "" {
			write(` class="`, text(c.Class), `"`)
		}
		write(`><a href="`, text(c.Path), `"><b>`, text(c.Text), `</b>`)
		for _, m := range c.Marks {
			write(`<small aria-hidden="true">`, text(m), `</small>`)
		}
		if c.Dots != nil {
			write(`<span class="dots" aria-hidden="true">`)
			for _, d := range c.Dots {
				write(dotMarks[d])
			}
			write(`</span>`)
		}
		if c.Said != "" {
			write(`<span class="unseen">`, text(c.Said), `</span>`)
		}
		write(`</a></td>`)
	}
	return template.HTML(b.String()) // each text in it is escaped
}
