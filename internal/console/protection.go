package console

import (
	"cmp"
	"net/http"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/internal/auth"
)

// The ways of protecting a pool.
const (
	protectOpen, protectKeep, protectLast, protectAll = "open", "keep", "last", "guard"
)

// poolCard is a pool with how it is protected, and what each way would cost and save.
type poolCard struct {
	hotel.Pool
	Types   []hotel.RoomType // that draw on it
	Sellers []poolSeller
	Way     string // how it is protected now
	N       int    // likewise: rooms that are kept, or dealt at the last; 0: the way has none
	Tonight int    // rooms free tonight
	Fewest  int    // in the outlook
	Ways    []protectWay

	free []int // by night of the outlook
	kept map[string]int
}

// poolSeller is a channel that sells rooms of a pool.
type poolSeller struct {
	ID, Name string
	Level    exposure.Level
	Keeps    int // rooms that are kept from it tonight
	Counters int
	Risk     hotel.RiskPolicy // what is done where it promises too little
	settles  hotel.Terms
	seller   exposure.Seller
}

// protectWay is a way of protecting a pool, with what it costs and saves.
type protectWay struct {
	Name         string
	N            int
	Now          bool
	MayNot       bool // the user lacks what choosing it needs
	Costs, Saves []string
}

// Choosable reports whether the user may choose any of the ways.
func (card poolCard) Choosable() bool {
	return slices.ContainsFunc(card.Ways, func(w protectWay) bool { return !w.MayNot })
}

// protectNights is how many nights are looked at to say what protection costs.
const protectNights = 30

// protectedAt is how many rooms are kept or dealt unless somebody says otherwise.
const protectedAt = 2

// protection shows how every pool is protected.
func (c *Console) protection(v *visit) error {
	cards, err := v.poolCards()
	if err != nil {
		return err
	}
	return v.show("protection", http.StatusOK, cards)
}

// poolCards are the pools that something is sold from.
func (v *visit) poolCards() ([]poolCard, error) {
	pools, err := v.c.desk.Pools(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return nil, err
	}
	rooms, _, err := v.sold()
	if err != nil {
		return nil, err
	}
	channels, err := v.offering()
	if err != nil {
		return nil, err
	}
	today := v.c.desk.Today(v.house)
	inv, err := v.c.desk.Inventory(v.r.Context(), v.caller, hotel.InventoryQuery{PropertyID: v.house.ID, Span: hotel.Span{From: today, To: today + protectNights - 1}})
	if err != nil {
		return nil, err
	}
	stock := map[string][]hotel.InventoryCell{} // by room type
	for _, c := range inv.Cells {
		stock[c.RoomTypeID] = append(stock[c.RoomTypeID], c)
	}
	var cards []poolCard
	for _, p := range pools {
		card := poolCard{Pool: p}
		for _, r := range rooms {
			if unitsOf(r, p.ID) > 0 {
				card.Types = append(card.Types, r)
			}
		}
		if p.Status != hotel.Active || len(card.Types) == 0 {
			continue
		}
		card.state(today, stock)
		card.sellers(channels, v.house.Policies)
		for _, name := range []string{protectOpen, protectKeep, protectLast, protectAll} {
			card.Ways = append(card.Ways, v.protectWay(card, name, card.proposed(name)))
		}
		cards = append(cards, card)
	}
	return cards, nil
}

// offering is a channel that is shown anything, with the codes of its rooms by the room type that
// is sold under them tonight.
type offering struct {
	channelLine
	rooms map[string][]string
}

// offering are the channels that may sell something, in the order of their ids.
func (v *visit) offering() ([]offering, error) {
	if !v.may(auth.ChannelsRead) {
		return nil, nil
	}
	lines, err := v.channels()
	if err != nil {
		return nil, err
	}
	today := v.c.desk.Today(v.house)
	shown, err := v.c.desk.Standings(v.r.Context(), v.caller, hotel.StandingQuery{PropertyID: v.house.ID, Span: hotel.Span{From: today, To: today}})
	if err != nil {
		return nil, err
	}
	var list []offering
	for _, c := range shown {
		at := slices.IndexFunc(lines, func(l channelLine) bool { return l.ID == c.ID })
		if at < 0 {
			continue // it was made meanwhile
		}
		o := offering{lines[at], map[string][]string{}}
		for _, n := range c.Nights {
			if !slices.Contains(o.rooms[n.RoomTypeID], n.RemoteRoom) {
				o.rooms[n.RoomTypeID] = append(o.rooms[n.RoomTypeID], n.RemoteRoom)
			}
		}
		list = append(list, o)
	}
	return list, nil
}

