package gate

// Place is a call's place in the queue, for a sender that has more to wait for.
// It ends with Permit, once Ready is closed, or with Leave.
type Place struct {
	gate *Gate
	w    *waiter
}

// Join puts a call into the queue and returns at once; whatever may go by then
// has been let through. See [Gate.Pass].
func (g *Gate) Join(t Ticket) *Place {
	p := &Place{g, &waiter{Ticket: t, ready: make(chan struct{})}}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		close(p.w.ready)
		return p
	}
	g.queue.join(p.w)
	g.admit()
	return p
}

// Ready is closed when the call may go out, or the gate was closed.
func (p *Place) Ready() <-chan struct{} { return p.w.ready }

// Permit returns the permit of a call that is ready, as Pass does.
func (p *Place) Permit() (*Permit, error) {
	if p.w.permit == nil {
		return nil, p.gate.failed(ErrClosed)
	}
	return p.w.permit, nil
}

// Leave takes the call out of the queue. One that was let through already gives
// its permit back.
func (p *Place) Leave() {
	g := p.gate
	g.mu.Lock()
	permit := p.w.permit
	if permit == nil {
		g.queue.leave(p.w)
		g.admit()
	}
	g.mu.Unlock()
	if permit != nil {
		permit.GiveBack()
	}
}
