package main

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// screened is a terminal to which texts of others are written, such as of those who ask
// for access: what would move its cursor, name its window or turn a line around is shown
// as the sign for what cannot be shown. Lines end as they do.
type screened struct{ out io.Writer }

// Write implements [io.Writer]. Each call has whole characters.
func (s screened) Write(p []byte) (int, error) {
	shown := make([]byte, 0, len(p))
	for i, r := range string(p) {
		if steers(r) && r != '\n' && (r != '\r' || i+1 == len(p) || p[i+1] != '\n') {
			r = utf8.RuneError
		}
		shown = utf8.AppendRune(shown, r)
	}
	if _, err := s.out.Write(shown); err != nil {
		return 0, err
	}
	return len(p), nil
}

// onOneLine is a text for a cell of a table, where a line that ends or a tab would make
// up further ones.
func onOneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case steers(r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// steers reports whether a terminal takes a character as a command.
func steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
