package hotel

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Conflict is a situation that the policies did not settle, or settled and that
// somebody should see.
type Conflict struct {
	Entity     `json:"-"`
	PropertyID string            `json:"property_id"`
	ChannelID  string            `json:"channel_id,omitempty"`
	Kind       ConflictKind      `json:"kind"`
	Topic      string            `json:"topic"` // what it is about, in the program's words: an open conflict is raised once
	Status     ConflictStatus    `json:"status"`
	Severity   Severity          `json:"severity"`
	Subject    ConflictSubject   `json:"subject"`
	Facts      json.RawMessage   `json:"facts"`                // what was seen, side by side
	Cells      []ConflictCells   `json:"cells,omitempty"`      // those of a channel that it is about
	Options    []string          `json:"options"`              // by name; [ConflictOptions] says what each does
	Applied    *Applied          `json:"policy_applied"`       // why it was decided, or why it asks
	DecidedBy  string            `json:"decided_by,omitempty"` // [ByPolicy], [ByItself], or who did
	DecidedAt  *time.Time        `json:"decided_at,omitempty"`
	Resolution *ConflictDecision `json:"resolution,omitempty"`
	Deadline   *time.Time        `json:"deadline,omitempty"`
	OnDeadline string            `json:"on_deadline,omitempty"` // the option that is taken then
}

// DecidedByActor is who decided; false: nobody has, or not somebody but [ByPolicy] or
// [ByItself].
func (c *Conflict) DecidedByActor() (Actor, bool) {
	for _, kind := range []ActorKind{ActorClient, ActorOperator, ActorUser} {
		if id, is := strings.CutPrefix(c.DecidedBy, string(kind)+":"); is {
			return Actor{kind, id}, true
		}
	}
	return Actor{}, false
}

// Decider is who decided, without the kind of actor that is kept before an id.
func (c *Conflict) Decider() string {
	if a, is := c.DecidedByActor(); is {
		return a.ID
	}
	return c.DecidedBy
}

// ConflictCells is a run of nights of one field group of a counter or mapping.
type ConflictCells struct {
	Line      int64 `json:"line"`
	Group     Group `json:"group"`
	Occupancy int   `json:"occupancy,omitempty"`
	Span
	Fields []Field `json:"fields,omitempty"` // of the group; none: all of them
}

// ConflictSubject is what a conflict is about.
type ConflictSubject struct {
	Type       string `json:"type"` // cell, reservation, channel, group or block
	ID         string `json:"id,omitempty"`
	RoomTypeID string `json:"room_type_id,omitempty"`
	RatePlanID string `json:"rate_plan_id,omitempty"`
	RemoteRoom string `json:"remote_room_id,omitempty"` // the channel's codes, where it sells the room type, or the product, under several
	RemoteRate string `json:"remote_rate_id,omitempty"`
	Date       Date   `json:"date,omitzero"` // the first of its nights
}

// ConflictDecision is the option that was taken.
type ConflictDecision struct {
	Option     string          `json:"option"`
	Arguments  json.RawMessage `json:"arguments,omitempty"`
	Note       string          `json:"note,omitempty"`
	IfRevision int64           `json:"-"` // refuse as precondition_failed when the revision is another; 0: any
}

// ConflictStatus says whether somebody has yet to decide.
type ConflictStatus string

// A conflict is open until somebody, a policy or its own end has settled it.
const (
	ConflictOpen     ConflictStatus = "open"
	ConflictResolved ConflictStatus = "resolved"
)

// Severity says how urgent a conflict is.
type Severity string

// From least to most urgent.
const (
	Info     Severity = "info"
	Warning  Severity = "warning"
	Critical Severity = "critical"
)

// Who decided, where nobody did.
const (
	ByPolicy = "policy" // also what was to be done at a deadline
	ByItself = "itself" // what it was about has gone away
)

// OptionOver is the option of a conflict whose reason went away by itself.
const OptionOver = "over"

// ConflictFilter narrows a list of conflicts; zero fields do not.
type ConflictFilter struct {
	PropertyID string
	ChannelIDs []string       // one of these; empty: any
	Kinds      []ConflictKind // one of these; empty: any
	Statuses   []ConflictStatus
	Severities []Severity
	Since      time.Time // raised or changed at or after
	After      string    // id; the list goes on behind it
	Limit      int
}

// Matches reports whether a conflict is let through.
func (f ConflictFilter) Matches(c *Conflict) bool {
	return (f.PropertyID == "" || f.PropertyID == c.PropertyID) && AnyOf(f.ChannelIDs, c.ChannelID) &&
		AnyOf(f.Kinds, c.Kind) && AnyOf(f.Statuses, c.Status) && AnyOf(f.Severities, c.Severity) && !c.UpdatedAt.Before(f.Since)
}

// AnyOf reports whether a filter that is a list lets a value through: it has that value, or
// none at all.
func AnyOf[V comparable](list []V, v V) bool { return len(list) == 0 || slices.Contains(list, v) }

// Journalled returns the conflict as the journal has it: without what somebody has
// typed freely, which stays with the conflict alone.
func (c Conflict) Journalled() Conflict {
	if c.Resolution == nil {
		return c
	}
	told := ConflictDecision{Option: c.Resolution.Option}
	o, _ := c.Kind.Option(told.Option)
	var members map[string]json.RawMessage
	if json.Unmarshal(c.Resolution.Arguments, &members) == nil {
		for _, a := range o.Arguments {
			if a.Free {
				delete(members, a.Name)
			}
		}
		told.Arguments, _ = json.Marshal(members) // it was read as JSON
	}
	c.Resolution = &told
	return c
}
