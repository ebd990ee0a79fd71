package ledger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// The touch index finds what stood written at any point of the journal without
// reading it from the start: by kind, subject and month of the nights it tells
// which entries touched them. Facts are found by their own kind and subject. What
// is counted over all of a property, and what a property is made of, is found
// under the property, the latter in the month 0; so is what was said of a channel,
// under the channel.
const (
	touchedStays     = "reservation"
	touchedBlocks    = "block"
	touchedStructure = "structure"
	touchedChannels  = "channel"
)

// family is the first word of a kind: what sort of thing it is about.
func (k Kind) family() string {
	family, _, _ := strings.Cut(string(k), ".")
	return family
}

// revises reports whether the entry carries a reservation as it is from then on: a
// revision of it.
func (k Kind) revises() bool {
	switch k {
	case ReservationAcknowledged, ReservationUnacknowledged, ReservationWaitlist, ReservationUnmapped:
		return false
	default:
		return k.family() == touchedStays
	}
}

// structural reports whether the entry carries a part of what a property is made
// of.
func (k Kind) structural() bool {
	switch k.family() {
	case "property", "pool", "room_type", "rate_plan", "pricing_rule":
		return true
	}
	return false
}

// touches lists the places of the touch index at which the entry is found.
func (e entry) touches() (kind, subject string, list []int64) {
	switch family := e.kind.family(); {
	case e.kind.structural():
		return touchedStructure, e.property, []int64{0}
	case slices.Contains(channelKinds, e.kind):
		return touchedChannels, e.subject, []int64{0}
	case family == touchedStays || family == touchedBlocks:
		return family, e.property, months(e.nights)
	}
	return string(e.kind), e.subject, months(e.nights)
}

// touch enters the entry into the touch index.
func (t *tx) touch(e entry, sequence int64) error {
	kind, subject, list := e.touches()
	if len(list) == 0 {
		return nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("journal %s: %w", e.kind, err)
	}
	row := ledgerdb.InsertTouchesParams{Kind: kind, Subject: subject, Months: string(text), Sequence: sequence}
	if err := t.q.InsertTouches(t.ctx, row); err != nil {
		return fmt.Errorf("journal %s: %w", e.kind, err)
	}
	return nil
}

func months(spans []hotel.Span) []int64 {
	var out []int64
	for _, s := range spans {
		for m := monthOf(s.From); m <= monthOf(s.To); m++ {
			if len(out) == 0 || out[len(out)-1] < m {
				out = append(out, m)
			}
		}
	}
	return out
}

func monthOf(d hotel.Date) int64 {
	y, m, _ := d.Time().Date()
	return int64(y)*12 + int64(m) - 1
}
