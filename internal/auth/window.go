package auth

import (
	"sync"
	"time"
)

// windowLength is how long a rate window stays open.
const windowLength = time.Hour

// Quota is what one request left of its client's hour.
type Quota struct {
	Limit     int // 0: none
	Remaining int
	Reset     time.Time     // when the window ends and the next request opens another
	After     time.Duration // until then
	Exceeded  bool          // this request found nothing left and was not counted
}

// windows counts requests by client in memory. The window is fixed: opened by
// the first request, over an hour later whatever comes in between. A bucket
// that refills would let twice the limit through in the first hour.
type windows struct {
	mu   sync.Mutex
	open map[string]*window
}

type window struct {
	RateWindow
	changed bool // since it was last saved
}

func newWindows(stored []RateWindow) *windows {
	w := &windows{open: make(map[string]*window, len(stored))}
	for _, s := range stored {
		w.open[s.ClientID] = &window{RateWindow: s}
	}
	return w
}

// take counts one request against the limit.
func (w *windows) take(clientID string, limit int, now time.Time) Quota {
	w.mu.Lock()
	defer w.mu.Unlock()
	win := w.open[clientID]
	switch {
	case win == nil:
		win = &window{RateWindow: RateWindow{ClientID: clientID, OpenedAt: now}}
		w.open[clientID] = win
	case !now.Before(win.OpenedAt.Add(windowLength)):
		win.OpenedAt, win.Used = now, 0
	case now.Before(win.OpenedAt): // the clock was set back; nobody is to wait longer than an hour
		win.OpenedAt, win.changed = now, true
	}
	if limit > 0 && win.Used >= limit {
		q := quota(win.RateWindow, limit, now)
		q.Exceeded = true
		return q
	}
	win.Used++
	win.changed = true
	return quota(win.RateWindow, limit, now)
}

// peek tells the quota and counts nothing. A window that is over, or was never
// opened, reads as one that would be opened now.
func (w *windows) peek(clientID string, limit int, now time.Time) Quota {
	w.mu.Lock()
	defer w.mu.Unlock()
	win := w.open[clientID]
	if win == nil || !now.Before(win.OpenedAt.Add(windowLength)) || now.Before(win.OpenedAt) {
		return quota(RateWindow{OpenedAt: now}, limit, now)
	}
	return quota(win.RateWindow, limit, now)
}

// takeChanged returns the windows that changed since the last call and marks them
// as saved.
func (w *windows) takeChanged() []RateWindow {
	w.mu.Lock()
	defer w.mu.Unlock()
	var changed []RateWindow
	for _, win := range w.open {
		if win.changed {
			changed = append(changed, win.RateWindow)
			win.changed = false
		}
	}
	return changed
}

// putBack marks windows as changed again after they could not be saved.
func (w *windows) putBack(unsaved []RateWindow) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range unsaved {
		w.open[u.ClientID].changed = true
	}
}

func quota(w RateWindow, limit int, now time.Time) Quota {
	reset := w.OpenedAt.Add(windowLength)
	return Quota{Limit: limit, Remaining: max(0, limit-w.Used), Reset: reset, After: reset.Sub(now)}
}
