package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// overtakenFor is how long after a number can act no more its night is dealt anew because of
// that alone; it is often enough for whatever can be done about it.
const overtakenFor = 5 * time.Minute

// overtaken adds the nights on which a counter of a channel that is one way was told a number
// which had no answer, and can act no more since shortly: it may show nothing of it. Of any other
// channel such a counter is closed at once.
func (l *Ledger) overtaken(ctx context.Context, nights map[string]nightSet) error {
	rows, err := l.read.SettingParties(ctx)
	if err != nil {
		return fmt.Errorf("look for numbers without an answer: %w", err)
	}
	now, terms := l.clock.Steady(), map[string]hotel.Terms{}
	for _, r := range rows {
		of, known := terms[r.ChannelID]
		if !known {
			row, err := l.read.GetChannel(ctx, r.ChannelID)
			if err != nil {
				return notFound(err)
			}
			if of, err = termsOf(row); err != nil {
				return err
			}
			terms[r.ChannelID] = of
		}
		over := instantOrZero(r.RaiseLast).Add(of.Lifetime)
		if exposure.LevelOf(of) == exposure.OneWay && now.After(over) && now.Before(over.Add(overtakenFor)) {
			markNight(nights, r.PropertyID, r.Night)
		}
	}
	return nil
}
