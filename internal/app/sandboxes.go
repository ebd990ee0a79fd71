package app

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/api"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// How many sandboxes are open at once, and how long one stays open that nobody asks
// for anything.
const (
	maxOpenSandboxes = 16
	sandboxIdle      = 15 * time.Minute
)

// SandboxesOptions configures the sandboxes of a daemon.
type SandboxesOptions struct {
	Folder      string // where each has a folder of its own
	Ledger      *ledger.Ledger
	Auth        *auth.Authority
	Environment EnvironmentOptions // what they have in common with production
	MaxOpen     int                // 0: sixteen
	Idle        time.Duration      // 0: a quarter of an hour
	Clock       hotel.Clock
	Log         *zap.Logger
}

// Sandboxes opens each sandbox when it is first asked for something and closes it when
// it was not for a while. An open one costs some megabytes, about a dozen files and
// the goroutines of an engine; there are at most MaxOpen.
type Sandboxes struct {
	o        SandboxesOptions
	building sync.Mutex // one is opened at a time: the hotels of many at once would starve production

	mu    sync.Mutex
	slots map[string]*slot // by sandbox
	open  int
	ended bool
}

// slot is the place of one sandbox, open or not. Whoever takes both locks takes turn
// first.
type slot struct {
	id   string
	turn sync.Mutex   // held by who opens and closes
	gate sync.RWMutex // held for reading by who is inside, for writing while box is set
	box  *sandbox     // nil: it is not open

	// Under the lock of all:
	inside int          // who is at the gate or behind it
	left   time.Time    // when the last one went
	filled bool         // it is open, or about to be
	hush   func() error // answers who waits inside for something to happen; nil: it is not open
}

var _ api.Sandboxes = (*Sandboxes)(nil)

// NewSandboxes returns sandboxes of which none is open.
func NewSandboxes(o SandboxesOptions) *Sandboxes {
	if o.MaxOpen == 0 {
		o.MaxOpen = maxOpenSandboxes
	}
	if o.Idle == 0 {
		o.Idle = sandboxIdle
	}
	return &Sandboxes{o: o, slots: map[string]*slot{}}
}

// errFull refuses to open a sandbox more than may be open.
var errFull = hotel.Refuse("temporarily_unavailable", "as many sandboxes are in use as may be open at once: try again in a moment")

var errStopping = hotel.Refuse("temporarily_unavailable", "the service is stopping")

// Enter implements [api.Sandboxes].
func (m *Sandboxes) Enter(ctx context.Context, id string) (http.Handler, func(), error) {
	box, leave, err := m.enter(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return box.env.API, leave, nil
}

// enter opens a sandbox that is not, and keeps it open until leave is called.
func (m *Sandboxes) enter(ctx context.Context, id string) (box *sandbox, leave func(), err error) {
	s, err := m.approach(id)
	if err != nil {
		return nil, nil, err
	}
	entered := false
	defer func() {
		if !entered {
			m.depart(s)
		}
	}()
	for {
		s.gate.RLock()
		if s.box != nil {
			entered = true
			return s.box, sync.OnceFunc(func() {
				s.gate.RUnlock()
				m.depart(s)
			}), nil
		}
		s.gate.RUnlock()
		if err := m.fill(context.WithoutCancel(ctx), s); err != nil {
			return nil, nil, err
		}
	}
}

// approach counts somebody more at a slot.
func (m *Sandboxes) approach(id string) (*slot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended {
		return nil, errStopping
	}
	s := m.slots[id]
	if s == nil {
		s = &slot{id: id}
		m.slots[id] = s
	}
	s.inside++
	return s, nil
}

func (m *Sandboxes) depart(s *slot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.inside--
	s.left = m.o.Clock.Now()
}

// fill opens a slot's sandbox, if nobody has by now. It asks for the gate only to set
// what was opened: who stands there would keep everybody else from going in, and may
// have to wait for a request that waits itself.
func (m *Sandboxes) fill(ctx context.Context, s *slot) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if _, open := s.standing(); open {
		return nil
	}
	if err := m.room(s); err != nil {
		return err
	}
	filled := false
	defer func() {
		if !filled {
			m.emptied(s)
		}
	}()
	m.building.Lock()
	defer m.building.Unlock()
	began := m.o.Clock.Now()
	stands, err := m.o.Ledger.Sandbox(ctx, s.id)
	if err != nil {
		return err
	}
	box, err := openSandbox(ctx, m.o, stands)
	if err != nil {
		return err
	}
	s.set(box)
	filled = true
	m.mu.Lock()
	s.hush = box.env.Hush
	m.mu.Unlock()
	m.o.Log.Info("sandbox opened", zap.String("sandbox", s.id), zap.Duration("took", m.o.Clock.Now().Sub(began)))
	return nil
}

