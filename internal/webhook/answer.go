package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"ostler.example/hotel/card"
)

// How much of an answer is read, and how much of that is kept.
const (
	answerRead = 4 << 10
	answerKept = 1 << 10
)

// describe says why there was no answer, in words of ours alone: those of the
// network may tell what lies behind our own walls.
func describe(err error) string {
	var (
		dns    *net.DNSError
		cert   *tls.CertificateVerificationError
		barred barredError
	)
	switch {
	case errors.As(err, &barred):
		return barred.Error()
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, syscall.ETIMEDOUT):
		return "there was no answer in time"
	case errors.Is(err, context.Canceled):
		return "the call was given up when the program stopped"
	case errors.As(err, &dns):
		return "the name of the host cannot be resolved"
	case errors.As(err, &cert):
		return "the certificate of the host is not valid for it"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the host takes no connection there"
	}
	return "the connection failed"
}

// longestPause is the most that a receiver can ask for: the longest wait of the
// schedule.
const longestPause = 24 * time.Hour

// retryAfter reads the header: seconds, or an instant. It returns how long to wait, 0
// where nothing sensible is asked for.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(strings.TrimSpace(header), 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, longestPause)
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), longestPause)
}

// excerpt keeps the beginning of an answer, without anything that it repeats of
// people or cards.
func excerpt(body io.Reader, private []string) string {
	text, _ := io.ReadAll(io.LimitReader(body, answerRead)) // what came is what there is
	said := strings.ToValidUTF8(string(card.Mask(text)), "")
	said = mask(unescape(said), private)
	said = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, said)
	if len(said) <= answerKept {
		return said
	}
	cut := answerKept
	for !utf8.RuneStart(said[cut]) {
		cut--
	}
	return said[:cut]
}

var escaped = regexp.MustCompile(`\\+u[0-9a-fA-F]{4}`)

// unescape writes letters that JSON has escaped as themselves, so that a name is
// found in either form.
func unescape(s string) string {
	return escaped.ReplaceAllStringFunc(s, func(e string) string {
		n, err := strconv.ParseUint(e[len(e)-4:], 16, 32)
		if r := rune(n); err == nil && unicode.IsLetter(r) {
			return string(r)
		}
		return e
	})
}

var word = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+`)

// mask puts every word of the private texts out of sight.
func mask(s string, private []string) string {
	words := map[string]bool{}
	for _, text := range private {
		for _, w := range word.FindAllString(text, -1) {
			words[strings.ToLower(w)] = utf8.RuneCountInString(w) > 1
		}
	}
	return word.ReplaceAllStringFunc(s, func(w string) string {
		if words[strings.ToLower(w)] {
			return "***"
		}
		return w
	})
}
