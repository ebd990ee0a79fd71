package notify

import (
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
)

// Lasting is something that lasts and concerns every property, such as a backup that
// has failed.
type Lasting struct {
	Kind  hotel.NoticeKind
	Topic string // names it among those of its kind: [BackupTopic], or one of its neighbours
	Since time.Time
}

// staleAfter is for how long a channel has not been told something before people are.
const staleAfter = 10 * time.Minute

// conflictKinds are the conflicts that people are told of, and as what.
var conflictKinds = map[hotel.ConflictKind]hotel.NoticeKind{
	hotel.ConflictUnmapped:    hotel.NoticeUnmapped,
	hotel.ConflictUnread:      hotel.NoticeUnread,
	hotel.ConflictOversell:    hotel.NoticeOversell,
	hotel.ConflictCredentials: hotel.NoticeChannelRefused,
	hotel.ConflictReported:    hotel.NoticeReported,
	hotel.ConflictPriceGuard:  hotel.NoticePriceGuard,
}

// mostOpen is how many conflicts of a property are looked at.
const mostOpen = 1000

// cause names a thing that lasts among those of its property.
func cause(kind hotel.NoticeKind, subject string) string { return string(kind) + "/" + subject }

// lasting lists what lasts at a property now, by cause; told is what its people know of.
// Of what is moot nobody is told that it is over: a channel that is not to be fetched any
// more brings bookings no more than before.
func (w *Worker) lasting(ctx context.Context, property string, told []hotel.Notice) (open map[string]hotel.NoticeItem, moot map[string]bool, err error) {
	now := w.o.Clock.Now()
	open, moot = map[string]hotel.NoticeItem{}, map[string]bool{}
	add := func(kind hotel.NoticeKind, subject string, since time.Time) {
		open[cause(kind, unnamed(subject))] = hotel.NoticeItem{Kind: kind, Subject: subject, Since: since}
	}
	for kind, as := range conflictKinds {
		list, err := w.o.Ledger.Conflicts(ctx, hotel.ConflictFilter{PropertyID: property, Kinds: []hotel.ConflictKind{kind}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: mostOpen})
		if err != nil {
			return nil, nil, err
		}
		for _, c := range list {
			add(as, c.ID, c.CreatedAt)
		}
	}
	channels, err := w.o.Ledger.Channels(ctx, property)
	if err != nil {
		return nil, nil, err
	}
	for i := range channels {
		c := &channels[i]
		if !c.Status.Receives() {
			moot[cause(hotel.NoticeNotFetched, c.ID)] = true
		}
		known := slices.ContainsFunc(told, func(n hotel.Notice) bool { return n.Cause == cause(hotel.NoticeNotFetched, c.ID) })
		if since := w.unheard(c, known); !since.IsZero() {
			add(hotel.NoticeNotFetched, c.ID, since)
		}
		if !c.StaleSince.IsZero() && now.Sub(c.StaleSince) > staleAfter {
			add(hotel.NoticeChannelStale, c.ID, c.StaleSince)
		}
	}
	if w.o.Lasting != nil {
		for _, l := range w.o.Lasting(ctx) {
			add(l.Kind, l.Topic, l.Since)
		}
	}
	return open, moot, nil
}

// compare returns what people are told of what lasts: what has begun, what has lasted
// for another day, and what is over, unless it is moot.
func compare(told []hotel.Notice, open map[string]hotel.NoticeItem, moot map[string]bool, now time.Time) (items []hotel.NoticeItem, tell []hotel.Notice, over []string) {
	known := map[string]bool{}
	for _, n := range told {
		known[n.Cause] = true
		item, lasts := open[n.Cause]
		switch {
		case !lasts:
			over = append(over, n.Cause)
			if moot[n.Cause] {
				continue
			}
			item = hotel.NoticeItem{Kind: n.Kind, Phase: hotel.NoticeOver, Subject: n.Cause[len(n.Kind)+1:], Since: n.Since}
		case now.Sub(n.Told) >= again:
			n.Told = now
			tell = append(tell, n)
			item.Phase = hotel.NoticeAgain
		default:
			continue
		}
		items = append(items, item)
	}
	for cause, item := range open {
		if known[cause] {
			continue
		}
		item.Phase = hotel.NoticeNew
		items = append(items, item)
		tell = append(tell, hotel.Notice{Cause: cause, Kind: item.Kind, Since: item.Since, Told: now})
	}
	slices.SortFunc(items, byTime)
	return items, tell, over
}

// again is after how long people are reminded of what still lasts.
const again = 24 * time.Hour
