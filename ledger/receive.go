package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Receipt is one reservation message of a channel, with what the channel
// promises about its messages.
type Receipt struct {
	ChannelID string
	Key       string // the same for every redelivery
	Ref       string // the channel's reservation number
	Revision  string // its ordering token
	Event     string // booked, modified or cancelled
	At        time.Time
	Booking   hotel.ChannelBooking
	Raw       []byte // without card data
	Order     hotel.FeedOrder
	Adjusts   hotel.Adjusts
}

// Received says what became of a message.
type Received struct {
	Duplicate    bool // it was stored before
	Ignored      bool // it is older than what is known
	Reservations []hotel.Reservation
}

// Receive stores a message and applies it, in one transaction. A channel's
// booking is never refused: the guest has been told yes. What does not fit is
// kept whole and marked. Duplicates and older revisions change nothing, and
// every order of arrival ends in the same state.
func (l *Ledger) Receive(ctx context.Context, r Receipt) (out Received, err error) {
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorChannel, ID: r.ChannelID}}
	err = l.write(ctx, urgent, by, func(t *tx) error {
		out = Received{}
		seen, err := t.q.HasMessage(t.ctx, ledgerdb.HasMessageParams{ChannelID: r.ChannelID, Key: r.Key})
		if err != nil {
			return fmt.Errorf("look up message: %w", err)
		}
		if seen > 0 {
			out.Duplicate = true
			return nil
		}
		m, err := t.openMessage(r)
		if err != nil {
			return err
		}
		if err := m.apply(); err != nil {
			return err
		}
		out.Reservations, out.Ignored = m.stored, m.older
		return m.close()
	})
	if err != nil {
		return Received{}, fmt.Errorf("receive message %s of channel %s: %w", r.Key, r.ChannelID, err)
	}
	return out, nil
}

// message is a message while it is applied.
type message struct {
	t        *tx
	r        Receipt
	channel  ledgerdb.Channel
	s        *structure
	mappings []hotel.Mapping
	counters []Counter
	known    *ledgerdb.ChannelBooking // what was known of the booking; nil: nothing
	existing []hotel.Reservation
	older    bool // than what is known
	group    string
	stored   []hotel.Reservation
}

func (t *tx) openMessage(r Receipt) (*message, error) {
	m := &message{t: t, r: r}
	var err error
	if m.channel, err = t.q.GetChannel(t.ctx, r.ChannelID); err != nil {
		return nil, notFound(err)
	}
	if m.s, err = t.structure(m.channel.PropertyID); err != nil {
		return nil, err
	}
	if m.counters, m.mappings, err = loadLines(t.ctx, t.q, r.ChannelID); err != nil {
		return nil, err
	}
	known, err := t.q.GetChannelBooking(t.ctx, ledgerdb.GetChannelBookingParams{ChannelID: r.ChannelID, Ref: r.Ref})
	switch {
	case err == nil:
		m.known, m.group = &known, orEmpty(known.GroupID)
		m.older = !newer(r.Order, r.Revision, r.At, known.Ordering, instantOrZero(known.At))
	case !errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("look up booking: %w", err)
	}
	if m.group == "" && len(r.Booking.Rooms) > 1 {
		m.group = hotel.NewID("grp")
	}
	rows, err := t.q.ReservationsOfBooking(t.ctx, ledgerdb.ReservationsOfBookingParams{
		PropertyID: m.channel.PropertyID, ChannelID: r.ChannelID, ChannelRef: r.Ref,
	})
	if err != nil {
		return nil, fmt.Errorf("look up booking: %w", err)
	}
	var reservations []ledgerdb.Reservation
	var guests []ledgerdb.Guest
	for _, row := range rows {
		reservations, guests = append(reservations, row.Reservation), append(guests, row.Guest)
	}
	m.existing, err = withNightly(t.ctx, t.q, reservations, guests)
	return m, err
}

// newer reports whether a message comes behind what is known, by the order that
// the channel declares. Without an order, arrival decides.
func newer(order hotel.FeedOrder, revision string, at time.Time, knownRevision string, knownAt time.Time) bool {
	switch order {
	case hotel.OrderRevisionNumber:
		a, errA := strconv.ParseInt(revision, 10, 64)
		b, errB := strconv.ParseInt(knownRevision, 10, 64)
		if errA == nil && errB == nil {
			return a > b
		}
		return revision > knownRevision
	case hotel.OrderRevisionText:
		return revision > knownRevision
	case hotel.OrderTime:
		return at.After(knownAt)
	case hotel.OrderNone:
	}
	return true
}

