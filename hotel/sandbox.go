package hotel

import "time"

// Sandbox is a hotel of its own to try things on, and how it differs from a new one.
type Sandbox struct {
	ID         string
	Generation int64         // 1 for a new one, one more with every reset
	Ahead      time.Duration // of its clock before the real one
}

// SandboxAct is what a pretend guest does at a pretend channel.
type SandboxAct string

// The acts of a guest.
const (
	GuestBooks   SandboxAct = "create"
	GuestChanges SandboxAct = "modify"
	GuestCancels SandboxAct = "cancel"
)

// SandboxBooking is what a pretend guest wants. Reference is for changes and
// cancellations, which leave out what stays as it is.
type SandboxBooking struct {
	ChannelID              string
	Act                    SandboxAct
	Reference              string
	RoomTypeID, RatePlanID string
	Stay                   Stay
	Adults                 int
	FirstName, LastName    string
}

// SandboxBooked is a booking as the pretend channel has it.
type SandboxBooked struct {
	Reference  string
	Status     string // confirmed or cancelled
	RoomTypeID string
	RatePlanID string
	Stay       Stay
	Adults     int
	Revision   int // 1 when made, one more with every change
}

// SandboxFault is how a pretend channel is to fail: for Count calls, or for Seconds,
// or until the first of the two ends; with neither, for one call.
type SandboxFault struct {
	ChannelID string
	Kind      string
	Count     int
	Seconds   int
}
