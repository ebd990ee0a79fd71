package console

import (
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/internal/auth"
)

// protectWay says what a way of protecting a pool costs and saves, as the pool is sold
// now.
func (v *visit) protectWay(card poolCard, name string, n int) protectWay {
	w := protectWay{Name: name, N: n, Now: card.Way == name, MayNot: !v.mayProtect(card, name)}
	saves := func(key string, args ...any) { w.Saves = append(w.Saves, v.words.T("protect."+key, args...)) }
	costs := func(key string, args ...any) { w.Costs = append(w.Costs, v.words.T("protect."+key, args...)) }
	tight := 0
	for _, free := range card.free {
		if free <= n {
			tight++
		}
	}
	few := func() {
		if tight > 0 {
			costs("tight", v.words.count("nights", tight), n, protectNights)
		} else {
			saves("never_tight", n, protectNights, card.Fewest)
		}
	}
	sellers, calls := 0, 0
	for _, s := range card.Sellers {
		sellers++
		calls += s.Counters
	}
	switch name {
	case protectOpen:
		saves("everywhere", card.Tonight)
		if calls > 1 {
			costs("calls", calls-1)
		}
		if sellers > 0 {
			costs("race", v.windows(card.Sellers))
		} else {
			saves("alone")
		}
	case protectKeep:
		saves("kept", n)
		few()
		costs("fewer", n, card.Tonight, max(0, card.Tonight-n))
	case protectLast:
		saves("last", n)
		v.promises(card, saves, costs)
		few()
		costs("dealt", n, v.dealt(card, n))
		costs("move")
		costs("crossing", n)
	case protectAll:
		saves("always")
		v.promises(card, saves, costs)
		costs("dealt", card.Tonight, v.dealt(card, card.Tonight))
		costs("move")
	}
	return w
}

// mayProtect reports whether the user may choose a way: what is kept back is stock, how a
// pool is dealt is a matter of the house. Whoever may change neither chooses nothing, also
// not what is so already.
func (v *visit) mayProtect(card poolCard, way string) bool {
	if !v.may(auth.PropertiesWrite) && !v.may(auth.InventoryWrite) {
		return false
	}
	kind := map[string]hotel.ProtectionKind{protectLast: hotel.GuardedLast, protectAll: hotel.Guarded}[way]
	if kind == "" {
		kind = hotel.Shared
	}
	now := card.Protection.Kind
	if now == "" {
		now = hotel.Shared
	}
	if (kind != now || kind == hotel.GuardedLast) && !v.may(auth.PropertiesWrite) {
		return false
	}
	return way != protectKeep && !kept(card) || v.may(auth.InventoryWrite)
}

func kept(card poolCard) bool {
	for _, n := range card.kept {
		if n > 0 {
			return true
		}
	}
	return false
}

// windows are how long it takes until each channel has heard of a sale elsewhere.
func (v *visit) windows(sellers []poolSeller) string {
	var said []string
	for _, s := range sellers {
		said = append(said, s.Name+" ("+v.window(s.settles)+")")
	}
	return strings.Join(said, ", ")
}

// window is about how long a channel may sell a room that is sold elsewhere.
func (v *visit) window(t hotel.Terms) string {
	switch {
	case t.TheirPollInterval > 0:
		return v.words.duration(t.TheirPollInterval)
	case t.SaleSettle == hotel.Never:
		return v.words.T("protect.unknown")
	case t.SaleSettle > 0:
		return v.words.duration(t.SaleSettle.Round(time.Second))
	}
	return v.words.T("protect.seconds")
}

// promises say what is promised about which channel when rooms are dealt.
func (v *visit) promises(card poolCard, saves, costs func(string, ...any)) {
	for _, l := range levels {
		var names, risked []string
		for _, s := range card.Sellers {
			switch {
			case s.Level != l:
			case s.risked():
				risked = append(risked, s.Name)
			default:
				names = append(names, s.Name)
			}
		}
		say := costs
		if l == exposure.Guaranteed {
			say = saves
		}
		if len(names) > 0 {
			say("level_"+string(l), strings.Join(names, ", "))
		}
		if len(risked) > 0 {
			costs("risked", strings.Join(risked, ", "))
		}
	}
}

// dealt is who would get how many of so many rooms, by the weights that are set and alike
// where none is.
func (v *visit) dealt(card poolCard, rooms int) string {
	able := slices.DeleteFunc(slices.Clone(card.Sellers), func(s poolSeller) bool { return s.unsafe() && !s.risked() })
	var of []exposure.Seller
	for _, s := range able {
		of = append(of, s.seller)
	}
	direct := 1
	if card.DirectWeight != nil {
		direct = *card.DirectWeight
	}
	parts, left := exposure.Deal(rooms, direct, of), rooms
	var said []string
	for i, s := range able {
		said = append(said, s.Name+" "+v.words.number(parts[i]))
		left -= parts[i]
	}
	return strings.Join(append(said, v.words.T("plan.the_house")+" "+v.words.number(left)), ", ")
}
