package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// ConflictBody is the body of an entry about a conflict, without what somebody has
// typed freely.
type ConflictBody struct {
	Conflict hotel.Conflict `json:"conflict"`
}

// raise opens a conflict, or brings the open one of its topic up to date. Where a
// policy has an option taken without asking, it is settled by it: at once when that
// changes nothing else, else by [Ledger.DecideDue] moments later, which may find
// that it cannot be.
func (t *tx) raise(c hotel.Conflict) error {
	was, err := readOne[hotel.Conflict](t.q.OpenConflict(t.ctx, ledgerdb.OpenConflictParams{PropertyID: c.PropertyID, Kind: string(c.Kind), Topic: c.Topic}))
	c.Status, c.Options = hotel.ConflictOpen, c.Kind.OptionNames()
	switch {
	case errors.Is(err, ErrNotFound):
		return t.open(c)
	case err != nil:
		return err
	case bytes.Equal(was.Facts, c.Facts) && was.Severity == c.Severity:
		return nil
	}
	c.Entity, c.Deadline, c.OnDeadline = was.Entity, was.Deadline, was.OnDeadline
	if c.Applied == nil {
		c.Applied = was.Applied
	}
	return t.changeConflict(ConflictChanged, &c)
}

// open stores a conflict that is new, as the policies have it.
func (t *tx) open(c hotel.Conflict) error {
	channel, property, err := t.policies(c.PropertyID, c.ChannelID)
	if err != nil {
		return err
	}
	option := hotel.OptionAsk
	if c.Applied == nil {
		var applied hotel.Applied
		option, applied = hotel.OptionOf(c.Kind, channel, property)
		c.Applied = &applied
	}
	if o, known := c.Kind.Option(option); known && o.Rests {
		return t.note(c, option)
	} else if known {
		c.Deadline, c.OnDeadline = &t.now, option
	} else if after, by, said := hotel.DeadlineOf(c.Kind, channel, property); said {
		c.Deadline, c.OnDeadline = new(t.now.Add(after)), by.Value
	}
	c.Entity = t.entity(hotel.NewID("cfl"))
	return t.putConflict(ConflictDetected, &c)
}

// policies returns those of a channel ("": none) and of its property.
func (t *tx) policies(property, channel string) (ofChannel, ofProperty hotel.Policies, err error) {
	s, err := t.structure(property)
	if err != nil {
		return ofChannel, ofProperty, err
	}
	if channel == "" {
		return ofChannel, s.property.Policies, nil
	}
	_, c, err := t.channel(channel)
	return c.Policies, s.property.Policies, err
}

// note stores a conflict that a policy has decided, for whoever wants to know why.
func (t *tx) note(c hotel.Conflict, option string) error {
	c.Entity = t.entity(hotel.NewID("cfl"))
	c.Options = c.Kind.OptionNames()
	t.decide(&c, hotel.ByPolicy, hotel.ConflictDecision{Option: option})
	return t.putConflict(ConflictSettled, &c)
}

// over ends an open conflict whose reason has gone away.
func (t *tx) over(c *hotel.Conflict) error {
	t.decide(c, hotel.ByItself, hotel.ConflictDecision{Option: hotel.OptionOver})
	return t.changeConflict(ConflictSettled, c)
}

// overTopic ends the open conflict about a topic, if there is one.
func (t *tx) overTopic(property string, kind hotel.ConflictKind, topic string) error {
	c, err := readOne[hotel.Conflict](t.q.OpenConflict(t.ctx, ledgerdb.OpenConflictParams{PropertyID: property, Kind: string(kind), Topic: topic}))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.over(&c)
}

func (t *tx) decide(c *hotel.Conflict, by string, d hotel.ConflictDecision) {
	at := t.now
	c.Status, c.DecidedBy, c.DecidedAt, c.Resolution = hotel.ConflictResolved, by, &at, &d
	c.Deadline, c.OnDeadline = nil, ""
}

func (t *tx) changeConflict(kind Kind, c *hotel.Conflict) error {
	c.UpdatedAt = t.now
	c.Revision++
	return t.putConflict(kind, c)
}

func (t *tx) putConflict(kind Kind, c *hotel.Conflict) error {
	doc, err := documentOf(c)
	if err != nil {
		return err
	}
	if err := t.q.PutConflict(t.ctx, ledgerdb.PutConflictParams(doc)); err != nil {
		return fmt.Errorf("store conflict %s: %w", c.ID, err)
	}
	_, err = t.append(entry{property: c.PropertyID, kind: kind, subject: c.ID, body: ConflictBody{c.Journalled()}})
	return err
}

// openConflicts lists the open conflicts of a kind.
func (t *tx) openConflicts(property string, kind hotel.ConflictKind) ([]hotel.Conflict, error) {
	return readAll[hotel.Conflict](t.q.OpenConflicts(t.ctx, ledgerdb.OpenConflictsParams{PropertyID: property, Kind: string(kind)}))
}

// overCells ends the open conflicts about cells of a channel whose nights are all
// over.
func (t *tx) overCells(property string, today hotel.Date) error {
	for _, kind := range cellKinds {
		open, err := t.openConflicts(property, kind)
		if err != nil {
			return err
		}
		for i := range open {
			if slices.ContainsFunc(open[i].Cells, func(c hotel.ConflictCells) bool { return c.To >= today }) {
				continue
			}
			if err := t.over(&open[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// cellKinds are the kinds of conflict that are about cells of a channel.
var cellKinds = []hotel.ConflictKind{hotel.ConflictDrift, hotel.ConflictAllotment, hotel.ConflictRejected, hotel.ConflictPriceGuard}
