package console

import (
	"strings"
	"testing"

	"ostler.example/hotel"
)

// What was changed is found again from the calendar, with who did it, however long ago.
func TestChangesAreListed(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "revenue")
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 5}, 10000)
	made, _, _ := strings.Cut(b.post(s.path("calendar/apply"), s.preview(t, b, s.altering("price_set", "120", today, today+1))).path, "?")
	for range pageOfUpdates - 1 {
		s.house.Price(t, s.l, 0, hotel.Span{From: today + 5, To: today + 5}, 20000)
	}
	shows(t, b.get(s.path("calendar")).body, s.path("calendar/updates"))
	page := b.get(s.path("calendar/updates")).body
	shows(t, page, made, "prices · 2 nights", "<small>revenue</small>", "<small>the server&#39;s operator</small>")
	next, more := older(page)
	if !more {
		t.Fatal("those of the founding are left out")
	}
	if last := b.get(next).body; strings.Contains(last, made) || !strings.Contains(last, s.path("calendar/updates/ari_")) {
		t.Errorf("the last page is\n%s", last)
	}
	shows(t, b.get(made).body, s.path("calendar/updates")+`">`)
}

// older is where a list goes on.
func older(page string) (next string, more bool) {
	_, next, more = strings.Cut(page, `<p class="more"><a href="`)
	next, _, _ = strings.Cut(strings.ReplaceAll(next, "&amp;", "&"), `"`)
	return next, more
}
