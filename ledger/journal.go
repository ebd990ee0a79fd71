package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Kind names what a journal entry tells.
type Kind string

// The kinds. Facts first, then what follows from them.
const (
	PropertyCreated         Kind = "property.created"
	PropertyUpdated         Kind = "property.updated"
	PropertyArchived        Kind = "property.archived"
	PoolCreated             Kind = "pool.created"
	PoolUpdated             Kind = "pool.updated"
	PoolArchived            Kind = "pool.archived"
	RoomTypeCreated         Kind = "room_type.created"
	RoomTypeUpdated         Kind = "room_type.updated"
	RoomTypeArchived        Kind = "room_type.archived"
	RatePlanCreated         Kind = "rate_plan.created"
	RatePlanUpdated         Kind = "rate_plan.updated"
	RatePlanArchived        Kind = "rate_plan.archived"
	ChannelCreated          Kind = "channel.created"
	ChannelMapped           Kind = "channel.mapped"
	ChannelActivated        Kind = "channel.activated"
	ChannelUpdated          Kind = "channel.updated"
	ChannelModeChanged      Kind = "channel.mode_changed" // live or shadow; beside channel.activated
	ChannelPaused           Kind = "channel.paused"
	ChannelDoubted          Kind = "channel.doubted"
	ChannelSyncAsked        Kind = "channel.sync_asked"
	ChannelDisconnected     Kind = "channel.disconnected"
	PricingRuleCreated      Kind = "pricing_rule.created"
	PricingRuleUpdated      Kind = "pricing_rule.updated"
	PricingRuleDeleted      Kind = "pricing_rule.deleted"
	StockChanged            Kind = "stock.changed"
	GivenChanged            Kind = "given.changed" // by the system that counts the rooms
	ShownChanged            Kind = "shown.changed" // what of a room type is kept from channels
	PricesAged              Kind = "prices.aged"   // a day has passed for prices that rules make
	PricesChanged           Kind = "prices.changed"
	RestrictionsChanged     Kind = "restrictions.changed"
	SwitchesChanged         Kind = "switches.changed" // what a pricing rule remembers
	ReservationCreated      Kind = "reservation.created"
	ReservationUpdated      Kind = "reservation.updated"
	ReservationCancelled    Kind = "reservation.cancelled"
	ReservationAcknowledged Kind = "reservation.acknowledged"
	ReservationWaitlist     Kind = "reservation.waitlist_available"

	ReservationChannelAction Kind = "reservation.channel_action" // its channel was asked for something, or has answered
	GroupCreated             Kind = "reservation_group.created"
	HistoryImported          Kind = "history.imported" // what an earlier system sold
	GuestCreated             Kind = "guest.created"
	GuestUpdated             Kind = "guest.updated"
	GuestWasMerged           Kind = "guest.merged" // into another
	GuestForgotten           Kind = "guest.anonymized"
	ReservationUnmapped      Kind = "reservation.unmapped"
	BlockCreated             Kind = "block.created"
	BlockUpdated             Kind = "block.updated"
	BlockReleased            Kind = "block.released"
	MessageIgnored           Kind = "message.ignored"
	MessageUnread            Kind = "message.unread"
	CellsRefused             Kind = "cells.refused"
	NightsCut                Kind = "nights.cut" // closed, or no more, because a counter may show more rooms than it is to
	PricesHeld               Kind = "prices.held"
	PricesOdd                Kind = "prices.odd" // sent, though the guard found something
	ConflictDetected         Kind = "sync.conflict_detected"
	ConflictSettled          Kind = "sync.conflict_resolved"
	ConflictChanged          Kind = "conflict.changed" // what was seen of it
	DriftFound               Kind = "sync.drift_found"
	ClockTick                Kind = "clock.tick"
	JournalWasCut            Kind = "journal.cut"
	LedgerRestored           Kind = "ledger.restored" // from a backup: what lies between is lost

	ReservationUnacknowledged Kind = "reservation.unacknowledged" // told where somebody asks for it

	InventoryUpdated    Kind = "inventory.updated"    // house value of a room type
	RatesUpdated        Kind = "rates.updated"        // house value of a product
	HouseRulesUpdated   Kind = "restrictions.updated" // house value of a product
	AriUpdateCompleted  Kind = "ari_update.completed"
	InventoryOverbooked Kind = "inventory.overbooked"
	CircuitOpened       Kind = "channel.circuit_opened"
	CircuitClosed       Kind = "channel.circuit_closed"
	ChannelFailed       Kind = "channel.error"     // it cannot be told anything until somebody does something
	ChannelFlagged      Kind = "channel.flagged"   // a part of its connector broke the rules
	ChannelUnflagged    Kind = "channel.unflagged" // and does as it should again
	ChannelStale        Kind = "channel.stale"     // it shows something that is out of date
	ChannelSilent       Kind = "channel.silent"    // it brings no bookings any more
	ChannelHeard        Kind = "channel.heard"     // and again
	ChannelRecovered    Kind = "channel.recovered" // from an error, or from being out of date
)

