package hotel

// Cell names one field group of one night at one channel, in the ledger's
// words. Line is the number of the counter for Availability and the number of
// the mapping for the other groups.
type Cell struct {
	Line      int64
	Group     Group
	Occupancy int // Price only; 0 is the price for the base occupancy
	Night     Date
}

// Run is a value that holds on every night of an inclusive span.
type Run[V any] struct {
	Span
	Value V `json:"value"`
}

// Runs groups equal values of neighbouring nights. nights must ascend; value
// gives the value of each by its index.
func Runs[V comparable](nights []Date, value func(i int) V) []Run[V] {
	var runs []Run[V]
	for i, d := range nights {
		v := value(i)
		if n := len(runs) - 1; n >= 0 && runs[n].To+1 == d && runs[n].Value == v {
			runs[n].To = d
			continue
		}
		runs = append(runs, Run[V]{Span{d, d}, v})
	}
	return runs
}
