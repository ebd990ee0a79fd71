package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

// clock is that of the machine, whatever the hotel's says: programs live by it.
var clock = hotel.SystemClock{}

const (
	writePatience = 10 * time.Second  // for a program that does not read
	endPatience   = 2 * time.Second   // for one whose input has ended
	mostFrames    = 16                // of one call that wait to be looked at
	mostWaiting   = 2 * wire.MaxFrame // bytes of all frames that do
	mostBlank     = 1000              // lines in a row: they tell nothing and cost time
)

// unseen is a frame that waits to be looked at, and how many bytes it had.
type unseen struct {
	wire.Frame
	bytes int
}

// run is one life of a program.
type run struct {
	said wire.Description

	cmd         *exec.Cmd
	in, out     *os.File
	silence     time.Duration
	env         connectors.Env
	conceal     *strings.Replacer
	stderr      *stderr
	writing     chan struct{} // holds one while a frame is written
	ids         atomic.Int64
	exited      chan struct{} // the process is gone
	done        chan struct{} // and so is all that listened to it; err is set
	err         error
	mu          sync.Mutex
	calls       map[int64]chan unseen
	waiting     int       // bytes of the frames that wait to be looked at
	began       time.Time // when it was started
	heard       time.Time // when it said something last
	cause       error     // the first reason to end it
	terminating sync.Once
	watching    sync.WaitGroup // its memory
}

func newRun(cmd *exec.Cmd, in, out, words *os.File, p Program, env connectors.Env, conceal *strings.Replacer) *run {
	r := &run{
		cmd: cmd, in: in, out: out, silence: p.silence(), env: env, conceal: conceal, stderr: newStderr(words, env.Log, conceal),
		exited: make(chan struct{}), done: make(chan struct{}), calls: map[int64]chan unseen{}, began: clock.Now(), writing: make(chan struct{}, 1),
	}
	var listening sync.WaitGroup
	listening.Go(r.listen)
	listening.Go(r.stderr.listen)
	heard := make(chan struct{})
	go func() {
		listening.Wait()
		close(heard)
	}()
	r.watching.Go(func() { r.watch(p.memory()) })
	go r.await(heard)
	return r
}

// lastWords is how long what an ended program has written is still read.
const lastWords = time.Second

// await sees a program to its end. Heard is closed when all is read.
func (r *run) await(heard <-chan struct{}) {
	exit := r.cmd.Wait()
	close(r.exited)
	r.kill() // what it may have started itself
	_ = r.in.Close()
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-heard:
	case <-timer.C:
	}
	_, _ = r.out.Close(), r.stderr.from.Close()
	<-heard
	r.watching.Wait()
	r.err = r.epitaph(exit)
	close(r.done)
}

// epitaph says why a program ended, with the last that it said.
func (r *run) epitaph(exit error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.cause != nil:
		return r.cause
	case exit == nil:
		exit = errors.New("it ended by itself")
	}
	if last := r.stderr.last(); last != "" {
		return fmt.Errorf("its program: %w, after saying: %s", exit, last)
	}
	return fmt.Errorf("its program: %w", exit)
}

// stop ends the program: its input ends, and if that does not do, it is killed. It
// returns once nothing of it is left.
func (r *run) stop(cause error) {
	r.blame(cause)
	r.terminating.Do(func() { _ = r.in.Close() })
	timer := time.NewTimer(endPatience)
	defer timer.Stop()
	select {
	case <-r.exited:
	case <-timer.C:
		r.kill()
	}
	<-r.done
}

// breakOff kills a program that broke the rules.
func (r *run) breakOff(format string, args ...any) {
	r.blame(fmt.Errorf("its program "+format, args...))
	r.kill()
}

// ending reports whether nothing more can be asked of it.
func (r *run) ending() bool {
	select {
	case <-r.exited:
		return true
	default:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cause != nil
}

func (r *run) blame(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cause == nil {
		r.cause = cause
	}
}

// kill kills the program and all that it has started in its group.
func (r *run) kill() { _ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) } // gone already is as good

// errUnwritten is that of a frame of which nothing was written.
var errUnwritten = errors.New("its program does not read what it is told")

// write writes one frame, behind those that are being written. One that has begun is
// written to its end: half a frame would be the beginning of the next.
func (r *run) write(ctx context.Context, f wire.Frame) error {
	line, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("write a frame: %w", err)
	}
	select {
	case r.writing <- struct{}{}:
		defer func() { <-r.writing }()
	case <-ctx.Done():
		return errors.Join(errUnwritten, ctx.Err())
	}
	// Nobody else sets it, and a pipe takes deadlines.
	_ = r.in.SetWriteDeadline(clock.Now().Add(writePatience))
	if _, err := r.in.Write(append(line, '\n')); err != nil {
		r.breakOff("does not read what it is told")
		return err
	}
	return nil
}

// listen takes in what the program says, until it breaks a rule or ends.
func (r *run) listen() {
	lines := bufio.NewScanner(r.out)
	lines.Buffer(make([]byte, 0, 64<<10), wire.MaxFrame)
	lines.Split(wholeLines)
	blank := 0
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			if blank++; blank > mostBlank {
				r.breakOff("wrote more than %d blank lines in a row", mostBlank)
				return
			}
			continue
		}
		blank = 0
		var f wire.Frame
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			r.breakOff("wrote a line that is no frame (what else it has to say goes to standard error): %.60q", r.conceal.Replace(lines.Text()))
			return
		}
		if why := r.route(unseen{f, len(lines.Bytes())}); why != "" {
			r.breakOff("%s", why)
			return
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.breakOff("wrote a line of more than %d bytes", wire.MaxFrame)
	case err == nil: // its output ended: nothing can come of it any more
		r.terminating.Do(func() { _ = r.in.Close() })
		select {
		case <-r.exited:
		case <-time.After(endPatience):
			r.breakOff("closed its output")
		}
	}
}

// wholeLines splits what is read into lines; half a line at the end says nothing.
func wholeLines(data []byte, atEnd bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEnd {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

// route hands a frame to its call and says what is wrong with it, if anything.
func (r *run) route(f unseen) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = clock.Now()
	to, known := r.calls[f.ID]
	final := f.Result != nil || f.Error != nil
	switch {
	case !known && !final:
		return fmt.Sprintf("asks for something in a call %d, which there is not", f.ID)
	case !known:
		return fmt.Sprintf("answers a call %d, which there is not", f.ID)
	case !final && f.Deliver == nil && f.Fetch == nil && f.Shelf == nil && f.Report == nil && f.House == nil && !f.Hint:
		return fmt.Sprintf("wrote a frame about call %d that says nothing", f.ID)
	}
	if final {
		delete(r.calls, f.ID)
	}
	if r.waiting+f.bytes > mostWaiting {
		return fmt.Sprintf("wrote more than %d bytes that nobody has looked at", mostWaiting)
	}
	select {
	case to <- f:
		r.waiting += f.bytes
	default:
		return fmt.Sprintf("floods call %d", f.ID)
	}
	return ""
}

// looked notes that somebody looks at a frame.
func (r *run) looked(at unseen) wire.Frame {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting -= at.bytes
	return at.Frame
}
