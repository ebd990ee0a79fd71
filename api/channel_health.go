package api

import "ostler.example/hotel"

type channelHealthBody struct {
	OwesSince *string          `json:"owes_since" format:"date-time" doc:"When the oldest change was made that it has not confirmed: so long it may have been selling what is gone. Null: it owes nothing."`
	Oldest    *unconfirmedBody `json:"oldest_unconfirmed" doc:"A night that waits for that change; null: nothing waits to be told."`
	Accepted  acceptedBody     `json:"acceptance"`
}

type unconfirmedBody struct {
	RoomTypeID string  `json:"room_type_id"`
	RatePlanID *string `json:"rate_plan_id" doc:"Null of a count of rooms."`
	Date       string  `json:"date" format:"date"`
	Group      string  `json:"group" enum:"availability,closures,lengths,price"`
}

type acceptedBody struct {
	Counts int      `json:"counts" doc:"Counts of rooms that it confirmed in the last 24 hours, which the times are of; those of guarded pools, which are dealt, are not among them."`
	P50    *float64 `json:"p50_seconds" doc:"Within so many seconds of the change that was behind it half of them were confirmed; null where there were none."`
	P99    *float64 `json:"p99_seconds" doc:"Likewise 99 of 100."`
}

func healthOf(h hotel.ChannelHealth) *channelHealthBody {
	b := channelHealthBody{OwesSince: stampOrNull(h.Behind), Accepted: acceptedBody{Counts: h.Counts}}
	if u := h.Oldest; u != nil {
		b.Oldest = &unconfirmedBody{u.RoomTypeID, orNull(u.RatePlanID), u.Night.String(), u.Group.String()}
	}
	if h.Counts > 0 {
		b.Accepted.P50, b.Accepted.P99 = new(h.Half.Seconds()), new(h.Most.Seconds())
	}
	return &b
}
