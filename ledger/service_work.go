package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/ledger/internal/ledgerdb"
)

// worked counts what was done just now. Where it was and how much is the caller's to
// say; of webhooks, for which client.
func (t *tx) worked(w report.Worked, clientID string) error {
	err := t.q.AddWork(t.ctx, ledgerdb.AddWorkParams{
		PropertyID: w.PropertyID, Day: int64(w.Day), ChannelID: w.ChannelID, ClientID: clientID, Work: string(w.Work), Took: int64(w.Took), Times: w.N,
	})
	if err != nil {
		return fmt.Errorf("count what was done: %w", err)
	}
	return nil
}

// pushed counts a call that told a channel something.
func (t *tx) pushed(d ledgerdb.Delivery, became DeliveryState) error {
	w := report.Worked{Day: dateOf(t.now), PropertyID: d.PropertyID, ChannelID: d.ChannelID, N: 1}
	switch became {
	case DeliveryNotSent:
		return nil
	case DeliveryUnknown:
		w.Work = report.PushUnanswered
		return t.worked(w, "")
	case DeliveryPartial, DeliveryRejected:
		w.Work = report.PushFailed
	case DeliveryApplied, deliveryOpen:
		w.Work = report.PushApplied
	}
	w.Took = hotel.TookOf(t.now.Sub(instant(d.SentAt)))
	return t.worked(w, "")
}

// hooked counts a call of a client's webhook.
func (t *tx) hooked(clientID string, o hotel.WebhookOutcome) error {
	w := report.Worked{Day: dateOf(t.now), Work: report.WebhookFailed, N: 1}
	if o.Void {
		return nil
	}
	if o.Well() {
		w.Work = report.WebhookGood
	}
	return t.worked(w, clientID)
}

// drifted counts values that a channel showed otherwise than it was told, and those of
// them that it is told again.
func (t *tx) drifted(c ledgerdb.Channel, found, repaired int64) error {
	w := report.Worked{Day: dateOf(t.now), PropertyID: c.PropertyID, ChannelID: c.ID, Work: report.DriftFound, N: found}
	if err := t.worked(w, ""); err != nil || repaired == 0 {
		return err
	}
	w.Work, w.N = report.DriftRepaired, repaired
	return t.worked(w, "")
}

// circuitOpened counts for how long the circuit of an account's channels was open.
func (t *tx) circuitOpened(channels []ledgerdb.ChannelsOfAccountRow, since time.Time) error {
	for _, c := range channels {
		for _, w := range openSince(c.PropertyID, c.ID, since, t.now) {
			if err := t.worked(w, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// openSince is how long a channel's circuit was open between two instants, by day.
func openSince(property, channel string, since, until time.Time) (list []report.Worked) {
	for from := since.UTC(); from.Before(until); {
		next := from.Truncate(dayLength).Add(dayLength)
		if next.After(until) {
			next = until
		}
		if seconds := int64(next.Sub(from) / time.Second); seconds > 0 {
			list = append(list, report.Worked{Day: dateOf(from), PropertyID: property, ChannelID: channel, Work: report.CircuitOpen, N: seconds})
		}
		from = next
	}
	return list
}

// ServiceWork returns what was done for the channels of some properties, and the calls
// of the webhooks of a client (of all clients for ""), on some days (UTC). Circuits that
// are open count up to now.
func (l *Ledger) ServiceWork(ctx context.Context, properties []string, clientID string, days hotel.Span) ([]report.Worked, error) {
	var list []report.Worked
	err := l.snapshot(ctx, func(db *ledgerdb.Queries) error {
		list = nil
		for _, property := range append([]string{""}, properties...) {
			rows, err := db.WorkOf(ctx, ledgerdb.WorkOfParams{PropertyID: property, First: int64(days.From), Last: int64(days.To)})
			if err != nil {
				return err
			}
			for _, r := range rows {
				if r.ClientID == "" || clientID == "" || r.ClientID == clientID {
					list = append(list, report.Worked{
						Day: hotel.Date(r.Day), PropertyID: r.PropertyID, ChannelID: r.ChannelID, Work: report.Work(r.Work), Took: hotel.Took(r.Took), N: r.Times,
					})
				}
			}
			if property == "" {
				continue
			}
			open, err := l.openNow(ctx, db, property, days)
			if err != nil {
				return err
			}
			list = append(list, open...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what the service did: %w", err)
	}
	return list, nil
}

// openNow is how long circuits of a property's channels have been open that are not
// closed yet.
func (l *Ledger) openNow(ctx context.Context, db *ledgerdb.Queries, property string, days hotel.Span) (list []report.Worked, err error) {
	circuits, err := db.OpenCircuits(ctx, property)
	for _, c := range circuits {
		for _, w := range openSince(property, c.ID, instantOrZero(c.Since), l.clock.Now()) {
			if days.Contains(w.Day) {
				list = append(list, w)
			}
		}
	}
	return list, err
}
