package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
	"ostler.example/sync/dispatch"
	"ostler.example/sync/gate"
)

// Happening is one thing worth showing to somebody who watches.
type Happening struct {
	At      time.Time
	Kind    HappeningKind
	Channel string // where it came from: a channel's name, or "direct"
	What    string // in words: "booked 2 nights from 2026-12-01, Standard"
	Told    []ToldChannel
	ToldAt  time.Time // when that was known; zero before
}

// HappeningKind sorts what happens for the eye.
type HappeningKind string

// The kinds.
const (
	HappenedBooking HappeningKind = "booking"
	HappenedChange  HappeningKind = "change"
	HappenedTold    HappeningKind = "told" // the channels have been told of an earlier one
	HappenedTrouble HappeningKind = "trouble"
)

// ToldChannel is a channel that was told, and how long after the commit it had
// confirmed.
type ToldChannel struct {
	Name string
	Took time.Duration
}

// watcher turns the journal and the engine's calls into happenings.
type watcher struct {
	told     chan dispatch.Told
	circuits chan circuit
	env      *Environment
	show     func(Happening)
	channels map[string]string // names by id, of the live ones
	rooms    map[string]string // names by id
	plans    map[string]string // names by id
	pending  []*news

	cancel context.CancelFunc
	ended  chan struct{}
}

type circuit struct {
	channel string
	at      time.Time
	gate.Transition
}

// news is a committed change that channels are being told of.
type news struct {
	Happening
	sequence int64
	stock    bool
	nights   []hotel.Span
}

// newsPatience is how long a change waits for its last channel before what is
// known of it is shown: a channel for which nothing changed is never told.
const newsPatience = 3 * time.Second

func newWatcher() *watcher {
	return &watcher{told: make(chan dispatch.Told, 1000), circuits: make(chan circuit, 100), ended: make(chan struct{})}
}

// observer never blocks the engine: what does not fit is not shown.
func (w *watcher) observer() chansync.Observer {
	return chansync.Observer{
		Told: func(t dispatch.Told) {
			select {
			case w.told <- t:
			default:
			}
		},
		Circuit: func(channel string, t gate.Transition) {
			select {
			case w.circuits <- circuit{channel, hotel.SystemClock{}.Now(), t}:
			default:
			}
		},
	}
}

func (w *watcher) start(ctx context.Context, env *Environment, show func(Happening)) error {
	w.env, w.show = env, show
	w.channels, w.rooms, w.plans = map[string]string{}, map[string]string{}, map[string]string{}
	channels, err := env.Ledger.Channels(ctx, SampleProperty)
	if err != nil {
		return err
	}
	for _, c := range channels {
		w.channels[c.ID] = c.Name
	}
	rooms, err := env.Ledger.RoomTypes(ctx, SampleProperty)
	if err != nil {
		return err
	}
	for _, r := range rooms {
		w.rooms[r.ID] = r.Name
	}
	plans, err := env.Ledger.RatePlans(ctx, SampleProperty)
	if err != nil {
		return err
	}
	for _, p := range plans {
		w.plans[p.ID] = p.Name
	}
	after, err := env.Ledger.Sequence(ctx)
	if err != nil {
		return err
	}
	work, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go w.run(work, after)
	return nil
}

func (w *watcher) stop() error {
	w.cancel()
	<-w.ended
	return nil
}

func (w *watcher) run(ctx context.Context, after int64) {
	defer close(w.ended)
	tick := time.NewTicker(newsPatience / 3)
	defer tick.Stop()
	for {
		changed := w.env.Ledger.Changed()
		entries, err := w.env.Ledger.Entries(ctx, after, 200)
		if err == nil && len(entries) > 0 {
			for _, e := range entries {
				w.read(e)
				after = e.Sequence
			}
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case t := <-w.told:
			w.called(t)
		case c := <-w.circuits:
			what := "breaker " + string(c.To)
			if c.To == gate.Open {
				what += ", to be tried again at " + c.RetryAt.Local().Format(time.TimeOnly)
			}
			w.show(Happening{At: c.at, Kind: HappenedTrouble, Channel: w.channels[c.channel], What: what})
		case now := <-tick.C:
			w.settle(now)
		}
	}
}

