package console

import (
	"net/http"
	"slices"
	"testing"

	"ostler.example/hotel"
)

// policiesOf are those of channel ch_1.
func (s *site) policiesOf(t *testing.T) hotel.Policies {
	t.Helper()
	ch, err := s.l.Channel(t.Context(), "ch_1")
	if err != nil {
		t.Fatal(err)
	}
	return ch.Policies
}

// How a channel's questions are decided is kept, and a form that is sent as it was shown
// changes nothing.
func TestChannelPoliciesAreSet(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	_, _, err := s.l.ChangeChannel(t.Context(), by, hotel.Once{}, "ch_1", 0, func(c *hotel.Channel) error {
		c.Policies.Staleness = &hotel.StalenessPolicy{AfterMinutes: 17, Then: []hotel.StaleStep{hotel.StaleCall, hotel.StaleCloseOut}}
		c.Policies.OnDeadline = map[hotel.ConflictKind]hotel.DeadlinePolicy{hotel.ConflictDrift: {After: 90, Option: "ours"}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "owner")
	path := s.path("channels/ch_1/policies")
	form := formOf(t, b.get(path).body, path)
	form.Set("drift.amount", "ask")
	form.Set("conflict.stale_revision", "ignore")
	form.Set("guarded_unsafe", "accept_risk")
	form.Set("price_mismatch", "7,5")
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	p := s.policiesOf(t)
	if p.Drift[hotel.FieldAmount] != hotel.AskOwner || len(p.Drift) != 1 || p.Conflicts[hotel.ConflictStale] != "ignore" || p.GuardedUnsafe != hotel.AcceptRisk || p.PriceMismatch != "7.5" {
		t.Errorf("the policies are %+v", p)
	}
	if s := p.Staleness; s == nil || s.AfterMinutes != 17 || s.FreeAtMost != 0 || !slices.Equal(s.Then, []hotel.StaleStep{hotel.StaleCall, hotel.StaleCloseOut}) {
		t.Errorf("what is done about silence has become %+v", s)
	}
	if d := p.OnDeadline; len(d) != 1 || d[hotel.ConflictDrift] != (hotel.DeadlinePolicy{After: 90, Option: "ours"}) {
		t.Errorf("the deadlines have become %+v", d)
	}
	form = formOf(t, b.get(path).body, path)
	if got := form.Get("drift.amount") + form.Get("guarded_unsafe") + form.Get("conflict.oversell"); got != "askaccept_risk" {
		t.Errorf("the form is filled in with %s", got)
	}
	if r := s.as(t, "front_desk").get(path); r.status != http.StatusForbidden {
		t.Errorf("seen by the front desk: %d", r.status)
	}
}

// A channel's form says after how long what is done when nobody decides, what about
// silence, and how large a change may be; what is left empty is as the house has it.
func TestChannelPoliciesHaveDeadlinesAndLimits(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	b := s.as(t, "owner")
	path := s.path("channels/ch_1/policies")
	form := formOf(t, b.get(path).body, path)
	form.Set("deadline.oversell", "move")
	form.Set("deadline.oversell.after", "3")
	form.Set("deadline.oversell.unit", "h")
	form.Set("stale.then", "other_route+close_out")
	form.Set("stale.after", "20")
	form.Set("blast_radius", "0")
	form.Set("overbooked_warning", "4")
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	p := s.policiesOf(t)
	if got := p.OnDeadline[hotel.ConflictOversell]; got != (hotel.DeadlinePolicy{After: 180, Option: "move"}) {
		t.Errorf("the deadline is %+v", got)
	}
	if got := p.Staleness; got == nil || got.AfterMinutes != 20 || got.FreeAtMost != 2 || !slices.Equal(got.Then, []hotel.StaleStep{hotel.StaleOtherRoute, hotel.StaleCloseOut}) {
		t.Errorf("about silence: %+v", got)
	}
	if p.BlastRadius == nil || p.BlastRadius.Cells != 0 || p.OverbookedWarning == nil || *p.OverbookedWarning != 4 {
		t.Errorf("the limits are %+v and %v", p.BlastRadius, p.OverbookedWarning)
	}
	form = formOf(t, b.get(path).body, path)
	if got := form.Get("deadline.oversell.after") + form.Get("deadline.oversell.unit"); got != "3h" {
		t.Errorf("the deadline is shown as %s", got)
	}
	for _, name := range []string{"deadline.oversell", "deadline.oversell.after", "stale.then", "stale.after", "stale.free", "blast_radius", "overbooked_warning"} {
		form.Del(name)
	}
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	if p := s.policiesOf(t); len(p.OnDeadline) != 0 || p.Staleness != nil || p.BlastRadius != nil || p.OverbookedWarning != nil {
		t.Errorf("left empty, the policies are %+v", p)
	}
}

// What a form cannot mean is said on it, and what was typed is there still.
func TestChannelPoliciesThatCannotBe(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	b := s.as(t, "owner")
	path := s.path("channels/ch_1/policies")
	for name, change := range map[string]map[string]string{
		"an option without a time":    {"deadline.drift": "ours"},
		"a time without an option":    {"deadline.drift.after": "4"},
		"a number that is none":       {"blast_radius": "many"},
		"a time that is far too long": {"deadline.drift": "ours", "deadline.drift.after": "99", "deadline.drift.unit": "d"},
	} {
		t.Run(name, func(t *testing.T) {
			form := formOf(t, b.get(path).body, path)
			form.Set("price_mismatch", "6")
			for field, value := range change {
				form.Set(field, value)
			}
			r := b.post(path, form)
			if r.status != http.StatusUnprocessableEntity {
				t.Fatalf("answered with %d", r.status)
			}
			shows(t, r.body, `role="alert"`, `name="price_mismatch"`, `value="6"`)
		})
	}
	if p := s.policiesOf(t); len(p.OnDeadline) != 0 || p.PriceMismatch != "" {
		t.Errorf("something was stored: %+v", p)
	}
}
