package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
	"ostler.example/internal/desk"
	"ostler.example/ledger"
)

var _ desk.Sandboxes = (*Sandboxes)(nil)

// Reset implements [desk.Sandboxes].
func (m *Sandboxes) Reset(ctx context.Context, by hotel.By, once hotel.Once, id string) (hotel.Sandbox, bool, error) {
	s, replayed, err := m.o.Ledger.ResetSandbox(context.WithoutCancel(ctx), by, once, id)
	return m.renewed(ctx, s, replayed, err)
}

// Advance implements [desk.Sandboxes].
func (m *Sandboxes) Advance(ctx context.Context, by hotel.By, once hotel.Once, id string, d time.Duration) (hotel.Sandbox, bool, error) {
	s, replayed, err := m.o.Ledger.AdvanceSandbox(context.WithoutCancel(ctx), by, once, id, d)
	return m.renewed(ctx, s, replayed, err)
}

// renewed opens a sandbox anew where it does not stand as the ledger has it, so that
// whoever asked finds it so: also who asks again because there was no answer.
func (m *Sandboxes) renewed(ctx context.Context, s hotel.Sandbox, replayed bool, err error) (hotel.Sandbox, bool, error) {
	if err != nil {
		return s, replayed, err
	}
	place, err := m.approach(s.ID)
	if err != nil {
		return s, replayed, err
	}
	defer m.depart(place)
	if is, open := place.standing(); open && is != s {
		m.close(place)
	}
	_, leave, err := m.enter(ctx, s.ID)
	if err != nil {
		return s, replayed, err
	}
	leave()
	return s, replayed, nil
}

// Book implements [desk.Sandboxes].
func (m *Sandboxes) Book(ctx context.Context, by hotel.By, once hotel.Once, id string, b hotel.SandboxBooking) (hotel.SandboxBooked, bool, error) {
	box, leave, err := m.enter(ctx, id)
	if err != nil {
		return hotel.SandboxBooked{}, false, err
	}
	defer leave()
	far, err := box.farSide(b.ChannelID)
	if err != nil {
		return hotel.SandboxBooked{}, false, err
	}
	mappings, err := box.env.Ledger.Mappings(ctx, b.ChannelID)
	if err != nil {
		return hotel.SandboxBooked{}, false, err
	}
	act := func(ctx context.Context) (string, error) { return box.guestActs(ctx, far, b, mappings) }
	reference, replayed, err := m.o.Ledger.NoteSandbox(ctx, by, box.own(once), id, ledger.SandboxBooked, b.ChannelID, act)
	if err != nil {
		return hotel.SandboxBooked{}, replayed, err
	}
	var state simkit.State
	if err := box.ask(ctx, far, http.MethodGet, "/_sim/state", nil, &state); err != nil {
		return hotel.SandboxBooked{}, replayed, err
	}
	i := slices.IndexFunc(state.Bookings, func(e simkit.Entry) bool { return e.Reference == reference })
	if i < 0 { // a reset came in between
		return hotel.SandboxBooked{}, replayed, hotel.Refuse("not_found", "the sandbox was reset since")
	}
	return bookedOf(state.Bookings[i], mappings), replayed, nil
}

// guestActs does at a pretend channel what a guest wants, and returns the reference.
func (b *sandbox) guestActs(ctx context.Context, far channelFarSide, want hotel.SandboxBooking, mappings []hotel.Mapping) (string, error) {
	q := simkit.Request{
		Reference: want.Reference, CheckIn: want.Stay.CheckIn, CheckOut: want.Stay.CheckOut, Adults: want.Adults, FirstName: want.FirstName, LastName: want.LastName,
	}
	if want.RoomTypeID != "" || want.RatePlanID != "" {
		i := slices.IndexFunc(mappings, func(m hotel.Mapping) bool {
			return m.RoomTypeID == want.RoomTypeID && m.RatePlanID == want.RatePlanID && !m.Retired
		})
		if i < 0 {
			return "", hotel.Invalid("/room_type_id", "unknown_room_type", "the channel does not sell this room type under this rate plan: see its mappings")
		}
		q.Room, q.Rate = mappings[i].RemoteRoom, mappings[i].RemoteRate
	}
	path := map[hotel.SandboxAct]string{hotel.GuestBooks: "/_sim/book", hotel.GuestChanges: "/_sim/modify", hotel.GuestCancels: "/_sim/cancel"}[want.Act]
	if want.Act == hotel.GuestBooks {
		q.Adults = max(q.Adults, 1)
		if want.Adults == 0 {
			q.Adults = 2
		}
		if q.LastName == "" {
			q.LastName = "Guest"
		}
	}
	var made simkit.Entry
	err := b.ask(ctx, far, http.MethodPost, path, q, &made)
	return made.Reference, err
}

// Fail implements [desk.Sandboxes].
func (m *Sandboxes) Fail(ctx context.Context, by hotel.By, once hotel.Once, id string, f hotel.SandboxFault) (bool, error) {
	box, leave, err := m.enter(ctx, id)
	if err != nil {
		return false, err
	}
	defer leave()
	far, err := box.farSide(f.ChannelID)
	if err != nil {
		return false, err
	}
	act := func(ctx context.Context) (string, error) {
		fault := simkit.Fault{Kind: simkit.FaultKind(f.Kind), Count: f.Count, Seconds: f.Seconds}
		return f.ChannelID, box.ask(ctx, far, http.MethodPost, "/_sim/fault", fault, &fault)
	}
	_, replayed, err := m.o.Ledger.NoteSandbox(ctx, by, box.own(once), id, ledger.SandboxFaulted, f.ChannelID, act)
	return replayed, err
}

// own keeps the key of a request to this sandbox and its generation: what was done in
// another one was not done here.
func (b *sandbox) own(once hotel.Once) hotel.Once {
	once.Path = fmt.Sprintf("%s#%s/%d", once.Path, b.stands.ID, b.stands.Generation)
	return once
}

// ask asks a pretend channel something that the far side of a real one would not, and
// reads the answer into into.
func (b *sandbox) ask(ctx context.Context, far channelFarSide, method, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, far.url+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	answer, err := (&http.Client{Transport: b.board.transport(), Timeout: pushTimeout}).Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode < http.StatusBadRequest {
		return json.NewDecoder(answer.Body).Decode(into)
	}
	var refusal struct {
		Reason string `json:"reason"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&refusal); err != nil {
		return err
	}
	code := "invalid_parameter"
	switch answer.StatusCode {
	case http.StatusNotFound:
		code = "not_found"
	case http.StatusConflict:
		code = "not_available"
	}
	return hotel.Refuse(code, "the pretend channel says: %s", refusal.Reason)
}

func bookedOf(e simkit.Entry, mappings []hotel.Mapping) hotel.SandboxBooked {
	booked := hotel.SandboxBooked{
		Reference: e.Reference, Status: e.Status, Stay: hotel.Stay{CheckIn: e.CheckIn, CheckOut: e.CheckOut}, Adults: e.Adults, Revision: e.Revision,
	}
	for _, m := range mappings {
		if m.RemoteRoom == e.Room && m.RemoteRate == e.Rate {
			booked.RoomTypeID, booked.RatePlanID = m.RoomTypeID, m.RatePlanID
		}
	}
	return booked
}
