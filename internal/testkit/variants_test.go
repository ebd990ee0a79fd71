package testkit

import (
	"slices"
	"strings"
	"testing"
)

func TestVariants(t *testing.T) {
	var got []string
	for _, v := range Variants([]byte(`<A b="1"><C d="2"/><E>f</E></A>`)) {
		got = append(got, string(v))
	}
	for _, want := range []string{
		`<A b="1"><C d="2"/><E>f</E></A>`, `<A><C d="2"/><E>f</E></A>`, `<A b=""><C d="2"/><E>f</E></A>`, `<A b="1"><C/><E>f</E></A>`, `<A b="1"><C d="0"/><E>f</E></A>`,
		`<A b="1"><E>f</E></A>`, `<A b="1"><C d="2"/></A>`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("there is no %s among\n%s", want, strings.Join(got, "\n"))
		}
	}
	if len(got) != 7 {
		t.Errorf("%d variants", len(got))
	}
}
