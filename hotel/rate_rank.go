package hotel

import (
	"slices"
	"strings"
)

// RateSource is who may say what a room costs, as ranked: a client, the hotel's own
// system, or what a channel shows and the property has taken over.
type RateSource string

// FromChannel stands for every channel: of two the newer word counts.
const (
	FromAPI     RateSource = "api"
	FromPMS     RateSource = "pms"
	FromChannel RateSource = "channel"
)

// standardRateRank is how they rank unless the property says otherwise.
var standardRateRank = []RateSource{FromAPI, FromPMS, FromChannel}

// RateSourceOf returns the rank's word for the mark of a source, such as channel:ch_1.
func RateSourceOf(mark string) RateSource {
	word, _, _ := strings.Cut(mark, ":")
	if s := RateSource(word); slices.Contains(standardRateRank, s) {
		return s
	}
	return FromAPI
}

// RateRankOf returns whose word on a price comes first in a property. Where it has given
// prices to its PMS, nobody else's counts.
func RateRankOf(p *Property) []RateSource {
	rank := p.Policies.RateRank
	if len(rank) == 0 {
		rank = standardRateRank
	}
	if p.Truth.Prices == ByPMS {
		rank = []RateSource{FromPMS}
	}
	return rank
}

// RateRankApplied says how sources rank by the policies of a property.
func RateRankApplied(property Policies) Applied {
	a, rank := Applied{Level: "default", Field: "rate_rank"}, standardRateRank
	if len(property.RateRank) > 0 {
		a.Level, rank = "property", property.RateRank
	}
	words := make([]string, len(rank))
	for i, s := range rank {
		words[i] = string(s)
	}
	a.Value = strings.Join(words, " > ")
	return a
}

func (p Policies) checkRateRank() (items []RefusedItem) {
	if len(p.RateRank) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(p.RateRank))
	if !slices.Equal(sorted, slices.Sorted(slices.Values(standardRateRank))) {
		items = append(items, RefusedItem{"/rate_rank", "enum", "expected api, pms and channel, each once, in the order of whose price counts"})
	}
	return items
}
