package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// check compares one property with its journal.
type check struct {
	l        *Ledger
	q        *ledgerdb.Queries
	property string
	v        *Verification
	stage    Stage
	now      time.Time // of the property's newest tick, else of the newest entry
	ticks    bool      // its clock has begun to tick
	newest   time.Time // when the newest entry of the property was written
	cut      cut
	said     *records
	report   Progress
}

// spot is one place of the tables, and content what stands in many of them.
type (
	spot struct {
		table   string
		night   hotel.Date // 0: of no night
		subject string
	}
	content map[spot]string
)

func (s spot) String() string {
	if s.night == 0 {
		return s.table + " " + s.subject
	}
	return fmt.Sprintf("%s of %s on %s", s.table, s.subject, s.night)
}

func (c *check) run(ctx context.Context, newest int64) error {
	p, err := c.chain(ctx, newest)
	if err != nil {
		return err
	}
	if c.property == "" {
		return nil
	}
	c.report("tables of "+c.property, 0.5)
	said, stored := p.content(c.cut.pickupFrom()), content{}
	if err := c.said.said(said, p.foreign); err != nil {
		return err
	}
	for _, read := range []func(context.Context, content) error{c.parts, c.channels, c.facts, c.taken, c.moved, c.blocks, c.records, c.pastSales, c.toldForeign} {
		if err := read(ctx, stored); err != nil {
			return err
		}
	}
	c.compare(byJournal, said, stored)
	if err := c.house(ctx, p); err != nil {
		return err
	}
	if c.stage == nil {
		c.v.leaveOut("%s: what its channels are to show", c.property)
		return nil
	}
	return c.cells(ctx)
}

// compare notes where the two differ, in the order of the places. Of nights before
// the cut the journal knows no more.
func (c *check) compare(by source, said, stored content) {
	differ, floor := map[spot]bool{}, c.cut.floor()
	note := func(at spot) {
		if (at.night == 0 || at.night >= floor) && said[at] != stored[at] {
			differ[at] = true
		}
	}
	for at := range said {
		note(at)
	}
	for at := range stored {
		note(at)
	}
	c.v.Compared += len(stored)
	for _, at := range slices.SortedFunc(maps.Keys(differ), func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.night, b.night), cmp.Compare(a.subject, b.subject))
	}) {
		c.v.differs(at.table, Difference{c.property, at.String(), by, said[at], stored[at]})
	}
}

// content returns what should stand in the tables; of the pickup, from a day on.
func (p *past) content(pickup hotel.Date) content {
	out := content{}
	for k, v := range p.parts {
		out[spot{table: k.family, subject: k.id}] = compact(v.value)
	}
	for k, v := range p.facts {
		out[spot{string(k.sheet) + " fact", k.night, k.subject}] = fmt.Sprintf("%s by entry %d", compact(v.value), v.sequence)
	}
	for id, s := range p.stays {
		for _, h := range s.held {
			for d := h.From; d <= h.To; d++ {
				out[spot{"room taken", d, id}] = takenText(h.RoomTypeID, s.block)
			}
		}
	}
	for d, moved := range p.pickup() {
		putMoved(out, pickup, d, moved...)
	}
	for id, c := range p.channels {
		out[spot{table: "channel", subject: id}] = channelText(string(c.channel.Status), c.channel.Account, string(c.body))
		for _, m := range c.mappings {
			out[mappingSpot(id, m.RemoteRoom, m.RemoteRate)] = mappedText(product{m.RoomTypeID, m.RatePlanID}, m.Guests)
			out[counterSpot(id, m.RemoteRoom, m.RemoteRate)] = m.RoomTypeID
		}
	}
	for id, b := range p.block {
		out[spot{table: "block", subject: id}] = blockText(b.block)
		for _, r := range blockNights(&b.block) {
			out[blockSpot(r)] = blockNightText(r)
		}
	}
	return out
}

// parts reads what the property is made of.
func (c *check) parts(ctx context.Context, into content) error {
	put := func(table string, id, body string) { into[spot{table: table, subject: id}] = compact([]byte(body)) }
	row, err := c.q.GetProperty(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read property %s: %w", c.property, err)
	}
	put("property", row.ID, row.Body)
	pools, err := c.q.ListPools(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read pools: %w", err)
	}
	for _, r := range pools {
		put("pool", r.ID, r.Body)
	}
	rooms, err := c.q.ListRoomTypes(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read room types: %w", err)
	}
	for _, r := range rooms {
		put("room_type", r.ID, r.Body)
	}
	plans, err := c.q.ListRatePlans(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read rate plans: %w", err)
	}
	for _, r := range plans {
		put("rate_plan", r.ID, r.Body)
	}
	rules, err := c.q.ListPricingRules(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read pricing rules: %w", err)
	}
	for _, r := range rules {
		put("pricing_rule", r.ID, r.Body)
	}
	return nil
}