// set puts a sandbox into its place, or takes it away.
func (s *slot) set(box *sandbox) {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.box = box
}

// standing returns how the sandbox stands that is open; false when none is.
func (s *slot) standing() (hotel.Sandbox, bool) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.box == nil {
		return hotel.Sandbox{}, false
	}
	return s.box.stands, true
}

// room makes sure that one more sandbox may be open: where as many are as may be, the
// one that nobody has been in for longest is closed. It counts the slot as filled.
func (m *Sandboxes) room(s *slot) error {
	m.mu.Lock()
	for m.open >= m.o.MaxOpen && !m.ended {
		var idle *slot
		for _, other := range m.slots {
			if other.filled && other.inside == 0 && (idle == nil || other.left.Before(idle.left)) {
				idle = other
			}
		}
		if idle == nil {
			m.mu.Unlock()
			return errFull
		}
		idle.inside++ // so that nobody else chooses it
		m.mu.Unlock()
		m.close(idle)
		m.depart(idle)
		m.mu.Lock()
	}
	defer m.mu.Unlock()
	if m.ended {
		return errStopping
	}
	m.open++
	s.filled = true
	return nil
}

func (m *Sandboxes) emptied(s *slot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open--
	s.filled, s.hush = false, nil
}

// close closes a slot's sandbox once those inside have left it. Whoever waits in there
// for something to happen is answered.
func (m *Sandboxes) close(s *slot) {
	s.turn.Lock()
	defer s.turn.Unlock()
	m.quiet(s)
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.box == nil {
		return
	}
	if err := s.box.stop(); err != nil {
		m.o.Log.Error("sandbox not closed in order", zap.String("sandbox", s.id), zap.Error(err))
	}
	s.box = nil
	m.emptied(s)
}

// Run closes sandboxes that nobody was in for a while, until ctx ends.
func (m *Sandboxes) Run(ctx context.Context) {
	look := time.NewTicker(min(time.Minute, m.o.Idle))
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			m.closeIdle()
		}
	}
}

func (m *Sandboxes) closeIdle() {
	m.mu.Lock()
	var idle []*slot
	for id, s := range m.slots {
		switch {
		case s.inside > 0 || m.o.Clock.Now().Sub(s.left) < m.o.Idle:
		case s.filled:
			s.inside++
			idle = append(idle, s)
		default:
			delete(m.slots, id)
		}
	}
	m.mu.Unlock()
	for _, s := range idle {
		m.close(s)
		m.depart(s)
	}
}

// hush has requests answered that wait in a sandbox for something to happen.
func (m *Sandboxes) hush() {
	for _, s := range m.all() {
		m.quiet(s)
	}
}

// quiet is hush for one sandbox. It waits for nobody.
func (m *Sandboxes) quiet(s *slot) {
	m.mu.Lock()
	hush := s.hush
	m.mu.Unlock()
	if hush != nil {
		_ = hush() // it cannot fail
	}
}

func (m *Sandboxes) all() []*slot {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.slots))
}

// Stop closes all. None is opened afterwards.
func (m *Sandboxes) Stop() error {
	m.mu.Lock()
	m.ended = true
	m.mu.Unlock()
	var closing sync.WaitGroup
	for _, s := range m.all() {
		closing.Go(func() { m.close(s) })
	}
	closing.Wait()
	return nil
}
