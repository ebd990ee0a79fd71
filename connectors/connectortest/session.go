package connectortest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// session is one case's open channel.
type session struct {
	far  FarSide
	caps connectors.Capabilities
	conn connectors.Connector
	wire *wire
	now  *aheadClock // the channel's
	logs *observer.ObservedLogs

	harness  Harness
	driver   *connectors.Registered
	settings *connectors.Settings
	env      connectors.Env
	version  int64
	out      *current      // what of the house fails
	misled   bool          // the house sells a room besides that the far side does not know
	close    func() error  // of the channel, once
	before   goleak.Option // the goroutines that ran before the channel was opened
}

// start starts the far side and opens a channel to it.
func start(t T, h Harness) *session {
	t.Helper()
	far := h.Start(t)
	driver, _ := connectors.Lookup(h.Driver)
	own := far.Settings
	if own == nil {
		own = fromTOML(t, far.Config)
	}
	settings, err := driver.Configure(far.Defaults, own)
	if err != nil {
		t.Fatalf("the far side's settings are refused: %v", err)
	}
	core, logs := observer.New(zapcore.DebugLevel)
	s := &session{far: far, wire: newWire(), now: &aheadClock{}, out: &current{}, logs: logs, harness: h, driver: driver, settings: settings, before: goleak.IgnoreCurrent()}
	s.env = connectors.Env{
		ChannelID: "ch_conformance",
		Client:    transport.New(transport.Options{Base: s.wire}),
		Log:       zap.New(core),
		Clock:     s.now,
	}
	s.env.Report = func(_ context.Context, r hotel.ChannelReport) error {
		if err := s.out.asked(); err != nil {
			return err
		}
		s.env.Log.Info("reported", zap.Any("report", r)) // where secrets are looked for
		return nil
	}
	s.furnish(&s.env)
	s.open(t)
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Errorf("close: %v", err)
		}
		for _, e := range logs.All() {
			t.Logf("%s%s", e.Message, noted(e.ContextMap()))
		}
	})
	return s
}

// open opens the channel, behind its handshake.
func (s *session) open(t T) {
	t.Helper()
	if err := s.tryToOpen(t.Context()); err != nil {
		t.Fatalf("%v", err)
	}
}

// tryToOpen opens the channel, if that can be.
func (s *session) tryToOpen(ctx context.Context) error {
	found, err := s.settings.Discover(ctx, s.env)
	if err != nil {
		return fmt.Errorf("discover: %w", err)
	}
	s.caps, s.env.Found = s.settings.Capabilities(found), found
	conn, err := s.settings.Open(ctx, s.env)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	s.conn, s.close = conn, sync.OnceValue(conn.Close)
	return nil
}

// reopen closes the channel and opens it again, as after a restart, with
// what it has kept.
func (s *session) reopen(t T) {
	t.Helper()
	if err := s.close(); err != nil {
		t.Errorf("close: %v", err)
	}
	s.wire.breaks(nil)
	s.open(t)
}

// fromTOML turns settings as a person writes them into those that are stored.
func fromTOML(t T, text string) json.RawMessage {
	t.Helper()
	var table map[string]any
	if _, err := toml.Decode(text, &table); err != nil {
		t.Fatalf("the settings are not TOML: %v", err)
	}
	raw, err := json.Marshal(table)
	if err != nil {
		t.Fatalf("the settings cannot be stored: %v", err)
	}
	return raw
}

// stamp gives a call what the engine gives it.
func (s *session) stamp(c connectors.Call) connectors.Call {
	s.version++
	c.Version = s.version
	c.ID = "dlv_" + strconv.FormatInt(s.version, 10)
	return c
}

// encode encodes changes that nothing is wrong with. A case in which some are refused ends.
func (s *session) encode(t T, changes []connectors.Change) []connectors.Call {
	t.Helper()
	calls, refused := s.conn.Encode(changes)
	why := map[string][]string{}
	for _, r := range refused {
		why[r.Reason] = append(why[r.Reason], named(r.Change.Key))
	}
	var reasons []string
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		reasons = append(reasons, fmt.Sprintf("refused, because %s: %s", reason, several(why[reason])))
	}
	if len(reasons) > 0 {
		t.Fatalf("%s", strings.Join(reasons, "; "))
	}
	if len(calls) == 0 && len(changes) > 0 {
		t.Fatalf("Encode makes no call of %d changes", len(changes))
	}
	return calls
}

