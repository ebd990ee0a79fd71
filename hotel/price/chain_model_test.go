package price_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// The model of the whole way from what was typed to what a channel shows. It
// keeps fractions and does one step after the other as the definitions say.

var chainBands = price.Bands{
	{Code: "baby", FromAge: 0, ToAge: 3, CountsAs: hotel.Infant},
	{Code: "kid", FromAge: 3, ToAge: 12, CountsAs: hotel.Child},
	{Code: "teen", FromAge: 12, ToAge: 16, CountsAs: hotel.Child},
	{Code: "young", FromAge: 16, ToAge: 18, CountsAs: hotel.Adult},
}

var (
	couple = price.Adults(2)
	family = price.Guests{Adults: 2, ByBand: [price.MaxBands]int{1, 2, 1}}
)

// modelPrice is the price of the base occupancy and of the family.
type modelPrice struct {
	base, family *big.Rat
	mode         hotel.Rounding
	low, high    int64
}

func (m *modelPrice) both(change func(*big.Rat) *big.Rat) {
	m.base, m.family = change(m.base), change(m.family)
}

func major(c hotel.Currency, r *big.Rat) *big.Rat {
	return new(big.Rat).Mul(r, new(big.Rat).SetInt64(tenTo(exponents[c])))
}

func between(r *big.Rat, low, high int64) *big.Rat {
	if high > 0 && r.Cmp(big.NewRat(high, 1)) > 0 {
		r = big.NewRat(high, 1)
	}
	if low > 0 && r.Cmp(big.NewRat(low, 1)) < 0 {
		r = big.NewRat(low, 1)
	}
	return r
}

// modelRule changes a price; set moves the family's as far as the base's.
func modelRule(t *rapid.T, m *modelPrice, r *hotel.PricingRule, c hotel.Currency) {
	var low, high int64
	if r.Floor != nil {
		low = r.Floor.Minor
	}
	if r.Ceiling != nil {
		high = r.Ceiling.Minor
	}
	distance := new(big.Rat).Sub(m.family, m.base)
	one := func(before, after *big.Rat) *big.Rat {
		limited := between(after, low, high)
		rose, fell := after.Cmp(before) > 0, after.Cmp(before) < 0
		if rose && limited.Cmp(before) < 0 || fell && limited.Cmp(before) > 0 {
			return before
		}
		if !rose && !fell {
			return after
		}
		return limited
	}
	base, family := m.base, m.family
	switch r.Action.Kind {
	case hotel.SetPrice:
		value := major(c, rat(t, r.Action.Value))
		m.base, m.family = one(base, value), one(family, new(big.Rat).Add(value, distance))
	default:
		change := func(x *big.Rat) *big.Rat {
			return one(x, modelAdjust(t, x, hotel.AdjustmentKind(r.Action.Kind), r.Action.Value, c))
		}
		m.both(change)
	}
	if r.Rounding != "" {
		m.mode = r.Rounding
	}
}

// modelDerive adds amounts per person by counting heads.
func modelDerive(t *rapid.T, m *modelPrice, d hotel.Derivation, c hotel.Currency) {
	if d.Per != hotel.PerPerson {
		m.both(func(x *big.Rat) *big.Rat { return modelAdjust(t, x, d.Kind, d.Value, c) })
	} else {
		heads := func(x *big.Rat, persons []string) *big.Rat {
			sum := new(big.Rat).Set(x)
			for _, band := range persons {
				value, own := d.ByAge[band]
				switch {
				case own:
				case band == "baby":
					value = "0"
				default:
					value = d.Value
				}
				sum.Add(sum, major(c, rat(t, value)))
			}
			return sum
		}
		m.base = heads(m.base, []string{"", ""})
		m.family = heads(m.family, []string{"", "", "baby", "kid", "kid", "teen"})
	}
	if d.Rounding != "" {
		m.mode = d.Rounding
	}
}

type modelTax struct {
	percent string
	cap     int64
}

// modelGross adds taxes to a net price.
func modelGross(t *rapid.T, net *big.Rat, taxes []modelTax) *big.Rat {
	sum := new(big.Rat).Set(net)
	for _, tax := range taxes {
		part := new(big.Rat).Mul(net, rat(t, tax.percent))
		part.Quo(part, big.NewRat(100, 1))
		if tax.cap > 0 && part.Cmp(big.NewRat(tax.cap, 1)) > 0 {
			part = big.NewRat(tax.cap, 1)
		}
		sum.Add(sum, part)
	}
	return sum
}