// apply brings the reservations of the booking to what the message says.
func (m *message) apply() error {
	cancelled := m.r.Event == "cancelled"
	if m.older {
		// A creation that comes behind its own cancellation is still stored, as
		// cancelled, so that every order of arrival leaves the same rows.
		if len(m.existing) > 0 || !m.tombstone() {
			return nil
		}
		cancelled = true
	}
	if cancelled && len(m.r.Booking.Rooms) == 0 {
		return m.cancelAll()
	}
	if len(m.r.Booking.Rooms) == 0 {
		return nil // a message that names no room says nothing of any
	}
	left := m.existing
	for i, room := range m.r.Booking.Rooms {
		var r hotel.Reservation
		var before *hotel.Reservation
		if at := matchRoom(left, i, room); at >= 0 {
			r = left[at]
			before = &hotel.Reservation{}
			*before = r
			left = append(append([]hotel.Reservation{}, left[:at]...), left[at+1:]...)
		}
		if err := m.applyRoom(&r, before, room, i, cancelled); err != nil {
			return err
		}
	}
	// The message is the whole booking: rooms that it does not have are gone.
	for _, r := range left {
		if err := m.cancel(r); err != nil {
			return err
		}
	}
	return nil
}

// tombstone reports whether the booking was cancelled before it was known.
func (m *message) tombstone() bool { return m.known != nil && m.known.Cancelled == 1 }

// matchRoom finds the stored room that a room of a message is: by the channel's
// own reference, else by what it is, never by its place in the message alone.
func matchRoom(left []hotel.Reservation, i int, room hotel.ChannelRoom) int {
	ref := roomRef(i, room)
	for at, r := range left {
		if r.Source.RoomRef == ref {
			return at
		}
	}
	if room.Ref != "" {
		return -1
	}
	for at, r := range left {
		if r.Stay == room.Stay {
			return at
		}
	}
	return -1
}

// roomRef returns the reference under which a room is stored. Rooms without one
// of the channel's are numbered, so that each has a key of its own.
func roomRef(i int, room hotel.ChannelRoom) string {
	if room.Ref != "" {
		return room.Ref
	}
	return "#" + strconv.Itoa(i+1)
}

func (m *message) cancelAll() error {
	for _, r := range m.existing {
		if err := m.cancel(r); err != nil {
			return err
		}
	}
	return nil
}

func (m *message) cancel(r hotel.Reservation) error {
	if r.Status == hotel.Cancelled {
		return nil
	}
	before := r
	m.markCancelled(&r)
	return m.store(ReservationCancelled, &r, &before)
}

func (m *message) markCancelled(r *hotel.Reservation) {
	r.Status = hotel.Cancelled
	r.Cancel = &hotel.Cancellation{At: m.t.now, Reason: "cancelled at the channel", By: m.t.by.Actor}
	m.stamp(r)
}

// stamp notes which message the reservation now follows.
func (m *message) stamp(r *hotel.Reservation) {
	if m.older {
		r.Source.Revision, r.Source.ModifiedAt = m.known.Ordering, instantOrZero(m.known.At)
		return
	}
	r.Source.Revision, r.Source.ModifiedAt = m.r.Revision, m.r.At
}

func (m *message) applyRoom(r, before *hotel.Reservation, room hotel.ChannelRoom, i int, cancelled bool) error {
	if before == nil {
		r.ID = hotel.NewID("res")
		r.PropertyID = m.channel.PropertyID
		r.Source = hotel.Source{ChannelID: m.r.ChannelID, Reference: m.r.Ref, RoomRef: roomRef(i, room), BookedAt: m.t.now}
		if !m.r.At.IsZero() {
			r.Source.BookedAt = m.r.At
		}
	}
	r.GroupID = m.group
	r.Status, r.Cancel = hotel.Confirmed, nil
	r.Stay, r.Adults, r.ChildrenAges = room.Stay, room.Adults, room.Children
	if guest := m.guestOf(room); guest != nil {
		r.Guest = *guest
	}
	r.Issues = nil
	if r.Stay.Nights() == 0 {
		r.Issues = append(r.Issues, hotel.Issue{Code: "stay", Detail: fmt.Sprintf("the channel's stay %s to %s has no night; one is held", r.Stay.CheckIn, r.Stay.CheckOut)})
		r.Stay.CheckOut = r.Stay.CheckIn + 1
		room.Stay = r.Stay
	}
	m.mapRoom(r, room)
	m.price(r, room)
	m.stamp(r)
	kind := ReservationCreated
	if before != nil {
		kind = ReservationUpdated
	}
	if cancelled {
		m.markCancelled(r)
		kind = ReservationCancelled
	} else if err := m.findRoom(r, before); err != nil {
		return err
	}
	return m.store(kind, r, before)
}

