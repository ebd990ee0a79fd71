package dispatch

import (
	"cmp"
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/plan"
)

// Preview is what a channel would be told were it live, or of another mapping, and what
// that raises.
type Preview struct {
	plan.Plan
	Channel  hotel.Channel // as it was made for
	Sequence int64         // of the journal that it was made from
	Raises   []hotel.Raise
}

// Preview plans what the worker would tell the channel: with as, of that mapping; nil: all
// that it takes to go live. It sends nothing and stores nothing; the worker need not run.
func (w *Worker) Preview(ctx context.Context, as *hotel.Remap) (Preview, error) {
	o, err := w.Ledger.Outlook(ctx, w.Channel.ID, w.reach(), as)
	if err == nil {
		err = w.know(ctx, o.Counters, o.Mappings)
	}
	if err != nil {
		return Preview{}, err
	}
	out := Preview{Channel: o.Channel, Sequence: o.Sequence} // the rest grows with the house, and is not needed for long
	var cells []plan.Cell
	for _, v := range w.sayable(closeUnpriced(w.offers(o.Work))) {
		key, known := w.key(v.Cell)
		if v.Value == nil || !known {
			continue
		}
		c := plan.Cell{Ref: v.Cell, Key: key, Want: w.decode(v.Cell, *v.Value), Sold: o.Sold(v.Cell, *v.Value), Most: w.most()}
		shows := o.Shown[v.Cell]
		c.Fresh = !shows.Told
		if v.Cell.Group == hotel.Availability {
			c.Free = c.Want.Available
			var shown *int // after a pause of ours: what it showed before
			if n := cmp.Or(shows.Before, shows.Least); n != nil {
				shown = new(int(*n))
			}
			out.Raises = appendRaise(out.Raises, w.rooms[v.Cell.Line], c, shown)
		}
		if shows.Value != nil {
			if shows.Sure && *shows.Value == *v.Value {
				continue
			}
			c.Held = []hotel.Offer{w.decode(v.Cell, *shows.Value)}
		}
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b plan.Cell) int { return compareRefs(a.Ref, b.Ref) })
	SortRaises(out.Raises)
	out.Raises = joined(out.Raises)
	out.Plan, err = w.encode(cells)
	return out, err
}

// closeUnpriced closes what has no price, as the ledger does when it stores what
// a channel is to show.
func closeUnpriced(offers []ledger.Wanted) []ledger.Wanted {
	type night struct {
		line int64
		date hotel.Date
	}
	unpriced := map[night]bool{}
	for _, v := range offers {
		unpriced[night{v.Cell.Line, v.Cell.Night}] = unpriced[night{v.Cell.Line, v.Cell.Night}] || v.Missing
	}
	for i, v := range offers {
		if v.Cell.Group == hotel.Closures && v.Value != nil && unpriced[night{v.Cell.Line, v.Cell.Night}] {
			closed := *v.Value | hotel.Offer{Closed: hotel.Closed{Closed: true}}.Encode(hotel.Closures)
			offers[i].Value = &closed
		}
	}
	return offers
}

// sayable leaves of closures what the channel can be told, as the ledger does.
func (w *Worker) sayable(offers []ledger.Wanted) []ledger.Wanted {
	tells := w.tells()
	if tells == ledger.TellsClosures {
		return offers
	}
	return slices.DeleteFunc(offers, func(v ledger.Wanted) bool {
		if v.Cell.Group != hotel.Closures || v.Value == nil {
			return false
		}
		o := hotel.DecodeOffer(hotel.Closures, *v.Value, "")
		o.Closed.Closed = false
		*v.Value = o.Encode(hotel.Closures)
		return tells == ledger.TellsNothing
	})
}

// appendRaise adds a night on which the channel would show more rooms than it does
// now; nil: nobody knows what it shows.
func appendRaise(raises []hotel.Raise, roomTypeID string, c plan.Cell, shown *int) []hotel.Raise {
	if c.Want.Available == 0 || shown != nil && c.Want.Available <= *shown {
		return raises
	}
	return append(raises, hotel.Raise{
		RoomTypeID: roomTypeID, RemoteRoom: c.Key.Room, RemoteRate: c.Key.Rate,
		From: c.Ref.Night, To: c.Ref.Night, Shown: shown, Wanted: c.Want.Available,
	})
}

// joined makes one of equal raises on neighbouring nights.
func joined(raises []hotel.Raise) []hotel.Raise {
	var out []hotel.Raise
	for _, r := range raises {
		if n := len(out) - 1; n >= 0 {
			longer := out[n]
			longer.To = r.To
			if out[n].To+1 == r.From && sameBut(longer, r) {
				out[n] = longer
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// sameBut reports whether two raises differ in their nights alone.
func sameBut(a, b hotel.Raise) bool {
	shown := a.Shown == b.Shown || a.Shown != nil && b.Shown != nil && *a.Shown == *b.Shown
	return shown && a.RoomTypeID == b.RoomTypeID && a.RemoteRoom == b.RemoteRoom && a.RemoteRate == b.RemoteRate && a.Wanted == b.Wanted
}

// SameRaise reports whether two raises are the same.
func SameRaise(a, b hotel.Raise) bool { return a.From == b.From && a.To == b.To && sameBut(a, b) }

// SortRaises puts raises into the order in which a preview lists them.
func SortRaises(raises []hotel.Raise) {
	slices.SortFunc(raises, func(a, b hotel.Raise) int {
		return cmp.Or(cmp.Compare(a.RemoteRoom, b.RemoteRoom), cmp.Compare(a.RemoteRate, b.RemoteRate), cmp.Compare(a.From, b.From))
	})
}

func compareRefs(a, b hotel.Cell) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Occupancy, b.Occupancy), cmp.Compare(a.Night, b.Night))
}
