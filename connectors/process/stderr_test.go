package process

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
)

// A program that never stops talking is read as slowly as is worth the work: it waits
// then, and not we. What it says in a while is read at once.
func TestChatterIsReadSlowly(t *testing.T) {
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := newStderr(out, zap.NewNop(), strings.NewReplacer())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.listen()
	}()
	lines := bytes.Repeat([]byte("x\n"), 8<<10)
	for range bytesAtOnce / len(lines) {
		if _, err := in.Write(lines); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.SetWriteDeadline(clock.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	more := 0
	for range 64 << 20 / len(lines) {
		n, err := in.Write(lines)
		if more += n; err != nil {
			break
		}
	}
	if more > 2*bytesPerSecond {
		t.Errorf("%d more bytes are read in a fifth of a second", more)
	}
	_ = in.Close()
	<-ended
}
