package hotel

import "time"

// GuestMerger says which profile is to become part of another.
type GuestMerger struct {
	SourceID   string
	IfRevision int64 // refuse as precondition_failed when the other is at another revision; 0: any
}

// ForgetRequest says why a person is to be forgotten.
type ForgetRequest struct {
	Reason     string // a word; it is kept
	IfRevision int64
}

// GuestMessage is a channel's message about a booking of a guest, as it came but
// for card data.
type GuestMessage struct {
	ChannelID  string
	Reference  string
	ReceivedAt time.Time
	Content    []byte
}

// PersonalAccess is that somebody was shown what is known of a person.
type PersonalAccess struct {
	At        time.Time
	By        Actor
	RequestID string
	Operation string
}