// unitsOf is how many units of a pool a room of a type takes; 0: it takes none.
func unitsOf(r hotel.RoomType, pool string) int {
	for _, d := range r.Consumes {
		if slices.Contains(d.AnyOf, pool) {
			return max(1, d.Units)
		}
	}
	return 0
}

// proposed is the number that a way is shown with.
func (card poolCard) proposed(way string) int {
	if way == card.Way && card.N > 0 {
		return card.N
	}
	return min(protectedAt, card.TotalUnits)
}

// state finds how a pool stands: what is free of it, what is kept back, and how it is protected.
func (card *poolCard) state(today hotel.Date, stock map[string][]hotel.InventoryCell) {
	card.kept, card.free = map[string]int{}, make([]int, protectNights)
	for _, r := range card.Types {
		units := unitsOf(r, card.ID)
		for _, c := range stock[r.ID] {
			night := int(c.Date - today)
			card.free[night] = max(card.free[night], c.Free*units)
			if night == 0 {
				for id, n := range c.KeepBack {
					card.kept[id] = max(card.kept[id], n*units)
				}
			}
		}
	}
	card.Tonight, card.Fewest = card.free[0], slices.Min(card.free)
	switch card.Protection.Kind {
	case hotel.Guarded:
		card.Way = protectAll
	case hotel.GuardedLast:
		card.Way, card.N = protectLast, card.Protection.N
	default:
		card.Way = protectOpen
		for _, n := range card.kept {
			if n > 0 {
				card.Way, card.N = protectKeep, max(card.N, n)
			}
		}
	}
}

// sellers finds those of the channels that sell rooms of a pool.
func (card *poolCard) sellers(channels []offering, house hotel.Policies) {
	for _, c := range channels {
		rooms := map[string]bool{}
		for _, r := range card.Types {
			for _, code := range c.rooms[r.ID] {
				rooms[code] = true
			}
		}
		if len(rooms) == 0 {
			continue
		}
		risk, _ := hotel.UnsafeOf(c.Policies, house)
		s := poolSeller{ID: c.ID, Name: c.Name, Level: exposure.CloseOnly, Counters: len(rooms), Risk: risk, seller: exposure.Seller{Weight: count(c.Weight), Priority: c.Priority}}
		if c.Configured != nil {
			s.settles = c.Configured.Abilities.Terms
			s.Level = exposure.LevelOf(s.settles)
		}
		kept, own := card.kept[c.ID]
		if s.Keeps = kept; !own {
			s.Keeps = card.kept["*"]
		}
		card.Sellers = append(card.Sellers, s)
	}
	slices.SortStableFunc(card.Sellers, func(a, b poolSeller) int {
		return cmp.Compare(slices.Index(levels, a.Level), slices.Index(levels, b.Level))
	})
}

// levels are what a guarded pool can promise about a channel, the best first.
var levels = []exposure.Level{exposure.Guaranteed, exposure.OneWay, exposure.BoundedRisk, exposure.CloseOnly}

// unsafe reports whether a channel promises too little to be granted rooms.
func (s poolSeller) unsafe() bool {
	return s.Level == exposure.BoundedRisk || s.Level == exposure.CloseOnly
}

// risked reports whether it is granted rooms all the same.
func (s poolSeller) risked() bool { return s.unsafe() && s.Risk == hotel.AcceptRisk }

// Tone is the look of what can be promised about a channel.
func (s poolSeller) Tone() string {
	return []string{"good", "info", "warn", "bad"}[slices.Index(levels, s.Level)]
}
