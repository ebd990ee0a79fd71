package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/app"
)

// lines prints one line for each thing that happens, and the channels' state
// when it changes.
type lines struct {
	mu   sync.Mutex
	out  io.Writer
	last map[string]string // how each channel stood when it was last told of, by id
	said map[string]time.Time
}

func newLines(out io.Writer) *lines {
	return &lines{out: out, last: map[string]string{}, said: map[string]time.Time{}}
}

func (l *lines) open(b banner) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b.write(l.out)
}

func (l *lines) happened(h app.Happening) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := h.At
	if h.Kind == app.HappenedTold {
		at = h.ToldAt // lines stay in the order of the clock
	}
	fmt.Fprintf(l.out, "%s  %s\n", at.Local().Format("15:04:05.000"), sentence(h))
}

// channelEvery is how often a channel's state is told at most while it moves.
const channelEvery = 10 * time.Second

func (l *lines) status(channels []app.ChannelStatus) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := hotel.SystemClock{}.Now().Local()
	for _, c := range channels {
		s := standing(c) + c.Breaker
		if s == l.last[c.ID] || now.Sub(l.said[c.ID]) < channelEvery {
			continue
		}
		l.last[c.ID], l.said[c.ID] = s, now
		fmt.Fprintf(l.out, "%s  %s\n", now.Format("15:04:05.000"), summary(c))
	}
}

func (l *lines) close() {}
