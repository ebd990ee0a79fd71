package process

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// opened is a channel whose program behaves in some way.
func opened(t *testing.T, how ...string) (*conn, *observer.ObservedLogs) {
	t.Helper()
	return openedWith(t, nil, how...)
}

// configOf is the settings of a channel whose program behaves in some way. Those that say
// nothing are not waited for long.
func configOf(how ...string) Config {
	silence := usualSilence
	if how[0] == "hang" || how[0] == "never ends" || how[0] == "hangs after asking" {
		silence = time.Second
	}
	return Config{
		Programs: map[string]Program{"tried": {Command: append([]string{built}, how...), Silence: connectors.Duration(silence), MemoryMiB: 256}},
		Program:  "tried", Secrets: map[string]string{"secret": "hunter2hunter2"},
	}
}

func openedWith(t *testing.T, shelf connectors.Shelf, how ...string) (*conn, *observer.ObservedLogs) {
	t.Helper()
	c := configOf(how...)
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	core, logs := observer.New(zapcore.DebugLevel)
	got, err := open(t.Context(), c, connectors.Env{ChannelID: "ch_1", Log: zap.New(core), Clock: hotel.SystemClock{}, Shelf: shelf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	})
	channel, _ := got.(*conn)
	return channel, logs
}

// A program that breaks the rules is ended, its call fails as one of which nobody
// knows the effect, and what it said is told without its secrets.
func TestRogues(t *testing.T) {
	for how, want := range map[string]string{
		"crash":             "exit status 7, after saying: out of luck, with secret ***",
		"hang":              "said nothing for 1s",
		"never ends":        "said nothing for 1s",
		"garbage":           "wrote a line that is no frame",
		"blank lines":       "wrote more than 1000 blank lines in a row",
		"flood":             "answers a call 99, which there is not",
		"long line":         "wrote a line of more than",
		"deliveries":        "delivers a message where none was asked for",
		"memory":            "exit status 2",
		"closes its output": "closed its output",

		"asks outside of a call": "asks for something in a call 99, which there is not",
		"hangs after asking":     "said nothing for 1s",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			c, _ := opened(t, how)
			_, err := c.Products(t.Context())
			e := connectors.AsError(err)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("it ends with %v, want %q", err, want)
			}
			if e.Kind != connectors.Temporary || e.Effect != connectors.Possible {
				t.Errorf("it is %s with effect %d, want temporary and possible", e.Kind, e.Effect)
			}
			_, err = c.Products(t.Context())
			if e := connectors.AsError(err); err == nil || e.Effect != connectors.NotSent || !strings.Contains(err.Error(), "started again in") {
				t.Errorf("asked again at once: %v, want that it is left alone for a while", err)
			}
		})
	}
}

// What several processes have together counts, and what is shared, of which the kernel's
// limit of each knows nothing.
func TestMemoryOfAllIsLimited(t *testing.T) {
	t.Parallel()
	// A child needs twice what it keeps: less than the limit, which holds for each alone too.
	for how, most := range map[string]int{"shared memory": 160, "many children": 320} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			config := configOf(how)
			config.Programs["tried"] = Program{Command: config.Programs["tried"].Command, MemoryMiB: most}
			s := alone(config, connectors.Env{Log: zap.NewNop(), Clock: hotel.SystemClock{}})
			defer s.close()
			err := s.call(t.Context(), "products", struct{}{}, nil, nil)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("MiB of memory, and may have %d", most)) {
				t.Fatalf("it ends with %v", err)
			}
			if _, err := s.running(t.Context()); err == nil || !strings.Contains(err.Error(), "started again in") {
				t.Errorf("asked again at once: %v, want that it is left alone for a while", err)
			}
		})
	}
}

func TestStartsAgainAfterAWhile(t *testing.T) {
	t.Parallel()
	c, _ := opened(t, "crash once", filepath.Join(t.TempDir(), "crashed"))
	if _, err := c.Products(t.Context()); err == nil {
		t.Fatal("it did not crash")
	}
	if _, err := c.Products(t.Context()); err == nil {
		t.Fatal("it is not left alone")
	}
	c.program.mu.Lock()
	wait := c.program.resumeAt.Sub(clock.Now())
	c.program.mu.Unlock()
	if wait <= 0 || wait > firstPause {
		t.Errorf("it is left alone for %s, want up to %s", wait, firstPause)
	}
	<-time.After(wait)
	products, err := c.Products(t.Context())
	if err != nil || len(products) != 1 {
		t.Errorf("started again it answers %v and %v", products, err)
	}
}

// A program that answers before it ends is left alone for longer each time too.
func TestPausesGrow(t *testing.T) {
	s := &supervised{env: connectors.Env{Log: zap.NewNop()}}
	var last time.Duration
	for range 20 {
		s.failed(errClosed, time.Second)
		pause := s.resumeAt.Sub(clock.Now())
		if pause < last-time.Second || pause > lastPause {
			t.Fatalf("a pause of %s after one of %s", pause, last)
		}
		last = pause
	}
	if last < lastPause-time.Second {
		t.Errorf("the last pause is %s, want %s", last, lastPause)
	}
	s.failed(errClosed, 2*lastPause)
	if pause := s.resumeAt.Sub(clock.Now()); pause > firstPause {
		t.Errorf("one that has lived for long is left alone for %s, want %s", pause, firstPause)
	}
}

