package hotel

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told lists what a check found, as "pointer code", one a line.
func told(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	r, ok := errors.AsType[*Refusal](err)
	if !ok || r.Code != "validation_failed" {
		t.Fatalf("%v is no refusal of members", err)
	}
	var b strings.Builder
	for _, i := range r.Items {
		b.WriteString(i.Pointer + " " + i.Code + "\n")
		if i.Detail == "" {
			t.Errorf("%s says nothing", i.Pointer)
		}
	}
	return strings.TrimSpace(b.String())
}

// checks reads each case's JSON over a sound resource and compares what its
// check tells.
type checkCase struct{ name, over, want string }

func checks[R any](t *testing.T, sound func() R, check func(*R) error, cases []checkCase) {
	t.Helper()
	for _, c := range append([]checkCase{{"sound", "{}", ""}}, cases...) {
		t.Run(c.name, func(t *testing.T) {
			r := sound()
			if err := json.Unmarshal([]byte(c.over), &r); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(c.want, "; ", "\n"), told(t, check(&r))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func soundProperty() Property {
	p := Property{Entity: Entity{ID: "hotel_1"}, Name: "Zur Post", TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE"}
	p.AgeBands = []AgeBand{{"baby", 0, 3, Infant}, {"kid", 3, 14, Child}}
	return p
}

func TestCheckProperty(t *testing.T) {
	check := func(p *Property) error { p.Complete(); return p.Check() }
	checks(t, soundProperty, check, []checkCase{
		{"nothing said", `{"name":"","time_zone":"","currency":"","country":""}`, "/name required; /time_zone required; /currency required; /country required"},
		{"a name of spaces", `{"name":"  "}`, "/name required"},
		{"a name too long", `{"name":"` + strings.Repeat("ö", 201) + `"}`, "/name length"},
		{"the longest name", `{"name":"` + strings.Repeat("ö", 200) + `"}`, ""},
		{"words that are no codes", `{"time_zone":"Local","currency":"EURO","country":"de"}`, "/time_zone enum; /currency enum; /country enum"},
		{"a region that is no country", `{"country":"EU"}`, "/country enum"},
		{"times", `{"check_in_time":"24:00","check_out_time":"9:00","day_roll_time":"x","release_time":"23:59"}`, "/check_in_time format; /check_out_time format; /day_roll_time format"},
		{"a horizon beyond three years", `{"booking_horizon_days":1096}`, "/booking_horizon_days max"},
		{"a horizon backwards", `{"booking_horizon_days":-1}`, "/booking_horizon_days min"},
		{"contact", `{"phone":"030 1234","email":"Ada <ada@example.com>"}`, "/phone format; /email format"},
		{"good contact", `{"phone":"+4930123456","email":"ada@example.com","geo":{"lat":"52.5200066","lon":"-13.4"}}`, ""},
		{"a place off the globe", `{"geo":{"lat":"90.1","lon":"east"}}`, "/geo/lat format; /geo/lon format"},
		{"a cut-off after the arrival", `{"cut_off":{"days_before":-1,"time":"18:00"}}`, "/cut_off/days_before min"},
		{"words that are none of the choices", `{"availability_mode":"x","truth":{"stock":"x"},"stay_recording":"x","status":"x"}`, "/availability_mode enum; /truth/stock enum; /stay_recording enum; /status enum"},
		{"bands that do not begin at birth", `{"age_bands":[{"code":"kid","from_age":2,"to_age":14,"counts_as":"child"}]}`, "/age_bands/0/from_age max"},
		{"bands with a gap, then an overlap", `{"age_bands":[{"code":"a","from_age":0,"to_age":3,"counts_as":"infant"},{"code":"b","from_age":4,"to_age":14,"counts_as":"child"},{"code":"c","from_age":13,"to_age":18,"counts_as":"child"}]}`, "/age_bands/1/from_age max; /age_bands/2/from_age min"},
		{"a band of nobody, named twice", `{"age_bands":[{"code":"a","from_age":0,"to_age":0,"counts_as":"infant"},{"code":"a","from_age":0,"to_age":9,"counts_as":"dog"}]}`, "/age_bands/0/to_age min; /age_bands/1/code enum; /age_bands/1/counts_as enum"},
		{"seven bands", `{"age_bands":[{"code":"a","from_age":0,"to_age":1,"counts_as":"child"},{"code":"b","from_age":1,"to_age":2,"counts_as":"child"},{"code":"c","from_age":2,"to_age":3,"counts_as":"child"},{"code":"d","from_age":3,"to_age":4,"counts_as":"child"},{"code":"e","from_age":4,"to_age":5,"counts_as":"child"},{"code":"f","from_age":5,"to_age":6,"counts_as":"child"},{"code":"g","from_age":6,"to_age":7,"counts_as":"child"}]}`, "/age_bands length"},
		{"a good city tax", `{"taxes":[{"code":"city","name":"City tax","kind":"per_person_night","value":"2.50","age_from":16,"max_nights":21,"counts_as":"city_tax","season":[{"from":"2027-05-01","to":"2027-09-30"}],"cap":{"amount":"5.00","currency":"EUR"}}]}`, ""},
		{"a tax without anything", `{"taxes":[{}]}`, "/taxes/0/code required; /taxes/0/name required; /taxes/0/kind required; /taxes/0/value format; /taxes/0/counts_as required"},
		{
			"taxes out of bounds", `{"taxes":[{"code":"vat","name":"VAT","kind":"percent","value":"101","counts_as":"vat"},{"code":"vat","name":"Fee","kind":"per_stay","value":"1.005","counts_as":"fee","age_from":-1,"valid_from":"2027-02-01","valid_to":"2027-01-01","cap":{"amount":"1","currency":"USD"},"base":"roof","collected_by":"cat"}]}`,
			"/taxes/0/value max; /taxes/1/value amount_precision; /taxes/1/age_from min; /taxes/1/valid_to date_order; /taxes/1/cap currency_mismatch; /taxes/1/base enum; /taxes/1/collected_by enum; /taxes/1/code enum",
		},
		{"a segment twice, one without a name", `{"market_segments":[{"code":"biz","name":"Business"},{"code":"biz"}]}`, "/market_segments/1/code enum; /market_segments/1/name required"},
		{"metadata too long", `{"metadata":{"k":"` + strings.Repeat("x", 501) + `","a/b":"fine"}}`, "/metadata/k length"},
	})
	p := soundProperty()
	p.ID = "no id"
	p.Complete()
	if got := told(t, p.Check()); got != "/id pattern" {
		t.Errorf("id: %s", got)
	}
}

func soundRoom() RoomType {
	return RoomType{Code: "double room", Consumes: []Draw{{AnyOf: []string{"pl_1"}}}, BaseOccupancy: 2, MaxAdults: 2, MaxChildren: 1, MaxOccupancy: 3}
}

func somePools() []Pool {
	return []Pool{{Entity: Entity{ID: "pl_1"}}, {Entity: Entity{ID: "pl_2"}}, {Entity: Entity{ID: "pl_3"}}}
}

func TestCheckRoomType(t *testing.T) {
	check := func(r *RoomType) error { r.Complete(); return r.Check(somePools()) }
	checks(t, soundRoom, check, []checkCase{
		{"a code with capitals", `{"code":"Double"}`, "/code pattern"},
		{"no code", `{"code":""}`, "/code required; /name required"},
		{"one pool of two, and another one", `{"consumes":[{"any_of":["pl_1","pl_2"],"units":2},{"any_of":["pl_3"]}]}`, ""},
		{"no draw", `{"consumes":[]}`, "/consumes length"},
		{
			"nine draws", `{"consumes":[{"any_of":["pl_1"]},{"any_of":["pl_2"]},{"any_of":["pl_3"]},{"any_of":["a"]},{"any_of":["b"]},{"any_of":["c"]},{"any_of":["d"]},{"any_of":["e"]},{"any_of":["f"]}]}`,
			"/consumes length; /consumes/3/any_of/0 unknown_pool; /consumes/4/any_of/0 unknown_pool; /consumes/5/any_of/0 unknown_pool; /consumes/6/any_of/0 unknown_pool; /consumes/7/any_of/0 unknown_pool; /consumes/8/any_of/0 unknown_pool",
		},
		{"a pool in two draws, and less than a unit", `{"consumes":[{"any_of":["pl_1"],"units":-1},{"any_of":["pl_2","pl_1"]}]}`, "/consumes/0/units min; /consumes/1/any_of/1 enum"},
		{"a draw on nothing", `{"consumes":[{"any_of":[]}]}`, "/consumes/0/any_of length"},
		{
			"guests that do not fit", `{"base_occupancy":3,"max_occupancy":2,"min_occupancy":4,"standard_occupancy":5,"max_adults":0,"max_children":-1,"max_infants":21}`,
			"/min_occupancy max; /max_occupancy min; /standard_occupancy max; /max_adults min; /max_children min; /max_infants max",
		},
		{"a crowd", `{"base_occupancy":21,"max_occupancy":21}`, "/base_occupancy max; /max_occupancy max"},
		{"empty words", `{"bed_types":["double",""],"availability_mode":"x"}`, "/bed_types/1 required; /availability_mode enum"},
	})
	r := soundRoom()
	r.Complete()
	if r.Name != "Double Room" || r.Consumes[0].Units != 1 {
		t.Errorf("completed to %+v", r)
	}
}

func TestCheckPool(t *testing.T) {
	check := func(p *Pool) error { p.Complete(); return p.Check() }
	checks(t, func() Pool { return Pool{Code: "pairs", TotalUnits: 3} }, check, []checkCase{
		{"no code", `{"code":""}`, "/code required"},
		{"more than a house can have", `{"total_units":10000,"rooms_per_unit":-1}`, "/total_units max; /rooms_per_unit min"},
		{"protection of no kind", `{"protection":{"kind":"fort"},"direct_weight":-1}`, "/protection/kind enum; /direct_weight min"},
		{"guarded at the last of none", `{"protection":{"kind":"guarded_last"}}`, "/protection/n min"},
		{"guarded has no number", `{"protection":{"kind":"guarded","n":2}}`, "/protection/n max"},
	})
}

func TestCheckRatePlan(t *testing.T) {
	property := soundProperty()
	rooms := []RoomType{{Entity: Entity{ID: "rt_1"}}, {Entity: Entity{ID: "rt_2"}}}
	plan := func(id, from string, c Currency) RatePlan {
		p := RatePlan{Entity: Entity{ID: id}, Currency: c}
		if from != "" {
			p.DerivedFrom = &Derivation{RatePlanID: from}
		}
		return p
	}
	// a ← b ← c ← d are three derivations deep; self is the plan as it was.
	plans := []RatePlan{
		plan("a", "", "EUR"), plan("b", "a", "EUR"), plan("c", "b", "EUR"), plan("d", "c", "EUR"),
		plan("usd", "", "USD"), plan("self", "", "EUR"), plan("child", "self", "EUR"),
	}
	sound := func() RatePlan {
		return RatePlan{Entity: Entity{ID: "self"}, Code: "bar", Name: "Best", RoomTypeIDs: []string{"rt_1"}}
	}
	check := func(p *RatePlan) error { p.Complete(&property); return p.Check(&property, rooms, plans) }
	checks(t, sound, check, []checkCase{
		{"no room type", `{"room_type_ids":[]}`, "/room_type_ids length"},
		{"room types unknown and twice", `{"room_type_ids":["rt_1","rt_9","rt_1"]}`, "/room_type_ids/1 unknown_room_type; /room_type_ids/2 enum"},
		{"another currency, for channels", `{"currency":"USD","audience":"restricted"}`, ""},
		{"another currency, for everybody", `{"currency":"USD","audience":"public"}`, "/currency currency_mismatch"},
		{"words that are none of the choices", `{"pricing_model":"x","meal_plan":"x","tax_mode":"x","guarantee":"x","audience":"x"}`, "/pricing_model enum; /meal_plan enum; /tax_mode enum; /guarantee enum; /audience enum"},
		{"derived two deep, so that its child is three", `{"derived_from":{"rate_plan_id":"b","kind":"percent","value":"-10"}}`, ""},
		{"derived three deep, so that its child is four", `{"derived_from":{"rate_plan_id":"c","kind":"percent","value":"-10"}}`, "/derived_from/rate_plan_id max"},
		{"derived one deep, with a child", `{"derived_from":{"rate_plan_id":"a","kind":"amount","value":"-10.50","per":"person","by_age":{"kid":"-5"},"rounding":"end_9"}}`, ""},
		{"derived from the deepest", `{"derived_from":{"rate_plan_id":"d","kind":"percent","value":"-10"}}`, "/derived_from/rate_plan_id max"},
		{"derived from itself", `{"derived_from":{"rate_plan_id":"self","kind":"percent","value":"-10"}}`, "/derived_from/rate_plan_id max"},
		{"derived from its own child", `{"derived_from":{"rate_plan_id":"child","kind":"percent","value":"-10"}}`, "/derived_from/rate_plan_id max"},
		{"derived from nothing known", `{"derived_from":{"rate_plan_id":"z","kind":"x","value":"ten"}}`, "/derived_from/kind enum; /derived_from/value format; /derived_from/rate_plan_id unknown_rate_plan"},
		{"derived over currencies", `{"derived_from":{"rate_plan_id":"usd","kind":"percent","value":"-101"}}`, "/derived_from/value min; /derived_from/rate_plan_id currency_mismatch"},
		{"by age without persons, of nobody", `{"derived_from":{"rate_plan_id":"a","kind":"amount","value":"1.005","by_age":{"dog":"1"}}}`, "/derived_from/value amount_precision; /derived_from/by_age unknown_option; /derived_from/by_age/dog enum"},
		{"inherits twice and nonsense", `{"inherit":["closed","closed","price"]}`, "/inherit/1 enum; /inherit/2 enum"},
		{"inherits nothing", `{"inherit":[]}`, ""},
		{"breakfast", `{"included":[{"code":"bb","per":"person","amount":{"":{"amount":"12.00","currency":"EUR"},"kid":{"amount":"6.00","currency":"EUR"}},"vat":"7"}]}`, ""},
		{
			"breakfast of nonsense", `{"included":[{"code":"bb","per":"dog","amount":{"dog":{"amount":"-1.00","currency":"USD"}},"vat":"101"},{"code":"x","per":"stay"}]}`,
			"/included/0/per enum; /included/0/vat max; /included/0/amount/dog enum; /included/0/amount/dog currency_mismatch; /included/1/amount required",
		},
		{"a good policy", `{"cancellation_policy":{"kind":"custom","steps":[{"until":{"days_before":7,"time":"18:00"},"penalty":{"kind":"none"}},{"until":{"days_before":1,"time":"18:00"},"penalty":{"kind":"percent","value":"50"}},{"penalty":{"kind":"amount","value":"99.99"}}]},"no_show_policy":{"penalty":{"kind":"first_night"}}}`, ""},
		{
			"steps out of order", `{"cancellation_policy":{"kind":"flexible","steps":[{"until":{"days_before":1,"time":"18:00"},"penalty":{"kind":"none"}},{"until":{"days_before":1,"time":"18:00"},"penalty":{"kind":"none"}},{"penalty":{"kind":"none"}},{"until":{"days_before":0,"time":"noon"},"penalty":{"kind":"none","value":"5"}}]}}`,
			"/cancellation_policy/steps/1/until date_order; /cancellation_policy/steps/2/until required; /cancellation_policy/steps/3/penalty/value unknown_option; /cancellation_policy/steps/3/until/time format",
		},
		{"a policy without words", `{"cancellation_policy":{"kind":"custom"},"no_show_policy":{"penalty":{"kind":"percent","value":"101"}}}`, "/cancellation_policy/steps length; /no_show_policy/penalty/value max"},
		{
			"seasons that overlap", `{"cancellation_policy":{"kind":"flexible","steps":[],"seasons":[{"date_from":"2027-01-01","date_to":"2027-01-31","steps":[{"penalty":{"kind":"none"}}]},{"date_from":"2027-01-31","date_to":"2027-01-30","steps":[]}]}}`,
			"/cancellation_policy/seasons/1/date_to date_order; /cancellation_policy/seasons/1/date_from date_order; /cancellation_policy/seasons/1/steps length",
		},
		{"sold not even on the day", `{"max_advance_days":0}`, "/max_advance_days min"},
		{"advance days the wrong way round", `{"min_advance_days":30,"max_advance_days":7}`, "/max_advance_days restriction_contradiction"},
		{
			"limits", `{"price_limits":[{"room_type_ids":["rt_2"],"date_from":"2027-02-01","date_to":"2027-01-01"},{"date_from":"2027-01-01","date_to":"2027-01-31","floor":{"amount":"100","currency":"EUR"},"ceiling":{"amount":"99.99","currency":"EUR"}}]}`,
			"/price_limits/0/room_type_ids/0 unknown_room_type; /price_limits/0/date_to date_order; /price_limits/0/floor required; /price_limits/1/ceiling restriction_contradiction",
		},
		{"restrictions that leave no stay", `{"default_restrictions":{"min_stay_arrival":3,"max_stay_arrival":2,"min_stay_through":91}}`, "/default_restrictions/min_stay_through max; /default_restrictions/max_stay_arrival restriction_contradiction"},
		{"sellers", `{"sold_by":["ch_1","ch_1","no id"]}`, "/sold_by/1 enum; /sold_by/2 pattern"},
	})
}

// Whatever comes over the wire, a check answers, and what it lets through keeps
// the invariants that everything else relies on.
func FuzzConsumes(f *testing.F) {
	f.Add([]byte(`[{"any_of":["pl_1"],"units":1}]`))
	f.Add([]byte(`[{"any_of":["pl_1","pl_2"]},{"any_of":["pl_1"],"units":-3}]`))
	f.Add([]byte(`[{"any_of":[]},{}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := soundRoom()
		if json.Unmarshal(raw, &r.Consumes) != nil {
			return
		}
		r.Complete()
		if r.Check(somePools()) != nil {
			return
		}
		if len(r.Consumes) < 1 || len(r.Consumes) > maxDraws {
			t.Errorf("%d draws", len(r.Consumes))
		}
		seen := map[string]bool{}
		for _, d := range r.Consumes {
			if d.Units < 1 || len(d.AnyOf) < 1 || len(d.AnyOf) > maxAlternatives {
				t.Errorf("draw %+v", d)
			}
			for _, id := range d.AnyOf {
				if seen[id] {
					t.Errorf("pool %s twice", id)
				}
				seen[id] = true
			}
		}
	})
}

func FuzzResources(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"taxes":[{"code":"x","value":"1e9"}],"age_bands":[{"from_age":0}],"geo":{"lat":"1"}}`,
		`{"code":"a","derived_from":{"rate_plan_id":"a","value":"."},"included":[{"amount":{"":{"amount":"1","currency":"EUR"}}}]}`,
		`{"cancellation_policy":{"steps":[{"until":{"days_before":1,"time":"x"}}]},"price_limits":[{}],"consumes":[{}],"total_units":-1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var property Property
		var pool Pool
		var room RoomType
		var plan RatePlan
		for _, v := range []any{&property, &pool, &room, &plan} {
			if json.Unmarshal(raw, v) != nil {
				return
			}
		}
		property.Complete()
		pool.Complete()
		room.Complete()
		plan.Complete(&property)
		for _, err := range []error{
			property.Check(), pool.Check(), room.Check([]Pool{pool}), plan.Check(&property, []RoomType{room}, []RatePlan{plan}),
		} {
			if err == nil {
				continue
			}
			r, ok := errors.AsType[*Refusal](err)
			if !ok || len(r.Items) == 0 {
				t.Errorf("%v is no refusal of members", err)
			}
		}
	})
}
