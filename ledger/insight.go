package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// Insight is all that a channel's offer of one night of a product follows from, as
// it is or was: the house values with the steps that made them, and what the
// channel has been told.
type Insight struct {
	Channel  hotel.Channel // as it was, but for its settings
	Mapping  hotel.Mapping
	Sequence int64 // where the journal stood
	Work     Work  // of this night alone; the rules are those of all that is told together

	Stock  []hotel.Step         // of the house's rooms
	Prices map[int][]hotel.Step // of the house's prices, by occupancy
	Rules  []hotel.Step         // of the house's restrictions
	Shut   bool                 // the room type is closed
	Share  *hotel.Share         // nil: nothing is granted
	Pools  hotel.ProtectionKind // how its rooms are protected; "": it draws on several pools
	Total  *int                 // rooms sold there that are in the total which it is told; nil: it is told what is left

	PlanSet, ChannelSet int64 // the newest entries that said what the plan is, and what the channel makes of prices; 0: the journal reaches not so far back

	Kept, Closing int64 // the entries by which rooms are kept from channels, and by which the type is closed; 0: none

	Silenced bool // the counter shows no rooms since a product behind it is closed, and that is the only way to say so; of the past, that the house said one is, whatever the channel can be told
	Guests   int  // for how many the price of the base occupancy is; 0: for the room beside those of each number

	Told   []hotel.Field
	Groups []hotel.GroupSight // of the present; of the past only what calls say
	Calls  []hotel.CarriedValue

	Conflicts []string // that are open at the point that is looked at, by id
}

// Insight looks into what a channel is shown of a product on a night. A night that
// the channel is not told of is refused, and so is a product that it does not
// sell.
func (l *Ledger) Insight(ctx context.Context, of hotel.ExplainQuery, reach Reach) (in Insight, err error) {
	if now := l.clock.Now(); of.AsOf.At.After(now) {
		return in, hotel.Invalid("/as_of", "max", "must not be after now (%s)", now.UTC().Format(time.RFC3339))
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		s, err := newSighting(ctx, q, of.ChannelID)
		if err != nil {
			return err
		}
		look := insight{sighting: s, l: l, of: of}
		in, err = look.see(reach)
		return err
	})
	if err != nil {
		return Insight{}, fmt.Errorf("why channel %s shows what it shows: %w", of.ChannelID, err)
	}
	return in, nil
}

// insight is one look.
type insight struct {
	*sighting
	l    *Ledger
	of   hotel.ExplainQuery
	list *workList
	seen scene
	b    *board.Board
	line sightLine
	at   time.Time // the point that is looked at
	room int       // on the board
	plan int       // on the board; -1 for none
	out  Insight
	set  map[string]int64 // by the id of what the house is made of, and of the channel: the newest entry that said what it is
}

func (i *insight) see(reach Reach) (Insight, error) {
	if err := i.place(reach); err != nil {
		return i.out, err
	}
	if err := i.find(); err != nil {
		return i.out, err
	}
	for _, step := range []func() error{i.stock, i.rates, i.rules, i.attribute, i.told, i.conflicts} {
		if err := step(); err != nil {
			return i.out, err
		}
	}
	return i.out, nil
}

