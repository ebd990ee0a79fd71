package hotel

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// sampleOption takes one argument of each type.
var sampleOption = ConflictOption{Option: "sample", Arguments: []Argument{
	{Name: "who", Type: TextArgument, Required: true, Doc: "who it is", Max: 5},
	{Name: "why", Type: TextArgument, Words: []string{"a", "b"}},
	{Name: "n", Type: NumberArgument, Min: 1, Max: 9},
	{Name: "day", Type: DateArgument},
	{Name: "cost", Type: MoneyArgument},
	{Name: "yes", Type: FlagArgument},
	{Name: "values", Type: GroupArgument, Members: []Argument{{Name: "a", Type: NumberArgument, Required: true}}},
}}

func TestArgumentsOfAnOption(t *testing.T) {
	for given, want := range map[string]string{
		`{"who":"me"}`: "",
		`{"who":"me","why":"a","n":9,"day":"2026-12-31","cost":{"amount":"1.50","currency":"EUR"},"yes":true}`: "",
		`{"who":"me","why":null}`:        "",
		``:                               "/arguments/who required",
		`null`:                           "/arguments/who required",
		`[]`:                             "/arguments type",
		`{"who":""}`:                     "/arguments/who length",
		`{"who":"nobody"}`:               "/arguments/who length",
		`{"who":1,"n":0,"z":1}`:          "/arguments/who type /arguments/n min /arguments/z unknown_field",
		`{"who":"me","n":10}`:            "/arguments/n max",
		`{"who":"me","n":1.5}`:           "/arguments/n type",
		`{"who":"me","why":"c"}`:         "/arguments/why enum",
		`{"who":"me","day":"31.12."}`:    "/arguments/day format",
		`{"who":"me","cost":"1.50 EUR"}`: "/arguments/cost format",
		`{"who":"me","cost":{"amount":"-1","currency":"EUR"}}`: "/arguments/cost min",
		`{"who":"me","yes":"yes"}`:                             "/arguments/yes type",
		`{"who":"me","values":{"b":1}}`:                        "/arguments/values/a required /arguments/values/b unknown_field",
		`{"who":"me","values":7}`:                              "/arguments/values type",
	} {
		got := ""
		if r, refused := errors.AsType[*Refusal](sampleOption.CheckArguments(json.RawMessage(given))); refused {
			for _, i := range r.Items {
				if got != "" {
					got += " "
				}
				got += fmt.Sprintf("%s %s", i.Pointer, i.Code)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// TestPoliciesAboutConflicts: what a policy may say is something that can be done
// without anybody who says more.
func TestPoliciesAboutConflicts(t *testing.T) {
	for k, of := range decidable {
		for _, name := range of.options {
			if o, known := k.Option(name); !known || !o.Unaided() {
				t.Errorf("policy %s of %s cannot be taken alone", name, k)
			}
		}
	}
	p := Policies{
		Conflicts:  map[ConflictKind]string{ConflictDrift: "ours", ConflictOversell: "ours", ConflictUnmapped: OptionAsk},
		OnDeadline: map[ConflictKind]DeadlinePolicy{"x": {1, "y"}, ConflictOversell: {0, "y"}, ConflictDrift: {1, "ours"}},
	}
	r, _ := errors.AsType[*Refusal](p.Check())
	got := ""
	for _, i := range r.Items {
		got += i.Pointer + " " + i.Code + "\n"
	}
	want := "/drift unknown_field\n/on_deadline/oversell/after min\n/on_deadline/oversell/option unknown_option\n/on_deadline/x unknown_field\n/oversell enum\n"
	if got != want {
		t.Errorf("refused\n%swant\n%s", got, want)
	}
}

// TestWhatIsTypedIsNotJournalled: who writes freely may write a guest's name.
func TestWhatIsTypedIsNotJournalled(t *testing.T) {
	c := Conflict{Kind: ConflictOversell, Resolution: &ConflictDecision{
		Option: OptionWalk, Arguments: json.RawMessage(`{"external":"Ms Ito's flat","note":"Ito","reservation_id":"res_1"}`), Note: "rang Ms Ito",
	}}
	if got, _ := json.Marshal(c.Journalled().Resolution); string(got) != `{"option":"walk","arguments":{"reservation_id":"res_1"}}` {
		t.Errorf("journalled %s", got)
	}
	if c.Resolution.Note == "" {
		t.Error("the conflict itself has lost it")
	}
}

// TestTheKindsOfConflict: those that the documents of the API list, by hand, and what
// each offers. docs/conflicts.md has a line for every one.
func TestTheKindsOfConflict(t *testing.T) {
	docs, err := os.ReadFile("../docs/conflicts.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[ConflictKind]string{
		"oversell":           "[accept move walk stop_sell keep_back_more]",
		"overbooked_planned": "[accept move stop_sell]",
		"exposed":            "[close_all accept]",
		"sold_before_close":  "[accept]",
		"drift":              "[ours theirs]",
		"unmapped_booking":   "[map keep_unassigned]",
		"duplicate_suspect":  "[same distinct]",
		"rejected_cell":      "[retry skip change]",
		"credentials":        "[retry pause]",
		"price_guard":        "[send hold cap close]",
		"missing_price":      "[set_price keep_closed]",
		"price_mismatch":     "[accept remap]",
		"blast_radius":       "[send undo]",
		"cancelled_in_house": "[cancel_and_check_out keep dispute]",
		"late_modification":  "[keep apply]",
		"cancel_asked":       "[retry done_at_channel withdraw]",
		"unread_message":     "[retry dismiss]",
		"channel_report":     "[dismiss]",
		"group_shrink":       "[cancel_missing keep_all]",
		"stale_revision":     "[ignore apply]",
		"overstay":           "[extend check_out]",
		"block_due":          "[release extend keep]",
		"allotment":          "[ours accept release]",
	}
	for k, options := range want {
		if got := fmt.Sprint(k.OptionNames()); got != options {
			t.Errorf("%s offers %s, want %s", k, got, options)
		}
		_, table, _ := strings.Cut(string(docs), "\n| kind | raised when | options | policy")
		_, row, there := strings.Cut(table, "\n| `"+string(k)+"` | ")
		if row, _, _ = strings.Cut(row, "\n"); !there {
			t.Errorf("docs/conflicts.md says nothing of %s", k)
		}
		for _, word := range slices.Concat(k.OptionNames(), PolicyOptions(k)) {
			if !strings.Contains(row, "`"+word+"`") {
				t.Errorf("the row of %s in docs/conflicts.md says nothing of %s", k, word)
			}
		}
		if PolicyOptions(k) != nil && !strings.Contains(row, "`"+string(k)+"`: ") {
			t.Errorf("the row of %s in docs/conflicts.md says nothing of its policy", k)
		}
	}
	if n := len(ConflictKinds()); n != len(want) {
		t.Errorf("%d kinds, want %d", n, len(want))
	}
	for _, k := range ConflictKinds() {
		for _, name := range k.OptionNames() {
			if !strings.Contains(string(docs), "`"+name+"`") {
				t.Errorf("docs/conflicts.md says nothing of %s of %s", name, k)
			}
		}
	}
}

// FuzzArguments: whatever is given is taken or refused.
func FuzzArguments(f *testing.F) {
	f.Add(`{"who":"me","n":1e3}`)
	f.Add(`{"who":{}}`)
	f.Fuzz(func(_ *testing.T, given string) {
		_ = sampleOption.CheckArguments(json.RawMessage(given))
	})
}
