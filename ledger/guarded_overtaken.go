package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// overtakenFor is how long after a number can act no more its night is dealt anew because of
// that alone; it is often enough for whatever can be done about it.
const overtakenFor = 5 * time.Minute

// overtaken adds the nights on which a counter of a channel that is one way was told a number
// which had no answer, and can act no more since shortly: it may show nothing of it. Of any other
// channel such a counter is closed at once.
func (l *Ledger) overtaken(ctx context.Context, row ledgerdb.Channel, of hotel.Terms, nights map[string]nightSet) error {
	if exposure.LevelOf(of) != exposure.OneWay {
		return nil
	}
	dead := l.clock.Steady().Add(-of.Lifetime)
	setting, err := l.read.NightsSetting(ctx, ledgerdb.NightsSettingParams{
		ChannelID: row.ID, After: new(dead.Add(-overtakenFor).UnixMicro()), Before: new(dead.UnixMicro()),
	})
	if err != nil {
		return fmt.Errorf("look for numbers without an answer: %w", err)
	}
	for _, night := range setting {
		markNight(nights, row.PropertyID, night)
	}
	return nil
}
