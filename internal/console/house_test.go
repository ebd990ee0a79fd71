package console

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// houseNow is the house as it is stored.
func (s *site) houseNow(t *testing.T) hotel.Property {
	t.Helper()
	p, err := s.l.Property(t.Context(), s.house.Property.ID)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The owner says how the house decides; its channels say so too, where they say nothing of
// their own.
func TestHousePoliciesAreSet(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	b := s.as(t, "owner")
	page, path := s.path("house"), s.path("house/policies")
	form := formOf(t, b.get(page).body, path)
	form.Set("drift.amount", "ask")
	form.Set("deadline.drift", "ours")
	form.Set("deadline.drift.after", "4")
	form.Set("absent.min_stay_through", "close")
	form.Set("blast_radius", "300")
	form.Set("rate_rank", "pms,api,channel")
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	p := s.houseNow(t).Policies
	if p.Drift[hotel.FieldAmount] != hotel.AskOwner || p.OnDeadline[hotel.ConflictDrift] != (hotel.DeadlinePolicy{After: 240, Option: "ours"}) || p.Absent[hotel.FieldMinStayThrough] != hotel.CloseNights || p.BlastRadius.Cells != 300 {
		t.Errorf("the policies are %+v", p)
	}
	if want := []hotel.RateSource{hotel.FromPMS, hotel.FromAPI, hotel.FromChannel}; !slices.Equal(p.RateRank, want) {
		t.Errorf("prices rank %v", p.RateRank)
	}
	if again := formOf(t, b.get(page).body, path); again.Get("rate_rank") != "pms,api,channel" || again.Get("deadline.drift.after") != "4" {
		t.Errorf("the form is filled in with %v", again)
	}
	w := wordsIn("en")
	shows(t, b.get(s.path("channels/ch_1/policies")).body, w.T("policy.inherit", w.T("policy.drift.ask")), w.T("policy.inherit", w.T("policy.after", "4 h", w.T("option.drift.ours"))), `placeholder="300"`)
}

// The hours of the house and how far it sells are changed; what the form does not ask for
// stays.
func TestHouseHoursAreSet(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	was := s.houseNow(t)
	page, path := s.path("house"), s.path("house/hours")
	form := formOf(t, b.get(page).body, path)
	form.Set("check_in_time", "16:00")
	form.Set("booking_horizon_days", "365")
	form.Set("cut_off.days_before", "1")
	form.Set("cut_off.time", "18:00")
	form.Set("overdue_departure_holds", "false")
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	p := s.houseNow(t)
	if p.CheckIn != "16:00" || p.CheckOut != was.CheckOut || p.HorizonDays != 365 || p.CutOff == nil || *p.CutOff != (hotel.CutOff{DaysBefore: 1, Time: "18:00"}) || p.OverdueHolds == nil || *p.OverdueHolds || p.Name != was.Name {
		t.Errorf("the house is %+v", p)
	}
	form = formOf(t, b.get(page).body, path)
	form.Set("cut_off.days_before", "")
	form.Set("cut_off.time", "")
	form.Set("overdue_departure_holds", "")
	b.post(path, form)
	if p := s.houseNow(t); p.CutOff != nil || p.OverdueHolds != nil {
		t.Errorf("taken back, there are %v and %v", p.CutOff, p.OverdueHolds)
	}
	form = formOf(t, b.get(page).body, path)
	form.Set("check_in_time", "late")
	form.Set("check_out_time", "10:30")
	r := b.post(path, form)
	if r.status != http.StatusUnprocessableEntity {
		t.Fatalf("answered with %d", r.status)
	}
	shows(t, r.body, `role="alert"`, `value="10:30"`)

	// Whoever was too late keeps what was typed, sees what is there now, and may store it knowingly.
	form = formOf(t, b.get(page).body, path)
	form.Set("check_out_time", "11:15")
	b.post(path, form)
	form.Set("check_out_time", "10:45")
	late := b.post(path, form)
	if late.status != http.StatusConflict {
		t.Errorf("too late: %d", late.status)
	}
	shows(t, late.body, catalogue["en"]["form.changed"], `value="10:45"`, catalogue["en"]["house.check_out_time"]+": now: 11:15")
	b.post(path, formOf(t, late.body, path))
	if got := s.houseNow(t).CheckOut; got != "10:45" {
		t.Errorf("stored knowingly is %s", got)
	}

	// Nobody puts a year more on sale by emptying the field.
	form = formOf(t, b.get(page).body, path)
	form.Set("booking_horizon_days", "")
	if r := b.post(path, form); r.status != http.StatusUnprocessableEntity || s.houseNow(t).HorizonDays != 365 {
		t.Errorf("without a horizon: %d, and %d nights are sold", r.status, s.houseNow(t).HorizonDays)
	}
}

// Whoever may change nothing reads how the house decides.
func TestHouseIsReadByOthers(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "read_only")
	page := b.get(s.path("house")).body
	if strings.Count(page, "<fieldset class=\"bare\" disabled>") != 2 || strings.Contains(page, `class="primary"`) {
		t.Error("a form can be sent")
	}
	for _, to := range []string{"house/policies", "house/hours"} {
		if r := b.post(s.path(to), formOf(t, page, s.path(to))); r.status != http.StatusForbidden {
			t.Errorf("%s is answered with %d", to, r.status)
		}
	}
}
