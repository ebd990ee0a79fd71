package app

import (
	"context"
	"path/filepath"
	"sync"

	"go.uber.org/zap"

	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// sandboxLedgers are the files of all sandboxes of a folder.
func sandboxLedgers(sandboxes string) ([]string, error) {
	return filepath.Glob(filepath.Join(sandboxes, "*", "*", "ledger", "sandbox.db"))
}

// sandboxOf is the sandbox whose ledger lies at a path.
func sandboxOf(path string) string {
	return filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(path))))
}

// sealSandboxes has the sandboxes sealed anew where there are earlier keys, while
// production is at work: it waits for none of them.
func (d *Daemon) sealSandboxes() {
	if d.seal.Earlier() == 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var sealing sync.WaitGroup
	sealing.Go(func() { d.env.sealRest(ctx, d.seal) })
	d.cleanups.add("sealing of sandboxes", func() error {
		cancel()
		sealing.Wait()
		return nil
	})
}

// sealRest seals anew what the sandboxes keep, and says in the log whether earlier keys are
// needed still.
func (e *Environment) sealRest(ctx context.Context, s *auth.Seal) {
	all := e.sandboxes.sealAnew(ctx, s) && len(e.lost) == 0
	switch {
	case ctx.Err() != nil: // the next start goes on
	case all:
		e.log.Info("all that an earlier key sealed is sealed with the first one: the other lines of the key may be taken away", zap.Int("earlier", s.Earlier()))
	default:
		e.log.Warn("not everything is sealed with the first line of the key, as the log says above: keep the other lines", zap.Int("earlier", s.Earlier()))
	}
}

// sealAnew seals anew what each sandbox keeps, one after the other, and reports whether all
// of it is sealed with the newest key. What cannot be is told in the log.
func (m *Sandboxes) sealAnew(ctx context.Context, s *auth.Seal) bool {
	files, err := sandboxLedgers(m.o.Folder)
	all := err == nil
	for _, path := range files {
		if ctx.Err() != nil {
			return false
		}
		log := m.o.Log.With(zap.String("sandbox", sandboxOf(path)))
		lost, err := m.sealOne(ctx, path, s, log)
		if err != nil && ctx.Err() == nil {
			log.Error("what a sandbox keeps is not sealed anew", zap.Error(err))
		}
		all = all && err == nil && len(lost) == 0
	}
	return all
}

// sealOne does so for the sandbox at a path, which nobody opens meanwhile. One that is open
// was sealed when it was opened.
func (m *Sandboxes) sealOne(ctx context.Context, path string, s *auth.Seal, log *zap.Logger) (lost []string, err error) {
	at, err := m.approach(sandboxOf(path))
	if err != nil {
		return nil, err
	}
	defer m.depart(at)
	at.turn.Lock()
	defer at.turn.Unlock()
	if at.box != nil {
		return at.box.env.lost, nil
	}
	m.building.Lock()
	defer m.building.Unlock()
	if there, err := exists(path); err != nil || !there {
		return nil, err // it was reset
	}
	return sealFileAnew(ctx, ledger.Options{Path: path, Log: log, Small: true}, s)
}
