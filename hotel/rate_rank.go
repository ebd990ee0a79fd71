package hotel

import (
	"slices"
	"strings"
)

// RateSource is who may say what a room costs, as ranked: a client, the hotel's own
// system, or what a channel shows and the property has taken over; and people of the
// house, whose word ranks with the first of them.
type RateSource string

// FromChannel stands for every channel: of two the newer word counts.
const (
	FromUser    RateSource = "user"
	FromAPI     RateSource = "api"
	FromPMS     RateSource = "pms"
	FromChannel RateSource = "channel"
)

// standardRateRank is how they rank unless the property says otherwise.
var standardRateRank = []RateSource{FromAPI, FromPMS, FromChannel}

// RateSourceOf returns the rank's word for the mark of a source, such as channel:ch_1.
func RateSourceOf(mark string) RateSource {
	word, _, _ := strings.Cut(mark, ":")
	if s := RateSource(word); s == FromUser || slices.Contains(standardRateRank, s) {
		return s
	}
	return FromAPI
}

// RateRank is whose word on a price comes first, tier by tier. Of one tier the newer counts.
type RateRank [][]RateSource

// RateRankOf returns the rank of a property. What somebody of the house says ranks with the
// first of the others: it counts once it is said. Where the property has given prices to its
// PMS, nobody else's counts.
func RateRankOf(p *Property) RateRank {
	if p.Truth.Prices == ByPMS {
		return RateRank{{FromPMS}}
	}
	var rank RateRank
	for _, s := range ratesRanked(p.Policies) {
		rank = append(rank, []RateSource{s})
	}
	rank[0] = append(rank[0], FromUser)
	return rank
}

func ratesRanked(property Policies) []RateSource {
	if len(property.RateRank) > 0 {
		return property.RateRank
	}
	return standardRateRank
}

// Place returns the tier of a source by its mark, -1 when its word does not count.
func (r RateRank) Place(mark string) int {
	return slices.IndexFunc(r, func(tier []RateSource) bool { return slices.Contains(tier, RateSourceOf(mark)) })
}

// With returns the rank with a source that has no place in it put last.
func (r RateRank) With(mark string) RateRank {
	if r.Place(mark) >= 0 {
		return r
	}
	return append(slices.Clone(r), []RateSource{RateSourceOf(mark)})
}

// RateRankApplied says how sources rank in a property.
func RateRankApplied(p *Property) Applied {
	a, rank := Applied{Level: "default", Field: "rate_rank"}, ratesRanked(p.Policies)
	switch {
	case p.Truth.Prices == ByPMS:
		a.Level, rank = "property", []RateSource{FromPMS}
	case len(p.Policies.RateRank) > 0:
		a.Level = "property"
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
		items = append(items, Wrong("/rate_rank", "enum", "expected api, pms and channel, each once, in the order of whose price counts"))
	}
	return items
}
