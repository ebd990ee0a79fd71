package api

import "ostler.example/hotel"

type lockBody struct {
	By    string  `json:"by,omitempty" maxLength:"100" doc:"Who wants it, in words."`
	Until *string `json:"until,omitempty" format:"date" doc:"The last day on which it holds; without one until it is taken away."`
}

// lockOf is null for a cell that nobody holds.
func lockOf(l *hotel.Lock) *lockBody {
	if l == nil {
		return nil
	}
	b := &lockBody{By: l.By}
	if l.Until != nil {
		b.Until = new(l.Until.String())
	}
	return b
}

// readLock reads a lock that may be left out or taken away; at is the pointer of
// the member.
func readLock(o optional[lockBody], at string) (hotel.Optional[hotel.Lock], error) {
	l := hotel.Optional[hotel.Lock]{Set: o.Set, Null: o.Null, Value: hotel.Lock{By: o.Value.By}}
	if o.Value.Until == nil {
		return l, nil
	}
	date, err := hotel.ParseDate(*o.Value.Until)
	if err != nil {
		return l, hotel.Invalid(at+"/until", "format", "must be a date, YYYY-MM-DD")
	}
	l.Value.Until = &date
	return l, nil
}