// place goes to the point that is asked for: the property and the channel as they
// were, and the nights that the channel was told of.
func (i *insight) place(reach Reach) error {
	now, at := i.l.clock.Now(), i.of.AsOf
	i.out.Channel, i.out.Sequence = i.channel, i.newest
	if i.at = now; !at.Now() {
		e, err := entryAt(i.ctx, i.q, at)
		if errors.Is(err, ErrNotFound) && at.Sequence == 0 {
			return tooEarly(i.ctx, i.q, i.row.PropertyID)
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if now = at.At; now.IsZero() {
			now = instant(e.At)
		}
		i.out.Sequence, i.at = e.Sequence, now
	}
	var err error
	if i.list, err = newWorkList(i.ctx, i.q, i.row, now, reach); err != nil {
		return err
	}
	night := i.of.Night
	if night < i.list.horizon.From || night > i.list.horizon.To {
		return hotel.Invalid("/date", "date_horizon", "the channel is told of the nights from %s to %s", i.list.horizon.From, i.list.horizon.To)
	}
	if at.Now() {
		i.seen, err = i.l.present(i.ctx, i.q, i.row.PropertyID)
	} else {
		i.seen, err = asOf(i.ctx, i.q, i.row.PropertyID, at, i.list.horizon)
	}
	if err != nil {
		return err
	}
	if !at.Now() {
		if err := i.pastChannel(reach); err != nil {
			return err
		}
	}
	nights, err := i.seen.s.loadNights(i.ctx, i.seen.facts, i.list.horizon.From, i.list.horizon.To)
	if err != nil {
		return err
	}
	i.b = i.seen.s.board(i.seen.now, i.list.horizon.From, nights, 0)
	i.list.plans = map[string]*hotel.RatePlan{}
	for p := range i.seen.s.plans {
		i.list.plans[i.seen.s.plans[p].ID] = &i.seen.s.plans[p]
	}
	i.out.Work.Property, i.out.Work.Now, i.out.Work.Revision = i.seen.s.property, i.seen.now, i.row.Revision
	return nil
}

// pastChannel lays what the journal says of the channel over what it is now. Its
// settings are not in the journal.
func (i *insight) pastChannel(reach Reach) error {
	rows, err := i.q.TouchedEntries(i.ctx, ledgerdb.TouchedEntriesParams{Kind: touchedChannels, Subject: i.row.ID, Through: i.out.Sequence})
	if err != nil {
		return fmt.Errorf("read the past of channel %s: %w", i.row.ID, err)
	}
	was := newPast()
	for _, e := range entriesOf(rows) {
		if err := was.apply(e); err != nil {
			return err
		}
	}
	kept := was.channels[i.row.ID]
	if kept == nil || kept.said == 0 {
		return hotel.Refuse("not_found", "the channel was not there yet")
	}
	settings, entity := i.channel.Settings, i.channel.Entity
	i.out.Channel = kept.channel
	i.out.Channel.Settings, i.out.Channel.Entity = settings, entity
	i.channel = i.out.Channel
	for at := range i.list.mappings {
		m := &i.list.mappings[at]
		mapped := slices.IndexFunc(kept.mappings, func(b mappingBody) bool { return b.RemoteRoom == m.RemoteRoom && b.RemoteRate == m.RemoteRate })
		if m.Retired = mapped < 0; !m.Retired {
			of := kept.mappings[mapped]
			m.RoomTypeID, m.RatePlanID, m.Guests = of.RoomTypeID, of.RatePlanID, of.Guests
		}
	}
	i.list.closed, i.list.groups = i.channel.Status == hotel.Paused && !i.channel.Frozen, nil
	i.list.gather(reach)
	return nil
}

// find finds the product among what the channel sells.
func (i *insight) find() error {
	i.mappings, i.plan = i.list.mappings, -1
	alone := i.carriesStockAlone()
	for _, line := range i.lines() {
		same := line.RoomTypeID == i.of.RoomTypeID && !line.Retired && (i.of.RemoteRoom == "" || i.of.RemoteRoom == line.RemoteRoom) &&
			(i.of.RemoteRate == "" || i.of.RemoteRate == line.RemoteRate)
		if same && (alone || line.RatePlanID == i.of.RatePlanID) {
			i.line = line
			break
		}
	}
	var ok bool
	switch i.room, ok = i.b.Room(i.of.RoomTypeID); {
	case !ok:
		return hotel.Invalid("/room_type_id", "unknown_room_type", "the property has no room type %q", i.of.RoomTypeID)
	case i.line.RoomTypeID == "" && i.of.RatePlanID == "":
		return hotel.Invalid("/rate_plan_id", "required", "the channel sells the room type by rate plans: name one")
	case i.line.RoomTypeID == "":
		return hotel.Invalid("/rate_plan_id", "unknown_rate_plan", "the channel has no mapping for this room type and rate plan")
	}
	if p, sold := i.b.Plan(i.line.RatePlanID); sold {
		i.plan = p
	}
	i.out.Mapping, i.out.Told = i.line.Mapping, i.toldFields()
	return nil
}

// stock takes down how the house's rooms come about.
func (i *insight) stock() error {
	night := i.of.Night
	if i.line.counter == nil {
		return nil
	}
	var tr hotel.Trace
	house := i.b.ExplainHouse(night, i.room, &tr)
	i.out.Stock, i.out.Shut = tr.Steps, i.b.Night(night).Rooms[i.room].Closed
	kept := i.b.Channel(night, i.room, i.row.ID, "")
	if at := slices.IndexFunc(i.seen.s.pools, func(p hotel.Pool) bool { return p.ID == i.pool() }); at >= 0 {
		i.out.Pools = i.seen.s.pools[at].Protection.Kind
	}
	if i.of.AsOf.Now() {
		if err := i.share(&kept); err != nil {
			return err
		}
	} else if i.seen.s.mayGuard(i.of.RoomTypeID) {
		i.out.Share = &hotel.Share{NotKept: true}
	}
	var err error
	if i.out.Total, err = i.total(); err != nil {
		return err
	}
	if i.out.Total != nil {
		kept.Sold = *i.out.Total
	}
	i.out.Silenced = !i.of.AsOf.Now() && i.closedBehind()
	kept.Closed = i.out.Shut
	i.out.Work.Stock = []StockWork{{i.line.counter.Line, night, house.Open, kept}}
	return nil
}

// closedBehind reports whether the house closes a product behind the counter on the night,
// or has no price for it where one is told.
func (i *insight) closedBehind() bool {
	_, priced := i.terms.Fields[hotel.FieldAmount]
	return slices.ContainsFunc(i.mappings, func(m hotel.Mapping) bool {
		if m.Retired || !i.line.counter.behind(m) {
			return false
		}
		room, sold := i.b.Room(m.RoomTypeID)
		plan, offered := i.b.Plan(m.RatePlanID)
		if !sold || !offered || !i.list.sells(m) || i.b.HouseRules(i.of.Night, room, plan).Closed.Closed {
			return true
		}
		_, has := i.b.HousePrice(i.of.Night, room, plan, m.Guests)
		return priced && !has
	})
}

// total counts the rooms that the channel has sold of the total that it is told: of the
// past all that it had of the room type. Nil: it is told what is left.
func (i *insight) total() (*int, error) {
	if !i.terms.TotalLimit {
		return nil, nil
	}
	if i.of.AsOf.Now() {
		of, err := (&tx{ctx: i.ctx, q: i.q}).inAllOf(i.row, hotel.Span{From: i.of.Night, To: i.of.Night})
		n := of.of(hotel.Cell{Line: i.line.counter.Line, Group: hotel.Availability, Night: i.of.Night}, 1)
		return &n, err
	}
	taken, err := i.taken()
	n := len(among(taken, func(t hotel.Taken) bool {
		return t.ReservationID != "" && t.ChannelID == i.row.ID && t.RoomTypeID == i.of.RoomTypeID
	}))
	return &n, err
}

// share adds what the channel was granted of a guarded night.
func (i *insight) share(kept *availability.ChannelNight) error {
	night := i.of.Night
	if err := i.loadParties(hotel.Span{From: night, To: night}); err != nil {
		return err
	}
	party := i.parties[partyNight{i.line.counter.Line, night}]
	if party == nil {
		return nil
	}
	groups, err := i.groups(sightLine{counter: i.line.counter}, hotel.Span{From: night, To: night})
	if err != nil {
		return err
	}
	s, rooms := hotel.Share{Account: party.now.Account, Unknown: party.now.Unknown, Sold: party.live, Undealt: i.b.Undealt(night)[i.room].Open}, 0
	for _, k := range groups[night] {
		if !k.guarded {
			return nil
		}
		rooms = int(*k.wanted(party))
	}
	i.out.Share, kept.Share = &s, &rooms
	return nil
}

// rates takes down how the house's prices come about.
func (i *insight) rates() error {
	if i.line.Line == 0 {
		return nil
	}
	w := PriceWork{Line: i.line.Line, Night: i.of.Night, Room: i.of.RoomTypeID, Plan: i.list.plans[i.line.RatePlanID], Rate: i.line.RemoteRate, Guests: i.guests(i.line)}
	i.out.Prices = map[int][]hotel.Step{}
	if i.plan >= 0 && i.list.sells(i.line.Mapping) {
		w.Prices = map[int]price.House{}
		for _, guests := range occupancies(i.b, i.room, i.plan) {
			var tr hotel.Trace
			if h, ok := i.b.ExplainPrice(i.of.Night, i.room, i.plan, cmp.Or(guests, i.line.Guests), &tr); ok {
				w.Prices[guests], i.out.Prices[guests] = h, tr.Steps
			}
		}
	}
	i.out.Work.Prices = []PriceWork{w}
	return nil
}

// rules takes down what the house says of the product, and of all that is told
// together with it, on every night: what is told of one follows from the others.
func (i *insight) rules() error {
	at := slices.IndexFunc(i.list.groups, func(g []hotel.Mapping) bool {
		return slices.ContainsFunc(g, func(m hotel.Mapping) bool { return m.Line == i.line.Line })
	})
	if i.line.Line == 0 || at < 0 {
		return nil
	}
	w := RulesWork{From: i.list.horizon.From}
	for _, m := range i.list.groups[at] {
		rules := make([]availability.NightRules, i.list.horizon.Days())
		room, sold := i.b.Room(m.RoomTypeID)
		plan, offered := i.b.Plan(m.RatePlanID)
		for n := range rules {
			if sold && offered && !m.Retired {
				rules[n] = i.b.HouseRules(w.From+hotel.Date(n), room, plan)
			}
			if m.Retired || !i.list.sells(m) {
				rules[n].Closed.Closed = true
			}
		}
		p := i.list.plans[m.RatePlanID]
		if m.Retired {
			p = nil
		}
		w.Lines, w.Plans, w.House = append(w.Lines, m.Line), append(w.Plans, p), append(w.House, rules)
	}
	i.out.Work.Rules = []RulesWork{w}
	var tr hotel.Trace
	if i.plan >= 0 {
		i.b.ExplainRules(i.of.Night, i.room, i.plan, &tr)
	}
	if !i.list.sells(i.line.Mapping) {
		tr.AddText("sold_by "+string(hotel.FieldClosed), "true", "the plan does not name this channel in sold_by")
	}
	i.out.Rules = tr.Steps
	return nil
}

// told adds how the night stands with the channel, and the calls that carried it.
func (i *insight) told() error {
	night := hotel.Span{From: i.of.Night, To: i.of.Night}
	groups, err := i.groups(i.line, night)
	if err != nil {
		return err
	}
	for _, k := range groups[i.of.Night] {
		if k.cell.Group == hotel.Price && k.cell.Occupancy == 0 {
			i.out.Guests = k.guests
		}
		i.out.Silenced = i.out.Silenced || i.of.AsOf.Now() && k.silenced
		values, err := i.carriedValues(k)
		if err != nil {
			return err
		}
		i.out.Calls = append(i.out.Calls, values...)
		if !i.of.AsOf.Now() {
			i.out.Groups = append(i.out.Groups, i.then(k, values))
		}
	}
	slices.SortStableFunc(i.out.Calls, func(a, b hotel.CarriedValue) int { return b.SentAt.Compare(a.SentAt) })
	if !i.of.AsOf.Now() {
		return nil
	}
	calls := i.calls(groups)
	for _, k := range groups[i.of.Night] {
		g, err := i.sightOf(k, calls)
		if err != nil {
			return err
		}
		i.out.Groups = append(i.out.Groups, g)
	}
	return nil
}

// mostCalls is how many calls are told of one field group.
const mostCalls = 20

// carriedValues lists the calls that carried a cell, up to the point that is
// looked at, newest first.
func (i *insight) carriedValues(k knownGroup) ([]hotel.CarriedValue, error) {
	var out []hotel.CarriedValue
	point, at := i.out.Work.Now, lineMonthOf(k.cell)
	err := i.book.carried(at, i.row.Version+1, func(call *carriedCall) (bool, error) {
		if i.after(&call.Delivery) {
			return true, nil
		}
		v := call.values(at)[k.cell]
		if v == nil {
			return true, nil
		}
		c := hotel.CarriedValue{
			DeliveryID: call.ID, Group: k.cell.Group, Occupancy: k.guests, Value: k.decode(v.value), InAll: v.inAll, Operation: call.Operation,
			SentAt: instant(call.SentAt), Outcome: string(deliveryOpen),
		}
		if answered := instantOrZero(call.AnsweredAt); !answered.IsZero() && (i.of.AsOf.Now() || !answered.After(point)) {
			c.AnsweredAt, c.Outcome = answered, string(v.became)
			c.Words, c.HTTPStatus, c.Reference, c.Excerpt = cmp.Or(v.words, call.Error), int(call.HttpStatus), call.Reference, call.Excerpt
		}
		out = append(out, c)
		return len(out) < mostCalls, nil
	})
	for at := len(out) - 1; at >= 0; at-- {
		out[at].Attempt = 1
		if at+1 < len(out) && out[at+1].Value == out[at].Value {
			out[at].Attempt = out[at+1].Attempt + 1
		}
	}
	return out, err
}

// after reports whether a call lies behind the point that is looked at.
func (i *insight) after(call *ledgerdb.Delivery) bool {
	switch at := i.of.AsOf; {
	case at.Now():
		return false
	case at.Sequence > 0:
		return call.Sequence > at.Sequence
	}
	return instant(call.SentAt).After(i.of.AsOf.At)
}

// then puts together how a group stood at a point of the past, by what calls had
// carried until then.
func (i *insight) then(k knownGroup, values []hotel.CarriedValue) hotel.GroupSight {
	g := hotel.GroupSight{Group: k.cell.Group, Occupancy: k.guests, State: hotel.Pending, Code: "waits", Reason: "nothing had been sent by then"}
	for _, v := range values {
		fact := &hotel.ShownFact{Value: v.Value, At: v.SentAt, DeliveryID: v.DeliveryID}
		if g.Sent == nil {
			g.Sent = fact
			g.State, g.Code, g.Reason = stood(v)
		}
		if v.Outcome == string(DeliveryApplied) && g.Acknowledged == nil {
			answered := *fact
			answered.At, g.Acknowledged = v.AnsweredAt, &answered
		}
	}
	if (g.State == hotel.Pending || g.State == hotel.InSync) && !i.sighting.told(k) {
		g.State = hotel.HeldBack
		g.Code, g.Reason = i.standstill()
	}
	return g
}

// stood says how a value stood that was the last to be sent.
func stood(v hotel.CarriedValue) (hotel.SightState, string, string) {
	switch DeliveryState(v.Outcome) {
	case deliveryOpen:
		return hotel.InFlight, "under_way", "the call that carried it was not answered yet"
	case DeliveryRejected:
		return hotel.Rejected, "refused", "the channel had refused it: " + v.Words
	case DeliveryUnknown, DeliveryNotSent:
		return hotel.Unclear, "no_answer", "no answer was known to the call that carried it: " + v.Words
	case DeliveryApplied, DeliveryPartial:
	}
	return hotel.InSync, "", ""
}
