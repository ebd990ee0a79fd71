package console

import (
	"strconv"
	"strings"

	"ostler.example/hotel"
)

// The people that a form takes for a room.
const (
	mostAdults   = 20
	mostChildren = 20
	oldestChild  = 17
)

// unknownAge stands for the age of a child that its channel has not told; a form shows it
// as a question mark.
const unknownAge = "?"

// MostAdults is how many adults a form takes.
func (view) MostAdults() int { return mostAdults }

// Ages are those of children, as a form has them.
func (view) Ages(ages []int) string { return agesText(ages) }

func agesText(ages []int) string {
	said := make([]string, len(ages))
	for i, age := range ages {
		if said[i] = strconv.Itoa(age); age < 0 {
			said[i] = unknownAge
		}
	}
	return strings.Join(said, ", ")
}

// party are the adults of a form, and the ages of its children. What a channel has booked is
// as it is, and goes back unlooked at where nobody has touched it.
func (v *visit) party(was hotel.Reservation) (adults int, ages []int, err error) {
	adults, err = strconv.Atoi(v.r.FormValue("adults"))
	if err != nil || adults < 1 || adults > mostAdults && adults != was.Adults {
		return 0, nil, hotel.Invalid("/adults", "range", "is a number from 1 to %d", mostAdults)
	}
	if v.r.FormValue("children") == agesText(was.ChildrenAges) {
		return adults, was.ChildrenAges, nil
	}
	parts := strings.FieldsFunc(v.r.FormValue("children"), func(r rune) bool { return strings.ContainsRune(" ,;", r) })
	for _, text := range parts {
		age, err := strconv.Atoi(text)
		if text == unknownAge {
			age, err = -1, nil
		}
		if err != nil || age > oldestChild || age < 0 && text != unknownAge {
			return 0, nil, hotel.Invalid("/children", "range", "are ages from 0 to %d, such as 4, 9", oldestChild)
		}
		ages = append(ages, age)
	}
	if len(ages) > mostChildren {
		return 0, nil, hotel.Invalid("/children", "max", "are at most %d", mostChildren)
	}
	return adults, ages, nil
}
