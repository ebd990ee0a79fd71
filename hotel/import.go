package hotel

import (
	"slices"
	"time"
)

// Import is reservations of a property that exist already: in the system that it
// comes from, or at its channels.
type Import struct {
	PropertyID string
	DryRun     bool // tell what would be done, and store nothing
	Rows       []ImportRow
	History    []HistoryRow
}

// ImportRow is one room of an import. Its room type and rate plan may be named by
// id or by code, and it may do without a plan; its status may be any, "" follows
// from the dates. Overrides are what its nights cost, all of them or none.
type ImportRow struct {
	NewReservation
	RoomTotal *Money        // what the nights cost together, in place of each; nil: not told
	Invalid   []RefusedItem // what is wrong with it as it was written; such a row is not stored

	// A row is known again by all that it says, so what it leaves out here is not to be told.
	Cancel   *ImportedCancel `json:",omitempty"` // of one that is cancelled or a no-show
	Refused  DeclineReason   `json:",omitempty"` // of one that is declined
	Arrived  time.Time       `json:",omitzero"`  // when the guest was seen to come; zero: nobody says
	Departed time.Time       `json:",omitzero"`  // and to go
}

// ImportedCancel is how a reservation came to an end before it was imported.
type ImportedCancel struct {
	At           time.Time
	Reason, Note string
	Penalty      *Money // nil: not known
	Waived       bool
}

// ImportOutcome is what became of a row.
type ImportOutcome string

// The outcomes. A duplicate was imported before; what is attached was known from
// its channel.
const (
	RowCreated   ImportOutcome = "created"
	RowAttached  ImportOutcome = "attached"
	RowDuplicate ImportOutcome = "duplicate"
	RowInvalid   ImportOutcome = "invalid"
)

// ImportedRow is a row that was looked at.
type ImportedRow struct {
	Outcome       ImportOutcome
	ReservationID string // "": there is none, or none yet
	Items         []RefusedItem
}

// Imported is what became of an import, row by row, and the nights to come on
// which its rooms are more than there are.
type Imported struct {
	Rows     []ImportedRow
	Oversold []Date
	History  []ImportedHistory
}

// PastSales is rooms that were sold on a night that is over, in sum: what the books of
// an earlier system say of it. What is "" is not told apart.
type PastSales struct {
	Night      Date   `json:"date"`
	RoomTypeID string `json:"room_type_id,omitempty"`
	ChannelID  string `json:"channel_id,omitempty"`
	Seller     string `json:"seller,omitempty"`
	Rooms      int    `json:"rooms_sold"`             // physical ones
	Revenue    *Money `json:"room_revenue,omitempty"` // without taxes; nil: not told
}

// HistoryRow is a row of past sales to be imported. Its room type may be named by id
// or by code.
type HistoryRow struct {
	PastSales
	Invalid []RefusedItem // see [ImportRow]
}

// HistoryOutcome is what became of a row of past sales.
type HistoryOutcome string

// The outcomes. A row says all that was sold on its night, of its room type, by its
// channel and seller: it replaces what an earlier one said of them.
const (
	HistoryStored    HistoryOutcome = "stored"
	HistoryReplaced  HistoryOutcome = "replaced"
	HistoryUnchanged HistoryOutcome = "unchanged"
	HistoryInvalid   HistoryOutcome = "invalid"
)

// ImportedHistory is a row of past sales that was looked at.
type ImportedHistory struct {
	Outcome HistoryOutcome
	Items   []RefusedItem
}

// Stores reports whether anything was stored that was not before.
func (i *Imported) Stores() bool {
	return slices.ContainsFunc(i.Rows, func(r ImportedRow) bool { return r.Outcome == RowCreated || r.Outcome == RowAttached }) ||
		slices.ContainsFunc(i.History, func(h ImportedHistory) bool { return h.Outcome == HistoryStored || h.Outcome == HistoryReplaced })
}
