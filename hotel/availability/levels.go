package availability

import (
	"strconv"

	"ostler.example/hotel"
)

// Levels is what each level says about one night of one product. A plan's level
// is the plan on that night, whatever the room type; PlanDefault is what the
// plan says where no night does.
type Levels struct{ Property, RoomType, Plan, Product, PlanDefault hotel.Restriction }

// House merges the levels. A closing at any level of the night closes; the default of
// the plan has a say only where no level of the night says open or closed. Of the
// lengths and advance days the nearest level that has a value counts, in the order
// product, plan, room type, property, default of the plan; a value of 0 there means no
// limit. The trace lists for each field every level that has a say, the farthest
// first, each with what holds after it.
func (l Levels) House(tr *hotel.Trace) (hotel.Closed, hotel.LengthLimits) {
	var c hotel.Closed
	var n hotel.LengthLimits
	l.PlanDefault = l.unsaid()
	fromFarthest := [...]struct {
		name string
		says *hotel.Restriction
	}{
		{"plan_default", &l.PlanDefault},
		{"property", &l.Property},
		{"room_type", &l.RoomType},
		{"plan", &l.Plan},
		{"product", &l.Product},
	}
	for _, level := range fromFarthest {
		r := level.says
		closes(&c.Closed, r.Closed, hotel.FieldClosed, level.name, tr)
		closes(&c.Arrival, r.ClosedToArrival, hotel.FieldClosedToArrival, level.name, tr)
		closes(&c.Departure, r.ClosedToDeparture, hotel.FieldClosedToDeparture, level.name, tr)
		limits(&n.MinStayArrival, r.MinStayArrival, hotel.FieldMinStayArrival, level.name, tr)
		limits(&n.MinStayThrough, r.MinStayThrough, hotel.FieldMinStayThrough, level.name, tr)
		limits(&n.MaxStayArrival, r.MaxStayArrival, hotel.FieldMaxStayArrival, level.name, tr)
		limits(&n.MaxStayThrough, r.MaxStayThrough, hotel.FieldMaxStayThrough, level.name, tr)
		limits(&n.MinAdvance, r.MinAdvance, hotel.FieldMinAdvance, level.name, tr)
		limits(&n.MaxAdvance, r.MaxAdvance, hotel.FieldMaxAdvance, level.name, tr)
	}
	return c, n
}

// unsaid is the default of the plan without the closings of which a level of the night
// speaks. Few plans close by default, and this is asked of every night of every product.
func (l *Levels) unsaid() hotel.Restriction {
	d := l.PlanDefault
	if d.Closed == nil && d.ClosedToArrival == nil && d.ClosedToDeparture == nil {
		return d
	}
	for _, r := range [...]*hotel.Restriction{&l.Property, &l.RoomType, &l.Plan, &l.Product} {
		for _, f := range [...]struct{ says, of **bool }{
			{&r.Closed, &d.Closed}, {&r.ClosedToArrival, &d.ClosedToArrival}, {&r.ClosedToDeparture, &d.ClosedToDeparture},
		} {
			if *f.says != nil {
				*f.of = nil
			}
		}
	}
	return d
}

// closes lets one level close; it cannot reopen.
func closes(flag, says *bool, f hotel.Field, level string, tr *hotel.Trace) {
	if says == nil {
		return
	}
	*flag = *flag || *says
	tr.AddText(string(f), strconv.FormatBool(*flag), level)
}

// limits lets one level replace what those farther away say.
func limits(limit, says *int, f hotel.Field, level string, tr *hotel.Trace) {
	if says == nil {
		return
	}
	*limit = *says
	tr.AddText(string(f), strconv.Itoa(*limit), level)
}

// Stricter returns limits that let a stay through only when both a and b do.
func Stricter(a, b hotel.LengthLimits) hotel.LengthLimits {
	return hotel.LengthLimits{
		MinStayArrival: max(a.MinStayArrival, b.MinStayArrival),
		MinStayThrough: max(a.MinStayThrough, b.MinStayThrough),
		MaxStayArrival: stricterMax(a.MaxStayArrival, b.MaxStayArrival),
		MaxStayThrough: stricterMax(a.MaxStayThrough, b.MaxStayThrough),
		MinAdvance:     max(a.MinAdvance, b.MinAdvance),
		MaxAdvance:     stricterMax(a.MaxAdvance, b.MaxAdvance),
	}
}

// stricterMax returns the smaller of two maxima, of which 0 is none.
func stricterMax(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
