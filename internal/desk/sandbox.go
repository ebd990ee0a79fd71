package desk

import (
	"context"
	"time"

	"ostler.example/hotel"
)

// Sandboxes is what the desk needs of whoever keeps sandboxes. Whatever is done is
// done once for a request's key; replayed tells that it was done before.
type Sandboxes interface {
	Reset(ctx context.Context, by hotel.By, once hotel.Once, id string) (s hotel.Sandbox, replayed bool, err error)
	Advance(ctx context.Context, by hotel.By, once hotel.Once, id string, d time.Duration) (s hotel.Sandbox, replayed bool, err error)
	Book(ctx context.Context, by hotel.By, once hotel.Once, id string, b hotel.SandboxBooking) (booked hotel.SandboxBooked, replayed bool, err error)
	Fail(ctx context.Context, by hotel.By, once hotel.Once, id string, f hotel.SandboxFault) (replayed bool, err error)
}

// SandboxView is a sandbox with what its clock says.
type SandboxView struct {
	hotel.Sandbox
	Now time.Time
}

// ResetSandbox makes the caller's sandbox a new one. Nothing of what was in it stays.
func (d *Desk) ResetSandbox(ctx context.Context, c Caller) (SandboxView, bool, error) {
	s, replayed, err := d.sandboxes.Reset(ctx, c.by(), c.Once, c.SandboxID)
	return d.sandboxView(s), replayed, said(err)
}

// AdvanceSandbox lets time pass in the caller's sandbox.
func (d *Desk) AdvanceSandbox(ctx context.Context, c Caller, by time.Duration) (SandboxView, bool, error) {
	s, replayed, err := d.sandboxes.Advance(ctx, c.by(), c.Once, c.SandboxID, by)
	return d.sandboxView(s), replayed, said(err)
}

func (d *Desk) sandboxView(s hotel.Sandbox) SandboxView {
	return SandboxView{s, d.clock.Now().Add(s.Ahead)}
}

// BookAtSandbox plays a guest of one of the sandbox's channels.
func (d *Desk) BookAtSandbox(ctx context.Context, c Caller, b hotel.SandboxBooking) (hotel.SandboxBooked, bool, error) {
	if !c.seesChannel(b.ChannelID) {
		return hotel.SandboxBooked{}, false, nothing()
	}
	booked, replayed, err := d.sandboxes.Book(ctx, c.by(), c.Once, c.SandboxID, b)
	return booked, replayed, said(err)
}

// FailSandbox has one of the sandbox's channels fail.
func (d *Desk) FailSandbox(ctx context.Context, c Caller, f hotel.SandboxFault) (bool, error) {
	if !c.seesChannel(f.ChannelID) {
		return false, nothing()
	}
	replayed, err := d.sandboxes.Fail(ctx, c.by(), c.Once, c.SandboxID, f)
	return replayed, said(err)
}
