package process

import (
	"bufio"
	"context"
	"os"
	"strings"
	"sync"

	"go.uber.org/zap"
	"golang.org/x/time/rate"
)

// What of a program's standard error is logged.
const (
	maxLine        = 1 << 10 // bytes of a line
	linesPerSecond = 5
	linesAtOnce    = 100

	// What of it is read. Whoever says more waits until it is.
	bytesPerSecond = 1 << 20
	bytesAtOnce    = 1 << 20
)

// stderr brings what a program says there into the log, its secrets removed and not
// more of it than anybody would read.
type stderr struct {
	from    *os.File
	log     *zap.Logger
	conceal *strings.Replacer

	mu    sync.Mutex
	words string // the last line
}

func newStderr(from *os.File, log *zap.Logger, conceal *strings.Replacer) *stderr {
	return &stderr{from: from, log: log, conceal: conceal}
}

func (s *stderr) listen() {
	lines := bufio.NewReaderSize(s.from, 16*maxLine) // no secret is cut in two before it is found
	budget, pace := rate.NewLimiter(linesPerSecond, linesAtOnce), rate.NewLimiter(bytesPerSecond, bytesAtOnce)
	left := 0
	for {
		line, more, err := lines.ReadLine()
		if err != nil {
			return
		}
		read := len(line) + 1
		text := s.conceal.Replace(strings.ToValidUTF8(string(line), "?"))
		text = strings.ToValidUTF8(text[:min(len(text), maxLine)], "")
		for more && err == nil { // the rest of a long line
			line, more, err = lines.ReadLine()
			read += len(line)
			if read >= bytesAtOnce {
				wait(pace, read)
				read = 0
			}
		}
		wait(pace, read)
		s.mu.Lock()
		s.words = text
		s.mu.Unlock()
		if !budget.Allow() {
			left++
			continue
		}
		if left > 0 {
			s.log.Warn("a connector's program says more than is logged", zap.Int("lines_left_out", left))
			left = 0
		}
		s.log.Info("a connector's program says", zap.String("line", text))
	}
}

// wait waits until so many bytes may have been read.
func wait(pace *rate.Limiter, read int) {
	_ = pace.WaitN(context.Background(), min(read, bytesAtOnce)) // it never asks for more than there may be
}

func (s *stderr) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.words
}
