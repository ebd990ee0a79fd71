package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
)

// freeTexts are the parameters of which the program does not know every value: what they
// name may be somebody's own.
var freeTexts = []string{
	"cursor", "property_id", "channel_id", "sub_channel", "channel_reference", "confirmation_number", "guest_id", "group_id", "block_id", "pool_id",
	"room_type_id", "rate_plan_id", "remote_room_id", "room_type", "tag", "email", "phone", "last_name", "external_id",
}

// Every parameter of every operation either is of a form that is checked, or one of the
// values that the document names; what is none of them is refused, with the values, and
// never answered with an empty list.
func TestParametersAreOneOfTheirValues(t *testing.T) {
	h := newHouse(t)
	h.serve(auth.Tiers{auth.Standard: 1 << 30})
	operator, _ := h.newClient("operator", auth.AllScopes(), "*")
	h.token = h.tokenOf(operator)
	checked := 0
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			for _, p := range op.Parameters {
				s := p.Schema
				if p.In != "query" || s.Type == huma.TypeBoolean || s.Type == huma.TypeInteger || s.Format != "" || s.Pattern != "" {
					continue
				}
				if s.Type == huma.TypeArray {
					s = s.Items
				}
				if s.Type == huma.TypeInteger || slices.Contains(freeTexts, p.Name) {
					continue
				}
				place := method + " " + path + "?" + p.Name
				if len(s.Enum) == 0 {
					t.Errorf("%s takes any text: the document names no values, and no form", place)
					continue
				}
				checked++
				target := prefix + strings.NewReplacer("{id}", "none", "{sid}", "none").Replace(path) + "?" + p.Name + "="
				refusal := h.call(method, target+"nix", "").want(t, 400, "invalid_parameter").json(t)
				said := fmt.Sprint(refusal["errors"])
				for _, v := range s.Enum {
					if !strings.Contains(said, "parameter:"+p.Name) || !strings.Contains(said, fmt.Sprint(v)) {
						t.Errorf("%s: the refusal does not name %v: %s", place, v, said)
					}
				}
				if got := h.call(method, fmt.Sprint(target, s.Enum[0]), ""); strings.Contains(fmt.Sprint(string(got.body)), `"parameter":"`+p.Name+`"`) {
					t.Errorf("%s: %v is one of the values, and refused: %s", place, s.Enum[0], got.body)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d parameters with values were looked at", checked)
	}
}
