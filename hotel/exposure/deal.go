package exposure

import (
	"cmp"
	"slices"
)

// Seller is one of those who share the rooms of a guarded pool.
type Seller struct {
	Weight   int // how much it sells, in relation to the others and to the desk
	Priority int // of two that are alike the lower number comes first
}

// Deal shares rooms among the sellers by weight and returns each one's part, in
// their order; what nobody gets is left for direct sales, whose weight is direct.
// Parts are whole rooms by the largest remainder, and every seller has at least
// one as long as there are enough: the room comes from whoever has most, the desk
// included. Weights below 1 count as 1, a direct weight below 0 as 0.
func Deal(rooms, direct int, sellers []Seller) []int {
	parts := make([]int, len(sellers)+1) // the last is the desk's
	if rooms <= 0 {
		return parts[:len(sellers)]
	}
	desk := len(sellers)
	weight := func(i int) int {
		if i == desk {
			return max(0, direct)
		}
		return max(1, sellers[i].Weight)
	}
	total := 0
	order := make([]int, len(parts)) // who comes first among those that are alike
	for i := range parts {
		total += weight(i)
		order[i] = i
	}
	if total == 0 {
		return parts[:desk]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case a == desk:
			return 1
		case b == desk:
			return -1
		}
		return cmp.Compare(sellers[a].Priority, sellers[b].Priority)
	})
	left := rooms
	for i := range parts {
		parts[i] = rooms * weight(i) / total
		left -= parts[i]
	}
	byRemainder := slices.Clone(order)
	slices.SortStableFunc(byRemainder, func(a, b int) int {
		return cmp.Compare(rooms*weight(b)%total, rooms*weight(a)%total)
	})
	for _, i := range byRemainder[:left] {
		parts[i]++
	}
	for _, i := range order {
		if i == desk || parts[i] > 0 {
			continue
		}
		// Of several that have most the desk gives, else the one that sells least,
		// so that nobody ends with less than somebody of a smaller weight.
		from := desk
		for _, j := range order {
			if parts[j] > parts[from] || parts[j] == parts[from] && from != desk && weight(j) < weight(from) {
				from = j
			}
		}
		if parts[from] < 2 && from != desk || parts[from] == 0 {
			break // there are not enough for everybody
		}
		parts[from]--
		parts[i]++
	}
	return parts[:desk]
}