func (m *message) guestOf(room hotel.ChannelRoom) *hotel.Guest {
	if room.Guest != nil {
		return room.Guest
	}
	return m.r.Booking.Guest
}

// mapRoom finds what of ours the channel has sold. An unmapped room is kept
// whole, and takes a room of the most likely type until somebody maps it.
func (m *message) mapRoom(r *hotel.Reservation, room hotel.ChannelRoom) {
	r.RoomTypeID, r.RatePlanID, r.HeldRoom = "", "", ""
	likely := ""
	for _, x := range m.mappings {
		if x.RemoteRoom != room.Room {
			continue
		}
		likely = x.RoomTypeID
		if x.RemoteRate == room.Rate {
			r.RoomTypeID, r.RatePlanID, r.BookedRoom = x.RoomTypeID, x.RatePlanID, x.RoomTypeID
			return
		}
	}
	if likely == "" {
		likely = m.mostLikely(room)
	}
	r.HeldRoom = likely
	r.Issues = append(r.Issues, hotel.Issue{Code: "unmapped", Detail: fmt.Sprintf("the channel's room %q and rate %q are not mapped; a room is held meanwhile", room.Room, room.Rate)})
}

// mostLikely returns the smallest room type that takes the party, else the first.
func (m *message) mostLikely(room hotel.ChannelRoom) string {
	best := -1
	for i := range m.s.rooms {
		fits := m.s.rooms[i].MaxOccupancy >= room.Adults+len(room.Children)
		if fits && (best < 0 || m.s.rooms[i].MaxOccupancy < m.s.rooms[best].MaxOccupancy) {
			best = i
		}
	}
	if best < 0 {
		best = 0
	}
	return m.s.rooms[best].ID
}

// price takes over the channel's amounts. They are the channel's; nothing is
// priced again here.
func (m *message) price(r *hotel.Reservation, room hotel.ChannelRoom) {
	r.Nightly, r.Total, r.PriceKnown = nil, hotel.Money{Currency: m.s.property.Currency}, false
	if len(room.Amounts) != room.Stay.Nights() || len(room.Amounts) == 0 {
		r.Issues = append(r.Issues, hotel.Issue{Code: "price_unknown", Detail: "the channel gave no amount for each night"})
		return
	}
	r.Total.Currency = room.Amounts[0].Currency
	for i, amount := range room.Amounts {
		if amount.Currency != r.Total.Currency {
			r.Nightly, r.Total = nil, hotel.Money{Currency: m.s.property.Currency}
			r.Issues = append(r.Issues, hotel.Issue{Code: "price_unknown", Detail: "the channel's amounts are in several currencies"})
			return
		}
		r.Nightly = append(r.Nightly, hotel.NightPrice{Date: room.Stay.CheckIn + hotel.Date(i), RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID, Amount: amount})
		r.Total.Minor += amount.Minor
	}
	r.PriceKnown = true
	if r.Total.Currency != m.s.property.Currency {
		r.Issues = append(r.Issues, hotel.Issue{Code: "currency", Detail: fmt.Sprintf("booked in %s, the property sells in %s", r.Total.Currency, m.s.property.Currency)})
	}
}

// findRoom notes whether the booking finds a room on every night. It is taken
// whatever the answer.
func (m *message) findRoom(r, before *hotel.Reservation) error {
	room := takes(r)
	if r.Stay.Nights() == 0 || room == "" {
		return nil
	}
	if before != nil {
		if err := m.t.freeNights(before); err != nil {
			return err
		}
	}
	b, err := m.t.spanBoard(m.s, r.Stay.CheckIn, r.Stay.CheckOut-1)
	if err != nil {
		return err
	}
	r.Overbooked = false
	at, _ := b.Room(room)
	for d := r.Stay.CheckIn; d < r.Stay.CheckOut; d++ {
		if b.House(d)[at].Net < 1 {
			r.Overbooked = true
		}
	}
	return nil
}

