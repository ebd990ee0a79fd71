package contain

import "strings"

// mostWords is how many bytes of a far side's words are kept.
const mostWords = 4 << 10

// Short returns words that are fit to be kept: valid text of 4 KiB at the most.
func Short(words string) string {
	if len(words) > mostWords {
		words = words[:mostWords]
	}
	return strings.ToValidUTF8(words, "")
}
