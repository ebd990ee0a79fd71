package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"ostler.example/internal/app"
)

// screen redraws a terminal: the channels on top, what happened below, the
// newest first.
type screen struct {
	mu       sync.Mutex
	out      io.Writer
	size     func() (width, height int, err error)
	banner   banner
	channels []app.ChannelStatus
	recent   []app.Happening
	drawn    bool
}

// keepRecent is more than any terminal shows.
const keepRecent = 200

// Control sequences of ECMA-48: another buffer, home, clear to the end of the
// line and of the screen.
const (
	enter     = "\x1b[?1049h\x1b[?25l"
	leave     = "\x1b[?1049l\x1b[?25h"
	home      = "\x1b[H"
	clearLine = "\x1b[K"
	clearRest = "\x1b[J"
	dim       = "\x1b[2m"
	red       = "\x1b[31m"
	green     = "\x1b[32m"
	bold      = "\x1b[1m"
	plain     = "\x1b[0m"
)

func newScreen(out io.Writer, size func() (int, int, error)) *screen {
	return &screen{out: out, size: size}
}

func (s *screen) open(b banner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.banner, s.drawn = b, true
	fmt.Fprint(s.out, enter)
	s.draw()
}

func (s *screen) happened(h app.Happening) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.recent, func(o app.Happening) bool { return h.Kind == app.HappenedTold && o.At.Equal(h.At) && o.What == h.What })
	if at >= 0 {
		s.recent[at] = h // one line a change: first that it came, then who knows of it
	} else {
		s.recent = append([]app.Happening{h}, s.recent[:min(len(s.recent), keepRecent-1)]...)
	}
	s.draw()
}

func (s *screen) status(c []app.ChannelStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels = c
	s.draw()
}

func (s *screen) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn = false
	fmt.Fprint(s.out, leave)
}

func (s *screen) draw() {
	if !s.drawn {
		return
	}
	width, height, err := s.size()
	if err != nil || width < 20 || height < 5 {
		width, height = 80, 24
	}
	var b strings.Builder
	s.banner.write(&b)
	rows := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	rows[0] = bold + rows[0] + plain
	rows = append(rows, "")
	for _, c := range s.channels {
		colour := green
		if c.Breaker != "closed" || c.Unknown > 0 || c.Rejected > 0 {
			colour = red
		}
		rows = append(rows, colour+cut(summary(c), width)+plain)
	}
	rows = append(rows, "", dim+cut("Newest first. Ctrl-C stops; the next start goes on with what is there.", width)+plain)
	for _, h := range s.recent {
		colour := ""
		switch h.Kind {
		case app.HappenedTrouble:
			colour = red
		case app.HappenedBooking, app.HappenedChange:
			colour = bold
		case app.HappenedTold:
		}
		for _, row := range fold(h.At.Local().Format("15:04:05")+"  "+sentence(h), width) {
			rows = append(rows, colour+row+plain)
		}
	}
	rows = rows[:min(len(rows), height-1)]
	fmt.Fprint(s.out, home+strings.Join(rows, clearLine+"\r\n")+clearLine+clearRest)
}

// fold breaks a line that is too wide before the channels that were told, which
// are what one wants to see, and cuts what is too wide even then.
func fold(s string, width int) []string {
	at := strings.LastIndex(s, toldSign)
	if at < 0 || len([]rune(s)) <= width {
		return []string{cut(s, width)}
	}
	return []string{cut(s[:at], width), cut(strings.Repeat(" ", 19)+s[at+1:], width)}
}

// cut shortens a line to the terminal's width.
func cut(s string, width int) string {
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	return string(r[:width-1]) + "…"
}
