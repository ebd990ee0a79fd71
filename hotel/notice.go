package hotel

import "time"

// Notice is something that lasts and that people are told of: a conflict, a channel that
// is not told what it should be.
type Notice struct {
	Cause string // names it among those of its property, such as channel_stale/ch_1
	Kind  NoticeKind
	Since time.Time
	Told  time.Time // when people were last told of it
}

// NoticePhase says what of a notice somebody is told.
type NoticePhase string

// The phases. What does not last is new, and no more; what a policy has decided at once
// is settled, and was never anything else.
const (
	NoticeNew     NoticePhase = "new"
	NoticeAgain   NoticePhase = "again"
	NoticeOver    NoticePhase = "over"
	NoticeSettled NoticePhase = "settled"
)

// NoticeItem is one thing of a message. It names what it is about and says nothing of
// people: that is looked up when the message is written.
type NoticeItem struct {
	Kind    NoticeKind  `json:"kind"`
	Phase   NoticePhase `json:"phase"`
	Subject string      `json:"subject"` // the id of a reservation, conflict or channel; else what it is and its parts
	Since   time.Time   `json:"since,omitzero"`
}

// NoticeForm is what a message is.
type NoticeForm string

// The forms.
const (
	FormEvents    NoticeForm = "events"
	FormDigest    NoticeForm = "digest"
	FormHeartbeat NoticeForm = "heartbeat"
)

// NoticeMail is a message that has to reach a recipient yet.
type NoticeMail struct {
	ID         string
	PropertyID string
	To         string // the recipient's email or url
	Form       NoticeForm
	Day        Date // of a digest or heartbeat
	Items      []NoticeItem
	CreatedAt  time.Time
	NextAt     time.Time
	Attempts   int
}

// NoticeState is how far the people of a property have been told what happens.
type NoticeState struct {
	Through int64    // the journal was looked at up to here
	Day     Date     // of the last digest; 0: there was none
	Open    []Notice // by cause
}

// NoticeStep takes that on, in one piece: Through and Day as they are now, what people
// are told of from now on or again, what is over, and the messages.
type NoticeStep struct {
	Through int64
	Day     Date
	Told    []Notice
	Over    []string // causes
	Mail    []NoticeMail
}