// Entry is one thing that happened. Entries are never changed or deleted.
type Entry struct {
	Sequence   int64
	ID         string
	At         time.Time // never before that of an earlier entry
	PropertyID string    // "" for what concerns no property
	Kind       Kind
	Subject    string // the id of what it is about; room_type/rate_plan for a product
	Actor      hotel.Actor
	RequestID  string
	Offers     bool // it touches what channels are to show
	Body       json.RawMessage
	Hash       [32]byte
}

// heads is the end of the journal: the last sequence and instant, and the last
// hash of each property's chain.
type heads struct {
	sequence int64
	at       time.Time
	hashes   map[string][32]byte // filled as properties come up
	stale    bool                // a batch was lost: read everything again
	below    *heads              // where hashes stand that are not here
}

func (h *heads) load(ctx context.Context, q *ledgerdb.Queries) error {
	row, err := q.NewestEntry(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the end of the journal: %w", err)
	}
	*h = heads{sequence: row.Sequence, at: instant(row.At)}
	return nil
}

func (h *heads) forget() { *h = heads{stale: true} }

// over returns the same end of the journal, to be moved on apart: h stays as it
// is until the other is merged into it.
func (h *heads) over() heads {
	return heads{sequence: h.sequence, at: h.at, stale: h.stale, below: h}
}

// merge moves h on to the end that one made by over has come to.
func (h *heads) merge(on heads) {
	h.sequence, h.at, h.stale = on.sequence, on.at, on.stale
	for property, hash := range on.hashes {
		h.set(property, hash)
	}
}

func (h *heads) set(property string, hash [32]byte) {
	if h.hashes == nil {
		h.hashes = make(map[string][32]byte)
	}
	h.hashes[property] = hash
}

func (h *heads) hash(property string) ([32]byte, bool) {
	for ; h != nil; h = h.below {
		if hash, ok := h.hashes[property]; ok {
			return hash, true
		}
	}
	return [32]byte{}, false
}

// entry is what an item wants to append.
type entry struct {
	property string
	kind     Kind
	subject  string
	offers   bool
	nights   []hotel.Span // what the touch index is to find it by
	body     any          // written as JSON; a json.RawMessage as it is
}

// append adds an entry to the journal and returns its sequence.
func (t *tx) append(e entry) (int64, error) {
	prev, err := t.head(e.property)
	if err != nil {
		return 0, err
	}
	body, made := e.body.(json.RawMessage)
	if !made {
		if body, err = json.Marshal(e.body); err != nil {
			return 0, fmt.Errorf("journal %s: %w", e.kind, err)
		}
	}
	row := Entry{
		Sequence: t.heads.sequence + 1, ID: hotel.NewID("evt"), At: t.now,
		PropertyID: e.property, Kind: e.kind, Subject: e.subject,
		Actor: t.by.Actor, RequestID: t.by.RequestID, Offers: e.offers, Body: body,
	}
	row.Hash = row.chain(prev)
	err = t.q.InsertEntry(t.ctx, ledgerdb.InsertEntryParams{
		Sequence: row.Sequence, ID: row.ID, At: row.At.UnixMicro(), PropertyID: row.PropertyID,
		Kind: string(row.Kind), Subject: row.Subject, Actor: actorText(row.Actor), RequestID: row.RequestID,
		Offers: flag(row.Offers), Body: string(row.Body), Hash: row.Hash[:],
	})
	if err != nil {
		return 0, fmt.Errorf("journal %s: %w", e.kind, err)
	}
	if err := t.touch(e, row.Sequence); err != nil {
		return 0, err
	}
	t.heads.sequence, t.heads.at = row.Sequence, row.At
	t.heads.set(e.property, row.Hash)
	if e.offers {
		t.effects.touchOffers(e.property)
	}
	return row.Sequence, nil
}

