package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/client"
	"ostler.example/ledger"
)

// Where the operators' socket takes wishes that concern the data folder itself.
const (
	verifyPath = "/ledger/verify"
	backupPath = "/ledger/backup"
)

// workLine is one line of the answer to such a wish: how far it is, and in the end
// what was found or why it failed.
type workLine struct {
	At     string          `json:"at,omitempty"`
	Share  float64         `json:"share,omitempty"`
	Found  json.RawMessage `json:"found,omitempty"`
	Failed string          `json:"failed,omitempty"`
}

// tellEvery is how often it is told how far work is.
const tellEvery = 100 * time.Millisecond

// work does something that takes a while for whoever asked, and tells how far it is.
func (d *Daemon) work(w http.ResponseWriter, r *http.Request, do func(ctx context.Context, report ledger.Progress) (any, error)) {
	lines, flush := json.NewEncoder(w), http.NewResponseController(w)
	_, _ = flush.SetReadDeadline(time.Time{}), flush.SetWriteDeadline(time.Time{}) // it takes as long as it takes
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-d.env.hushed: // the daemon stops
			cancel()
		case <-ctx.Done():
		}
	}()
	tell := func(l workLine) {
		_ = lines.Encode(l) // whoever asked may have gone, which ends the context
		_ = flush.Flush()
	}
	var told time.Time
	found, err := do(ctx, func(at string, share float64) {
		if now := (hotel.SystemClock{}).Now(); now.Sub(told) >= tellEvery {
			told = now
			tell(workLine{At: at, Share: share})
		}
	})
	raw, unwritable := json.Marshal(found)
	if err = errors.Join(err, unwritable); err != nil {
		tell(workLine{Failed: err.Error()})
	} else {
		tell(workLine{Found: raw})
	}
}

// askToWork has the daemon of a data folder do such work, and reads what it found
// into what into points to. [client.ErrNoDaemon] says that there is none.
func askToWork(ctx context.Context, dir, path string, report func(string, float64), into any) error {
	daemon := client.New(dir)
	defer daemon.Close()
	done := false
	err := daemon.Follow(ctx, path, func(line []byte) error {
		var said workLine
		if err := json.Unmarshal(line, &said); err != nil {
			return fmt.Errorf("the daemon's answer cannot be read: %w", err)
		}
		switch {
		case said.Failed != "":
			return errors.New(said.Failed)
		case said.Found != nil:
			done = true
			return json.Unmarshal(said.Found, into)
		default:
			report(said.At, said.Share)
		}
		return nil
	})
	if err == nil && !done {
		err = errors.New("the daemon ended before it was done")
	}
	return err
}
