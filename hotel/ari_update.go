package hotel

import "time"

// The limits of one bulk update. An entry's dates are counted from the first to
// the last, whether it leaves some out or not. A cell counts once for each entry
// that names it, and a price of a further number of guests counts as a cell.
const (
	MaxUpdateEntries = 1000
	MaxEntryDates    = 500
	MaxUpdateCells   = 100_000
)

// EntryDates cuts nights up for entries that take them all.
func EntryDates(nights Span) []Span {
	var parts []Span
	for from := nights.From; from <= nights.To; from += MaxEntryDates {
		parts = append(parts, Span{From: from, To: min(nights.To, from+MaxEntryDates-1)})
	}
	return parts
}

// Update is a bulk update of facts by night. Its entries apply in order, a later
// one wins.
type Update[E any] struct {
	PropertyID string
	Source     string // api, pms, or channel:ID
	Partial    bool   // store the entries that are good; else all of them or none
	DryRun     bool   // say what would change, and store nothing
	Entries    []E
}

// InventoryUpdate is a bulk update of stock.
type InventoryUpdate = Update[InventoryEntry]

// RateUpdate is a bulk update of prices.
type RateUpdate = Update[RateEntry]

// RestrictionUpdate is a bulk update of restrictions.
type RestrictionUpdate = Update[RestrictionEntry]

// AnyUpdate is a bulk update of one of the kinds; the others are nil.
type AnyUpdate struct {
	Inventory    *InventoryUpdate
	Rates        *RateUpdate
	Restrictions *RestrictionUpdate
}

// Dates says which nights an entry of a bulk update means.
type Dates struct {
	Span
	Weekdays [7]bool // by time.Weekday; all false: every day
	Except   []Date
}

// Nights lists the nights in ascending order.
func (d Dates) Nights() []Date {
	except := make(map[Date]bool, len(d.Except))
	for _, x := range d.Except {
		except[x] = true
	}
	every := d.Weekdays == [7]bool{}
	nights := make([]Date, 0, d.Days())
	for n := d.From; n <= d.To; n++ {
		if (every || d.Weekdays[n.Weekday()]) && !except[n] {
			nights = append(nights, n)
		}
	}
	return nights
}

// InventoryEntry sets facts of one pool, of one room type, or of the whole house.
// Physical facts belong to the pool; through a room type they can be written when
// it draws on its own pool alone.
type InventoryEntry struct {
	RoomTypeID, PoolID string // one of the two; neither for the house
	Dates
	ExpectedVersion *int64        // refuse as version_conflict when a cell's version is another; nil: any
	Unread          []RefusedItem // what of the entry could not be read, for which it is refused; pointers as of Faults

	HouseLimit                                     Optional[int] // of the house
	Total, OutOfOrder, OutOfInventory, Overbooking Optional[int] // of the pool
	SellLimit                                      Optional[int] // of the room type, as what follows
	Closed                                         Optional[bool]
	Given                                          Optional[int] // net, of a type that another system counts
	KeepBack, ChannelLimits                        Optional[ChannelQuantities]
	Lock                                           Optional[Lock] // null takes the hold away
}

// ChannelQuantities lays numbers over those that channels have: by id, id/seller,
// or "*" for every channel. Null takes a number away; so does null in place of
// all, for every channel.
type ChannelQuantities map[string]Optional[int]

// RateEntry sets the prices of one product.
type RateEntry struct {
	RoomTypeID, RatePlanID string
	Dates
	ExpectedVersion *int64
	Unread          []RefusedItem

	Amount      Optional[Money]         // for the base occupancy; null takes the price away
	Occupancies map[int]Optional[Money] // for so many guests

	ExtraAdult Optional[Money]            // of a further adult
	ExtraChild map[string]Optional[Money] // of a further child, by age band
	Lock       Optional[Lock]             // null lets the rules act again
	Adjust     *PriceStep                 // instead of amounts: from what is typed there now
}

// Lock keeps everything that acts by itself away from a cell: pricing rules from
// a price, what a channel says from a stock.
type Lock struct {
	By    string `json:"by"`              // who wants it, in words
	Until *Date  `json:"until,omitempty"` // the last day on which it holds; nil: until it is taken away
}

