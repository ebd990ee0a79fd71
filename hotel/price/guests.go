package price

import (
	"slices"

	"ostler.example/hotel"
)

// MaxBands is how many age bands a property has at most.
const MaxBands = 6

// Bands are a property's age bands, from age 0 up, at most [MaxBands].
type Bands []hotel.AgeBand

// Guests are the people in a room, as prices tell them apart.
type Guests struct {
	Adults  int           // children of a band that counts as adult are among them
	ByBand  [MaxBands]int // children and infants, by the index of their band
	Unknown int           // children whose age nobody told
}

// Adults returns guests who are all grown up.
func Adults(n int) Guests { return Guests{Adults: n} }

// Guests sorts a party by age. A negative age is one that nobody told. A child
// older than every band is an adult; so is every child of a property that has no
// band which counts as child.
func (b Bands) Guests(adults int, ages []int) Guests {
	g := Adults(adults)
	for _, age := range ages {
		i := slices.IndexFunc(b, func(band hotel.AgeBand) bool { return band.FromAge <= age && age < band.ToAge })
		switch {
		case age < 0 && b.children():
			g.Unknown++
		case i < 0 || b[i].CountsAs == hotel.Adult:
			g.Adults++
		default:
			g.ByBand[i]++
		}
	}
	return g
}

func (b Bands) children() bool {
	return slices.ContainsFunc(b, func(band hotel.AgeBand) bool { return band.CountsAs == hotel.Child })
}

// Supposed calls price with every way to put the children of unknown age into
// one band that counts as child, and with the guests as they are when all ages
// are known. It stops when price reports false.
func (b Bands) Supposed(g Guests, price func(Guests) bool) {
	if g.Unknown == 0 {
		price(g)
		return
	}
	for i, band := range b {
		if band.CountsAs != hotel.Child {
			continue
		}
		as := g
		as.ByBand[i], as.Unknown = g.ByBand[i]+g.Unknown, 0
		if !price(as) {
			return
		}
	}
}

// Heads counts the guests by what they count as.
func (b Bands) Heads(g Guests) (adults, children, infants int) {
	adults, children = g.Adults, g.Unknown
	for i, band := range b {
		if band.CountsAs == hotel.Infant {
			infants += g.ByBand[i]
			continue
		}
		children += g.ByBand[i]
	}
	return adults, children, infants
}

// index returns the index of the band with the code, -1 when there is none.
func (b Bands) index(code string) int {
	return slices.IndexFunc(b, func(band hotel.AgeBand) bool { return band.Code == code })
}