// modelNet finds the net price of which modelGross makes the gross, by trying
// every choice of the taxes that have reached their caps.
func modelNet(t *rapid.T, gross *big.Rat, taxes []modelTax) *big.Rat {
	for chosen := range 1 << len(taxes) {
		rest, rates := new(big.Rat).Set(gross), big.NewRat(1, 1)
		for i, tax := range taxes {
			if chosen&(1<<i) != 0 {
				rest.Sub(rest, big.NewRat(tax.cap, 1))
				continue
			}
			rates.Add(rates, new(big.Rat).Quo(rat(t, tax.percent), big.NewRat(100, 1)))
		}
		net := rest.Quo(rest, rates)
		if modelGross(t, net, taxes).Cmp(gross) == 0 {
			return net
		}
	}
	t.Fatalf("no net price for %s", gross)
	return nil
}

func ceilRat(r *big.Rat) int64 {
	return -new(big.Int).Div(new(big.Int).Neg(r.Num()), r.Denom()).Int64()
}

func floorRat(r *big.Rat) int64 { return new(big.Int).Div(r.Num(), r.Denom()).Int64() }

func drawLimits(t *rapid.T, c hotel.Currency) (low, high int64) {
	unit := tenTo(exponents[c])
	low = rapid.SampledFrom([]int64{0, 0, 1, 10 * unit, 15*unit + 1}).Draw(t, "low")
	high = rapid.SampledFrom([]int64{0, 0, 12*unit + 3, 20 * unit}).Draw(t, "high")
	return low, high
}

func drawRule(t *rapid.T, c hotel.Currency) hotel.PricingRule {
	r := hotel.PricingRule{Name: "r", Priority: 1, Rounding: rapid.SampledFrom(roundings).Draw(t, "rule rounding")}
	if rapid.IntRange(0, 3).Draw(t, "set") == 0 {
		r.Action = hotel.RuleAction{Kind: hotel.SetPrice, Value: fmt.Sprint(rapid.IntRange(0, 30).Draw(t, "value"))}
	} else {
		kind, value := drawAdjustment(t, c)
		r.Action = hotel.RuleAction{Kind: string(kind), Value: value}
	}
	low, high := drawLimits(t, c)
	if low > 0 {
		r.Floor = &hotel.Money{Minor: low, Currency: c}
	}
	if high >= max(1, low) {
		r.Ceiling = &hotel.Money{Minor: high, Currency: c}
	}
	return r
}

func drawDerivation(t *rapid.T, c hotel.Currency) hotel.Derivation {
	d := hotel.Derivation{Rounding: rapid.SampledFrom(roundings).Draw(t, "rounding")}
	d.Kind, d.Value = drawAdjustment(t, c)
	if d.Kind == hotel.Amount && rapid.Bool().Draw(t, "per person") {
		d.Per = hotel.PerPerson
		for _, band := range []string{"baby", "kid", "young"} {
			if rapid.Bool().Draw(t, band) {
				if d.ByAge == nil {
					d.ByAge = map[string]string{}
				}
				d.ByAge[band] = fmt.Sprint(rapid.IntRange(-5, 9).Draw(t, "by age"))
			}
		}
	}
	return d
}

var exchanges = []struct {
	from, to hotel.Currency
	rate     string
}{
	{"EUR", "JPY", "161.4375"},
	{"EUR", "JPY", "99"},
	{"JPY", "EUR", "0.0062"},
	{"JPY", "EUR", "1"},
	{"EUR", "KWD", "0.3331"},
	{"KWD", "JPY", "487.5"},
}

func TestPricesEqualFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]hotel.Currency{"EUR", "JPY", "KWD"}).Draw(t, "currency")
		most := 30 * tenTo(exponents[c])
		base, fam := rapid.Int64Range(0, most).Draw(t, "base"), rapid.Int64Range(0, most).Draw(t, "family")
		house := [2]price.House{
			price.BaseFor(hotel.Money{Minor: base, Currency: c}, base),
			price.BaseFor(hotel.Money{Minor: fam, Currency: c}, base),
		}
		m := modelPrice{base: big.NewRat(base, 1), family: big.NewRat(fam, 1), mode: hotel.RoundNone}

		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"rule", "derivation", "limits"}).Draw(t, "step") {
			case "rule":
				r := drawRule(t, c)
				rule, err := price.NewRule(&r)
				if err != nil {
					t.Fatal(err)
				}
				house[0], house[1] = rule.Act(house[0]), rule.Act(house[1])
				modelRule(t, &m, &r, c)
			case "derivation":
				d := drawDerivation(t, c)
				ready, err := price.NewDerivation(d, chainBands)
				if err != nil {
					t.Fatal(err)
				}
				house[0], house[1] = ready.Derive(house[0], couple, couple), ready.Derive(house[1], family, couple)
				modelDerive(t, &m, d, c)
				m.low, m.high = 0, 0
			case "limits":
				m.low, m.high = drawLimits(t, c)
				l := price.Limits{Floor: m.low, Ceiling: m.high}
				house[0], house[1] = house[0].Within(l), house[1].Within(l)
				m.both(func(x *big.Rat) *big.Rat { return between(x, m.low, m.high) })
			}
		}
		for i, exact := range []*big.Rat{m.base, m.family} {
			if house[i].Amount.Rat().Cmp(exact) != 0 {
				t.Fatalf("house price = %s, want %s", house[i].Amount, exact.FloatString(12))
			}
			want := modelBound(modelRound(exact, m.mode, c), m.mode, c, m.low, m.high)
			if got := price.Quote(house[i]); got != (hotel.Money{Minor: want, Currency: c}) {
				t.Fatalf("quote of %s by %q within %+v = %s, want %d", house[i].Text(), m.mode, house[i].Limits, got, want)
			}
			checkOffer(t, house[i], exact, m, c)
		}
	})
}

