package console

import "ostler.example/hotel"

// ruleOf is where a restriction stands: in what is typed for a night, and in an entry that
// changes it.
type ruleOf[V any] struct {
	own func(*hotel.Restriction) *V
	to  func(*hotel.RestrictionEntry) *hotel.Optional[V]
}

// closings are the restrictions that are or are not.
var closings = map[hotel.Field]ruleOf[bool]{
	hotel.FieldClosed: {
		func(r *hotel.Restriction) *bool { return r.Closed },
		func(e *hotel.RestrictionEntry) *hotel.Optional[bool] { return &e.Closed },
	},
	hotel.FieldClosedToArrival: {
		func(r *hotel.Restriction) *bool { return r.ClosedToArrival },
		func(e *hotel.RestrictionEntry) *hotel.Optional[bool] { return &e.ClosedToArrival },
	},
	hotel.FieldClosedToDeparture: {
		func(r *hotel.Restriction) *bool { return r.ClosedToDeparture },
		func(e *hotel.RestrictionEntry) *hotel.Optional[bool] { return &e.ClosedToDeparture },
	},
}

// lengths are the restrictions that are numbers.
var lengths = map[hotel.Field]ruleOf[int]{
	hotel.FieldMinStayArrival: {
		func(r *hotel.Restriction) *int { return r.MinStayArrival },
		func(e *hotel.RestrictionEntry) *hotel.Optional[int] { return &e.MinStayArrival },
	},
	hotel.FieldMinStayThrough: {
		func(r *hotel.Restriction) *int { return r.MinStayThrough },
		func(e *hotel.RestrictionEntry) *hotel.Optional[int] { return &e.MinStayThrough },
	},
	hotel.FieldMaxStayArrival: {
		func(r *hotel.Restriction) *int { return r.MaxStayArrival },
		func(e *hotel.RestrictionEntry) *hotel.Optional[int] { return &e.MaxStayArrival },
	},
	hotel.FieldMaxStayThrough: {
		func(r *hotel.Restriction) *int { return r.MaxStayThrough },
		func(e *hotel.RestrictionEntry) *hotel.Optional[int] { return &e.MaxStayThrough },
	},
	hotel.FieldMinAdvance: {
		func(r *hotel.Restriction) *int { return r.MinAdvance },
		func(e *hotel.RestrictionEntry) *hotel.Optional[int] { return &e.MinAdvance },
	},
	hotel.FieldMaxAdvance: {
		func(r *hotel.Restriction) *int { return r.MaxAdvance },
		func(e *hotel.RestrictionEntry) *hotel.Optional[int] { return &e.MaxAdvance },
	},
}

// restrict has an entry say what the form says.
func (f *alterForm) restrict(e *hotel.RestrictionEntry) (err error) {
	if of, is := closings[f.What.field]; is {
		to := hotel.Optional[bool]{Set: true, Null: f.What.flag == nil}
		if !to.Null {
			to.Value = *f.What.flag
		}
		*of.to(e) = to
		return nil
	}
	*lengths[f.What.field].to(e), err = f.taken()
	return err
}

func (v *visit) ruleCells(f *alterForm, mine func(room, plan string, night hotel.Date) bool) (cells []altered, err error) {
	closing, is := closings[f.What.field]
	after := v.flag(f.What.flag)
	if !is {
		n, err := f.taken()
		if err != nil {
			return nil, err
		}
		if !n.Null {
			after = v.words.number(n.Value)
		}
	}
	list, err := v.c.desk.Restrictions(v.r.Context(), v.caller, hotel.CellQuery{PropertyID: v.house.ID, Span: f.Dates.Span})
	for _, c := range list {
		if !mine(c.RoomTypeID, c.RatePlanID, c.Date) {
			continue
		}
		a := altered{room: c.RoomTypeID, plan: c.RatePlanID, night: c.Date, version: c.Version, after: after}
		if is {
			a.before = v.flag(closing.own(&c.Own))
		} else {
			a.before = v.numberOrNone(lengths[f.What.field].own(&c.Own))
		}
		cells = append(cells, a)
	}
	return cells, err
}
