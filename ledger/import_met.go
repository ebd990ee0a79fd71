package ledger

import (
	"reflect"
	"slices"

	"ostler.example/hotel"
)

// meets reports whether a message but joins a booking to what was imported of it: it is the
// first that tells of it, and contradicts nothing that the import said. What that left open
// the channel may fill in.
func (m *message) meets(kind Kind, r, before *hotel.Reservation) bool {
	first := m.known == nil || m.r.Partial
	return first && kind == ReservationUpdated && before != nil && before.Imported && before.Status == r.Status && saysNoOther(r, before)
}

// saysNoOther reports whether all that was known of an imported booking is still so, and
// nothing about it is odd that was not.
func saysNoOther(r, before *hotel.Reservation) bool {
	return r.Stay == before.Stay && r.RoomTypeID == before.RoomTypeID && r.Adults == before.Adults && slices.Equal(r.ChildrenAges, before.ChildrenAges) &&
		isAsKnown(r.RatePlanID, before.RatePlanID) && isAsKnown(r.Guarantee, before.Guarantee) && isAsKnown(r.Commission, before.Commission) &&
		isAsKnown(r.DepositPaid, before.DepositPaid) && isAsKnown(r.Card, before.Card) && isAsKnown(r.CardAccess, before.CardAccess) && reflect.DeepEqual(r.Cancel, before.Cancel) &&
		guestAsKnown(r.Guest, before.Guest) && priceAsKnown(r, before) &&
		!slices.ContainsFunc(r.Issues, func(i hotel.Issue) bool { return !slices.Contains(before.Issues, i) })
}

// isAsKnown reports whether something is as it was, where that was known.
func isAsKnown[T any](is, was T) bool {
	return reflect.ValueOf(was).IsZero() || reflect.DeepEqual(is, was)
}

// guestAsKnown reports whether a guest is told as before, or more or less of him.
func guestAsKnown(g, before hotel.Guest) bool {
	was := before.Texts()
	for i, is := range g.Texts() {
		if *is != "" && !isAsKnown(hotel.GuestKey(*is), hotel.GuestKey(*was[i])) {
			return false
		}
	}
	return true
}

// priceAsKnown reports whether the nights cost what they did, where that was known.
func priceAsKnown(r, before *hotel.Reservation) bool {
	return !before.PriceKnown || r.PriceKnown && r.Total == before.Total && r.NetOfCommission == before.NetOfCommission &&
		slices.EqualFunc(r.Nightly, before.Nightly, func(a, b hotel.NightPrice) bool { return a.Date == b.Date && a.Amount == b.Amount })
}