// store journals and stores one room of the booking, tells of what is odd, and
// notes that the channel may have moved its own counters.
func (m *message) store(kind Kind, r, before *hotel.Reservation) error {
	if err := m.t.bookEntry(kind, m.s, r, before); err != nil {
		return err
	}
	if r.Status.Holds() && r.RoomTypeID == "" {
		if _, err := m.t.append(entry{property: r.PropertyID, kind: ReservationUnmapped, subject: r.ID, body: map[string]any{
			"channel_id": r.Source.ChannelID, "held_room_type_id": r.HeldRoom,
		}}); err != nil {
			return err
		}
	}
	if r.Status.Holds() && r.Overbooked {
		if _, err := m.t.append(entry{property: r.PropertyID, kind: InventoryOverbooked, subject: takes(r), body: map[string]any{
			"reservation_id": r.ID, "stay": r.Stay,
		}}); err != nil {
			return err
		}
	}
	m.stored = append(m.stored, *r)
	return m.moveCounters(kind, r, before)
}

// moveCounters marks the channel's own counters of the touched nights: it may
// have lowered or raised them by itself, so what it shows is not known until it
// is told again.
func (m *message) moveCounters(kind Kind, r, before *hotel.Reservation) error {
	adjusts := m.r.Adjusts.Book
	switch kind {
	case ReservationUpdated:
		adjusts = m.r.Adjusts.Modify
	case ReservationCancelled:
		adjusts = m.r.Adjusts.Cancel
	default:
	}
	if adjusts == hotel.AdjustNo || adjusts == hotel.AdjustNever {
		return nil
	}
	nights := nightSet{}
	nights.addStay(r.Stay)
	rooms := map[string]bool{takes(r): true, r.RoomTypeID: true, r.HeldRoom: true}
	if before != nil {
		nights.addStay(before.Stay)
		rooms[takes(before)] = true
	}
	table := m.t.cellsOf(m.channel)
	var cells []hotel.Cell
	for _, c := range m.counters {
		if rooms[c.RoomTypeID] {
			for d := range nights {
				cells = append(cells, hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: d})
			}
		}
	}
	if err := table.load(cells); err != nil {
		return err
	}
	for _, c := range cells {
		if g := table.cells[c]; g != nil { // a counter that was never sent anything is stated, not known
			g.moved(r.Sequence)
		}
	}
	return table.save()
}

// close stores the message itself and what is now known of the booking.
func (m *message) close() error {
	t, outcome := m.t, "applied"
	if m.older {
		outcome = "ignored"
	}
	seq := t.heads.sequence
	if len(m.stored) == 0 {
		var err error
		seq, err = t.append(entry{property: m.channel.PropertyID, kind: MessageIgnored, subject: m.r.ChannelID, body: map[string]any{
			"channel_reference": m.r.Ref, "event": m.r.Event, "older": m.older,
		}})
		if err != nil {
			return err
		}
	}
	raw := m.r.Raw
	if raw == nil {
		raw = []byte{}
	}
	err := t.q.InsertMessage(t.ctx, ledgerdb.InsertMessageParams{
		ChannelID: m.r.ChannelID, Key: m.r.Key, Ref: m.r.Ref, Ordering: m.r.Revision, Event: m.r.Event, At: microsOrNil(m.r.At),
		ReceivedAt: t.micros(), Outcome: outcome, Sequence: seq, Raw: raw,
	})
	if err != nil {
		return fmt.Errorf("store message: %w", err)
	}
	if m.older {
		return nil
	}
	return t.q.PutChannelBooking(t.ctx, ledgerdb.PutChannelBookingParams{
		ChannelID: m.r.ChannelID, Ref: m.r.Ref, Ordering: m.r.Revision, At: microsOrNil(m.r.At),
		Cancelled: flag(m.r.Event == "cancelled"), GroupID: textOrNil(m.group),
	})
}

// Polled stores how far a pull has read, and when.
func (l *Ledger) Polled(ctx context.Context, channel, cursor string) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.SetPolled(t.ctx, ledgerdb.SetPolledParams{PollCursor: cursor, PolledAt: microsOrNil(t.now), ID: channel})
	})
}

// PollCursor returns where the next pull of a channel begins.
func (l *Ledger) PollCursor(ctx context.Context, channel string) (string, error) {
	row, err := l.read.GetChannel(ctx, channel)
	return row.PollCursor, notFound(err)
}

// LastPulls returns when each channel's last good pull ended, by channel.
func (l *Ledger) LastPulls(ctx context.Context) (map[string]time.Time, error) {
	rows, err := l.read.ListChannels(ctx)
	if err != nil {
		return nil, fmt.Errorf("list channels: %w", err)
	}
	last := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		last[r.ID] = instantOrZero(r.PolledAt)
	}
	return last, nil
}

// DropPulls removes the records of pulls that ended before an instant.
func (l *Ledger) DropPulls(ctx context.Context, before time.Time) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeletePulls(t.ctx, before.UnixMicro())
	})
}
