package testkit

import "regexp"

var (
	attribute = regexp.MustCompile(` [A-Za-z]\w*="([^"]*)"`)
	leaf      = regexp.MustCompile(`<([A-Za-z]\w*)[^<>]*(/>|>[^<]*</[A-Za-z]\w*>)`)
)

// odd are values that make no sense in most places.
var odd = []string{"", "0", "-1", "99999999999999999999", "2027-02-30"}

// Variants are what is one slip away from a message in XML: each attribute left out, each of
// an odd value, in turn, each element without children left out. As the seeds of a fuzz
// target they stand behind the checks that one value can fail. They are few: a target is
// first run with all of its seeds.
func Variants(message []byte) [][]byte {
	variants := [][]byte{message}
	replaced := func(from, to int, by string) {
		variant := append([]byte{}, message[:from]...)
		variants = append(variants, append(append(variant, by...), message[to:]...))
	}
	for i, at := range attribute.FindAllSubmatchIndex(message, -1) {
		replaced(at[0], at[1], "")
		replaced(at[2], at[3], odd[i%len(odd)])
	}
	for _, at := range leaf.FindAllIndex(message, -1) {
		replaced(at[0], at[1], "")
	}
	return variants
}
