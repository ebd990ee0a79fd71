package console

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// A line of the inbox says what it is about, so that many of a kind can be told apart.
func TestInboxSaysWhatItIsAbout(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
	s.connect(t, "ch_1")
	s.push(t, today, 12950, 12950, 12950)
	shows(t, s.as(t, "owner").get(s.path("conflicts")).body, s.house.Rooms[0].Name+" · "+s.house.Plans[0].Name+" · "+catalogue["en"]["group.price"])
	shows(t, s.as(t, "owner").get(s.path("today")).body, s.house.Rooms[0].Name+" · "+s.house.Plans[0].Name)
}

// TestInboxSaysWhichBooking: by its number, and by the guest for whoever may see guests.
func TestInboxSaysWhichBooking(t *testing.T) {
	s := newSite(t)
	k := s.sells(t)
	r, err := s.l.Reservation(t.Context(), k.Subject.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"conflicts", "today"} {
		shows(t, s.as(t, "owner").get(s.path(page)).body, " · Byron ("+r.Confirmation+") · ")
		said := s.as(t, "operator").get(s.path(page)).body
		shows(t, said, " · "+r.Confirmation+" · ")
		if strings.Contains(said, "Byron") {
			t.Errorf("%s names a guest to whoever may not see guests", page)
		}
	}

	s = newSite(t)
	k = s.crowded(t)
	if r, err = s.l.Reservation(t.Context(), k.Subject.ID); err != nil {
		t.Fatal(err)
	}
	shows(t, s.as(t, "owner").get(s.path("conflicts")).body, " · "+r.Guest.LastName+" ("+r.Confirmation+") · ")
}

// What becomes of a decision when nobody takes it is said beforehand, with why somebody is
// asked; afterwards it says which way was taken, and by whom.
func TestDecisionsSayWhyAndByWhom(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	form := formOf(t, b.get(s.path("house")).body, s.path("house/policies"))
	for name, value := range map[string]string{"": hotel.OptionKeepUnassigned, ".after": "90", ".unit": "m"} {
		form.Set("deadline.unmapped_booking"+name, value)
	}
	form.Set("conflict.unmapped_booking", hotel.OptionAsk)
	b.post(s.path("house/policies"), form)
	k := s.sells(t)
	kept := wordsIn("en").T("option.unmapped_booking.keep_unassigned")
	for _, page := range []string{"conflicts", "conflicts/" + k.ID} {
		shows(t, b.get(s.path(page)).body, "until 22 Nov, 11:30, then “"+kept+"”")
	}
	shows(t, b.get(s.path("conflicts/"+k.ID)).body, "“"+catalogue["en"]["conflict.unmapped_booking"]+"”: somebody is asked, by the house’s policies.")
	b.post(s.path("conflicts/"+k.ID), url.Values{"option": {hotel.OptionKeepUnassigned}})
	for _, page := range []string{"conflicts?status=resolved", "conflicts/" + k.ID} {
		said := b.get(s.path(page)).body
		shows(t, said, "<b>"+kept+"</b>", ">owner")
		if strings.Contains(said, "usr_") {
			t.Errorf("%s has the id of the user", page)
		}
	}
}