func (t *tx) head(property string) ([32]byte, error) {
	if h, ok := t.heads.hash(property); ok {
		return h, nil
	}
	raw, err := t.q.HeadOf(t.ctx, property)
	if errors.Is(err, sql.ErrNoRows) {
		return [32]byte{}, nil
	}
	if err != nil {
		return [32]byte{}, fmt.Errorf("read the head of the chain: %w", err)
	}
	return [32]byte(raw), nil
}

// chain returns the entry's hash: SHA-256 over the hash before it in the same
// property and every field of its own, each with its length in front.
func (e Entry) chain(prev [32]byte) [32]byte {
	h := sha256.New()
	field := func(b []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	number := func(v int64) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(v))
		field(n[:])
	}
	field(prev[:])
	number(e.Sequence)
	number(e.At.UnixMicro())
	for _, s := range []string{e.ID, e.PropertyID, string(e.Kind), e.Subject, actorText(e.Actor), e.RequestID} {
		field([]byte(s))
	}
	number(flag(e.Offers))
	field(e.Body)
	return [32]byte(h.Sum(nil))
}

func actorText(a hotel.Actor) string { return string(a.Kind) + ":" + a.ID }

func actorOf(s string) hotel.Actor {
	kind, id, _ := strings.Cut(s, ":")
	return hotel.Actor{Kind: hotel.ActorKind(kind), ID: id}
}

func entryOf(r ledgerdb.Journal) Entry {
	return Entry{
		Sequence: r.Sequence, ID: r.ID, At: instant(r.At), PropertyID: r.PropertyID, Kind: Kind(r.Kind),
		Subject: r.Subject, Actor: actorOf(r.Actor), RequestID: r.RequestID, Offers: r.Offers == 1,
		Body: json.RawMessage(r.Body), Hash: [32]byte(r.Hash),
	}
}

func entriesOf(rows []ledgerdb.Journal) []Entry {
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = entryOf(r)
	}
	return out
}

// Entries returns at most limit entries behind the sequence after, in order.
func (l *Ledger) Entries(ctx context.Context, after int64, limit int) ([]Entry, error) {
	rows, err := l.read.EntriesAfter(ctx, ledgerdb.EntriesAfterParams{Sequence: after, Limit: int64(limit)})
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return entriesOf(rows), nil
}

// Sequence returns the sequence of the newest entry, 0 when there is none.
func (l *Ledger) Sequence(ctx context.Context) (int64, error) {
	row, err := l.read.NewestEntry(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read the end of the journal: %w", err)
	}
	return row.Sequence, nil
}

// VerifyChain walks the hash chain of a property ("" for entries of none) and
// returns the sequence of the first entry that does not fit, 0 when all do.
func (l *Ledger) VerifyChain(ctx context.Context, property string) (int64, error) {
	const page = 1000
	from, err := cutOf(ctx, l.read, property)
	if err != nil {
		return 0, err
	}
	prev := from.hash
	for after := from.sequence; ; {
		rows, err := l.read.ChainOf(ctx, ledgerdb.ChainOfParams{PropertyID: property, After: after, AtMost: page})
		if err != nil {
			return 0, fmt.Errorf("read the chain of %q: %w", property, err)
		}
		for _, e := range entriesOf(rows) {
			if e.Hash != e.chain(prev) {
				return e.Sequence, nil
			}
			prev, after = e.Hash, e.Sequence
		}
		if len(rows) < page {
			return 0, nil
		}
	}
}
