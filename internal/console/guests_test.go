package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// meet makes a profile.
func (s *site) meet(t *testing.T, g hotel.Guest) hotel.GuestProfile {
	t.Helper()
	p, _, err := s.l.CreateGuest(t.Context(), by, hotel.Once{}, hotel.GuestProfile{PropertyID: s.house.Property.ID, Guest: g, Status: hotel.GuestActive})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shownTo tells by which operations a person was shown.
func (s *site) shownTo(t *testing.T, id string) string {
	t.Helper()
	list, err := s.l.PersonalAccesses(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range list {
		names = append(names, a.Operation)
	}
	return strings.Join(names, " ")
}

func TestGuestsAreFoundAndChanged(t *testing.T) {
	s := newSite(t)
	ada := s.meet(t, hotel.Guest{FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.com", Phone: "+4930111"})
	s.meet(t, hotel.Guest{FirstName: "Grace", LastName: "Hopper"})
	b := s.as(t, "front_desk")
	for search, want := range map[string]bool{"": true, "love": true, "ADA@example.com": true, "+49 30 111": true, "Byron": false, "other@example.com": false} {
		if got := strings.Contains(b.get(s.path("guests?search="+url.QueryEscape(search))).body, "Ada Lovelace"); got != want {
			t.Errorf("%q finds Ada: %v", search, got)
		}
	}
	page := b.get(s.path("guests/" + ada.ID)).body
	shows(t, page, "ada@example.com", "Nothing is noted.", "Nothing was booked.")
	form := url.Values{
		"revision": {field(t, page, "revision")}, "first_name": {"Ada"}, "last_name": {"Lovelace"}, "email": {"ada@example.com"}, "phone": {"+4930111"},
		"city": {" London "}, "vip": {"true"}, "notes": {"likes Byron\r\n\r\nreads late"}, "room_floor": {"high"},
	}
	if r := b.post(s.path("guests/"+ada.ID+"/change"), form); r.status != http.StatusOK || !strings.Contains(r.path, "done=guest") {
		t.Fatalf("%d %s", r.status, r.body)
	}
	page = b.get(s.path("guests/" + ada.ID)).body
	shows(t, page, "<dd>London</dd>", "likes Byron", "reads late", "noted by the house", "VIP", `name="room_floor" value="high"`)
	form.Set("city", "Paris")
	late := b.post(s.path("guests/"+ada.ID+"/change"), form)
	if late.status != http.StatusConflict || field(t, late.body, "revision") != field(t, page, "revision") {
		t.Errorf("written over another: %d", late.status)
	}
	shows(t, late.body, catalogue["en"]["form.changed"], `value="Paris"`, catalogue["en"]["guest.city"]+": now: London")
	form.Set("revision", field(t, page, "revision"))
	form.Set("email", "nowhere")
	form.Set("city", "Ockham")
	r := b.post(s.path("guests/"+ada.ID+"/change"), form)
	if r.status != http.StatusUnprocessableEntity || field(t, r.body, "revision") != form.Get("revision") {
		t.Errorf("%d", r.status)
	}
	shows(t, r.body, `value="nowhere" autocomplete="off" aria-invalid="true" aria-describedby="wrong-email"`, `id="wrong-email"`, `value="Ockham"`, "<dd>London</dd>", "likes Byron")
	if got := s.shownTo(t, ada.ID); got != "console.guests console.guest" {
		t.Errorf("shown by %s", got)
	}
}

// What was known keeps where it is known from, and what is taken out goes.
func TestPreferencesKeepTheirSources(t *testing.T) {
	before := []hotel.Preference{{Value: "high", Source: hotel.SaidByGuest}, {Value: "quiet", Source: hotel.SaidAtBooking}}
	got := liked(" high \r\nsea view\n\n", before)
	if len(got) != 2 || got[0] != before[0] || got[1] != (hotel.Preference{Value: "sea view", Source: hotel.NotedByStaff}) {
		t.Errorf("%v", got)
	}
}

func TestGuestsAreMerged(t *testing.T) {
	s := newSite(t)
	ada := s.meet(t, hotel.Guest{FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.com"})
	double := s.meet(t, hotel.Guest{FirstName: "Ada", LastName: "Lovelace", Email: "countess@example.com", Phone: "+4930111"})
	b := s.as(t, "front_desk")
	link := s.path("guests/" + ada.ID + "/merge?with=" + double.ID)
	shows(t, b.get(s.path("guests/"+ada.ID)).body, "Perhaps the same person", `href="`+link+`"`)
	page := b.get(link).body
	shows(t, page, "<del>countess@example.com</del>", "<b>&#43;4930111</b>", "There is no way back.")
	form := url.Values{"with": {double.ID}, "revision": {field(t, page, "revision")}, "with_revision": {"9"}}
	if r := b.post(s.path("guests/"+ada.ID+"/merge"), form); r.status != http.StatusConflict {
		t.Errorf("merged what was not shown: %d", r.status)
	}
	form.Set("with_revision", field(t, page, "with_revision"))
	if r := b.post(s.path("guests/"+ada.ID+"/merge"), form); !strings.Contains(r.path, "done=merged") || !strings.Contains(r.body, "+4930111") && !strings.Contains(r.body, "&#43;4930111") {
		t.Fatalf("%s: %s", r.path, r.body)
	}
	if r := b.get(s.path("guests/" + double.ID)); r.path != s.path("guests/"+ada.ID) {
		t.Errorf("the other leads to %s", r.path)
	}
	if r := b.get(s.path("guests/" + ada.ID + "/merge?with=" + ada.ID)); r.status != http.StatusUnprocessableEntity {
		t.Errorf("merged with itself: %d", r.status)
	}
}

func TestGuestsAreForgotten(t *testing.T) {
	s := newSite(t)
	open := s.book(t, "Lovelace", 0)
	b := s.as(t, "front_desk")
	ask := s.path("guests/" + open.GuestID + "/forget")
	page := b.get(ask)
	shows(t, page.body, "Bookings that are not over", open.Confirmation)
	if strings.Contains(page.body, `name="word"`) {
		t.Error("somebody who is expected can be forgotten")
	}
	if _, _, err := s.l.CancelReservation(t.Context(), by, hotel.Once{}, open.ID, hotel.CancelRequest{}); err != nil {
		t.Fatal(err)
	}
	page = b.get(ask)
	shows(t, page.body, "In 1 booking:", "Type “Ada Lovelace”")
	form := url.Values{"revision": {field(t, page.body, "revision")}, "word": {"Byron"}, "reason": {"guest_request"}}
	if r := b.post(ask, form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "Something else was typed") {
		t.Errorf("%d", r.status)
	}
	shows(t, b.get(s.path("guests/"+open.GuestID+"/file")).body, "all of Ada Lovelace")
	form.Set("word", " ada lovelace ")
	if r := b.post(ask, form); !strings.Contains(r.path, "done=forgotten") || strings.Contains(r.body, "Lovelace") || !strings.Contains(r.body, "Nothing is left") {
		t.Errorf("%s: %s", r.path, r.body)
	}
	for _, page := range []string{"/forget", "/file", "/merge?with=" + open.GuestID} {
		if r := b.get(s.path("guests/" + open.GuestID + page)); r.status == http.StatusOK {
			t.Errorf("%s of nobody: %d", page, r.status)
		}
	}
	if got := s.shownTo(t, open.GuestID); !strings.Contains(got, "console.export-guest") || !strings.Contains(got, "console.forget-guest") {
		t.Errorf("shown by %s", got)
	}
}

// Guests are for roles that may see them, and of the house.
func TestGuestsAreForThoseWhoMaySeeThem(t *testing.T) {
	s := newSite(t)
	ada := s.meet(t, hotel.Guest{FirstName: "Ada", LastName: "Lovelace"})
	for _, r := range auth.Roles {
		b := s.as(t, string(r))
		for _, page := range []string{"", "/merge?with=x", "/file", "/forget"} {
			got := b.get(s.path("guests/" + ada.ID + page))
			if may := r.Scopes().Has(auth.GuestsRead); (got.status == http.StatusForbidden) == may || strings.Contains(got.body, "Lovelace") && !may {
				t.Errorf("%s sees %s: %d", r, page, got.status)
			}
		}
	}
	if r := s.as(t, "owner").get(s.path("guests/gst_none")); r.status != http.StatusNotFound {
		t.Errorf("%d", r.status)
	}
}
