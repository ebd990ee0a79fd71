package desk

import (
	"maps"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

// pointerText writes a name into a JSON pointer (RFC 6901).
var pointerText = strings.NewReplacer("~", "~0", "/", "~1")

// sellerFaults lists what of the terms of single sellers the channel cannot have: one
// that is a seller itself has none behind it, and no relay takes a price for each.
func sellerFaults(c *hotel.Channel, able hotel.Abilities) (items []hotel.RefusedItem) {
	if len(c.Sellers) > 0 && able.Sellers != hotel.Many {
		return []hotel.RefusedItem{hotel.Wrong("/sellers", "enum", "the channel is one seller: set markup and commission of the channel itself")}
	}
	known := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(c.Sellers)) {
		at := "/sellers/" + pointerText.Replace(name)
		if same := report.SellerName(name); known[same] {
			items = append(items, hotel.Wrong(at, "enum", "another entry is the same seller: its name is written in another way there"))
		} else {
			known[same] = true
		}
		if c.Sellers[name].Markup != nil {
			items = append(items, hotel.Wrong(at+"/markup", "enum",
				"the channel takes one price for all its sellers: set the markup of the channel, or connect the seller as a channel of its own"))
		}
	}
	return items
}
