package app

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// verifyPath is where the operators' socket takes the wish to verify.
const verifyPath = "/ledger/verify"

// verifyLine is one line of the answer: how far it is, and in the end what was
// found or why it failed.
type verifyLine struct {
	At     string    `json:"at,omitempty"`
	Share  float64   `json:"share,omitempty"`
	Found  *Verified `json:"found,omitempty"`
	Failed string    `json:"failed,omitempty"`
}

// tellEvery is how often it is told how far a verification is.
const tellEvery = 100 * time.Millisecond

// verify checks the ledger that the daemon has open, and tells how far it is.
func (d *Daemon) verify(w http.ResponseWriter, r *http.Request) {
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
	tell := func(l verifyLine) {
		_ = lines.Encode(l) // whoever asked may have gone, which ends the context
		_ = flush.Flush()
	}
	var told time.Time
	v, err := d.env.Ledger.Verify(ctx, ledger.VerifyOptions{
		Stage: chansync.Stage(d.config.Connectors),
		Report: func(at string, share float64) {
			if now := (hotel.SystemClock{}).Now(); now.Sub(told) >= tellEvery {
				told = now
				tell(verifyLine{At: at, Share: share})
			}
		},
	})
	if err != nil {
		tell(verifyLine{Failed: err.Error()})
		return
	}
	found := verified(ledgerPath(d.config.Data), v)
	tell(verifyLine{Found: &found})
}
