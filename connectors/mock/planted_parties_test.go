package mock

import (
	"context"
	"slices"

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

// faultsOfParties are planted in what is read of who comes, and of bookings of several rooms.
func faultsOfParties() map[string]fault {
	return map[string]fault{
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
