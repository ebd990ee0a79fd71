package app

import (
	"context"
	"net/http"

	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// verify checks the ledger that the daemon has open, and tells how far it is.
func (d *Daemon) verify(w http.ResponseWriter, r *http.Request) {
	d.work(w, r, func(ctx context.Context, report ledger.Progress) (any, error) {
		v, err := d.env.Ledger.Verify(ctx, ledger.VerifyOptions{Stage: chansync.Stage(d.config.Connectors, d.seal), Report: report})
		return verified(ledgerPath(d.config.Data), v), err
	})
}
