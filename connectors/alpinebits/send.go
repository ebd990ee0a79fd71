package alpinebits

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// told is how each operation is asked for, and what its answer is called.
var told = map[string]struct {
	op     string
	action message.Action
	answer string
}{
	freeRooms:    {"tell free rooms", message.FreeRooms, message.Answered},
	ratePlans:    {"tell prices", message.RatePlans, message.Priced},
	bookingRules: {"tell restrictions", message.RatePlans, message.Priced},
}

// Send implements [connectors.Connector]. A call that nothing has been agreed for
// begins with the handshake.
func (c *conn) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	how, known := told[call.Operation]
	if !known {
		return connectors.Answer{}, unsent("send", fmt.Errorf("there is no operation %q", call.Operation))
	}
	if call.Operation == ratePlans && len(c.cfg.BaseRates) > 0 {
		return c.lay(ctx, how.op, call)
	}
	t, err := c.terms(ctx)
	if err != nil {
		return connectors.Answer{}, before(err)
	}
	why := missing(c.cfg, call.Operation, t.discovered())
	if why != "" && c.agreed.old() { // the portal may have learnt it since
		c.agreed.forget()
		if t, err = c.terms(ctx); err != nil {
			return connectors.Answer{}, before(err)
		}
		why = missing(c.cfg, call.Operation, t.discovered())
	}
	if why != "" {
		return connectors.Answer{}, unsent(how.op, errors.New(why))
	}
	described := append(c.describe(ctx, t), c.retire(ctx, t)...)
	if c.retired(ctx, call) {
		return c.answer(message.Reply{Notices: append(described, message.Notice{Type: message.Advisory, Text: "the portal has no such rate plan any more"})}, call.Keys), nil
	}
	s, err := c.sending(ctx, call)
	if err != nil {
		return connectors.Answer{}, unkept(how.op, err)
	}
	body, all, err := s.composed(ctx, t)
	if err != nil {
		s.undo(ctx) // nothing has left
		if _, ours := errors.AsType[*connectors.Error](err); !ours {
			err = unkept(how.op, err)
		}
		return connectors.Answer{}, err
	}
	said, err := c.ask(ctx, how.op, how.action, t, body, how.answer)
	if refused := err == nil && said.Refused(); all && (refused || err != nil && connectors.AsError(err).Effect != connectors.NotSent) {
		c.owed.tried(ctx, s.kind(), false, c.clock.Now()) // changes are told meanwhile
	}
	if err != nil {
		if nothingDone(err) {
			s.undo(ctx)
		}
		return connectors.Answer{}, err
	}
	if said.Refused() {
		s.back(ctx)
	} else {
		s.done(ctx, all)
	}
	if !all && c.owed.asks(ctx, s.kind(), c.clock.Now()) {
		said.Notices = append(said.Notices, s.again(ctx, t, how.op, how.action, how.answer)...)
	}
	if c.owed.asks(ctx, message.AskInventory, c.clock.Now()) {
		err := c.told.shelf.Put(ctx, inventoryTold, []byte{})
		if err == nil {
			described = append(described, c.describe(ctx, t)...)
		}
		c.owed.tried(ctx, message.AskInventory, err == nil, c.clock.Now())
	}
	answer := c.answer(said, call.Keys)
	answer.Excerpt = c.words(message.Reply{Notices: append(said.Notices, described...)}.Words())
	return answer, nil
}

// before is the error of a handshake: of the call behind it nothing has left.
func before(err error) error {
	failed := *connectors.AsError(err)
	failed.Effect = connectors.NotSent
	return &failed
}

// nothingDone reports whether an error says that the portal has what it had before.
func nothingDone(err error) bool {
	e := connectors.AsError(err)
	return e.Effect == connectors.NotSent || e.Kind == connectors.Invalid || e.Kind == connectors.Unmapped
}

// unkept is that the shelf does not take or give what it should.
func unkept(op string, err error) error {
	return &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent, Op: op, Err: err}
}

// sending is a call on its way.
type sending struct {
	c             *conn
	call          connectors.Call
	of            together
	room          string
	before, after values       // what the portal was told of the category, without the call and with it
	news          values       // what the call says
	supplements   []byte       // those of a plan that is told as a whole; nil: nothing is said of them
	seasons       []hotel.Span // the closing seasons of a complete set
}

