package wire

import (
	"fmt"
	"slices"
	"time"
)

// worded is a kind of value with a word for each, counted up from its first.
type worded interface {
	~uint8
	String() string
}

// mostWords is more than any kind of value has.
const mostWords = 16

// word returns the value, from first on, that a word names.
func word[W worded](text string, first W) (W, bool) {
	for w := first; w < mostWords; w++ {
		if w.String() == text {
			return w, true
		}
	}
	return 0, false
}

// reading collects the mistakes of a description.
type reading struct{ mistakes []error }

func (r *reading) add(format string, args ...any) {
	r.mistakes = append(r.mistakes, fmt.Errorf("capabilities."+format, args...))
}

// number refuses what is below nothing.
func (r *reading) number(path string, n int) int {
	if n < 0 {
		r.add("%s: must not be below 0", path)
	}
	return max(n, 0)
}

// seconds refuses what is below nothing or longer than anything lasts.
func (r *reading) seconds(path string, n int64) time.Duration {
	if n < 0 || n > maxSeconds {
		r.add("%s: expected between 0 and %d", path, maxSeconds)
	}
	return time.Duration(min(max(n, 0), maxSeconds)) * time.Second
}

// index returns the place of a word, the first for an empty one.
func (r *reading) index(path, text string, words []string) int {
	if text == "" {
		return 0
	}
	i := slices.Index(words, text)
	if i < 0 {
		r.add("%s: %q is none of %q", path, text, words)
	}
	return max(i, 0)
}

// need reads a word that has to be there, may one that is first when it is not.
func need[W worded](r *reading, path, text string, first W) W {
	w, known := word(text, first)
	if !known {
		r.add("%s: %q is no word for it", path, text)
	}
	return w
}

func may[W worded](r *reading, path, text string, first W) W {
	if text == "" {
		return first
	}
	return need(r, path, text, first)
}