// send sends changes and wants all of them applied.
func (s *session) send(t T, changes []connectors.Change) {
	t.Helper()
	for _, call := range s.encode(t, changes) {
		s.sendCall(t, s.stamp(call))
	}
}

// pace lets so much time go by that the limits of the channel allow the call.
func (s *session) pace(call connectors.Call) {
	for _, b := range s.caps.Buckets {
		if s.far.Pass != nil && (b.Operation == "" || b.Operation == call.Operation) {
			s.far.Pass(b.Per / time.Duration(b.N))
		}
	}
}

func (s *session) sendCall(t T, call connectors.Call) {
	t.Helper()
	s.pace(call)
	answer, err := s.conn.Send(t.Context(), call)
	if err != nil {
		t.Fatalf("send %s: %v%s", call.Operation, err, s.wire.overheard())
	}
	var not []string
	for _, key := range call.Keys {
		switch outcome(answer, key) {
		case connectors.Applied:
		case connectors.Rejected:
			not = append(not, named(key)+" is rejected: "+answer.Keys[key].Words)
		case connectors.Unknown:
			not = append(not, named(key)+" is unknown")
		}
	}
	if len(not) > 0 {
		t.Errorf("not all of a call is applied: %s", several(not))
	}
}

// outcome reads the outcome of a key as the engine does.
func outcome(a connectors.Answer, key connectors.Key) connectors.Outcome {
	if v, named := a.Keys[key]; named {
		return v.Outcome
	}
	return a.Rest
}

// shows checks that the far side shows each change.
func (s *session) shows(t T, changes []connectors.Change) {
	t.Helper()
	s.fetch(t)
	var wrong []string
	for _, c := range changes {
		want := c.Offer.Pick(c.Key.Group)
		got, set := s.far.Shown(c.Key)
		if got = got.Pick(c.Key.Group); !set || got != want {
			wrong = append(wrong, differs(c, got, set))
		}
	}
	if len(wrong) > 0 {
		t.Errorf("what the far side shows is not what it was told: %s", several(wrong))
	}
}

// sale is what puts nights on sale.
func (s *session) sale(from hotel.Date, nights, rooms int) []connectors.Change {
	var out []connectors.Change
	for night := from; night < from+hotel.Date(nights); night++ {
		for _, c := range s.night(night) {
			switch c.Key.Group {
			case hotel.Availability:
				c.Offer.Available = s.count(rooms)
			case hotel.Closures, hotel.Lengths:
				c.Offer = hotel.Offer{}
			case hotel.Price:
			}
			out = append(out, c)
		}
	}
	return out
}

// night is one change of every group that the channel carries, each night's
// different from its neighbours', so that a shifted night shows.
func (s *session) night(night hotel.Date) []connectors.Change {
	n := int(night) % 7
	var out []connectors.Change
	add := func(k connectors.Key, o hotel.Offer) {
		k.Room, k.Night = s.far.Room, night
		if k.Group != hotel.Availability || s.caps.StockPer == hotel.PerProduct {
			k.Rate = s.far.Rate
		}
		out = append(out, connectors.Change{Key: k, Offer: o})
	}
	carries := func(f hotel.Field) bool { return s.caps.Fields[f].As == hotel.Exact }
	if carries(hotel.FieldAvailable) {
		add(connectors.Key{Group: hotel.Availability}, hotel.Offer{Available: s.count(1 + n)})
	}
	if carries(hotel.FieldClosed) {
		add(connectors.Key{Group: hotel.Closures}, hotel.Offer{Closed: hotel.Closed{
			Closed: n%2 == 0, Arrival: n%3 == 0 && carries(hotel.FieldClosedToArrival),
			Departure: n%3 == 1 && carries(hotel.FieldClosedToDeparture),
		}})
	}
	var lengths hotel.LengthLimits
	for field, set := range map[hotel.Field]*int{
		hotel.FieldMinStayArrival: &lengths.MinStayArrival, hotel.FieldMinStayThrough: &lengths.MinStayThrough,
		hotel.FieldMaxStayArrival: &lengths.MaxStayArrival, hotel.FieldMaxStayThrough: &lengths.MaxStayThrough,
	} {
		if carries(field) {
			*set = 2 + n // a minimum of one night is none, and may be shown as such
		}
	}
	if lengths != (hotel.LengthLimits{}) {
		add(connectors.Key{Group: hotel.Lengths}, hotel.Offer{Lengths: lengths})
	}
	if carries(hotel.FieldAmount) {
		price := connectors.Key{Group: hotel.Price}
		amount := hotel.Money{Minor: 10000 + 137*int64(n), Currency: s.far.Currency}
		if s.caps.ByOccupancy(s.far.Rate) {
			price.Occupancy = 2
		}
		add(price, hotel.Offer{Amount: amount})
	}
	return out
}