// drawIncluded makes items of a plan.
func drawIncluded(t *rapid.T, c hotel.Currency) []hotel.Included {
	var items []hotel.Included
	for range rapid.IntRange(0, 2).Draw(t, "items") {
		items = append(items, hotel.Included{
			Per: rapid.SampledFrom([]string{"room", "person", "stay"}).Draw(t, "per"), VAT: rapid.SampledFrom([]string{"", "19", "0"}).Draw(t, "vat"),
			Amount: map[string]hotel.Money{"": {Minor: rapid.Int64Range(0, 8*tenTo(exponents[c])).Draw(t, "worth"), Currency: c}},
		})
	}
	return items
}

// modelItems splits a price into the room's part and that of its items, these with
// their own VAT added or taken away.
func modelItems(
	t *rapid.T, x *big.Rat, items []hotel.Included, guests int, taxes []modelTax, turn func(*rapid.T, *big.Rat, []modelTax) *big.Rat,
) (rest, sum *big.Rat) {
	rest, sum = new(big.Rat).Set(x), new(big.Rat)
	for _, item := range items {
		worth := item.Amount[""].Minor
		switch item.Per {
		case "person":
			worth *= int64(guests)
		case "stay":
			continue // belongs to no night
		}
		part := big.NewRat(worth, 1)
		if part.Cmp(rest) > 0 {
			part = new(big.Rat).Set(rest)
		}
		rest.Sub(rest, part)
		of := taxes
		if item.VAT != "" {
			of = []modelTax{{percent: item.VAT}}
		}
		sum.Add(sum, turn(t, part, of))
	}
	return rest, sum
}

