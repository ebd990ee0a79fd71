package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// Each pool has a weight of its own for the desk: of doubles the desk keeps none, of suites
// all but the one that the channel has first. That of a pool that is not guarded, which asks
// for all, says nothing.
func TestTheDeskHasItsPartOfEachPool(t *testing.T) {
	for name, shared := range map[string]bool{"both are guarded": false, "the other is shared": true} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			err := h.MapChannel(t.Context(), tester, f.id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
				{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"},
				{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, RemoteRoom: "S", RemoteRate: "F"},
			}})
			if err == nil {
				f.counters, f.mappings, err = h.Lines(t.Context(), f.id)
			}
			if err != nil {
				t.Fatal(err)
			}
			f.promises(t, promising(func(terms *hotel.Terms) { terms.Versions = true }))
			granted := map[string]int64{"D": 5}
			h.protectPool(t, h.double, hotel.Guarded)
			if !shared {
				granted["S"] = 1
				h.protectPool(t, h.suite, hotel.Guarded)
			}
			f.goLive(t)
			f.catchUp(t)
			h.exec(t, "UPDATE party SET account = 0, raised = 0, doing = ''") // nothing was granted yet
			h.reopen(t)
			for room, weight := range map[*hotel.RoomType]int{&h.double: 0, &h.suite: 1000} {
				pool := must(h.RoomType(t.Context(), room.ID))(t).Consumes[0].AnyOf[0]
				must2(h.ChangePool(t.Context(), tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{Apply: func(p *hotel.Pool) error {
					p.DirectWeight = &weight
					return nil
				}}))(t)
			}
			f.catchUp(t)
			night := h.today + 3
			for _, c := range f.counters {
				want, guarded := granted[c.RemoteRoom]
				if got := *f.at(hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}); guarded && got != want {
					t.Errorf("%d of %s are on sale at the channel, want %d", got, c.RemoteRoom, want)
				}
			}
		})
	}
}
