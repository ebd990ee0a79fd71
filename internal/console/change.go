package console

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// alteration is what somebody wants to change of nights.
type alteration struct {
	Lines        []string // that were drawn over, as the rows of the calendar are called; nil: rooms and plans say
	Rooms, Plans []string // ids
	Dates        hotel.Dates
	What         alterable
	Value        string
}

// alterable is something that can be changed, and how.
type alterable struct {
	Name  string
	needs auth.Scope
	flag  *bool // what it makes of something that is or is not; nil: it takes a value, or takes back what was said
	field hotel.Field
}

// Price reports whether it is the price that changes.
func (a alterable) Price() bool { return a.field == hotel.FieldAmount }

var yes, no = true, false

// The things that can be changed of rooms, which are no field of an offer.
const (
	fieldOutOfOrder hotel.Field = "out_of_order"
	fieldSellLimit  hotel.Field = "sell_limit"
)

// alterables are those that there are.
var alterables = []alterable{
	{"price_set", auth.RatesWrite, nil, hotel.FieldAmount},
	{"price_plus", auth.RatesWrite, nil, hotel.FieldAmount},
	{"price_minus", auth.RatesWrite, nil, hotel.FieldAmount},
	{"price_percent", auth.RatesWrite, nil, hotel.FieldAmount},
	{"min_stay", auth.RatesWrite, nil, hotel.FieldMinStayArrival},
	{"min_stay_through", auth.RatesWrite, nil, hotel.FieldMinStayThrough},
	{"max_stay", auth.RatesWrite, nil, hotel.FieldMaxStayArrival},
	{"max_stay_through", auth.RatesWrite, nil, hotel.FieldMaxStayThrough},
	{"min_advance", auth.RatesWrite, nil, hotel.FieldMinAdvance},
	{"max_advance", auth.RatesWrite, nil, hotel.FieldMaxAdvance},
	{"close", auth.RatesWrite, &yes, hotel.FieldClosed},
	{"open", auth.RatesWrite, &no, hotel.FieldClosed},
	{"inherit_closed", auth.RatesWrite, nil, hotel.FieldClosed},
	{"close_arrival", auth.RatesWrite, &yes, hotel.FieldClosedToArrival},
	{"open_arrival", auth.RatesWrite, &no, hotel.FieldClosedToArrival},
	{"inherit_arrival", auth.RatesWrite, nil, hotel.FieldClosedToArrival},
	{"close_departure", auth.RatesWrite, &yes, hotel.FieldClosedToDeparture},
	{"open_departure", auth.RatesWrite, &no, hotel.FieldClosedToDeparture},
	{"inherit_departure", auth.RatesWrite, nil, hotel.FieldClosedToDeparture},
	{"out_of_order", auth.InventoryWrite, nil, fieldOutOfOrder},
	{"sell_limit", auth.InventoryWrite, nil, fieldSellLimit},
}

// mostAltered is how many nights from the first to the last a form takes.
const mostAltered = 400

// alterForm is the form in which somebody says what is to change.
type alterForm struct {
	alteration
	words    *words // of whoever fills it in
	AllRooms []hotel.RoomType
	AllPlans []hotel.RatePlan
	Can      []alterable
	Weekdays [7]hotel.Date // one of each, for its name
	Problem  string        // why it cannot be done
	Faults   []fault       // likewise, line by line
}

// fault is what is wrong with a line.
type fault struct {
	draftLine
	Detail string
}

// MayAlter reports whether the user may change anything of nights.
func (v view) MayAlter() bool {
	return slices.ContainsFunc(alterables, func(a alterable) bool { return v.may(a.needs) })
}

// Has reports whether an id is among those chosen.
func (alterForm) Has(ids []string, id string) bool { return slices.Contains(ids, id) }

// monday is the first day of the week, as a date that has its name.
const monday = hotel.Date(4) // 5 January 1970

// alterForm is an empty form, with all that there is to choose.
func (v *visit) alterForm() (f alterForm, err error) {
	f.words = v.words
	for _, a := range alterables {
		if v.may(a.needs) {
			f.Can = append(f.Can, a)
		}
	}
	if len(f.Can) == 0 {
		return f, hotel.Refuse("insufficient_scope", "your role may not change stock or prices")
	}
	for i := range f.Weekdays {
		f.Weekdays[i] = monday + hotel.Date(i)
	}
	f.AllRooms, f.AllPlans, err = v.sold()
	return f, err
}

