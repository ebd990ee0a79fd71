package hotel

import "time"

// GuestFilter selects profiles. Zero fields do not filter.
type GuestFilter struct {
	PropertyIDs  []string      // empty: every property
	Statuses     []GuestStatus // one of these; empty: any
	Email, Phone string
	LastName     string    // its beginning
	ExternalID   string    // in any system
	UpdatedSince time.Time // at or after
	ChannelID    string    // only who came through this channel

	Sort       GuestSort
	Descending bool
	Limit      int    // at most so many; required
	AfterKey   int64  // with AfterID: go on behind this one, see SortKey
	AfterID    string // "" begins at the start
}

// GuestSort is the order of a list of guests; ties are broken by id.
type GuestSort string

// The orders.
const (
	GuestsByCreated GuestSort = "created_at"
	GuestsByUpdated GuestSort = "updated_at"
)

// SortKey returns the integer by which the profile is ordered: microseconds.
func (p *GuestProfile) SortKey(s GuestSort) int64 {
	if s == GuestsByUpdated {
		return p.UpdatedAt.UnixMicro()
	}
	return p.CreatedAt.UnixMicro()
}
