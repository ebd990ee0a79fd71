package ledger

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// groupModel is the definition of a cell's state: the set of values that the
// channel may hold. A cell is dirty when that set is anything but what is
// wanted, unless the channel has refused just that.
type groupModel struct {
	want    int64
	wanted  bool
	may     map[int64]bool // nil: anything
	flying  bool
	sent    int64
	doubt   bool // the channel may have moved the count since it was confirmed
	moved   bool // since the call was stored
	refused bool // want
	left    bool // what is shown is left standing
	sure    bool // it was confirmed, and nothing has happened to it since but sales
}

// moves takes in that the channel may have moved its count, upwards by so much.
func (m *groupModel) moves(back int64) {
	for v := range maps.Clone(m.may) {
		for w := max(0, v-1); w <= v+back; w++ {
			m.may[w] = true
		}
	}
	m.doubt, m.moved, m.left, m.sure = true, true, false, false
}

// only returns the one value that the channel holds when that is sure.
func (m *groupModel) only() int64 {
	for v := range m.may {
		return v
	}
	return -1
}

func (m *groupModel) dirty() bool {
	switch {
	case !m.wanted || m.refused || m.left:
		return false
	case m.flying || m.doubt || m.may == nil || len(m.may) != 1:
		return true
	}
	return !m.may[m.want]
}

func TestGroupAgainstItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g group
		var m groupModel
		if rapid.Bool().Draw(t, "opening") {
			opening := int64(3)
			g.held, g.may = &opening, &opening
			m.may = map[int64]bool{opening: true}
		}
		seq, begun := int64(0), int64(0)
		t.Repeat(map[string]func(*rapid.T){
			"desire": func(t *rapid.T) {
				v := rapid.Int64Range(0, 4).Draw(t, "value")
				seq++
				g.desire(&v, originAt(seq))
				if !m.wanted || v != m.want {
					if m.refused {
						m.refused, m.may = false, nil
					}
					m.want, m.wanted, m.left = v, true, false
				}
			},
			"begin": func(t *rapid.T) {
				if !m.dirty() || m.flying {
					t.Skip("nothing to send")
				}
				begun = seq
				g.begin(m.want)
				m.flying, m.sent, m.moved, m.sure = true, m.want, false, false
				if m.may != nil {
					m.may[m.want] = true
				}
			},
			"applied": func(t *rapid.T) {
				if !m.flying {
					t.Skip("no call")
				}
				g.applied(m.sent, begun, seq)
				m.flying, m.doubt, m.sure = false, m.moved, !m.moved
				if !m.moved {
					m.may = map[int64]bool{m.sent: true}
				}
			},
			"refused": func(t *rapid.T) {
				if !m.flying {
					t.Skip("no call")
				}
				g.refused(SentCell{Value: m.sent})
				m.flying, m.may, m.refused = false, nil, m.sent == m.want
			},
			"lost": func(t *rapid.T) {
				if !m.flying {
					t.Skip("no call")
				}
				g.lost()
				m.flying = false
			},
			"parked": func(t *rapid.T) {
				v := rapid.Int64Range(0, 4).Draw(t, "value")
				can := m.dirty() && !m.flying && v == m.want
				g.parked(SentCell{Value: v})
				m.refused = m.refused || can
			},
			"moved": func(t *rapid.T) {
				back := rapid.Int64Range(0, 2).Draw(t, "back")
				seq++
				g.moved(seq, back)
				m.moves(back)
			},
			"sold": func(t *rapid.T) {
				rooms := rapid.Int64Range(1, 2).Draw(t, "rooms")
				at := int64(0) // about when it was confirmed
				if rapid.Bool().Draw(t, "later") {
					at = seq + clocksApart.Microseconds() + 1
				}
				seq++
				g.sold(seq, rooms, at)
				if m.sure && at > 0 && m.only() >= rooms {
					m.may = map[int64]bool{m.only() - rooms: true}
					return
				}
				m.moves(0)
			},
			"saw": func(t *rapid.T) {
				if m.flying || m.refused {
					t.Skip("a read says nothing")
				}
				v := rapid.Int64Range(0, 4).Draw(t, "value")
				seq++
				g.saw(v, seq)
				m.may, m.doubt, m.left, m.sure = map[int64]bool{v: true}, false, false, false
			},
			"waver": func(t *rapid.T) {
				v := rapid.Int64Range(0, 4).Draw(t, "value")
				if was := g.state; was == seen || was == left {
					m.doubt, m.left = m.doubt || m.only() != v, m.left && m.only() == v
					m.may[v] = true
				}
				seq++
				g.waver(v, seq)
			},
			"leave": func(*rapid.T) {
				m.left = m.left || g.state == seen
				g.leave()
			},
			"": func(t *rapid.T) {
				if g.dirty() != m.dirty() {
					t.Fatalf("dirty is %v, by definition %v: %+v, model %+v", g.dirty(), m.dirty(), g, m)
				}
				if g.sendable() != (m.dirty() && !m.flying) {
					t.Fatalf("sendable is %v: %+v, model %+v", g.sendable(), g, m)
				}
				if m.wanted && m.may != nil && g.may != nil {
					for v := range m.may {
						if v > *g.may {
							t.Fatalf("the channel may show %d, the ledger counts with %d at most", v, *g.may)
						}
					}
				}
			},
		})
	})
}
