package hotel

import (
	"strings"
	"time"
)

// ExplainQuery asks why a channel is shown what it is shown of a product on a
// night, now or at a point of the past.
type ExplainQuery struct {
	ChannelID  string
	RoomTypeID string
	RatePlanID string // "" where the channel carries stock alone
	RemoteRoom string // where the room type has several there; "": the first
	RemoteRate string // where the product has several there; "": the first
	Night      Date
	AsOf       AsOf
}

// Explanation is why a channel is shown what it is shown of a product on a night:
// how each number comes about, how it stands with the channel, and the calls that
// carried it.
type Explanation struct {
	ChannelID, RoomTypeID, RatePlanID string
	RemoteRoom, RemoteRate            string
	Channel                           ChannelStatus // where the channel stood in its life
	Night                             Date
	At                                time.Time
	Sequence                          int64 // where the journal stood
	Told                              []Field
	Numbers                           []Explained
	Groups                            []GroupSight
	Calls                             []CarriedValue // newest first
	Conflicts                         []string       // those about the night that are open, or were then, by id
}

// Explained is one number of an offer with the steps that made it. The last step
// stands at the number.
type Explained struct {
	Field     Field
	Group     Group
	Occupancy int // of a price: how many guests it is for
	Mapped    int // of a price: the occupancy of the mapping, for which it is; 0: that of the room type
	Steps     []Step
}

// Result returns the number as the last step has it, "" without steps.
func (d Explained) Result() Step {
	if len(d.Steps) == 0 {
		return Step{}
	}
	return d.Steps[len(d.Steps)-1]
}

// OfField returns the steps that are about a field, under the names that they
// have without it. Steps of restrictions are recorded under their field, or under
// a step and the field; see NightRules.Record in package availability.
func (t *Trace) OfField(f Field) []Step {
	var out []Step
	for _, s := range t.Steps {
		name, field, two := strings.Cut(s.Name, " ")
		switch {
		case s.Name == string(f):
			s.Name, s.By = s.By, ""
		case two && field == string(f):
			s.Name = name
		default:
			continue
		}
		out = append(out, s)
	}
	return out
}

// CarriedValue is what one call carried of a cell, and what became of it.
type CarriedValue struct {
	DeliveryID string
	Attempt    int // the how many-th call in a row with this value
	Group      Group
	Occupancy  int
	Value      Offer
	InAll      *int // as in [ShownFact]
	Operation  string
	SentAt     time.Time
	AnsweredAt time.Time // zero: not yet, at the point that is looked at
	Outcome    string    // applied, rejected, unknown, not_sent or open
	Words      string    // why not, by the channel or by ourselves
	HTTPStatus int       // of its answer; 0: there was none, or not by HTTP
	Reference  string    // the channel's own
	Excerpt    string    // of its answer
}
