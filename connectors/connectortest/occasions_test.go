package connectortest

import (
	"strings"
	"testing"

	"ostler.example/hotel"
)

// A far side with a horizon is told about the clock changes and the end of the year that
// lie within it, on whatever day the kit runs.
func TestOccasions(t *testing.T) {
	for name, c := range map[string]struct {
		from  hotel.Date
		limit int
		want  string
	}{
		"no limit":                       {hotel.DateOf(2026, 11, 23), 0, "2028-02-27 2028-03-24 2028-10-24 2028-12-29 2029-02-26"},
		"no limit, within the leap year": {hotel.DateOf(2028, 3, 1), 0, "2032-02-27 2028-03-24 2028-10-24 2028-12-29 2029-02-26"},
		"two years":                      {hotel.DateOf(2026, 11, 23), 730, "2027-02-27 2027-03-24 2027-10-24 2026-12-29 2026-11-24 2027-11-23"},
		"a month":                        {hotel.DateOf(2026, 11, 23), 30, "2026-11-24 2026-12-08"},
		"a month with the year's end":    {hotel.DateOf(2026, 12, 20), 30, "2026-12-29 2026-12-21"},
	} {
		t.Run(name, func(t *testing.T) {
			var said []string
			for _, night := range occasions(c.from, c.limit) {
				said = append(said, night.String())
			}
			if got := strings.Join(said, " "); got != c.want {
				t.Errorf("it tells from %s, want %s", got, c.want)
			}
		})
	}
}
