package sync_test

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// bug is one planted mistake: what it does at the seams of the engine. The zero
// value does nothing. Every run has one of its own, whose members may remember.
type bug struct {
	onWork    func(*ledger.Work)
	onDesire  func([]ledger.Wanted) []ledger.Wanted
	onDirty   func([]ledger.DirtyCell) []ledger.DirtyCell
	onBegin   func(s *steps, d ledger.NewDelivery, begin func() (ledger.Begun, error)) (ledger.Begun, error)
	onSettle  func(s *steps, o ledger.Settlement, settle func(ledger.Settlement) error) error
	onReceive func(s *steps, r ledger.Receipt, receive func(ledger.Receipt) (ledger.Received, error)) (ledger.Received, error)
	onSend    func(w *world, r *http.Request)
	onReply   func(sent []byte, r *http.Response)
	onStart   func(*chansync.Options)

	forgetsOpen     bool // calls that were open when the program ended
	forgetsStanding bool // pauses and breakers, when it starts
	forgetsSent     bool // the calls of the last minute when it starts
	forgetsUnstored bool // what became of a call when it cannot be stored at once
	standsStill     bool // no clock of a property ever ticks
	tellsNoStale    bool // nobody is told that a channel is out of date

	long bool // it shows in worlds of more than a day
}

// bugs are the planted bugs by name. Each is made anew for every run.
var bugs = map[string]func() bug{
	"a message is acknowledged before it is committed": func() bug {
		return bug{onReceive: func(s *steps, r ledger.Receipt, receive func(ledger.Receipt) (ledger.Received, error)) (ledger.Received, error) {
			late := context.AfterFunc(s.life, func() {})
			go func() {
				defer late()
				time.Sleep(300 * time.Millisecond)
				s.w.turn(r.ChannelID, sinkTurn).take()
				if s.life.Err() == nil {
					_, _ = s.Ledger.Receive(context.Background(), r)
				}
			}()
			return ledger.Received{}, nil
		}}
	},
	"a message that comes twice is counted twice": func() bug {
		var mu sync.Mutex
		seen := map[string]bool{}
		return bug{onReceive: func(_ *steps, r ledger.Receipt, receive func(ledger.Receipt) (ledger.Received, error)) (ledger.Received, error) {
			mu.Lock()
			again := seen[r.ChannelID+r.Key]
			seen[r.ChannelID+r.Key] = true
			mu.Unlock()
			if again {
				r.Key, r.Ref = r.Key+" again", r.Ref+" again"
			}
			return receive(r)
		}}
	},
	"the order of revisions is that of their arrival": func() bug {
		var arrived atomic.Int64
		return received(func(r *ledger.Receipt) bool {
			r.Order, r.Revision = hotel.OrderRevisionNumber, strconv.FormatInt(arrived.Add(1), 10)
			return true
		})
	},
	"a cancellation before its booking leaves no mark": func() bug {
		var mu sync.Mutex
		known := map[string]bool{}
		return received(func(r *ledger.Receipt) bool {
			mu.Lock()
			defer mu.Unlock()
			if r.Event != string(connectors.Cancelled) {
				known[r.Ref] = true
			}
			return known[r.Ref]
		})
	},
	"the channel's own sale is not noted": func() bug {
		return received(func(r *ledger.Receipt) bool {
			r.Adjusts = hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo}
			return true
		})
	},
	"an amount is changed on the way in": func() bug {
		return received(func(r *ledger.Receipt) bool {
			for i := range r.Booking.Rooms {
				room := &r.Booking.Rooms[i]
				room.Amounts = slices.Clone(room.Amounts)
				for n := range room.Amounts {
					room.Amounts[n].Minor -= room.Amounts[n].Minor % 100
				}
			}
			return true
		})
	},
	"one counter of two in a pool is forgotten": func() bug {
		return bug{onWork: func(w *ledger.Work) {
			seen := map[hotel.Date]int{}
			w.Stock = slices.DeleteFunc(w.Stock, func(s ledger.StockWork) bool {
				seen[s.Night]++
				return seen[s.Night] == 2
			})
		}}
	},
	"the cursor is moved without what it passed": func() bug {
		n := 0
		return bug{onDesire: func(wanted []ledger.Wanted) []ledger.Wanted {
			if n++; n%10 == 0 {
				return nil
			}
			return wanted
		}}
	},
	"an unknown outcome is taken as applied": func() bug {
		return settled(func(o *ledger.Settlement) {
			if o.State == ledger.DeliveryUnknown {
				o.State = ledger.DeliveryApplied
			}
		})
	},
	"an unknown outcome is taken as not sent for ever": func() bug {
		return settled(func(o *ledger.Settlement) {
			if o.State == ledger.DeliveryUnknown {
				o.State = ledger.DeliveryRejected
			}
		})
	},
	"what is refused is taken as applied": func() bug {
		return settled(func(o *ledger.Settlement) {
			o.Rejected = nil
			if o.State == ledger.DeliveryRejected || o.State == ledger.DeliveryPartial {
				o.State = ledger.DeliveryApplied
			}
		})
	},
	"a delivery is stored when it has been sent": func() bug {
		var mu sync.Mutex
		open, version := map[string]ledger.NewDelivery{}, int64(1<<40)
		return bug{
			onBegin: func(_ *steps, d ledger.NewDelivery, begin func() (ledger.Begun, error)) (ledger.Begun, error) {
				if d.Kind == ledger.Pull {
					return begin()
				}
				mu.Lock()
				defer mu.Unlock()
				version++
				id := hotel.NewID("dlv")
				open[id] = d
				return ledger.Begun{ID: id, Version: version}, nil
			},
			onSettle: func(s *steps, o ledger.Settlement, settle func(ledger.Settlement) error) error {
				mu.Lock()
				d, ours := open[o.DeliveryID]
				mu.Unlock()
				if ours {
					begun, err := s.Ledger.Begin(context.Background(), d)
					if err != nil {
						return err
					}
					o.DeliveryID = begun.ID
				}
				return settle(o)
			},
		}
	},
	"open calls are forgotten at the start":          func() bug { return bug{forgetsOpen: true} },
	"an outcome is lost while the disk is full":      func() bug { return bug{forgetsUnstored: true} },
	"the calls of the last minute are, at the start": func() bug { return bug{forgetsSent: true} },
	"pauses and breakers are, at the start":          func() bug { return bug{forgetsStanding: true} },
	"nobody is told that a channel is out of date":   func() bug { return bug{tellsNoStale: true} },
	"a property's clock stands still":                func() bug { return bug{standsStill: true, long: true} },
	"the breaker never opens":                        func() bug { return bug{onStart: func(o *chansync.Options) { o.Failures = 1 << 30 }} },
	"the breaker opens for a second only":            func() bug { return bug{onStart: func(o *chansync.Options) { o.OpenFor = time.Second }} },
	"what the far side asks us to wait is not listened to": func() bug {
		return bug{onReply: func(_ []byte, r *http.Response) { r.Header.Del("Retry-After") }}
	},
	"a call that is stored waits before it is sent": func() bug {
		return bug{onSend: func(w *world, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/availability") {
				time.Sleep(w.turn(w.at(r.URL.Host).channel, senderTurn).after(4 * time.Second))
			}
		}}
	},
	"refusals are matched by position": func() bug {
		return bug{onReply: func(sent []byte, r *http.Response) { misplaceRefusals(sent, r) }}
	},
	"prices lose their cents on the way out": func() bug {
		return bug{onDirty: func(dirty []ledger.DirtyCell) []ledger.DirtyCell {
			return slices.DeleteFunc(dirty, func(d ledger.DirtyCell) bool {
				return d.Cell.Group == hotel.Price && d.Held != nil && *d.Held/100 == d.Want/100
			})
		}}
	},
	"what a call left in doubt is not told again": func() bug {
		return bug{onDirty: func(dirty []ledger.DirtyCell) []ledger.DirtyCell {
			return slices.DeleteFunc(dirty, func(d ledger.DirtyCell) bool {
				return d.Cell.Group != hotel.Availability && d.Held == nil && d.Last != nil
			})
		}}
	},
}

