package board

import (
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// SwitchKey names the switch of a rule on a night.
type SwitchKey struct {
	Rule string // id
	Room int    // index of the room type
}

// Turn returns a copy of the night on which a rule's switch stands as given.
func (n *Night) Turn(k SwitchKey, s price.Switch) *Night {
	next := *n
	if next.Switches = maps.Clone(n.Switches); next.Switches == nil {
		next.Switches = make(map[SwitchKey]price.Switch)
	}
	next.Switches[k] = s
	return &next
}

// Remembers reports whether any of the rules with the ids acts on the board by what
// it remembers; without ids, whether any rule does.
func (b *Board) Remembers(ids ...string) bool {
	return slices.ContainsFunc(b.list, func(r price.Rule) bool {
		return r.Remembers() && (len(ids) == 0 || slices.Contains(ids, r.ID))
	})
}

// Turned is a switch that is to stand otherwise than it does.
type Turned struct {
	SwitchKey
	To price.Switch
}

// Turned returns the switches of a night that its figures turn.
// Those of the rules named in anew are worked out as if they had never acted.
func (b *Board) Turned(d hotel.Date, anew ...string) []Turned {
	n := b.Night(d)
	if n == nil {
		return nil
	}
	var out []Turned
	night := b.figures(d, 0)
	for room := range b.RoomTypes {
		at := night.of(room)
		for i := range b.list {
			rule := &b.list[i]
			if !rule.Remembers() || !rule.On(d) || !rule.Names(b.RoomTypes[room].ID) {
				continue
			}
			k := SwitchKey{rule.ID, room}
			was := n.Switches[k]
			from := was
			if slices.Contains(anew, rule.ID) {
				from = price.Switch{}
			}
			if to, _ := rule.Turn(from, b.Business, at.figure); to != was {
				out = append(out, Turned{k, to})
			}
		}
	}
	return out
}
