package hotel

// FieldsBetween lists the fields of a group in which two values, in the form of
// [Offer.Encode], differ.
func FieldsBetween(g Group, a, b int64) []Field {
	x, y := DecodeOffer(g, a, ""), DecodeOffer(g, b, "")
	var out []Field
	for _, f := range []struct {
		field  Field
		differ bool
	}{
		{FieldAvailable, x.Available != y.Available},
		{FieldClosed, x.Closed.Closed != y.Closed.Closed},
		{FieldClosedToArrival, x.Closed.Arrival != y.Closed.Arrival},
		{FieldClosedToDeparture, x.Closed.Departure != y.Closed.Departure},
		{FieldMinStayArrival, x.Lengths.MinStayArrival != y.Lengths.MinStayArrival},
		{FieldMinStayThrough, x.Lengths.MinStayThrough != y.Lengths.MinStayThrough},
		{FieldMaxStayArrival, x.Lengths.MaxStayArrival != y.Lengths.MaxStayArrival},
		{FieldMaxStayThrough, x.Lengths.MaxStayThrough != y.Lengths.MaxStayThrough},
		{FieldMinAdvance, x.Lengths.MinAdvance != y.Lengths.MinAdvance},
		{FieldMaxAdvance, x.Lengths.MaxAdvance != y.Lengths.MaxAdvance},
		{FieldAmount, x.Amount != y.Amount},
	} {
		if f.differ {
			out = append(out, f.field)
		}
	}
	return out
}

// Mix returns what is theirs of a group, but for some of its fields, which are as ours
// has them; all in the form of [Offer.Encode].
func Mix(g Group, ours, theirs int64, fields []Field) int64 {
	from, to := DecodeOffer(g, ours, ""), DecodeOffer(g, theirs, "")
	for _, f := range fields {
		switch f {
		case FieldAvailable:
			to.Available = from.Available
		case FieldClosed:
			to.Closed.Closed = from.Closed.Closed
		case FieldClosedToArrival:
			to.Closed.Arrival = from.Closed.Arrival
		case FieldClosedToDeparture:
			to.Closed.Departure = from.Closed.Departure
		case FieldMinStayArrival:
			to.Lengths.MinStayArrival = from.Lengths.MinStayArrival
		case FieldMinStayThrough:
			to.Lengths.MinStayThrough = from.Lengths.MinStayThrough
		case FieldMaxStayArrival:
			to.Lengths.MaxStayArrival = from.Lengths.MaxStayArrival
		case FieldMaxStayThrough:
			to.Lengths.MaxStayThrough = from.Lengths.MaxStayThrough
		case FieldMinAdvance:
			to.Lengths.MinAdvance = from.Lengths.MinAdvance
		case FieldMaxAdvance:
			to.Lengths.MaxAdvance = from.Lengths.MaxAdvance
		case FieldAmount:
			to.Amount = from.Amount
		}
	}
	return to.Encode(g)
}