// channels reads the channels, and what is mapped to which code.
func (c *check) channels(ctx context.Context, into content) error {
	rows, err := c.q.ListChannels(ctx)
	if err != nil {
		return fmt.Errorf("read channels: %w", err)
	}
	for _, r := range rows {
		if r.PropertyID != c.property {
			continue
		}
		into[spot{table: "channel", subject: r.ID}] = channelText(r.Status, r.Account, r.Body)
		counters, mappings, err := loadLines(ctx, c.q, r.ID)
		if err != nil {
			return err
		}
		for _, m := range mappings {
			if m.Retired {
				continue
			}
			into[mappingSpot(r.ID, m.RemoteRoom, m.RemoteRate)] = mappedText(product{m.RoomTypeID, m.RatePlanID}, m.Guests)
			for _, of := range counters {
				if !of.Retired && of.behind(m) {
					into[counterSpot(r.ID, m.RemoteRoom, m.RemoteRate)] = of.RoomTypeID
				}
			}
		}
	}
	return nil
}

func channelText(status, account, body string) string {
	return fmt.Sprintf("%s at account %q: %s", status, account, compact([]byte(body)))
}

func mappedText(p product, guests int) string {
	if guests == 0 {
		return p.subject()
	}
	return fmt.Sprintf("%s at the price for %d", p.subject(), guests)
}

func mappingSpot(channel, room, rate string) spot {
	return spot{table: "mapping", subject: fmt.Sprintf("of %s: %q %q", channel, room, rate)}
}

// counterSpot is the counter that a mapping's sales lower.
func counterSpot(channel, room, rate string) spot {
	return spot{table: "counter behind", subject: fmt.Sprintf("%s: %q %q", channel, room, rate)}
}

// The first and the last night that any table has.
const (
	zeroNight  hotel.Date = 0
	finalNight hotel.Date = 1 << 30
)

// facts reads the facts by night, with those that are still on their way into
// the table.
func (c *check) facts(ctx context.Context, into content) error {
	f, err := c.l.facts(ctx, c.q, c.property)
	if err != nil {
		return err
	}
	for _, of := range sheets {
		list, err := readFacts[json.RawMessage](ctx, f, of, zeroNight, finalNight)
		if err != nil {
			return err
		}
		for _, r := range list {
			into[spot{string(of) + " fact", r.night, r.subject}] = fmt.Sprintf("%s by entry %d", compact(r.V), r.version)
		}
	}
	return nil
}

// taken reads the rooms that reservations take.
func (c *check) taken(ctx context.Context, into content) error {
	rows, err := c.q.TakenNights(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read rooms taken: %w", err)
	}
	for _, r := range rows {
		into[spot{"room taken", hotel.Date(r.Night), r.ReservationID}] = takenText(r.RoomTypeID, orEmpty(r.BlockID))
	}
	return nil
}

// moved reads how many rooms were taken and given back, and when.
func (c *check) moved(ctx context.Context, into content) error {
	rows, err := c.q.PickupNights(ctx, ledgerdb.PickupNightsParams{PropertyID: c.property, First: int64(zeroNight), Last: int64(finalNight)})
	if err != nil {
		return fmt.Errorf("read the pickup: %w", err)
	}
	for _, r := range rows {
		putMoved(into, c.cut.pickupFrom(), hotel.Date(r.Night), board.Moved{On: hotel.Date(r.Day), Rooms: int(r.Rooms)})
	}
	return nil
}

func putMoved(into content, from, night hotel.Date, moved ...board.Moved) {
	for _, m := range moved {
		if m.Rooms != 0 && m.On >= from { // 0: as many taken as given back
			into[spot{"pickup", night, m.On.String()}] = fmt.Sprintf("%d rooms", m.Rooms)
		}
	}
}

func takenText(room, block string) string {
	if block == "" {
		return room
	}
	return room + " of block " + block
}

// blocks reads the blocks and what they promise by night.
func (c *check) blocks(ctx context.Context, into content) error {
	list, err := readAll[hotel.Block](c.q.ListBlocks(ctx, c.property))
	if err != nil {
		return fmt.Errorf("read blocks: %w", err)
	}
	for _, b := range list {
		into[spot{table: "block", subject: b.ID}] = blockText(b)
	}
	nights, err := c.q.AllBlockNights(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read nights of blocks: %w", err)
	}
	for _, r := range nights {
		into[blockSpot(r)] = blockNightText(r)
	}
	return nil
}

// blockText writes a block without what people wrote about it.
func blockText(b hotel.Block) string {
	b.Contact, b.Notes = "", ""
	text, err := json.Marshal(b)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func blockSpot(r ledgerdb.BlockNight) spot {
	return spot{"rooms of a block", hotel.Date(r.Night), r.BlockID + "/" + r.RoomTypeID}
}

func blockNightText(r ledgerdb.BlockNight) string {
	text := fmt.Sprintf("%d units", r.Units)
	if r.Deducts == 1 {
		text += " taken from what is free"
	}
	if r.ReleasesOn != nil {
		text += fmt.Sprintf(" until %s", hotel.Date(*r.ReleasesOn))
	}
	return text
}