// Policies are named as where they are chosen; what went away by itself was decided by
// nobody.
func TestPoliciesAndEndsInWords(t *testing.T) {
	v := &visit{words: wordsIn("en")}
	for _, c := range []struct {
		kind    hotel.ConflictKind
		applied hotel.Applied
		want    string
	}{
		{hotel.ConflictOversell, hotel.Applied{Level: "default", Field: "oversell", Value: "ask"}, "“" + v.words.T("conflict.oversell") + "”: somebody is asked, as nobody has said otherwise."},
		{hotel.ConflictDrift, hotel.Applied{Level: "channel", Field: "drift.amount", Value: "theirs"}, "“price”: theirs counts: it becomes ours, by the channel’s policies."},
		{hotel.ConflictStale, hotel.Applied{Level: "property", Field: "on_deadline.stale_revision", Value: hotel.OptionIgnore}, "“When nobody decides in time”: " + v.optionOf(hotel.ConflictStale, hotel.OptionIgnore) + ", by the house’s policies."},
		{hotel.ConflictExposed, hotel.Applied{Level: "default", Field: "staleness", Value: "after 10 minutes, at most 2 free: other_route, call"}, "“When a channel cannot be told that rooms are gone”: after 10 minutes, with at most 2 free: close there, else call somebody, as nobody has said otherwise."},
		{hotel.ConflictExposed, hotel.Applied{Level: "channel", Field: "guarded_unsafe", Value: "accept_risk"}, "“A channel promises too little”: the risk is taken, and shown, by the channel’s policies."},
	} {
		if got := v.why(hotel.Conflict{Kind: c.kind, Applied: &c.applied}); got != c.want {
			t.Errorf("%+v: %s, want %s", c.applied, got, c.want)
		}
	}
	for by, want := range map[string]string{
		hotel.ByItself: "It went away by itself, without anybody", hotel.ByPolicy: "It went away by itself, by the policies", "user:usr_1": "It went away by itself, Ada",
		"user:usr_2": "It went away by itself, the house", "client:cli_1": "It went away by itself, program cli_1", "operator:root": "It went away by itself, the server's operator",
	} {
		taken, who := v.decidedAs(hotel.Conflict{DecidedBy: by, Resolution: &hotel.ConflictDecision{Option: hotel.OptionOver}}, doers{words: v.words, users: map[string]string{"usr_1": "Ada"}})
		if taken+", "+who != want {
			t.Errorf("by %s: %s, %s", by, taken, who)
		}
	}
}

// Of a closing that a channel refuses nothing else can be wanted: no form offers it.
func TestNothingElseIsWantedOfAClosing(t *testing.T) {
	v := &visit{words: wordsIn("en"), caller: desk.Caller{Who: auth.Who{Scopes: auth.RoleOwner.Scopes()}}}
	for group, want := range map[hotel.Group]int{hotel.Closures: 2, hotel.Price: 3} {
		k := hotel.Conflict{Kind: hotel.ConflictRejected, Options: []string{hotel.OptionRetry, hotel.OptionSkip, hotel.OptionChange}, Cells: []hotel.ConflictCells{{Group: group}}}
		ways, err := v.ways(k, ours{}, nil, nil, taken{})
		if err != nil || len(ways) != want {
			t.Errorf("of %s there are %d ways out, want %d: %v", group, len(ways), want, err)
		}
	}
}

// Where a channel sells the same under several codes, the line of the inbox and the page of a
// conflict say under which one it is; where it does not, a code would only confuse.
func TestInboxSaysUnderWhichCode(t *testing.T) {
	for _, several := range []bool{false, true} {
		s := newSite(t)
		today := s.house.Property.Today(s.clock.Now())
		s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
		s.connect(t, "ch_1")
		list, err := s.l.Mappings(t.Context(), "ch_1")
		if err != nil {
			t.Fatal(err)
		}
		if several {
			for _, m := range slices.Clone(list) {
				m.RemoteRoom, m.Line = "annexe_"+m.RemoteRoom, 0
				list = append(list, m)
			}
			if err := s.l.RemapLive(t.Context(), by, "ch_1", math.MaxInt64, hotel.Remap{StockPer: hotel.PerRoom, Mappings: list}); err != nil {
				t.Fatal(err)
			}
			s.derive(t, "ch_1")
		}
		s.push(t, today, 12950, 12950)
		code := "code " + list[0].RemoteRoom + "/" + list[0].RemoteRate + " there"
		b := s.as(t, "owner")
		inbox := b.get(s.path("conflicts")).body
		_, link, _ := strings.Cut(inbox, `href="`+s.path("conflicts/"))
		link, _, _ = strings.Cut(link, `"`)
		for page, body := range map[string]string{"inbox": inbox, "conflict": b.get(s.path("conflicts/" + link)).body} {
			if strings.Contains(body, code) != several {
				t.Errorf("several: %t, the %s says so: %t", several, page, !several)
			}
		}
	}
}
