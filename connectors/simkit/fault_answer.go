package simkit

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Handle puts the faults in front of a protocol.
func (f *Faults) Handle(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, failing := f.take(func(k FaultKind) bool { return slices.Contains(outer, k) })
		switch {
		case !failing:
			next.ServeHTTP(w, r)
		case p.kind == Timeout:
			// Only a request read to its end shows that its caller has gone.
			_, _ = io.Copy(io.Discard, r.Body)
			f.hang(r, 0)
		case p.kind == Cut:
			_, _ = io.Copy(io.Discard, r.Body)
			panic(http.ErrAbortHandler)
		case f.refuse(w, r, p):
		default:
			kept := keep{header: http.Header{}, status: http.StatusOK}
			next.ServeHTTP(&kept, r)
			f.spoil(w, r, p.kind, kept)
		}
	})
}

// refuse answers without any effect. It reports whether the fault is of such a
// kind.
func (f *Faults) refuse(w http.ResponseWriter, r *http.Request, p planted) bool {
	switch p.kind {
	case TooManyRequests:
		wait := 1
		if !p.until.IsZero() {
			wait = int(p.until.Sub(f.clock.Now())/time.Second) + 1
		}
		w.Header().Set("Retry-After", strconv.Itoa(wait))
		http.Error(w, "too many requests", http.StatusTooManyRequests)
	case BareLimit:
		http.Error(w, "too many requests", http.StatusTooManyRequests)
	case AbsurdLimit:
		w.Header().Set("Retry-After", "31536000")
		http.Error(w, "too many requests", http.StatusTooManyRequests)
	case ServerError:
		http.Error(w, "out of order", http.StatusServiceUnavailable)
	case ErrorBody:
		answer(w, http.StatusOK, map[string]string{"error": "something went wrong"})
	case WrongType:
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html><body>Back soon.</body></html>")
	case Redirect:
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	default:
		return false
	}
	return true
}

// hugeBody is more than anybody should read.
const hugeBody = 16 << 20

// spoil passes an answer on in a way that says nothing.
func (f *Faults) spoil(w http.ResponseWriter, r *http.Request, kind FaultKind, kept keep) {
	if kind == LostAnswer {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(kept.status)
	switch kind {
	case EmptyBody:
	case Truncated:
		_, _ = w.Write(kept.body.Bytes()[:kept.body.Len()/2])
	case Dripping:
		for _, b := range kept.body.Bytes() {
			f.hang(r, time.Second)
			_, _ = w.Write([]byte{b})
			_ = http.NewResponseController(w).Flush() // a byte at a time, where that can be had
		}
	case HugeBody:
		_, _ = w.Write(bytes.Repeat([]byte(" "), hugeBody))
	default:
	}
}

// hang waits for so long, 0 being without end, and breaks the call off when its
// caller has gone or everything ends.
func (f *Faults) hang(r *http.Request, d time.Duration) {
	var over <-chan time.Time
	if d > 0 {
		over = time.After(d)
	}
	select {
	case <-over:
		return
	case <-r.Context().Done():
	case <-f.closed:
	}
	panic(http.ErrAbortHandler)
}

// late has answers come so late. What they are about is done at once, and a caller who
// gives up before never hears of it.
func (f *Faults) late(by time.Duration, next http.Handler) http.Handler {
	if by <= 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := keep{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(&kept, r)
		f.hang(r, by)
		w.WriteHeader(kept.status)
		_, _ = w.Write(kept.body.Bytes())
	})
}

// keep is an answer that its caller does not get as it is.
type keep struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements [http.ResponseWriter].
func (k *keep) Header() http.Header { return k.header }

// Write implements [http.ResponseWriter].
func (k *keep) Write(p []byte) (int, error) { return k.body.Write(p) }

// WriteHeader implements [http.ResponseWriter].
func (k *keep) WriteHeader(status int) { k.status = status }