// PriceStep changes typed prices, each by a percentage of itself or by an amount
// of the plan's currency, and gives the result the shape of the rounding.
type PriceStep struct {
	Kind     AdjustmentKind
	Value    string // a decimal number
	Rounding Rounding
}

// RestrictionEntry sets restrictions at one level: of a product, of a room type
// (no plan), of a plan (no room type), or of the whole property (neither).
type RestrictionEntry struct {
	RoomTypeID, RatePlanID string
	Dates
	ExpectedVersion *int64
	Unread          []RefusedItem

	Closed, ClosedToArrival, ClosedToDeparture Optional[bool]
	MinStayArrival, MinStayThrough             Optional[int]
	MaxStayArrival, MaxStayThrough             Optional[int]
	MinAdvance, MaxAdvance                     Optional[int]
}

// AriUpdate is a bulk update as it was taken, and how far the channels are.
type AriUpdate struct {
	ID           string // "" for a dry run
	PropertyID   string
	Kind         string // inventory, rates or restrictions
	Sequence     int64  // of the last journal entry that it made
	Status       UpdateStatus
	Entries      int
	CellsMatched int           // named by the entries, each as often as it is named
	CellsChanged int           // that are another than before
	CellsOpened  int           // of a rehearsed undo: those that nothing typed for them would close any more
	Results      []EntryResult // entry by entry; nil in a list
	CreatedAt    time.Time
	UpdatedAt    time.Time // when a channel was last found to be done with it
	Revision     int64
	Channels     []UpdateProgress
	Oversold     []Oversold // of a dry run: nights from which it would take rooms that are sold
}

// Oversold is a run of nights on which more rooms of a type are sold than there are.
type Oversold struct {
	RoomTypeID string
	Span
	Net int // below 0: so many are missing
}

// Undoing is what taking an update back would do.
type Undoing struct {
	CellsChanged int
	Opening      int          // nights of lines that nothing typed for them closes any more
	Lines        []UndoneLine // what is written back
	Oversold     []Oversold   // nights from which it would take rooms that are sold
}

// UndoneLine is a run of nights of a room type, or of a rate plan of it, on which what was
// there before is written back. Of what belongs to no room type RoomTypeID is the pool's id.
type UndoneLine struct {
	RoomTypeID, RatePlanID string
	Span
}

// EntryResult is what became of one entry.
type EntryResult struct {
	Changed int           // cells that the entry made another than they were when its turn came
	Faults  []RefusedItem // why it was rejected; nil when it was applied
}

// UpdateProgress is how far one channel is with an update.
type UpdateProgress struct {
	ChannelID string
	Status    UpdateStep
	DoneAt    time.Time // zero until it is done
	Rejected  int       // cells of the update that the channel refused
	Held      int       // those that it was not sent on purpose: a guard keeps them back
	LastError *UpdateFault
}

// UpdateStep is what a channel has to do with an update.
type UpdateStep string

// The steps. A channel that sells nothing of the update is skipped.
const (
	UpdatePending UpdateStep = "pending"
	UpdateDone    UpdateStep = "done"
	UpdateSkipped UpdateStep = "skipped"
)

// UpdateFault is how the last call to a channel ended that did not end well.
type UpdateFault struct {
	Code   string // partial, rejected, unknown or not_sent
	Detail string
}

// UpdateStatus is where an update as a whole stands.
type UpdateStatus string

// An update is syncing until every channel is done. It is partial when some of
// its cells were rejected.
const (
	UpdateSyncing   UpdateStatus = "syncing"
	UpdateCompleted UpdateStatus = "completed"
	UpdatePartial   UpdateStatus = "partial"
)

// MadeUpdate is a bulk update with who asked for it.
type MadeUpdate struct {
	AriUpdate
	By Actor // zero: it changed nothing, or the journal does not reach back to it
}

// AriUpdateFilter selects bulk updates. Zero fields do not filter.
type AriUpdateFilter struct {
	PropertyID   string // required
	Kinds        []string
	Statuses     []UpdateStatus
	CreatedSince time.Time
	Limit        int    // at most so many; required
	AfterID      string // go on behind this one
}
