package hotel

import "time"

// ChannelCall is one call to a channel, with what it carried and what became of it.
type ChannelCall struct {
	ID         string
	Version    int64  // rises with every call of the channel
	Kind       string // push, pull, list, read, ask or act
	Operation  string
	SentAt     time.Time
	AnsweredAt time.Time   // zero: not yet
	Outcome    string      // open, applied, partial, rejected, unknown or not_sent
	HTTPStatus int         // of its answer; 0: there was none, or not by HTTP
	Reference  string      // the channel's own
	Excerpt    string      // of its answer, without secrets and guests' data
	Words      string      // why it did not go well
	Cells      int         // nights of field groups that it carried
	Told       []ToldNight // what of them, in runs; the first of a long call
	Refused    []ToldNight // what of it was not taken, likewise

	LeftOut, RefusedLeftOut int // runs beyond these
}

// ToldNight is what one call carried of some nights in a row.
type ToldNight struct {
	RoomTypeID string // as what it was told is mapped now
	RatePlanID string // "" for Availability
	Group      Group
	Occupancy  int // Price only
	Span
	Value Offer
	Words string // why it was refused
}

// CallFilter narrows a list of calls of a channel, the newest first.
type CallFilter struct {
	ChannelID string
	Before    int64  // version of the call behind which the list goes on; 0: it begins with the newest
	Kind      string // "": any
	Troubled  bool   // only those that did not go well
	Limit     int
	Runs      int // told of each call at the most
}