// A program that dies behind each answer is not started again at once each time.
func TestAnAnswerForgivesNothing(t *testing.T) {
	t.Parallel()
	c, _ := opened(t, "answers and dies")
	for n := range 2 {
		if _, err := c.Products(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.program.mu.Lock()
		r := c.program.now
		c.program.mu.Unlock()
		if r != nil {
			<-r.done
			c.program.end(r)
		}
		c.program.mu.Lock()
		pause, failures := c.program.resumeAt.Sub(clock.Now()), c.program.failures
		c.program.mu.Unlock()
		if failures != n+1 || pause > firstPause<<n {
			t.Errorf("after end %d it is left alone for %s, the %d in a row", n+1, pause, failures)
		}
		<-time.After(pause)
	}
}

// What a program writes faster than anybody looks at it is bounded in bytes too.
func TestFramesThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	c, _ := opened(t, "large messages")
	let := make(chan struct{})
	slow := sinkFunc(func(context.Context, connectors.Message) error {
		<-let
		return nil
	})
	r, err := c.program.running(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-r.exited
		close(let)
	}()
	if _, err := c.Poll(t.Context(), "", slow); err == nil {
		t.Error("it goes well")
	}
	if <-r.done; r.err == nil || !strings.Contains(r.err.Error(), "bytes that nobody has looked at") {
		t.Errorf("it ends with %v", r.err)
	}
}

// A program that goes on with a cancelled call is ended; a caller does not wait for
// that.
func TestCancelDoesNotWait(t *testing.T) {
	t.Parallel()
	c, _ := opened(t, "hang")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Products(ctx); err == nil || ctx.Err() == nil {
		t.Errorf("it ends with %v", err)
	}
}

func TestNonsenseSettlesNothing(t *testing.T) {
	t.Parallel()
	c, _ := opened(t, "answers nonsense")
	if _, err := c.Read(t.Context(), "DBL", 0, 1); err == nil {
		t.Error("nights from late to early are read")
	}
	calls, refused := c.Encode([]connectors.Change{{Key: connectors.Key{Room: "DBL", Group: hotel.Availability}}})
	if len(calls)+len(refused) != 0 {
		t.Errorf("%v and %v of nothing", calls, refused)
	}
	answer, err := c.Send(t.Context(), connectors.Call{})
	if err != nil || answer.Rest != connectors.Unknown {
		t.Errorf("an answer without outcomes is %v, %v, want unknown", answer, err)
	}
}

// A program that says a success although a message was not kept is not believed.
func TestWhatIsNotKeptIsNoSuccess(t *testing.T) {
	t.Parallel()
	c, _ := opened(t, "unkept")
	full := sinkFunc(func(context.Context, connectors.Message) error { return fmt.Errorf("the disk is full") })
	if next, err := c.Poll(t.Context(), "5", full); err == nil || next != "5" {
		t.Errorf("the poll goes on at %q with %v, want from 5 and an error", next, err)
	}
	none := sinkFunc(func(context.Context, connectors.Message) error { return nil })
	if next, err := c.Poll(t.Context(), "5", none); err != nil || next != "9" {
		t.Errorf("the poll goes on at %q with %v", next, err)
	}
	answer := httptest.NewRecorder()
	c.Handler(none).ServeHTTP(answer, httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("x", maxReceived+1))))
	if answer.Code != 413 {
		t.Errorf("an endless message is answered %d", answer.Code)
	}
}

type sinkFunc func(context.Context, connectors.Message) error

func (f sinkFunc) Deliver(ctx context.Context, m connectors.Message) error { return f(ctx, m) }

func (sinkFunc) Hint() {}

// The daemon's environment and the credentials are nowhere that others see them.
func TestEnvironmentIsBare(t *testing.T) {
	t.Setenv("CREDENTIALS_DIRECTORY", "/run/credentials")
	c, logs := opened(t, "environment")
	if _, err := c.Products(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprint(logs.FilterMessage("a connector's program says").All())
	if !strings.Contains(said, "PATH=") || strings.Contains(said, "CREDENTIALS") || strings.Contains(said, "hunter2") || strings.Contains(said, "HOME=") {
		t.Errorf("the program sees %s", said)
	}
}

func TestChatterIsBounded(t *testing.T) {
	t.Parallel()
	c, logs := opened(t, "chatter")
	if _, err := c.Products(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if n := logs.Len(); n == 0 || n > 2*linesAtOnce {
		t.Errorf("%d lines of 100000 are logged", n)
	}
}

// A program that cannot be started or asked makes settings that are refused, with
// what it said.
func TestDescribeRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ command, want string }{
		"no such file":           {"/nowhere/program", "no such file"},
		"ends when it is opened": {built, "exit status 3"},
	} {
		config := Config{Programs: map[string]Program{"tried": {Command: []string{c.command, "open"}}}, Program: "tried"}
		if _, err := describe(config); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "program: ") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
