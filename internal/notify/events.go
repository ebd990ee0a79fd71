package notify

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// bookingKinds are the entries of the journal that people are told of, and as what.
var bookingKinds = map[ledger.Kind]hotel.NoticeKind{
	ledger.ReservationCreated:   hotel.NoticeBookingNew,
	ledger.ReservationUpdated:   hotel.NoticeBookingModified,
	ledger.ReservationCancelled: hotel.NoticeBookingCancelled,
}

const (
	// atATime is how many entries are read at a time.
	atATime = 500

	// oldNews is what happened so long ago that nobody is told of it any more.
	oldNews = 24 * time.Hour
)

// happened lists what has happened to bookings of each property since an entry of the
// journal, and which odd prices were sent, and where the journal ends.
func (w *Worker) happened(ctx context.Context, after int64) (map[string][]event, int64, error) {
	of, now := map[string][]event{}, w.o.Clock.Now()
	for {
		entries, err := w.o.Ledger.Entries(ctx, after, atATime)
		if err != nil {
			return nil, after, err
		}
		for _, e := range entries {
			after = e.Sequence
			if now.Sub(e.At) >= oldNews {
				continue
			}
			item := hotel.NoticeItem{Phase: hotel.NoticeNew, Subject: e.Subject, Since: e.At}
			if kind, told := bookingKinds[e.Kind]; told && !moved(e) {
				item.Kind = kind
			} else if oddPrices(e) {
				item.Kind, item.Phase = hotel.NoticePriceGuard, hotel.NoticeSettled
			} else {
				continue
			}
			of[e.PropertyID] = append(of[e.PropertyID], event{e.Sequence, item})
		}
		if len(entries) < atATime {
			return of, after, nil
		}
	}
}

// moved reports whether an entry is of a booking that moves in: it existed before, and that
// it is stored is nothing new to anybody, nor that a further room of it is, or that its
// channel tells of it as it is. What happens to it here is.
func moved(e ledger.Entry) bool {
	var f struct {
		Joined      bool
		Reservation struct{ Imported bool }
	}
	return json.Unmarshal(e.Body, &f) == nil && (f.Joined || e.Kind == ledger.ReservationCreated && f.Reservation.Imported)
}

// oddPrices reports whether an entry is that a price guard has found prices too high, and
// let them be sent: a conflict that is settled when it is stored, so that nobody who looks
// at open ones would see it.
func oddPrices(e ledger.Entry) bool {
	var fact ledger.ConflictBody
	return e.Kind == ledger.ConflictSettled && json.Unmarshal(e.Body, &fact) == nil && ledger.SentTooHigh(&fact.Conflict)
}

// event is one thing that has happened to a booking, or to prices.
type event struct {
	sequence int64
	hotel.NoticeItem
}

// news are the items behind an entry of the journal, each booking once: one that
// is new stays so whatever is changed of it at once, and is not told of when it was
// cancelled in the same minute.
func news(all []event, behind int64) []hotel.NoticeItem {
	var items []hotel.NoticeItem
	at := map[string]int{}
	for _, b := range all {
		if b.sequence <= behind {
			continue
		}
		i, known := at[b.Subject]
		switch {
		case !known:
			at[b.Subject] = len(items)
			items = append(items, b.NoticeItem)
		case b.Kind == hotel.NoticeBookingModified:
		case items[i].Kind == hotel.NoticeBookingNew && b.Kind == hotel.NoticeBookingCancelled:
			items[i].Kind = "" // it never was
		default:
			items[i] = b.NoticeItem
		}
	}
	told := items[:0]
	for _, item := range items {
		if item.Kind != "" {
			told = append(told, item)
		}
	}
	return told
}

func byTime(a, b hotel.NoticeItem) int {
	return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject))
}
