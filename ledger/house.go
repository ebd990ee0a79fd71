package ledger

import (
	"fmt"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// deriveAtOnce is how many house cells a fact may touch and still have them
// derived in its own transaction. More are derived in chunks of deriveChunk, each
// an item of its own, so that no bulk write holds the writer for long.
const (
	deriveAtOnce = 1000
	deriveChunk  = 400
)

// withdrawn is for how many cells of a night a withdrawal counts.
const withdrawn = 4

// product is a room type sold through a rate plan.
type product struct{ room, plan string }

func (p product) subject() string { return p.room + "/" + p.plan }

func productOf(subject string) product {
	room, plan, _ := strings.Cut(subject, "/")
	return product{room, plan}
}

// nightKey names one night of what ids name.
type nightKey struct {
	night hotel.Date
	product
}

// affected says which house values a fact may have moved.
type affected struct {
	property string
	stock    bool // of every room type, since pools are shared
	prices   bool // of the products
	rules    bool // of the products
	products []product
	withdraw bool // of what is no longer sold
	nights   nightSet
	patched  bool // the nights in memory were changed as their rows were
	booking  bool // it is a reservation, which raises its own conflicts
}

// affect says what of a product's house values a fact of the kind may have moved.
func (a *affected) affect(kind Kind, products []product) {
	a.products = products
	a.prices, a.rules = kind != RestrictionsChanged, kind != PricesChanged && kind != SwitchesChanged
}

// perNight is how many cells of one night are looked at to derive what is
// affected: of all pools and room types, and of the plans. Nights that are not in
// memory are read with every plan of the room types concerned.
func (t *tx) perNight(s *structure, a affected) int {
	n, plans := 0, len(a.products)
	if a.stock {
		n += len(s.pools) + len(s.rooms)
	}
	if !t.inMemory(a.property, a.nights) {
		plans = 0
		for _, room := range a.rooms() {
			plans += len(s.selling(product{room: room}))
		}
	}
	if a.prices {
		n += plans
	}
	if a.rules {
		n += plans
	}
	if a.withdraw {
		n += withdrawn
	}
	return n
}

// rooms lists the room types of the affected products.
func (a affected) rooms() []string {
	var list []string
	for _, p := range a.products {
		if !slices.Contains(list, p.room) {
			list = append(list, p.room)
		}
	}
	return list
}

// selling lists the products whose house values follow from the given product:
// its own and those of the plans derived from its plan. An empty room or plan
// means every one.
func (s *structure) selling(p product) []product {
	var out []product
	for i := range s.plans {
		plan := &s.plans[i]
		if p.plan != "" && !s.descends(plan, p.plan) {
			continue
		}
		for _, room := range plan.RoomTypeIDs {
			if p.room == "" || p.room == room {
				out = append(out, product{room, plan.ID})
			}
		}
	}
	return out
}

func (s *structure) descends(plan *hotel.RatePlan, ancestor string) bool {
	for plan != nil {
		if plan.ID == ancestor {
			return true
		}
		if plan.DerivedFrom == nil {
			return false
		}
		plan = s.plan(plan.DerivedFrom.RatePlanID)
	}
	return false
}

// follow renews what follows from a fact: the boards after the commit, and the
// house values, at once or, when there are many, chunk by chunk. cause is the
// sequence of the fact's journal entry.
func (t *tx) follow(s *structure, a affected, cause int64) error {
	if a.stock {
		t.consider(s, a.nights)
	}
	s.watch(&a)
	if !a.patched {
		t.renewed(a.property, a.nights)
	}
	if t.perNight(s, a)*len(a.nights) > deriveAtOnce {
		return t.followLater(a, cause, nil)
	}
	return t.derive(s, a, cause)
}

// followLater leaves what follows from a fact to be done chunk by chunk; lay is
// what of it has yet to reach the table, or nil.
func (t *tx) followLater(a affected, cause int64, lay *layer) error {
	of := duePrices
	if a.stock {
		of = dueStock
	}
	t.effects.due = true
	t.effects.publish = append(t.effects.publish, func() { t.l.layers.put(map[int64]*layer{cause: lay}) })
	return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: dueReader(of, a.property, cause), Sequence: cause})
}

