package hotel

import (
	"cmp"
	"slices"
)

// StatsOf adds up what a guest has booked.
func StatsOf(booked []Reservation) GuestStats {
	var s GuestStats
	for i := range booked {
		r := &booked[i]
		switch r.Status { //nolint:exhaustive // the others say nothing of a stay
		case Cancelled:
			s.Cancellations++
		case NoShow:
			s.NoShows++
		case CheckedIn, CheckedOut:
			s.stay(r)
		}
	}
	slices.SortFunc(s.Revenue, func(a, b Money) int { return cmp.Compare(a.Currency, b.Currency) })
	return s
}

func (s *GuestStats) stay(r *Reservation) {
	s.Stays++
	s.Nights += r.Stay.Nights()
	if s.FirstStay == nil || r.Stay.CheckIn < *s.FirstStay {
		s.FirstStay = new(r.Stay.CheckIn)
	}
	if s.LastStay == nil || r.Stay.CheckIn > *s.LastStay {
		s.LastStay = new(r.Stay.CheckIn)
	}
	if r.Totals == nil {
		return
	}
	total := r.Totals.Gross
	at := slices.IndexFunc(s.Revenue, func(m Money) bool { return m.Currency == total.Currency })
	if at < 0 {
		s.Revenue = append(s.Revenue, total)
		return
	}
	s.Revenue[at].Minor += total.Minor
}
