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
