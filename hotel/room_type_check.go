package hotel

import (
	"slices"
	"strings"
	"unicode"
)

// Complete fills in what a pool need not say.
func (p *Pool) Complete() {
	fill(&p.Name, p.Code)
	fill(&p.RoomsPerUnit, 1)
	fill(&p.Protection.Kind, Shared)
	fill(&p.Status, Active)
}

// Check refuses a pool that cannot be, telling everything that is wrong with it.
func (p *Pool) Check() error {
	f := newCheckup()
	f.matches("code", p.Code, codeForm, Say(codeWords))
	f.text("name", p.Name, maxName)
	f.within("total_units", p.TotalUnits, 0, MaxUnits)
	f.within("rooms_per_unit", p.RoomsPerUnit, 1, 99)
	oneOf(f.in("protection"), "kind", p.Protection.Kind, Shared, Guarded, GuardedLast)
	if p.Protection.Kind == GuardedLast {
		f.in("protection").within("n", p.Protection.N, 1, MaxUnits)
	} else {
		f.in("protection").within("n", p.Protection.N, 0, 0)
	}
	f.optional("direct_weight", p.DirectWeight, 0, MaxWeight)
	oneOf(f, "status", p.Status, Active, Archived)
	return f.refusal()
}

// MaxWeight is the largest weight of a seller.
const MaxWeight = 1_000_000

// The limits of what a room type draws on, and of whom it takes.
const (
	maxDraws        = 8
	maxAlternatives = 4
)

// Complete fills in what a room type need not say.
func (r *RoomType) Complete() {
	fill(&r.Name, titled(r.Code))
	for i := range r.Consumes {
		fill(&r.Consumes[i].Units, 1)
	}
	fill(&r.Status, Active)
}

// titled writes a code as a name: the first letter of each word is a capital.
func titled(code string) string {
	start := true
	return strings.Map(func(c rune) rune {
		first := start
		start = c == ' '
		if first {
			return unicode.ToUpper(c)
		}
		return c
	}, code)
}

// Check refuses a room type that cannot be, telling everything that is wrong
// with it. It may draw on the given pools, the active ones of its property.
func (r *RoomType) Check(pools []Pool) error {
	f := newCheckup()
	f.matches("code", r.Code, roomCodeForm, Say("1 to 40 small letters, digits, spaces, hyphens and underscores, with a letter or digit in front"))
	f.name("name", r.Name, maxName)
	f.text("description", r.Description, maxDescription)
	checkDraws(f, r.Consumes, pools)
	f.within("total_units", r.TotalUnits, 0, MaxUnits*maxAlternatives)
	f.optional("rooms", r.Rooms, 0, MaxUnits)
	f.within("base_occupancy", r.BaseOccupancy, 1, MaxOccupied)
	f.within("min_occupancy", r.MinOccupancy, 0, max(r.BaseOccupancy, 1))
	f.within("max_occupancy", r.MaxOccupancy, max(r.BaseOccupancy, 1), MaxOccupied)
	f.within("standard_occupancy", r.StandardOccupancy, 0, max(r.MaxOccupancy, 0))
	f.within("max_adults", r.MaxAdults, 1, MaxOccupied)
	f.within("max_children", r.MaxChildren, 0, MaxOccupied)
	f.optional("max_infants", r.MaxInfants, 0, MaxOccupied)
	f.words("bed_types", r.BedTypes)
	f.words("amenities", r.Amenities)
	if r.Mode != "" {
		oneOf(f, "availability_mode", r.Mode, DerivedMode, GivenMode)
	}
	f.metadata(r.Metadata)
	oneOf(f, "status", r.Status, Active, Archived)
	return f.refusal()
}

// checkDraws refuses draws that cannot be. A pool stands once in all of them.
func checkDraws(f checkup, draws []Draw, pools []Pool) {
	f.count("consumes", len(draws), 1, maxDraws)
	seen := map[string]bool{}
	for i, d := range draws {
		at := f.in("consumes", i)
		at.count("any_of", len(d.AnyOf), 1, maxAlternatives)
		at.within("units", d.Units, 1, MaxUnits)
		for j, id := range d.AnyOf {
			in := f.in("consumes", i).in("any_of", j)
			if !slices.ContainsFunc(pools, func(p Pool) bool { return p.ID == id }) {
				in.add("", "unknown_pool", "the property has no active pool of that id")
			}
			in.once(seen, "", id)
		}
	}
}

// words looks at a list of short texts.
func (f checkup) words(member string, words []string) {
	f.count(member, len(words), 0, 200)
	for i, w := range words {
		f.in(member, i).name("", w, 100)
	}
}