// checkOffer compares what a random channel makes of a price.
func checkOffer(t *rapid.T, h price.House, exact *big.Rat, m modelPrice, c hotel.Currency) {
	to := c
	channel := price.Channel{
		Mode:  rapid.SampledFrom([]hotel.TaxMode{"", hotel.TaxInclusive, hotel.TaxExclusive}).Draw(t, "mode"),
		Basis: rapid.SampledFrom([]hotel.PriceBasis{"", hotel.TaxIncluded, hotel.TaxExcluded}).Draw(t, "basis"),
	}
	var taxes []modelTax
	var due []hotel.Tax
	for i := range rapid.IntRange(0, 3).Draw(t, "taxes") {
		tax := modelTax{percent: rapid.SampledFrom([]string{"7", "19", "3.8", "0.01"}).Draw(t, "percent")}
		d := hotel.Tax{Code: fmt.Sprint(i), Kind: hotel.PercentTax, Value: tax.percent, Included: true, CountsAs: hotel.VAT}
		if rapid.Bool().Draw(t, "capped") {
			tax.cap = rapid.Int64Range(1, tenTo(exponents[c])).Draw(t, "cap")
			d.Cap = &hotel.Money{Minor: tax.cap, Currency: c}
		}
		taxes, due = append(taxes, tax), append(due, d)
	}
	room, person := int64(0), int64(0)
	for _, kind := range []hotel.TaxKind{hotel.PerRoomNight, hotel.PerPersonTax, hotel.PerStay} {
		if !rapid.Bool().Draw(t, string(kind)) {
			continue
		}
		minor := rapid.Int64Range(0, 4*tenTo(exponents[c])).Draw(t, "amount")
		due = append(due, hotel.Tax{
			Code: string(kind), Kind: kind, Included: true, CountsAs: hotel.Fee, Value: decimal.New(minor, int32(-exponents[c])).String(),
		})
		switch kind {
		case hotel.PerRoomNight:
			room = minor
		case hotel.PerPersonTax:
			person = minor
		default: // belongs to no night
		}
	}
	channel.Guests = rapid.IntRange(1, 4).Draw(t, "guests")
	levied := big.NewRat(room+int64(channel.Guests)*person, 1)
	channel.Taxes, channel.Levies = price.TaxesOf(due, 0, c, true), price.LeviesOf(due, 0, c)
	items := drawIncluded(t, c)
	channel.Items = price.ItemsOf(&hotel.RatePlan{Currency: c, Included: items}, channel.Taxes)
	if rapid.Bool().Draw(t, "markup") {
		kind, value := drawAdjustment(t, c)
		channel.Markup = &hotel.Markup{Kind: kind, Value: value}
		exact = modelAdjust(t, exact, kind, value, c)
	}
	if x := rapid.SampledFrom(exchanges).Draw(t, "exchange"); x.from == c {
		to = x.to
		channel.Currency, channel.Exchange = to, &hotel.Exchange{Rate: x.rate}
	}
	there := func(x *big.Rat) *big.Rat {
		switch {
		case channel.Mode == hotel.TaxExclusive && channel.Basis == hotel.TaxIncluded:
			rest, sum := modelItems(t, x, items, channel.Guests, taxes, modelGross)
			x = rest.Add(modelGross(t, rest, taxes), levied)
			x.Add(x, sum)
		case channel.Mode != hotel.TaxExclusive && channel.Basis == hotel.TaxExcluded:
			rest, sum := modelItems(t, x, items, channel.Guests, taxes, modelNet)
			x = rest.Sub(rest, levied)
			if x.Sign() < 0 {
				x = new(big.Rat)
			}
			x = new(big.Rat).Add(modelNet(t, x, taxes), sum)
		}
		if to != c {
			x = new(big.Rat).Mul(x, rat(t, channel.Exchange.Rate))
			x.Mul(x, big.NewRat(tenTo(exponents[to]), tenTo(exponents[c])))
		}
		return x
	}
	var low, high int64
	if m.low > 0 {
		low = ceilRat(there(big.NewRat(m.low, 1)))
	}
	if m.high > 0 {
		high = max(1, floorRat(there(big.NewRat(m.high, 1))))
	}
	channel.Min.Minor, channel.Max.Minor = drawLimits(t, to)
	minor := modelBound(modelRound(there(exact), m.mode, to), m.mode, to, low, high)
	want := hotel.Money{Minor: modelBound(minor, m.mode, to, channel.Min.Minor, channel.Max.Minor), Currency: to}
	var tr hotel.Trace
	if got := price.Offer(h, channel, &tr); got != want {
		t.Fatalf("offer of %s by %q for %+v = %s, want %s; %+v", h.Text(), m.mode, channel, got, want, tr.Steps)
	}
	if got := price.Offer(h, channel, nil); got != want {
		t.Fatalf("offer without a trace = %s, want %s", got, want)
	}
	names := []string{}
	for _, s := range tr.Steps {
		names = append(names, s.Name)
	}
	order := []string{"markup", "tax_basis", "currency", "rounding", "floor_ceiling", "capability_clamp"}
	if last := tr.Steps[len(tr.Steps)-1].Text; last != want.Amount() || !slices.Equal(names, order) {
		t.Fatalf("the steps %v end at %s, want %s", names, last, want.Amount())
	}
}

func FuzzRuleValues(f *testing.F) {
	f.Add("percent", "-10", "gte", "80", "")
	f.Add("set", "120.50", "between", "3", "7.25")
	f.Add("amount", "1e9", "eq", "-0", "x")
	f.Fuzz(func(t *testing.T, kind, value, op, low, high string) {
		c := hotel.RuleCondition{Metric: hotel.OccupancyPct, Op: op, Value: []string{low}}
		if high != "" {
			c.Value = append(c.Value, high)
		}
		rule, err := price.NewRule(&hotel.PricingRule{
			Name: "r", Priority: 1, Conditions: []hotel.RuleCondition{c}, Action: hotel.RuleAction{Kind: kind, Value: value},
		})
		if err != nil {
			return
		}
		// What was found sound can act and compare.
		rule.Holds(func(hotel.RuleMetric) price.Figure { return price.Figure{Num: 80, Den: 3} })
		h := rule.Act(price.House{Amount: decimal.NewFromInt(10000), Currency: "EUR"})
		if m := price.Quote(h); m.Minor < 0 {
			t.Fatalf("%s %s quotes %s", kind, value, m)
		}
	})
}
