package console

import (
	"net/http"
	"strings"
	"testing"

	"ostler.example/connectors"
	_ "ostler.example/connectors/all"
	"ostler.example/hotel"
)

// What the ways out of conflicts are called and do is in every language, and in English
// what the engine says.
func TestWaysOutAreInEveryLanguage(t *testing.T) {
	for _, k := range hotel.ConflictKinds() {
		for _, o := range hotel.ConflictOptions(k) {
			at := string(k) + "." + o.Option
			argumentsAreSaid(t, at, o.Arguments)
			if label, effect := catalogue["en"]["option."+at], catalogue["en"]["effect."+at]; label != o.Label || effect != o.Effect {
				t.Errorf("%s is called %q and does %q, the engine says %q and %q", at, label, effect, o.Label, o.Effect)
			}
		}
	}
	s := newSite(t)
	k := s.sells(t)
	b := s.as(t, "owner")
	page := b.do(http.MethodGet, s.path("conflicts/"+k.ID), nil, http.Header{"Accept-Language": {"de"}}).body
	shows(t, page, "Sagen, was es ist", "Die Buchung behält ihr Zimmer")
	if strings.Contains(page, "Say what it is") {
		t.Error("a way out is called in English on a German page")
	}
}

// argumentsAreSaid holds what arguments are called against the engine's own words.
func argumentsAreSaid(t *testing.T, at string, list []hotel.Argument) {
	t.Helper()
	for _, a := range list {
		within := at + "." + a.Name
		if got := catalogue["en"]["argument."+within]; got != a.Doc {
			t.Errorf("%s is asked for as %q, the engine says %q", within, got, a.Doc)
		}
		for _, word := range a.Words {
			if !wordsIn("en").has("argument.word." + word) {
				t.Errorf("nobody can say %s of %s", word, within)
			}
		}
		argumentsAreSaid(t, within, a.Members)
	}
}

// A reason is said in the language of the page by its code, with the channel's own words
// where there are some, and as the engine has it where the code is not known.
func TestReasonsAreSaidByTheirCode(t *testing.T) {
	for _, c := range []struct{ language, code, engine, want string }{
		{"en", "refused", "the channel refuses the value: too dear", "the channel refuses the value: too dear"},
		{"de", "refused", "too dear", catalogue["de"]["reason.refused"] + " (too dear)"},
		{"it", "shadow", "the channel is in shadow", catalogue["it"]["reason.shadow"]},
		{"de", "", "", ""},
		{"it", "new_code", "something new", "something new"},
		{"en", "price_guard", "", catalogue["en"]["reason.price_guard"]},
		{"de", "new_code", "", "new_code"},
	} {
		v := &visit{words: wordsIn(c.language)}
		if got := v.reason(c.code, c.engine); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.code, c.language, got, c.want)
		}
	}
}

// What acts in a step is said in the language of the page where it has a form.
func TestStepsAreSaidInTheLanguage(t *testing.T) {
	for by, want := range map[string]string{
		"-10 percent": "−10 %", "+10 percent": "+10 %", "5.50 amount": "+5,50 €", "at most 999": "höchstens 999", "kept 2": "2 zurückbehalten", "tax_included": "mit Steuern",
		"nearest_5": "auf Fünfer", "something new": "something new",
	} {
		v := &visit{words: wordsIn("de"), house: hotel.Property{Currency: "EUR"}}
		if got := v.acted(hotel.Step{Name: "any", By: by}); got != want {
			t.Errorf("%q: %q, want %q", by, got, want)
		}
	}
}

// What somebody has changed of a channel's booking, and what the channel was asked, is told
// in the hotel's words.
func TestKeptFieldsAreSaid(t *testing.T) {
	for _, l := range languages {
		for _, field := range []string{hotel.KeptRoom, hotel.KeptGuest, hotel.KeptParty, hotel.KeptCompanions, hotel.KeptArrival, hotel.KeptRequests, hotel.KeptExtras, hotel.KeptDeposit} {
			if !wordsIn(l).has("kept." + field) {
				t.Errorf("nobody can say %s in %s", field, l)
			}
		}
		for _, kind := range []hotel.ActionKind{hotel.ActionConfirm, hotel.ActionDecline, hotel.ActionCancel, hotel.ActionShorten, hotel.ActionNoShow} {
			if !wordsIn(l).has("seen.word." + string(kind)) {
				t.Errorf("nobody can say %s in %s", kind, l)
			}
		}
	}
	s := newSite(t)
	k := s.sells(t)
	_, _, err := s.l.ChangeReservation(t.Context(), by, hotel.Once{}, k.Subject.ID, hotel.ReservationChange{ArrivalTime: new("18:30"), DepositPaid: hotel.Given(hotel.Money{Minor: 5000, Currency: "EUR"})})
	if err != nil {
		t.Fatal(err)
	}
	page := s.as(t, "owner").do(http.MethodGet, s.path("reservations/"+k.Subject.ID), nil, http.Header{"Accept-Language": {"de"}}).body
	shows(t, page, "Hier geändert: die Ankunftszeit.", "Hier geändert: was schon bezahlt ist.", "<dt>Schon bezahlt</dt><dd>50,00", "Schon bezahlt: <ins>50,00")
	if strings.Contains(page, ">expected_arrival_time") {
		t.Error("a field is called as in the API")
	}
}

// What a connector's settings are for, and what its calls are about, is said in words where
// there are any; a connector of the house's own has its own.
func TestSettingsAndCallsAreCalled(t *testing.T) {
	v := view{visit: &visit{words: wordsIn("de")}}
	for key, want := range map[string]string{"calls_per_minute": "Aufrufe je Minute, von jeder Art", "deep.timeout": "So lange darf ein Aufruf dauern", "loud": "loud"} {
		if got := v.Setting(key); got != want {
			t.Errorf("%s is called %q, want %q", key, got, want)
		}
	}
	for name, want := range map[string]string{"update_availability": "Zimmer", "restrictions": "Preise und Beschränkungen", "sing_along": "sing along"} {
		if got := v.Operation(name); got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
}

// What the connectors of this program are for, and what their calls are about, is said in
// every language, in English as they say it themselves.
func TestConnectorsAreSaidInEveryLanguage(t *testing.T) {
	operations := map[string]bool{"poll": true, "list": true, "read": true, "ask": true, "act": true, "read settings": true} // the engine's own
	for _, name := range connectors.Names() {
		driver, _ := connectors.Lookup(name)
		for _, o := range driver.Capabilities().Operations {
			operations[o.Name] = true
		}
		for _, l := range languages {
			if !wordsIn(l).has("connector." + name) {
				t.Errorf("nobody can say in %s what %s connects", l, name)
			}
		}
		if got := catalogue["en"]["connector."+name]; got != driver.Summary() {
			t.Errorf("%s connects %q, and says itself %q", name, got, driver.Summary())
		}
	}
	for o := range operations {
		for _, l := range languages {
			if !wordsIn(l).has("operation." + o) {
				t.Errorf("nobody can say in %s what calls of %s are about", l, o)
			}
		}
	}
	if len(operations) < 10 {
		t.Errorf("only %d operations are known", len(operations))
	}
}