// count is a number of rooms that the channel takes: n, as long as there is no bound.
func (s *session) count(n int) int {
	if most := s.caps.Fields[hotel.FieldAvailable].Max; n > most && most > 0 {
		return 1 - (n-most)%2
	}
	return n
}

// waiting counts the messages that wait for an acknowledgement.
func (s *session) waiting() int {
	if s.far.Waiting == nil {
		return 0
	}
	return s.far.Waiting()
}

// tomorrow is a night that no far side refuses as over, in any time zone.
func tomorrow() hotel.Date {
	now := hotel.SystemClock{}.Now()
	return hotel.DateIn(now, now.Location()) + 2
}

// span is every night's changes.
func (s *session) span(from hotel.Date, nights int) []connectors.Change {
	var out []connectors.Change
	for night := from; night < from+hotel.Date(nights); night++ {
		out = append(out, s.night(night)...)
	}
	return out
}

// shelf is the ledger's part for what a connector keeps.
type shelf struct {
	out *current

	mu   sync.Mutex
	kept map[string][]byte
}

// Get implements [connectors.Shelf].
func (h *shelf) Get(_ context.Context, name string) ([]byte, error) {
	if err := h.out.fails(func(o outage) bool { return o.looks }); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return bytes.Clone(h.kept[name]), nil
}

// Put implements [connectors.Shelf].
func (h *shelf) Put(_ context.Context, name string, body []byte) error {
	if err := h.out.fails(func(o outage) bool { return o.puts }); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept[name] = bytes.Clone(body)
	return nil
}

// sink is the ledger's part: it keeps what it is given, or refuses it.
type sink struct {
	mu      sync.Mutex
	refuse  func(connectors.Message) bool // nil: nothing
	out     bool                          // it takes nothing
	got     []connectors.Message
	entered int // by messages and hints
	hints   int

	answered any // what came of a question beside messages
}

// Hint implements [connectors.Sink].
func (k *sink) Hint() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.entered++
	k.hints++
}

// Deliver implements [connectors.Sink].
func (k *sink) Deliver(_ context.Context, m connectors.Message) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.entered++
	if k.out {
		return errOut
	}
	if k.refuse != nil && k.refuse(m) {
		return errFull
	}
	k.got = append(k.got, m)
	return nil
}

// fail has it take nothing, or all again.
func (k *sink) fail(out bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.out = out
}

// messages returns what was taken.
func (k *sink) messages() []connectors.Message {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.got
}

// tells checks that a message is about the booking.
func tells(t T, m connectors.Message, ref string, s *session, stay hotel.Stay) {
	t.Helper()
	far := s.far
	if declared := s.caps.BookingTime; declared == m.At.IsZero() {
		t.Errorf("the message says %v for when it was booked, and booking time is declared as %t", m.At, declared)
	}
	if m.Key == "" || m.Ref != ref || m.Event != connectors.Booked {
		t.Errorf("the message has key %q, reference %q and event %q, want a key, %q and booked", m.Key, m.Ref, m.Event, ref)
	}
	if len(m.Booking.Rooms) != 1 {
		t.Fatalf("the message has %d rooms, want 1", len(m.Booking.Rooms))
	}
	if r := m.Booking.Rooms[0]; r.Room != far.Room || r.Rate != far.Rate || r.Stay != stay || r.Adults != 2 && !far.Bare {
		t.Errorf("the message is about %s %s %v for %d, want %s %s %v for 2", r.Room, r.Rate, r.Stay, r.Adults, far.Room, far.Rate, stay)
	}
	if len(m.Raw) == 0 || !strings.Contains(string(m.Raw), ref) {
		t.Errorf("the raw message does not name its booking")
	}
}
