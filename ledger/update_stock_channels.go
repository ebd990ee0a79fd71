package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// namesChannels reports whether an entry treats some channel apart.
func namesChannels(entries []hotel.InventoryEntry) bool {
	return slices.ContainsFunc(entries, func(e hotel.InventoryEntry) bool {
		return len(e.KeepBack.Value)+len(e.ChannelLimits.Value) > 0
	})
}

// channels lists the channels of the property by id.
func (f facts) channels(ctx context.Context) (map[string]bool, error) {
	rows, err := f.q.ListChannelsOf(ctx, f.property)
	if err != nil {
		return nil, fmt.Errorf("list the channels of %s: %w", f.property, err)
	}
	ids := map[string]bool{}
	for i := range rows {
		ids[rows[i].ID] = true
	}
	return ids, nil
}

// checkChannels refuses an entry that treats apart what is no channel of the
// property. Rooms can be kept back from every channel; a limit is one channel's.
func (f stockFacts) checkChannels(i int, e hotel.InventoryEntry) error {
	for _, list := range []struct {
		member string
		named  hotel.ChannelQuantities
		every  bool
	}{{"keep_back", e.KeepBack.Value, true}, {"channel_limits", e.ChannelLimits.Value, false}} {
		for _, id := range slices.Sorted(maps.Keys(list.named)) {
			if id == availability.EveryChannel && list.every {
				continue
			}
			if channel, _, _ := strings.Cut(id, "/"); !f.channels[channel] {
				at := fmt.Sprintf("/entries/%d/values/%s/%s", i, list.member, hotel.PointerPart(id))
				return hotel.Invalid(at, "unknown_option", "the property has no channel of that id")
			}
		}
	}
	return nil
}
