package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// past is a property as its journal tells it: what the entries that it was given,
// in order, leave standing.
type past struct {
	parts map[partKey]kept // what the property is made of
	facts map[factSpot]kept
	stays map[string]stayKept // the newest of each reservation that takes or gave back a room
	block map[string]blockKept

	channels map[string]*channelKept

	stayed map[string]map[int64]stayed // every state of each reservation, by sequence

	foreign map[string]map[factKey]known // of each reservation the rooms that another system counts

	records []int64 // entries that tell the history of reservations, and what was sold before them
}

// known is by which entry another system had to be told of a room, and by which it
// knows; 0: it does not.
type known struct{ news, acknowledged int64 }

// kept is what an entry says that no later one has replaced.
type kept struct {
	sequence int64
	value    json.RawMessage
}

type partKey struct{ family, id string }

type factSpot struct {
	sheet   sheet
	subject string
	night   hotel.Date
}

type stayKept struct {
	sequence int64
	held     []HeldRoom
	channel  string // that sold it, "" when nobody did
	block    string // of which it was picked up
	waits    bool   // somebody has yet to decide
}

// channelKept is what was last said of a channel itself and of its mapping.
type channelKept struct {
	said, mapped int64 // sequences
	channel      hotel.Channel
	body         json.RawMessage // as it is stored
	mappings     []mappingBody
}

type blockKept struct {
	sequence int64
	block    hotel.Block
}

func newPast() *past {
	return &past{
		parts: map[partKey]kept{}, facts: map[factSpot]kept{}, stays: map[string]stayKept{}, block: map[string]blockKept{},
		stayed: map[string]map[int64]stayed{}, channels: map[string]*channelKept{}, foreign: map[string]map[factKey]known{},
	}
}

// apply takes in the next entry. Entries that state no fact of the property
// change nothing.
func (p *past) apply(e Entry) error {
	if e.Kind.revises() || e.Kind == ReservationAcknowledged || e.Kind == GroupCreated || e.Kind == HistoryImported {
		p.records = append(p.records, e.Sequence)
	}
	switch {
	case e.Kind == PricingRuleDeleted:
		delete(p.parts, partKey{e.Kind.family(), e.Subject})
	case e.Kind.structural():
		body, err := decode[Founding[json.RawMessage]](e)
		if err != nil || len(body.Resource) == 0 {
			return err
		}
		p.parts[partKey{e.Kind.family(), e.Subject}] = kept{e.Sequence, body.Resource}
	case slices.Contains(channelKinds, e.Kind):
		return p.applyChannel(e)
	case e.Kind == ReservationAcknowledged:
		p.acknowledge(e)
	case e.Kind.family() == touchedStays:
		body, err := decode[ReservationFact](e)
		if err != nil || len(body.Ranges) == 0 {
			return err // it is about what takes no night
		}
		if p.stayed[e.Subject] == nil {
			p.stayed[e.Subject] = map[int64]stayed{}
		}
		p.stayed[e.Subject][e.Sequence] = stayed{body.On, body.Held}
		p.tell(e, body.News)
		p.stays[e.Subject] = stayKept{e.Sequence, body.Held, body.Reservation.Source.ChannelID, body.Reservation.BlockID, undecided(body.Reservation.Status)}
	case e.Kind.family() == touchedBlocks:
		body, err := decode[BlockFact](e)
		if err != nil {
			return err
		}
		body.Block.ID = e.Subject
		p.block[e.Subject] = blockKept{e.Sequence, body.Block}
	case slices.Contains(factKinds, e.Kind):
		body, err := decode[FactRuns](e)
		if err != nil {
			return err
		}
		for _, r := range body.Ranges {
			for d := r.From; d <= r.To; d++ {
				p.facts[factSpot{sheet(body.Sheet), e.Subject, d}] = kept{e.Sequence, r.Value}
			}
		}
	}
	return nil
}

// layers returns the facts by night in the form in which they are read.
func (p *past) layers() (stock, prices []*layer) {
	type key struct {
		sequence int64
		sheet    sheet
		subject  string
	}
	by := map[key]*layer{}
	for at, k := range p.facts {
		of := key{k.sequence, at.sheet, at.subject}
		if by[of] == nil {
			by[of] = &layer{sequence: k.sequence, subject: at.subject, sheet: at.sheet}
		}
		by[of].runs = append(by[of].runs, hotel.Run[json.RawMessage]{Span: hotel.Span{From: at.night, To: at.night}, Value: k.value})
	}
	for _, l := range by {
		slices.SortFunc(l.runs, func(a, b hotel.Run[json.RawMessage]) int { return cmp.Compare(a.From, b.From) })
		if l.sheet.stock() {
			stock = append(stock, l)
		} else {
			prices = append(prices, l)
		}
	}
	return stock, prices
}

// tell notes rooms that another system has to be told of.
func (p *past) tell(e Entry, news []HeldRoom) {
	for _, h := range news {
		if p.foreign[e.Subject] == nil {
			p.foreign[e.Subject] = map[factKey]known{}
		}
		for d := h.From; d <= h.To; d++ {
			p.foreign[e.Subject][factKey{d, h.RoomTypeID}] = known{news: e.Sequence}
		}
	}
}

// acknowledge notes that another system has been told of all: also of the rooms that
// are held no more.
func (p *past) acknowledge(e Entry) {
	holds := nightsHeld(p.stays[e.Subject].held)
	for k, of := range p.foreign[e.Subject] {
		switch {
		case !holds[k]:
			delete(p.foreign[e.Subject], k)
		case of.acknowledged == 0:
			p.foreign[e.Subject][k] = known{of.news, e.Sequence}
		}
	}
}

// channelKinds are the kinds of entries that say what a channel is from then on.
var channelKinds = []Kind{ChannelCreated, ChannelMapped, ChannelActivated, ChannelUpdated, ChannelPaused, ChannelDisconnected}

func (p *past) applyChannel(e Entry) error {
	c := p.channels[e.Subject]
	if c == nil {
		c = &channelKept{}
		p.channels[e.Subject] = c
	}
	if e.Kind == ChannelMapped {
		body, err := decode[mappingsBody](e)
		c.mapped, c.mappings = e.Sequence, body.Mappings
		return err
	}
	body, err := decode[ChannelBody](e)
	if err != nil {
		return err
	}
	c.said, c.channel = e.Sequence, body.Channel
	c.body, err = json.Marshal(body.Channel)
	return err
}

// entriesPage is how many entries are read at once.
const entriesPage = 1000

// walk calls f for the entries of a property's chain behind the sequence after, up
// to through, in order.
func walk(ctx context.Context, q *ledgerdb.Queries, property string, after, through int64, f func(Entry) error) error {
	for {
		rows, err := q.ChainOf(ctx, ledgerdb.ChainOfParams{PropertyID: property, After: after, AtMost: entriesPage})
		if err != nil {
			return fmt.Errorf("read the chain of %q: %w", property, err)
		}
		for _, e := range entriesOf(rows) {
			if e.Sequence > through {
				return nil
			}
			if err := f(e); err != nil {
				return err
			}
			after = e.Sequence
		}
		if len(rows) < entriesPage {
			return nil
		}
	}
}
