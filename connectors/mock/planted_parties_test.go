package mock

import (
	"context"
	"slices"
	"strconv"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// rebooked fetches messages of which the rooms are read otherwise.
func rebooked(change func(rooms []hotel.ChannelRoom) []hotel.ChannelRoom) planted {
	return planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
		return next.Poll(ctx, cursor, sinkFunc(func(ctx context.Context, m connectors.Message) error {
			m.Booking.Rooms = change(slices.Clone(m.Booking.Rooms))
			return sink.Deliver(ctx, m)
		}))
	}}
}

// each reads every room of a booking otherwise.
func each(change func(first hotel.ChannelRoom, r *hotel.ChannelRoom)) planted {
	return rebooked(func(rooms []hotel.ChannelRoom) []hotel.ChannelRoom {
		for i := range rooms {
			change(rooms[0], &rooms[i])
		}
		return rooms
	})
}

// changing is a channel whose messages about a booking of several rooms name those that change,
// each by a number; gone says what of a room that is given up.
func changing(gone func(*hotel.ChannelRoom)) fault {
	type booking struct {
		by  *conn
		ref string
	}
	known := map[booking][]hotel.ChannelRoom{}
	f := fault{preset: Pull, driver: promising(func(caps *connectors.Capabilities) { caps.PartialGroups = true })}
	f.planted.poll = func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
		return next.Poll(ctx, cursor, sinkFunc(func(ctx context.Context, m connectors.Message) error {
			of := booking{next.conn, m.Ref}
			was, is := known[of], slices.Clone(m.Booking.Rooms)
			switch {
			case len(was) == 0 && len(is) > 1: // none was known, all are news
				for i := range is {
					is[i].Ref = strconv.Itoa(i + 1)
				}
				known[of], m.Booking.Rooms = is, is
			case len(was) > len(is):
				m.Booking.Rooms = nil
				for _, r := range was {
					if len(is) > 0 && r.Room == is[0].Room && r.Stay == is[0].Stay {
						is = is[1:]
						continue
					}
					gone(&r)
					m.Booking.Rooms = append(m.Booking.Rooms, r)
				}
			}
			return sink.Deliver(ctx, m)
		}))
	}
	return f
}

// finding is a fault with the case that finds it.
func (f fault) finding(name string) fault {
	f.finds = name
	return f
}

// faultsOfParties are planted in what is read of who comes, and of bookings of several rooms.
func faultsOfParties() map[string]fault {
	return map[string]fault{
		"no fault, naming what changes":                changing(func(r *hotel.ChannelRoom) { r.Gone = true }),
		"a room that is given up and named as changed": changing(func(*hotel.ChannelRoom) {}).finding("RoomsOfABookingStayApart"),
		"a room that is given up under another number": changing(func(r *hotel.ChannelRoom) { r.Gone, r.Ref = true, "9" }).finding("RoomsOfABookingStayApart"),
		"a group that is whole, and said to name what changes": {
			finds: "RoomsOfABookingStayApart", preset: Pull, driver: promising(func(caps *connectors.Capabilities) { caps.PartialGroups = true }),
		},
		"children whose ages nobody reads": {
			finds: "ChildrenKeepTheirAges", also: []string{"RoomsOfABookingStayApart"}, preset: Pull,
			planted: each(func(_ hotel.ChannelRoom, r *hotel.ChannelRoom) {
				for i := range r.Children {
					r.Children[i] = -1
				}
			}),
		},
		"twins of whom one stays at home": {
			finds: "ChildrenKeepTheirAges", preset: Pull,
			planted: each(func(_ hotel.ChannelRoom, r *hotel.ChannelRoom) {
				r.Children = slices.Compact(slices.Sorted(slices.Values(r.Children)))
			}),
		},
		"an infant who is no child": {
			finds: "ChildrenKeepTheirAges", preset: Pull,
			planted: each(func(_ hotel.ChannelRoom, r *hotel.ChannelRoom) {
				r.Children = slices.DeleteFunc(slices.Clone(r.Children), func(age int) bool { return age == 0 })
			}),
		},
		"a group with the nights of its first room": {
			finds: "RoomsOfABookingStayApart", preset: Pull,
			planted: each(func(first hotel.ChannelRoom, r *hotel.ChannelRoom) { r.Stay, r.Amounts = first.Stay, first.Amounts }),
		},
		"a group at the prices of its first room": {
			finds: "RoomsOfABookingStayApart", preset: Pull,
			planted: each(func(first hotel.ChannelRoom, r *hotel.ChannelRoom) {
				for i := range r.Amounts {
					r.Amounts[i] = first.Amounts[0]
				}
			}),
		},
		"rooms that are alike and count once": {
			finds: "RoomsOfABookingStayApart", preset: Pull,
			planted: rebooked(func(rooms []hotel.ChannelRoom) []hotel.ChannelRoom {
				return slices.CompactFunc(slices.Clone(rooms), func(a, b hotel.ChannelRoom) bool { return a.Stay == b.Stay })
			}),
		},
	}
}