// changeNights asks what is to change of the nights that the address names.
func (c *Console) changeNights(v *visit) error {
	f, err := v.alterForm()
	if err != nil {
		return err
	}
	q := v.r.URL.Query()
	f.Rooms, f.Plans, f.Lines = q["room"], q["plan"], f.known(q["line"])
	today := c.desk.Today(v.house)
	f.Dates.From, f.Dates.To = today, today
	for _, d := range []struct {
		name string
		into *hotel.Date
	}{{"from", &f.Dates.From}, {"to", &f.Dates.To}} {
		if asked, err := hotel.ParseDate(q.Get(d.name)); err == nil {
			*d.into = max(asked, today)
		}
	}
	return v.show("change", http.StatusOK, f)
}

// lineOf is what the calendar calls the row of a room type, or with a plan of its prices.
func lineOf(room, plan string) string {
	if plan == "" {
		return room
	}
	return room + "." + plan
}

// LineName is what a row is called on the form.
func (f alterForm) LineName(line string) string {
	room, plan, _ := strings.Cut(line, ".")
	name := f.names()
	if plan == "" {
		return name[room]
	}
	return name[room] + " · " + name[plan]
}

// known are those of the lines that there are.
func (f *alterForm) known(lines []string) (known []string) {
	name := f.names()
	for _, line := range lines {
		room, plan, priced := strings.Cut(line, ".")
		if name[room] != "" && (!priced || name[plan] != "") {
			known = append(known, line)
		}
	}
	return known
}

// is says whether the form is about a line.
func (a alteration) is(room, plan string) bool {
	if a.Lines != nil {
		return slices.Contains(a.Lines, lineOf(room, plan))
	}
	return slices.Contains(a.Rooms, room) && (plan == "" || slices.Contains(a.Plans, plan))
}

// read reads the form.
func (f *alterForm) read(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return hotel.Refuse("malformed", "the form cannot be read")
	}
	f.Rooms, f.Plans, f.Value = slices.Clone(r.PostForm["room"]), slices.Clone(r.PostForm["plan"]), strings.TrimSpace(r.PostForm.Get("value"))
	f.Lines = f.known(r.PostForm["line"])
	for _, d := range []struct {
		name string
		into *hotel.Date
	}{{"from", &f.Dates.From}, {"to", &f.Dates.To}} {
		var err error
		if *d.into, err = hotel.ParseDate(r.PostForm.Get(d.name)); err != nil {
			return hotel.Invalid("/"+d.name, "date", "is not a date")
		}
	}
	f.Rooms = slices.DeleteFunc(f.Rooms, func(id string) bool {
		return !slices.ContainsFunc(f.AllRooms, func(r hotel.RoomType) bool { return r.ID == id })
	})
	f.Plans = slices.DeleteFunc(f.Plans, func(id string) bool {
		return !slices.ContainsFunc(f.AllPlans, func(p hotel.RatePlan) bool { return p.ID == id })
	})
	for _, day := range r.PostForm["weekday"] {
		if n, err := strconv.Atoi(day); err == nil && n >= 0 && n < len(f.Dates.Weekdays) {
			f.Dates.Weekdays[n] = true
		}
	}
	at := slices.IndexFunc(f.Can, func(a alterable) bool { return a.Name == r.PostForm.Get("what") })
	switch {
	case at < 0:
		return hotel.Invalid("/what", "enum", "say what is to change")
	case len(f.Lines) == 0 && len(f.Rooms) == 0:
		return hotel.Invalid("/room", "required", "choose a room type")
	case len(f.Lines) == 0 && f.Can[at].needs == auth.RatesWrite && len(f.Plans) == 0:
		return hotel.Invalid("/plan", "required", "choose a rate plan")
	case f.Dates.To < f.Dates.From:
		return hotel.Invalid("/to", "date_order", "must not be before the first night")
	case f.Dates.Days() > mostAltered:
		return hotel.Invalid("/to", "max", "at most %d nights can be changed at once", mostAltered)
	}
	f.What = f.Can[at]
	return nil
}

// number is the value of a form that takes a whole number.
func (a alteration) number() (int, error) {
	n, err := strconv.Atoi(a.Value)
	if err != nil || n < 0 {
		return 0, hotel.Invalid("/value", "range", "is a whole number from 0 on")
	}
	return n, nil
}

// taken is the value of a form that takes a whole number, or none: that takes back what was
// said.
func (a alteration) taken() (n hotel.Optional[int], err error) {
	n = hotel.Optional[int]{Set: true, Null: a.Value == ""}
	if !n.Null {
		n.Value, err = a.number()
	}
	return n, err
}

// decimal is the value of a form that takes an amount or a percentage, whichever ways of the
// language it was typed with.
func (f *alterForm) decimal() string { return f.words.plain(f.Value) }