func received(change func(*ledger.Receipt) (keep bool)) bug {
	return bug{onReceive: func(_ *steps, r ledger.Receipt, receive func(ledger.Receipt) (ledger.Received, error)) (ledger.Received, error) {
		if !change(&r) {
			return ledger.Received{}, nil
		}
		return receive(r)
	}}
}

func settled(change func(*ledger.Settlement)) bug {
	return bug{onSettle: func(_ *steps, o ledger.Settlement, settle func(ledger.Settlement) error) error {
		change(&o)
		return settle(o)
	}}
}

func (b bug) work(w *ledger.Work) {
	if b.onWork != nil {
		b.onWork(w)
	}
}

func (b bug) desire(wanted []ledger.Wanted) []ledger.Wanted {
	if b.onDesire != nil {
		return b.onDesire(wanted)
	}
	return wanted
}

func (b bug) dirty(dirty []ledger.DirtyCell) []ledger.DirtyCell {
	if b.onDirty != nil {
		return b.onDirty(dirty)
	}
	return dirty
}

func (b bug) begin(s *steps, d ledger.NewDelivery, begin func() (ledger.Begun, error)) (ledger.Begun, error) {
	if b.onBegin != nil {
		return b.onBegin(s, d, begin)
	}
	return begin()
}

func (b bug) settle(s *steps, o ledger.Settlement, settle func(ledger.Settlement) error) error {
	if b.onSettle != nil {
		return b.onSettle(s, o, settle)
	}
	return settle(o)
}

func (b bug) receive(s *steps, r ledger.Receipt, receive func(ledger.Receipt) (ledger.Received, error)) (ledger.Received, error) {
	if b.onReceive != nil {
		return b.onReceive(s, r, receive)
	}
	return receive(r)
}
