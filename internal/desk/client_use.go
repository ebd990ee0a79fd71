package desk

import (
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ClientUse is how much a client calls.
type ClientUse struct {
	Quota auth.Quota // how its hour stands
	Days  []UsedDay  // those of the last [UseDays] on which it called, the latest first
}

// UsedDay is how the calls of a client were answered on a day (UTC).
type UsedDay struct {
	Day     hotel.Date
	Calls   int
	Refused int // 4xx
	Failed  int // 5xx
}

// UseDays is how many days the use of a client is told of, today among them.
const UseDays = 30

// ClientUse tells how much a client calls. Calls of the last second may be missing.
func (d *Desk) ClientUse(ctx context.Context, c Caller, id string) (ClientUse, error) {
	view, err := d.administered(ctx, c, id)
	if err != nil {
		return ClientUse{}, err
	}
	today := hotel.DateIn(d.clock.Now(), time.UTC)
	answers, err := d.clients.Answers(ctx, id, hotel.Span{From: today - UseDays + 1, To: today})
	if err != nil {
		return ClientUse{}, err
	}
	use := ClientUse{Quota: d.clients.Quota(view.Who())}
	for _, a := range answers {
		i := slices.IndexFunc(use.Days, func(u UsedDay) bool { return u.Day == a.Day })
		if i < 0 {
			i, use.Days = len(use.Days), append(use.Days, UsedDay{Day: a.Day})
		}
		use.Days[i].Calls += a.Count
		switch a.Status / 100 {
		case 4:
			use.Days[i].Refused += a.Count
		case 5:
			use.Days[i].Failed += a.Count
		}
	}
	slices.SortFunc(use.Days, func(a, b UsedDay) int { return int(b.Day - a.Day) })
	return use, nil
}

// Tiers are how many requests an hour each tier may make, for whoever administers
// clients.
func (d *Desk) Tiers(c Caller) (auth.Tiers, error) {
	if err := c.need(auth.AdminClients); err != nil {
		return nil, err
	}
	return d.clients.Tiers(), nil
}
