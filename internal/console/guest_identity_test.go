package console

import (
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// What a guest has said about being written to, loyalty numbers and ids in other systems
// are changed on the guest's page, and stay where the form leaves them.
func TestGuestIdentityIsChanged(t *testing.T) {
	s := newSite(t)
	ada := s.meet(t, hotel.Guest{FirstName: "Ada", LastName: "Lovelace"})
	b := s.as(t, "front_desk")
	page, path := s.path("guests/"+ada.ID), s.path("guests/"+ada.ID+"/change")
	now := func() hotel.GuestProfile {
		t.Helper()
		g, err := s.l.Guest(t.Context(), ada.ID)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	form := formOf(t, b.get(page).body, path)
	form.Set("consent", "true")
	form.Set("consent_source", "check-in form")
	form.Set("loyalty.0.program", "stars")
	form.Set("loyalty.0.number", "ST-1815")
	form.Set("ids.0.system", "pms")
	form.Set("ids.0.id", "4711")
	shows(t, b.post(path, form).body, "ST-1815", "4711", "check-in form")
	asked := s.clock.Now()
	g := now()
	if g.Consent == nil || *g.Consent != (hotel.Consent{Granted: true, At: asked, Source: "check-in form"}) {
		t.Errorf("the consent is %+v", g.Consent)
	}
	if !slices.Equal(g.Loyalty, []hotel.Loyalty{{Program: "stars", Number: "ST-1815"}}) || !maps.Equal(g.ExternalIDs, map[string]string{"pms": "4711"}) {
		t.Errorf("loyalty %v, ids %v", g.Loyalty, g.ExternalIDs)
	}
	s.clock.advance(time.Hour)
	form = formOf(t, b.get(page).body, path)
	form.Set("city", "London")
	b.post(path, form)
	if g := now(); g.Consent == nil || !g.Consent.At.Equal(asked) || g.Address.City != "London" || len(g.Loyalty) != 1 {
		t.Errorf("sent as it was shown, the guest is %+v, %+v", g, g.Consent)
	}
	form = formOf(t, b.get(page).body, path)
	form.Set("consent", "false")
	form.Set("loyalty.0.number", "")
	form.Set("loyalty.0.program", "")
	form.Set("ids.0.system", "")
	form.Set("ids.0.id", "")
	b.post(path, form)
	if g := now(); g.Consent == nil || g.Consent.Granted || !g.Consent.At.Equal(s.clock.Now()) || len(g.Loyalty)+len(g.ExternalIDs) != 0 {
		t.Errorf("taken back, the guest is %+v, %+v", g, g.Consent)
	}
	form = formOf(t, b.get(page).body, path)
	form.Set("consent", "")
	b.post(path, form)
	if g := now(); g.Consent != nil {
		t.Errorf("never asked, the consent is %+v", g.Consent)
	}
}

// What of it cannot be is said on the form, which stays as it was filled in.
func TestGuestIdentityThatCannotBe(t *testing.T) {
	s := newSite(t)
	ada := s.meet(t, hotel.Guest{FirstName: "Ada", LastName: "Lovelace"})
	other := s.meet(t, hotel.Guest{LastName: "Hopper"})
	if _, _, err := s.l.ChangeGuest(t.Context(), by, hotel.Once{}, other.ID, hotel.Change[hotel.GuestProfile]{Apply: func(p *hotel.GuestProfile) error {
		p.ExternalIDs = map[string]string{"pms": "1"}
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "front_desk")
	page, path := s.path("guests/"+ada.ID), s.path("guests/"+ada.ID+"/change")
	for name, change := range map[string]map[string]string{
		"a consent from nowhere":          {"consent": "true", "consent_source": ""},
		"a time that is none":             {"consent": "true", "consent_source": "a letter", "consent_at": "yesterday"},
		"a programme without a number":    {"loyalty.0.program": "stars"},
		"a system twice":                  {"ids.0.system": "pms", "ids.0.id": "2", "ids.1.system": "pms", "ids.1.id": "3"},
		"the id of somebody else":         {"ids.0.system": "pms", "ids.0.id": "1"},
		"an id without the system's name": {"ids.0.id": "2"},
	} {
		t.Run(name, func(t *testing.T) {
			form := formOf(t, b.get(page).body, path)
			form.Set("city", "Ockham")
			for field, value := range change {
				form.Set(field, value)
			}
			r := b.post(path, form)
			if r.status != http.StatusUnprocessableEntity {
				t.Fatalf("answered with %d", r.status)
			}
			shows(t, r.body, `role="alert"`, `value="Ockham"`)
			for field, value := range change {
				if got := formOf(t, r.body, path).Get(field); got != value {
					t.Errorf("%s is filled in with %q, typed was %q", field, got, value)
				}
			}
		})
	}
}
