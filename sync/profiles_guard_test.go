package sync_test

import (
	"context"
	"errors"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// How the pools of a market are protected. None of the far sides promises enough to be
// granted a room of a guarded pool: unless somebody accepts the risk, they sell none.
const (
	sharedMarket  = iota
	guardedMarket // the suites
	riskyMarket   // the suites, and that their sellers promise too little is accepted
	lastMarket    // the last doubles
	protections
)

// lastDoubles are so many.
const lastDoubles = 2

// protect protects the pools of the market so.
func (m *market) protect(how int) {
	m.guard = how
	m.count([protections]string{"shared pools", "guarded suites", "guarded suites at risk", "guarded last doubles"}[how])
	room, protection := 2, hotel.Protection{Kind: hotel.Guarded}
	switch m.guard {
	case sharedMarket:
		return
	case lastMarket:
		room, protection = 0, hotel.Protection{Kind: hotel.GuardedLast, N: lastDoubles}
	}
	ctx := context.Background()
	_, _, err := m.ldg.ChangePool(ctx, testkit.Tester, hotel.Once{}, m.house.Rooms[room].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{Apply: func(p *hotel.Pool) error {
		p.Protection = protection
		return nil
	}})
	if m.guard == riskyMarket {
		_, _, worse := m.ldg.ChangeProperty(ctx, testkit.Tester, hotel.Once{}, m.house.Property.ID, hotel.Change[hotel.Property]{Apply: func(p *hotel.Property) error {
			p.Policies.GuardedUnsafe = hotel.AcceptRisk
			return nil
		}})
		err = errors.Join(err, worse)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// onSale is how many of so many free rooms of a type a far side shows when nothing happens,
// and whether that is known.
func (m *market) onSale(room int, night hotel.Date, free int) (n int, known bool) {
	switch {
	case m.guard == guardedMarket && room == 2:
		return 0, true
	case m.guard == riskyMarket && room == 2:
		return 0, false
	case m.guard == lastMarket && room < 2 && m.free(night)[0] <= lastDoubles:
		return 0, true
	}
	return free, true
}

// guarded says where more of the guarded suites are on sale than there are, and where those
// that nobody may sell were sold twice.
func (m *market) guarded() (wrong []string) {
	if m.guard != guardedMarket && m.guard != riskyMarket {
		return nil
	}
	for night := m.today() + 1; night < m.today()+lastSold; night++ {
		shown := 0
		for _, f := range m.far {
			got, _ := f.Book().Shown(connectors.Key{Room: m.house.RemoteRoom(2), Group: hotel.Availability, Night: night})
			shown += got.Available
		}
		left := m.left(night)[2]
		if shown > max(0, left) {
			wrong = append(wrong, fmt.Sprintf("%d guarded suites are on sale on %s, of which %d are left", shown, night, left))
		}
		if m.guard == guardedMarket && left < 0 {
			wrong = append(wrong, fmt.Sprintf("%d guarded suites more than there are were sold on %s", -left, night))
		}
		if shown > 0 {
			m.count("guarded suite on sale")
		}
	}
	return wrong
}
