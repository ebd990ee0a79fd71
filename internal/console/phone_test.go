package console

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ostler.example/hotel"
)

func TestPhonesAreTakenAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"+43 1 234567":          "+431234567",
		"+43 (0)1/234-567":      "+431234567",
		"+43(0)1 234567":        "+431234567",
		"+49 (30) 12.34.56":     "+4930123456",
		" +39 06\u00a0123–4567": "+39061234567", // the 0 belongs to an Italian number
		"+1 [212] 555-0100":     "+12125550100",
		"":                      "",
	} {
		if got, err := phone(written); err != nil || got != want {
			t.Errorf("%q is %q, %v, want %q", written, got, err, want)
		}
	}
	for _, written := range []string{"01 234567", "0043 1 234567", "(0)1/234567", "none"} {
		if got, err := phone(written); err == nil || got != written {
			t.Errorf("%q is taken as %q", written, got)
		}
	}
}

// Both forms that ask for a number take it so, and say in the language of the page, under the
// field's own name, what is missing.
func TestFormsTakePhones(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "front_desk")
	b.post("/language", url.Values{"language": {"de"}, "back": {"/"}})
	guest := s.path("guests/" + s.book(t, "Lovelace", 0).GuestID)
	form := formOf(t, b.get(guest).body, guest+"/change")
	form.Set("phone", "+43 (0)1/234-567")
	if r := b.post(guest+"/change", form); r.status != http.StatusOK || !strings.Contains(r.body, "<dd>+431234567</dd>") && !strings.Contains(r.body, "<dd>&#43;431234567</dd>") {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	form = formOf(t, b.get(guest).body, guest+"/change")
	form.Set("phone", "01/234567")
	refused := b.post(guest+"/change", form)
	shows(t, html.UnescapeString(refused.body), "Telefon: beginnt mit + und der Landesvorwahl", `value="01/234567"`, `aria-invalid="true"`)
	if refused.status != http.StatusUnprocessableEntity || strings.Contains(refused.body, "phone beginnt") {
		t.Errorf("%d\n%s", refused.status, refused.body)
	}

	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 3}, 10000)
	ask := url.Values{"check_in": {today.String()}, "check_out": {(today + 2).String()}, "adults": {"2"}}
	ask.Set("key", field(t, b.get(s.path("reservations/new?"+ask.Encode())).body, "key"))
	ask.Set("offer", s.house.Rooms[0].ID+" "+s.house.Plans[0].ID+" 200.00")
	ask.Set("last_name", "Byron")
	ask.Set("phone", "030 123456")
	if r := b.post(s.path("reservations/new"), ask); r.status != http.StatusUnprocessableEntity || !strings.Contains(html.UnescapeString(r.body), "Telefon: beginnt mit + und der Landesvorwahl") {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	ask.Set("phone", "+49 (0)30 / 12 34-56")
	if r := b.post(s.path("reservations/new"), ask); r.status != http.StatusOK || !strings.Contains(r.body, "<dd>&#43;4930123456</dd>") {
		t.Errorf("%d\n%s", r.status, r.body)
	}
}