// sending puts down what a call tells before it goes out: if nobody hears what becomes
// of it, the portal may have it.
func (c *conn) sending(ctx context.Context, call connectors.Call) (*sending, error) {
	news, err := c.news(call)
	if err != nil {
		return nil, err
	}
	first := call.Keys[0]
	s := &sending{c: c, call: call, of: together{first.Rate}, room: first.Room, news: news}
	if s.before, err = c.told.line(ctx, s.of, s.room); err != nil {
		return nil, err
	}
	s.after = maps.Clone(s.before)
	maps.Copy(s.after, news)
	return s, c.told.keep(ctx, s.of, s.room, s.after, c.today())
}

// undo puts down again what was there before: the portal has not taken the call. If
// that fails, what it has refused is told once more with whatever goes together with it.
func (s *sending) undo(ctx context.Context) {
	_ = s.c.told.keep(context.WithoutCancel(ctx), s.of, s.room, s.before, s.c.today())
}

// back puts down what was there before, and of what the call lowered or closed that: the
// portal has not taken all of it, and nobody knows which part. What goes together with it is not to
// put on sale again what was closed.
func (s *sending) back(ctx context.Context) {
	left := maps.Clone(s.before)
	for k, was := range s.before {
		to, changed := s.after[k]
		switch {
		case !changed:
		case k.Group == hotel.Availability:
			left[k] = hotel.Offer{Available: min(was.Available, to.Available)}
		case k.Group == hotel.Closures:
			left[k] = hotel.Offer{Closed: was.Closed.Any(to.Closed)}
		}
	}
	_ = s.c.told.keep(context.WithoutCancel(ctx), s.of, s.room, left, s.c.today())
}

// kind is what the call tells a part of, by the word with which a portal asks for all of it.
func (s *sending) kind() string {
	if s.of.plan != "" {
		return message.AskRatePlans
	}
	return message.AskFreeRooms
}

// all reports whether the call is told with all that there is of its kind: the portal has
// asked for that, if only to turn down everything else; or the last set of free rooms does
// not do. Such a set waits after one that was in vain, unless the call frees a room in a
// closing season: a portal takes that in a set alone. Of rate plans, one of ours is told as a
// whole.
func (s *sending) all(ctx context.Context, t terms) (bool, error) {
	if s.of.plan != "" || !t.takesSets() {
		return false, nil
	}
	last, err := fetch[roomSet](ctx, s.c.told.shelf, lastSet)
	if err == nil && !last.does(s.c.whom(), s.after, s.c.clock.Now()) {
		s.c.owed.wish(ctx, s.kind())
	}
	return s.c.owed.asks(ctx, s.kind(), s.c.clock.Now()) || last.shuts(s.c.whom(), s.news), err
}

// composed is the message of a call, all that there is of its kind or not, and put down as far
// as it must be before it goes out. An error that is no [connectors.Error] is the shelf's or the
// ledger's, and passes.
func (s *sending) composed(ctx context.Context, t terms) (body []byte, all bool, err error) {
	if all, err = s.all(ctx, t); err == nil {
		body, err = s.body(ctx, t, all)
	}
	if err == nil {
		err = s.risk(ctx)
	}
	return body, all, err
}

// body is what the portal wants to read: the call with what goes together with it, or
// all that there is where it takes nothing less.
func (s *sending) body(ctx context.Context, t terms, all bool) ([]byte, error) {
	rooms := s.of.plan == ""
	switch {
	case rooms && !all && slices.Contains(t.features, message.AcceptDeltas):
		return s.call.Body, nil
	case rooms:
		whole, err := s.c.told.whole(ctx, s.of)
		if err != nil {
			return nil, err
		}
		rooms := roomsOf(whole)
		s.seasons = s.c.seasons(ctx, t, rooms)
		return message.WriteAllFreeRooms(s.c.property(), s.seasons, rooms), nil
	}
	whole, err := s.wants(ctx, t)
	if err != nil {
		return nil, err
	}
	if !whole && slices.Contains(t.features, message.AcceptOverlay) {
		return message.WriteRatePlans(message.PlanSet{Hotel: s.c.property(), Plans: s.c.overlays(s.of.plan, s.beside())}), nil
	}
	return s.plan(ctx, t)
}

// beside is what the call tells, with all other values that one entry says of the same
// nights.
func (s *sending) beside() values {
	prices := s.call.Operation == ratePlans
	nights := map[hotel.Date]bool{}
	for _, k := range s.call.Keys {
		nights[k.Night] = true
	}
	beside := values{}
	for k, o := range s.after {
		if nights[k.Night] && (k.Group == hotel.Price) == prices {
			beside[k] = o
		}
	}
	return beside
}

