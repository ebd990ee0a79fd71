package hotel

import "slices"

// Block is rooms promised before anybody is named: to a group, a tour operator
// or a channel with an allotment.
type Block struct {
	Entity      `json:"-"`
	PropertyID  string        `json:"property_id"`
	Name        string        `json:"name"`
	Contact     string        `json:"contact,omitempty"`
	Notes       string        `json:"notes,omitempty"`
	BlockStatus BlockStatus   `json:"status"`
	Deducts     *bool         `json:"deducts,omitempty"` // nil: definite ones do
	Lines       []BlockLine   `json:"lines"`
	RatePlanID  string        `json:"rate_plan_id,omitempty"`
	Amounts     []BlockAmount `json:"amounts,omitempty"`
	ReleaseOn   *Date         `json:"release_on,omitempty"`   // the whole block, at that date's midnight
	ReleaseDays *int          `json:"release_days,omitempty"` // so many days before each night
	ChannelID   string        `json:"channel_id,omitempty"`   // set for a contracted allotment
	GivenBack   []Span        `json:"given_back,omitempty"`   // nights that were released, in order
}

// BlockStatus is where a block stands.
type BlockStatus string

// The statuses of a block. A released one promises nothing any more.
const (
	Tentative BlockStatus = "tentative"
	Definite  BlockStatus = "definite"
	Released  BlockStatus = "released"
)

// BlockLine promises units of a room type over some nights, both inclusive. The
// lines of one room type have no night in common.
type BlockLine struct {
	RoomTypeID string       `json:"room_type_id"`
	DateFrom   Date         `json:"date_from"`
	DateTo     Date         `json:"date_to"`
	Units      int          `json:"units"`
	Nights     []BlockNight `json:"-"` // as they stand now
}

// BlockNight is one night of a line.
type BlockNight struct {
	Date      Date
	PickedUp  int // rooms that reservations have drawn from it
	Remaining int // rooms that may still be drawn; 0 once it is released
}

// BlockAmount is the agreed price of a room type's night.
type BlockAmount struct {
	RoomTypeID string `json:"room_type_id"`
	Amount     Money  `json:"amount"`
}

// Stored returns what the block has in common with every stored resource.
func (b *Block) Stored() *Entity { return &b.Entity }

// TakesRooms reports whether the block takes rooms from what is free.
func (b *Block) TakesRooms() bool {
	switch {
	case b.BlockStatus == Released:
		return false
	case b.Deducts != nil:
		return *b.Deducts
	}
	return b.BlockStatus == Definite
}

// Promises reports whether the block still promises its rooms on a night.
func (b *Block) Promises(d Date) bool {
	return b.BlockStatus != Released && !slices.ContainsFunc(b.GivenBack, func(s Span) bool { return s.Contains(d) })
}

// Remaining returns the rooms of a type that may still be drawn on a night, of
// which so many are picked up.
func (b *Block) Remaining(room string, d Date, pickedUp int) int {
	for _, l := range b.Lines {
		if l.RoomTypeID == room && l.DateFrom <= d && d <= l.DateTo && b.Promises(d) {
			return max(0, l.Units-pickedUp)
		}
	}
	return 0
}

// ReleasesOn returns the date at whose midnight the rooms of a night go back by
// themselves, and false when they never do.
func (b *Block) ReleasesOn(night Date) (Date, bool) {
	switch {
	case b.ReleaseOn != nil:
		return *b.ReleaseOn, true
	case b.ReleaseDays != nil:
		return night - Date(*b.ReleaseDays), true
	}
	return 0, false
}

// Nights lists every night of the block's lines, ascending, each once.
func (b *Block) Nights() []Date {
	var nights []Date
	for _, l := range b.Lines {
		for d := l.DateFrom; d <= l.DateTo; d++ {
			nights = append(nights, d)
		}
	}
	slices.Sort(nights)
	return slices.Compact(nights)
}

// BlockChange is what is to be different about a block. Null clears what may be
// left out.
type BlockChange struct {
	Name, Contact, Notes Optional[string]
	Status               Optional[BlockStatus]
	Deducts              Optional[bool]
	Lines                Optional[[]BlockLine]
	RatePlanID           Optional[string]
	Amounts              Optional[[]BlockAmount]
	ReleaseOn            Optional[Date]
	ReleaseDays          Optional[int]
	ChannelID            Optional[string]
	IfRevision           int64 // refuse as precondition_failed when the revision is another; 0: any
}

// Apply makes the block different.
func (c BlockChange) Apply(b *Block) {
	set(&b.Name, c.Name)
	set(&b.Contact, c.Contact)
	set(&b.Notes, c.Notes)
	set(&b.BlockStatus, c.Status)
	setPointer(&b.Deducts, c.Deducts)
	set(&b.Lines, c.Lines)
	set(&b.RatePlanID, c.RatePlanID)
	set(&b.Amounts, c.Amounts)
	setPointer(&b.ReleaseOn, c.ReleaseOn)
	setPointer(&b.ReleaseDays, c.ReleaseDays)
	set(&b.ChannelID, c.ChannelID)
}

func set[V any](to *V, o Optional[V]) {
	if o.Set {
		*to = o.Value // the zero value when it is null
	}
}

func setPointer[V any](to **V, o Optional[V]) {
	switch {
	case !o.Set:
	case o.Null:
		*to = nil
	default:
		v := o.Value
		*to = &v
	}
}

// BlockFilter selects blocks. Zero fields do not filter.
type BlockFilter struct {
	Statuses   []BlockStatus
	ChannelIDs []string // one of these; empty: any
	StayingOn  *Date    // promises rooms on this night, released or not
}

// Matches reports whether the filter lets the block through.
func (f BlockFilter) Matches(b *Block) bool {
	return (len(f.Statuses) == 0 || slices.Contains(f.Statuses, b.BlockStatus)) && AnyOf(f.ChannelIDs, b.ChannelID) &&
		(f.StayingOn == nil || slices.ContainsFunc(b.Lines, func(l BlockLine) bool { return l.DateFrom <= *f.StayingOn && *f.StayingOn <= l.DateTo }))
}