// derive computes the house values of the affected nights, and stores and
// announces those that changed.
func (t *tx) derive(s *structure, a affected, cause int64) error {
	for _, span := range a.nights.spans() {
		if a.stock {
			b, err := t.stockBoard(s, span)
			if err != nil {
				return err
			}
			if err := t.deriveStock(s, b, a.booking, cause); err != nil {
				return err
			}
		}
		if a.withdraw {
			if err := t.withdraw(s, span, cause); err != nil {
				return err
			}
		}
		for _, room := range a.rooms() {
			b, err := t.priceBoard(s, span, room)
			if err != nil {
				return err
			}
			products := slices.DeleteFunc(slices.Clone(a.products), func(p product) bool { return p.room != room })
			if a.prices {
				if err := t.derivePrices(b, room, products, cause); err != nil {
					return err
				}
			}
			if a.rules {
				if err := t.deriveRules(b, room, products, cause); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (t *tx) deriveStock(s *structure, b *board.Board, booking bool, cause int64) error {
	id := b.Property.ID
	crowd := crowding{t: t, s: s, b: b, cause: cause}
	changed := make([][]hotel.Date, len(b.RoomTypes))
	values := make([][]board.Announced, len(b.RoomTypes)) // of the nights in changed
	freed := map[string]bool{}                            // room types that were full on a night
	for d := b.From; d <= b.To(); d++ {
		told, house := b.Night(d).Announced, b.House(d)
		missing := b.Crowds(d, house)
		for i, h := range house {
			if v := (board.Announced{Known: true, Net: h.Net, Available: h.Available, Crowd: missing[i]}); v != told[i] {
				changed[i], values[i] = append(changed[i], d), append(values[i], v)
				if told[i].Known && told[i].Available == 0 && v.Available > 0 {
					freed[b.RoomTypes[i].ID] = true
				}
				crowd.moved(d, i, told[i], v, booking)
			}
		}
	}
	for i, nights := range changed {
		if len(nights) == 0 {
			continue
		}
		room := b.RoomTypes[i].ID
		runs := hotel.Runs(nights, func(n int) int64 { return int64(values[i][n].Available) })
		seq, err := t.append(entry{
			property: id, kind: InventoryUpdated, subject: room, offers: true, nights: setOf(nights...).spans(),
			body: StockRuns{RoomTypeID: room, Ranges: runs, Cause: cause},
		})
		if err != nil {
			return err
		}
		for n, d := range nights {
			v := values[i][n]
			row := ledgerdb.PutHouseStockParams{
				PropertyID: id, Night: int64(d), RoomTypeID: room, Net: int64(v.Net), Available: int64(v.Available),
				Oversold: int64(v.Oversold), Planned: int64(v.Planned), Sequence: seq,
			}
			if err := t.q.PutHouseStock(t.ctx, row); err != nil {
				return fmt.Errorf("store house stock of %s: %w", room, err)
			}
			t.patch(id, d, func(night *board.Night) *board.Night { return night.Announce(i, v) })
		}
	}
	if err := crowd.follow(); err != nil || len(freed) == 0 {
		return err
	}
	return t.tellWaiting(id, freed)
}

// StockRuns is the body of an [InventoryUpdated] entry.
type StockRuns struct {
	RoomTypeID string             `json:"room_type_id"`
	Ranges     []hotel.Run[int64] `json:"ranges"` // rooms available
	Cause      int64              `json:"cause"`  // sequence of the fact
}

// ProductSpans is the body of a [RatesUpdated] or [HouseRulesUpdated] entry.
type ProductSpans struct {
	RoomTypeID string              `json:"room_type_id"`
	RatePlanID string              `json:"rate_plan_id"`
	Ranges     []hotel.Run[string] `json:"ranges"` // amount, or packed closures and lengths
	Cause      int64               `json:"cause"`
}

// priceKey names one house price of a night.
type priceKey struct {
	night hotel.Date
	product
	occupancy int
}

// housePrice is a house price as it is stored.
type housePrice struct {
	amount          int64
	exact, rounding string
}

func (t *tx) derivePrices(b *board.Board, roomID string, products []product, cause int64) error {
	id := b.Property.ID
	rows, err := t.q.HousePricesOf(t.ctx, ledgerdb.HousePricesOfParams{PropertyID: id, RoomTypeID: roomID, Nights: nightsOf(b), Plans: plansOf(products)})
	if err != nil {
		return fmt.Errorf("read house prices of %s: %w", id, err)
	}
	stored := map[nightKey]map[int]housePrice{}
	for _, r := range rows {
		k := nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}
		if stored[k] == nil {
			stored[k] = map[int]housePrice{}
		}
		stored[k][int(r.Occupancy)] = housePrice{r.Amount, r.Exact, r.Rounding}
	}
	for _, p := range products {
		room, _ := b.Room(p.room)
		plan, _ := b.Plan(p.plan)
		changed := map[priceKey]*housePrice{} // nil: no price any more
		var nights []hotel.Date
		for d := b.From; d <= b.To(); d++ {
			before := len(changed)
			was, is := stored[nightKey{d, p}], housePrices(b, d, room, plan)
			for guests, v := range is {
				if old, had := was[guests]; !had || old != v {
					changed[priceKey{d, p, guests}] = &v
				}
			}
			for guests := range was {
				if _, has := is[guests]; !has {
					changed[priceKey{d, p, guests}] = nil
				}
			}
			if len(changed) > before {
				nights = append(nights, d)
			}
		}
		base := func(i int) string {
			if h, has := b.HousePrice(nights[i], room, plan, 0); has {
				return h.Text()
			}
			return ""
		}
		seq, err := t.announce(RatesUpdated, id, p, nights, base, cause)
		if err != nil {
			return err
		}
		for k, v := range changed {
			if err := t.putHousePrice(id, k, v, seq); err != nil {
				return fmt.Errorf("store house price of %s: %w", p.subject(), err)
			}
		}
	}
	return nil
}

func (t *tx) putHousePrice(property string, k priceKey, v *housePrice, seq int64) error {
	if v == nil {
		return t.q.DeleteHousePrice(t.ctx, ledgerdb.DeleteHousePriceParams{
			PropertyID: property, Night: int64(k.night), RoomTypeID: k.room, RatePlanID: k.plan, Occupancy: int64(k.occupancy),
		})
	}
	return t.q.PutHousePrice(t.ctx, ledgerdb.PutHousePriceParams{
		PropertyID: property, Night: int64(k.night), RoomTypeID: k.room, RatePlanID: k.plan, Occupancy: int64(k.occupancy),
		Amount: v.amount, Exact: v.exact, Rounding: v.rounding, Sequence: seq,
	})
}

// houseRule is the restrictions of a house cell in packed form.
type houseRule struct{ closures, lengths int64 }

func (t *tx) deriveRules(b *board.Board, roomID string, products []product, cause int64) error {
	id := b.Property.ID
	rows, err := t.q.HouseRestrictionsOf(t.ctx, ledgerdb.HouseRestrictionsOfParams{PropertyID: id, RoomTypeID: roomID, Nights: nightsOf(b), Plans: plansOf(products)})
	if err != nil {
		return fmt.Errorf("read house restrictions of %s: %w", id, err)
	}
	stored := make(map[priceKey]houseRule, len(rows))
	for _, r := range rows {
		stored[priceKey{night: hotel.Date(r.Night), product: product{r.RoomTypeID, r.RatePlanID}}] = houseRule{r.Closures, r.Lengths}
	}
	for _, p := range products {
		room, _ := b.Room(p.room)
		plan, _ := b.Plan(p.plan)
		changed := map[hotel.Date]houseRule{}
		var nights []hotel.Date
		for d := b.From; d <= b.To(); d++ {
			r := b.HouseRules(d, room, plan)
			v := houseRule{hotel.Offer{Closed: r.Closed}.Encode(hotel.Closures), hotel.Offer{Lengths: r.Lengths}.Encode(hotel.Lengths)}
			if was, known := stored[priceKey{night: d, product: p}]; v != was || !known {
				changed[d] = v
				nights = append(nights, d)
			}
		}
		packed := func(i int) string {
			v := changed[nights[i]]
			return fmt.Sprintf("%d.%d", v.closures, v.lengths)
		}
		seq, err := t.announce(HouseRulesUpdated, id, p, nights, packed, cause)
		if err != nil {
			return err
		}
		for d, v := range changed {
			err := t.q.PutHouseRestriction(t.ctx, ledgerdb.PutHouseRestrictionParams{
				PropertyID: id, Night: int64(d), RoomTypeID: p.room, RatePlanID: p.plan, Closures: v.closures, Lengths: v.lengths, Sequence: seq,
			})
			if err != nil {
				return fmt.Errorf("store house restrictions of %s: %w", p.subject(), err)
			}
		}
	}
	return nil
}

// announce journals that house values of a product changed, and returns the
// entry's sequence; without a night there is nothing to say.
func (t *tx) announce(kind Kind, property string, p product, nights []hotel.Date, value func(i int) string, cause int64) (int64, error) {
	if len(nights) == 0 {
		return 0, nil
	}
	return t.append(entry{
		property: property, kind: kind, subject: p.subject(), offers: true, nights: setOf(nights...).spans(),
		body: ProductSpans{p.room, p.plan, hotel.Runs(nights, value), cause},
	})
}

// nightsOf lists a board's nights as statements take them.
func nightsOf(b *board.Board) string {
	nights := make([]hotel.Date, len(b.Nights))
	for i := range nights {
		nights[i] = b.From + hotel.Date(i)
	}
	return nightList(nights)
}

// plansOf lists the plans of products as statements take them.
func plansOf(products []product) string {
	plans := make([]string, len(products))
	for i, p := range products {
		plans[i] = p.plan
	}
	return jsonList(plans)
}

// housePrices returns the prices of a product on a night that are stored, by the
// number of guests: the base price as 0, for plans by occupancy one for each number
// that fits, and for others one for each number that has another price.
func housePrices(b *board.Board, d hotel.Date, room, plan int) map[int]housePrice {
	prices := map[int]housePrice{}
	of := func(guests int) (housePrice, bool) {
		h, has := b.HousePrice(d, room, plan, guests)
		if !has {
			return housePrice{}, false
		}
		return housePrice{h.Minor(), h.Exact(), string(h.Rounding)}, true
	}
	base, has := of(0)
	if has {
		prices[0] = base
	}
	always := b.Plans[plan].Pricing == hotel.PerOccupancy
	if !always && !b.ByHead(d, room, plan) {
		return prices
	}
	for n := 1; n <= b.RoomTypes[room].MaxOccupancy; n++ {
		if v, has := of(n); has && (always || v != base) {
			prices[n] = v
		}
	}
	return prices
}

// occupancies lists the numbers of guests that a plan tells prices for: the base
// price, and for plans by occupancy one for each number that fits.
func occupancies(b *board.Board, room, plan int) []int {
	list := []int{0}
	if b.Plans[plan].Pricing == hotel.PerOccupancy {
		for n := 1; n <= b.RoomTypes[room].MaxOccupancy; n++ {
			list = append(list, n)
		}
	}
	return list
}
