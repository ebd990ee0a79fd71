package transport

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// MaxRetryAfter is the longest wait that a far side can ask for. Longer ones are
// mistakes, and waiting them out would leave the channel stale for days.
const MaxRetryAfter = time.Hour

// RetryAfter reads the header of that name, in seconds or as an HTTP date seen from the
// Date of the answer, whose clock may be off, or else from now. It returns 0 when there is
// none or it cannot be read, and at most [MaxRetryAfter].
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if value == "" {
		return 0
	}
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(MaxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if theirs, err := http.ParseTime(h.Get("Date")); err == nil {
		now = theirs
	}
	return min(max(at.Sub(now), 0), MaxRetryAfter)
}
