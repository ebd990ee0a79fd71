package api

import (
	"bytes"
	"math"
	"strconv"
)

// wholeNumbers writes the whole numbers in JSON as such: 2.0 and 2e0 are
// whole to a schema, and to those who write every number alike, but not to
// encoding/json. It returns the text itself where there are none.
func wholeNumbers(b []byte) []byte {
	var out []byte
	done := 0 // so much of b is in out
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			i = textEnd(b, i)
		case c == '-' || c >= '0' && c <= '9':
			end := i
			for end < len(b) && bytes.IndexByte([]byte("+-.0123456789eE"), b[end]) >= 0 {
				end++
			}
			if whole, ok := wholeNumber(b[i:end]); ok {
				out = append(append(out, b[done:i]...), whole...)
				done = end
			}
			i = end
		default:
			i++
		}
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

// wholeNumber returns the digits of a number that is whole and does not look it.
func wholeNumber(literal []byte) (string, bool) {
	if !bytes.ContainsAny(literal, ".eE") {
		return "", false
	}
	const exact = 1 << 53
	v, err := strconv.ParseFloat(string(literal), 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) >= exact {
		return "", false
	}
	return strconv.FormatInt(int64(v), 10), true
}

// textEnd returns where a string ends that begins at i.
func textEnd(b []byte, i int) int {
	for i++; i < len(b) && b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(b))
}