// today is the date where it is latest.
func (c *conn) today() hotel.Date { return hotel.DateIn(c.clock.Now(), time.UTC) }

// news reads what a call says back from its body, night by night.
func (c *conn) news(call connectors.Call) (values, error) {
	said := values{}
	if call.Operation == freeRooms {
		set, err := message.ReadFreeRooms(call.Body)
		if err != nil {
			return nil, err
		}
		for _, r := range set.Rooms {
			for night := r.Nights.From; night <= r.Nights.To; night++ {
				said[connectors.Key{Room: r.Category, Group: hotel.Availability, Night: night}] = hotel.Offer{Available: r.Free}
			}
		}
		return said, nil
	}
	set, err := message.ReadRatePlans(call.Body)
	if err != nil {
		return nil, err
	}
	night := func(k connectors.Key) connectors.Key {
		return connectors.Key{Room: k.Room, Night: k.Night, Occupancy: k.Occupancy}
	}
	all := values{} // by category, night and number of guests
	for _, p := range set.Plans {
		for _, r := range p.Rules {
			for day := r.Nights.From; day <= r.Nights.To; day++ {
				closed := hotel.Closed{Closed: r.Closed, Arrival: r.Arrival[day.Weekday()], Departure: r.Departure[day.Weekday()]}
				all[connectors.Key{Room: r.Category, Night: day}] = hotel.Offer{Closed: closed, Lengths: r.Lengths}
			}
		}
		for _, r := range p.Rates {
			for _, price := range r.Prices {
				for day := r.Nights.From; day <= r.Nights.To; day++ {
					all[connectors.Key{Room: r.Category, Night: day, Occupancy: price.Guests}] = hotel.Offer{Amount: hotel.Money{Minor: price.Minor, Currency: p.Currency}}
				}
			}
		}
	}
	for _, k := range call.Keys {
		of := night(k)
		if k.Group == hotel.Price && k.Occupancy == 0 {
			of.Occupancy = c.cfg.StandardGuests[k.Room]
		}
		said[k] = all[of].Pick(k.Group)
	}
	return said, nil
}

// answer reads what a portal says to values. A warning names none of them, so it stands
// for all of the message.
func (c *conn) answer(said message.Reply, keys []connectors.Key) connectors.Answer {
	answer := connectors.Answer{Rest: connectors.Applied, Excerpt: c.words(said.Words())}
	if said.Refused() {
		answer.Rest, answer.Keys = connectors.Rejected, make(map[connectors.Key]connectors.Verdict, len(keys))
		for _, k := range keys {
			answer.Keys[k] = connectors.Verdict{Outcome: connectors.Rejected, Words: answer.Excerpt}
		}
	}
	return answer
}

// ask makes a call whose answer says no more than how it went.
func (c *conn) ask(ctx context.Context, op string, a message.Action, t terms, request []byte, root string) (message.Reply, error) {
	reply, err := c.request(ctx, op, a, t, request)
	if err != nil {
		return message.Reply{}, err
	}
	said, err := message.ReadReply(reply, root)
	return said, c.settled(ctx, op, said, err)
}

// request makes a call by what was agreed. A portal that turns it down as a whole may
// have changed since: hands are shaken once more, and where something else is agreed now, or
// nothing can be, the call is to be made anew by that. A portal that agrees to the same and takes no such call
// does not want it.
func (c *conn) request(ctx context.Context, op string, a message.Action, t terms, request []byte) ([]byte, error) {
	reply, err := c.post(ctx, op, a, t.version, slices.Contains(t.features, gzipFeature), request)
	if reply.Status != http.StatusBadRequest && reply.Status != http.StatusNotImplemented {
		return reply.Body, err
	}
	c.agreed.forget()
	now, failed := c.terms(ctx)
	if failed == nil && !now.same(t) || failed != nil && connectors.AsError(failed).Kind != connectors.Invalid {
		err = &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent, Op: op, Err: fmt.Errorf("by what was agreed before: %w", err)}
	}
	return nil, err
}

// settled is the error of an answer that could not be read, or that says that nothing
// was done.
func (c *conn) settled(ctx context.Context, op string, said message.Reply, err error) error {
	if err != nil {
		return unreadable(op, errors.New(c.words(err.Error())))
	}
	if said.Asks(message.AskHandshake) {
		c.agreed.forget()
	}
	c.owed.note(ctx, said)
	if said.Failed {
		return c.failed(op, said)
	}
	return nil
}
