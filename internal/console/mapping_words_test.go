package console

import (
	"strings"
	"testing"

	"ostler.example/hotel/mapping"
	"ostler.example/internal/desk"
)

// Why something is proposed, and what is left out, is said in every language.
func TestMappingReasonsAreInEveryLanguage(t *testing.T) {
	for _, l := range languages {
		for _, code := range mapping.ReasonCodes() {
			if !wordsIn(l).has("mapping.because." + code) {
				t.Errorf("nobody can say %s in %s", code, l)
			}
		}
	}
	v := view{visit: &visit{words: wordsIn("de")}}
	for want, r := range map[string]mapping.Reason{
		"beide mit Halbpension":                                   {Code: "board_same", Of: []string{"half_board"}},
		"dort für bis zu 3 Erwachsene, bei uns 2":                 {Code: "adults_not", Of: []string{"3", "2"}},
		"wird für bis zu 3 Erwachsene verkauft, Einzel ist für 1": {Code: "adults_more", Of: []string{"3", "Einzel", "1"}},
	} {
		if got := v.Because(r); got != want {
			t.Errorf("%s is said as %q, want %q", r, got, want)
		}
	}
	p := mappingPage{names: map[string]string{"rt": "Einzel", "rp": "Flex"}}
	for _, code := range []string{"room_not_mapped", "plan_not_mapped", "product_not_mapped", "stay_amount_left_out", "plan_not_sold_here"} {
		c := desk.Coverage{Code: code, Detail: "in English", RoomTypeID: "rt", RatePlanID: "rp"}
		if got := p.Covers(v, c); got == c.Detail || strings.Contains(got, "{") {
			t.Errorf("%s is said as %q", code, got)
		}
	}
}
