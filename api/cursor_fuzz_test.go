package api

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzCursor sends whatever may come as a cursor of lists: one that the server has not
// made for this very list is refused, and no list fails of it.
func FuzzCursor(f *testing.F) {
	h := newHouse(f)
	f.Add("")
	f.Add("AAAA")
	f.Add("\x00")
	f.Add("=&?#%zz")
	f.Add(strings.Repeat("A", 4000))
	lists := []string{
		"/v1/reservations?limit=1", "/v1/properties?limit=1", "/v1/rates?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-31&limit=2",
	}
	var whole []string
	h.book("2026-12-01", "2026-12-02")
	h.book("2026-12-01", "2026-12-02")
	for _, list := range lists {
		cursor, _ := h.call("GET", list, "").want(f, 200, "").json(f)["next_cursor"].(string)
		if cursor == "" {
			f.Fatalf("%s has one page", list)
		}
		whole = append(whole, cursor)
		f.Add(cursor)
		f.Add(cursor[:len(cursor)/2])
		f.Add(cursor + "A")
		f.Add(cursor[:8] + "\n" + cursor[8:])
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		h.t = t
		for i, list := range lists {
			r := h.call("GET", list+"&cursor="+url.QueryEscape(cursor), "")
			switch {
			case cursor == "" || cursor == whole[i]:
				r.want(t, 200, "")
			case r.StatusCode == 414:
			case r.code() != "cursor_invalid" && r.code() != "cursor_mismatch" && r.code() != "invalid_parameter":
				t.Errorf("%s with %q: %d %s", list, cursor, r.StatusCode, r.body)
			}
		}
	})
}