// read shows a journal entry that somebody would want to see.
func (w *watcher) read(e ledger.Entry) {
	n := &news{Happening: Happening{At: e.At, Kind: HappenedBooking}, sequence: e.Sequence, stock: true}
	verb, booking := map[ledger.Kind]string{
		ledger.ReservationCreated: "booked", ledger.ReservationUpdated: "changed", ledger.ReservationCancelled: "cancelled",
	}[e.Kind]
	switch {
	case booking:
		if !w.readBooking(e, n, verb) {
			return
		}
	case e.Kind == ledger.StockChanged || e.Kind == ledger.PricesChanged || e.Kind == ledger.RestrictionsChanged:
		n.Kind, n.stock = HappenedChange, e.Kind == ledger.StockChanged
		if !w.readChange(e, n) {
			return
		}
	case e.Kind == ledger.InventoryOverbooked:
		w.show(Happening{At: e.At, Kind: HappenedTrouble, Channel: e.Actor.ID, What: "overbooked: " + w.rooms[e.Subject]})
		return
	default:
		return
	}
	w.show(n.Happening)
	w.pending = append(w.pending, n)
}

func (w *watcher) readBooking(e ledger.Entry, n *news, verb string) bool {
	var fact ledger.ReservationFact
	if json.Unmarshal(e.Body, &fact) != nil {
		return false
	}
	r := fact.Reservation
	n.Channel = w.channels[r.Source.ChannelID]
	if n.Channel == "" {
		n.Channel = r.Source.ChannelID
	}
	room := w.rooms[r.RoomTypeID]
	if room == "" {
		room = "unmapped room"
	}
	nights := "nights"
	if r.Stay.Nights() == 1 {
		nights = "night"
	}
	n.What = fmt.Sprintf("%s %d %s from %s, %s", verb, r.Stay.Nights(), nights, r.Stay.CheckIn, room)
	if r.Source.Reference != "" {
		n.What += " (" + r.Source.Reference + ")"
	}
	n.nights = []hotel.Span{{From: r.Stay.CheckIn, To: r.Stay.CheckOut - 1}}
	return true
}

func (w *watcher) readChange(e ledger.Entry, n *news) bool {
	var body struct {
		Ranges []hotel.Span `json:"ranges"`
	}
	if json.Unmarshal(e.Body, &body) != nil || len(body.Ranges) == 0 {
		return false
	}
	n.nights = body.Ranges
	room, plan, _ := strings.Cut(e.Subject, "/")
	about := strings.TrimSpace(w.rooms[room] + " " + w.plans[plan])
	if about == "" {
		about = "the house"
	}
	what := map[ledger.Kind]string{ledger.StockChanged: "stock", ledger.PricesChanged: "prices", ledger.RestrictionsChanged: "restrictions"}[e.Kind]
	n.Channel = string(e.Actor.Kind)
	n.What = fmt.Sprintf("%s of %s changed from %s to %s", what, about, body.Ranges[0].From, body.Ranges[len(body.Ranges)-1].To)
	return true
}

// called notes which changes a call has told its channel of.
func (w *watcher) called(t dispatch.Told) {
	name := w.channels[t.ChannelID]
	if t.State != ledger.DeliveryApplied {
		w.show(Happening{At: t.DoneAt, Kind: HappenedTrouble, Channel: name, What: fmt.Sprintf("%s: %s %s", t.Operation, t.State, t.Error)})
		return
	}
	for _, n := range w.pending {
		if t.Sequence < n.sequence || !n.carriedBy(t) || slices.ContainsFunc(n.Told, func(c ToldChannel) bool { return c.Name == name }) {
			continue
		}
		n.Told = append(n.Told, ToldChannel{name, t.DoneAt.Sub(n.At)})
	}
	w.settle(t.DoneAt)
}

func (n *news) carriedBy(t dispatch.Told) bool {
	return slices.ContainsFunc(t.Cells, func(c ledger.SentCell) bool {
		return (c.Cell.Group == hotel.Availability) == n.stock &&
			slices.ContainsFunc(n.nights, func(s hotel.Span) bool { return s.Contains(c.Cell.Night) })
	})
}

// settle shows the changes of which every channel knows, or that waited long
// enough.
func (w *watcher) settle(now time.Time) {
	w.pending = slices.DeleteFunc(w.pending, func(n *news) bool {
		if len(n.Told) < len(w.channels) && now.Sub(n.At) < newsPatience {
			return false
		}
		if len(n.Told) > 0 {
			h := n.Happening
			h.Kind, h.ToldAt = HappenedTold, now
			slices.SortFunc(h.Told, func(a, b ToldChannel) int { return strings.Compare(a.Name, b.Name) })
			w.show(h)
		}
		return true
	})
}
