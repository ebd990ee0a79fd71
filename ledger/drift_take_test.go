package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// ownOf is what the house itself says of the channel's first product on a night, with
// where each part of it comes from.
func (b *inbox) ownOf(t *testing.T, night hotel.Date) string {
	t.Helper()
	ctx, span := context.Background(), hotel.Span{From: night, To: night}
	rate := must(b.RateCells(ctx, hotel.CellQuery{PropertyID: b.property.ID, Span: span, RoomTypeIDs: []string{b.double.ID}, RatePlanIDs: []string{b.flex.ID}}))(t)[0]
	rule := must(b.RestrictionCells(ctx, hotel.CellQuery{PropertyID: b.property.ID, Span: span, RoomTypeIDs: []string{b.double.ID}, RatePlanIDs: []string{b.flex.ID}}))(t)[0]
	own := []string{"price none"}
	if rate.Amount != nil {
		own[0] = fmt.Sprintf("price %d by %s", rate.Amount.Minor, rate.Source)
	}
	if rule.Own.MinStayArrival != nil {
		own = append(own, fmt.Sprintf("min stay %d by %s", *rule.Own.MinStayArrival, rule.Source))
	}
	if rule.Own.ClosedToArrival != nil {
		own = append(own, fmt.Sprintf("no arrival by %s", rule.Source))
	}
	return strings.Join(own, ", ")
}

// TestTheirsBecomesTheHousesOwn: what a channel shows is the price or restriction
// of the house from then on, by its own policy or because somebody has decided so.
func TestTheirsBecomesTheHousesOwn(t *testing.T) {
	everything := map[hotel.Field]hotel.DriftPolicy{
		hotel.FieldAmount: hotel.Theirs, hotel.FieldMinStayArrival: hotel.Theirs, hotel.FieldClosedToArrival: hotel.Theirs,
	}
	edited := map[hotel.Group]int64{
		hotel.Price: 12100, hotel.Lengths: hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 3}}.Encode(hotel.Lengths), hotel.Closures: noArrival,
	}
	for _, c := range []struct {
		name string
		by   hotel.DriftPolicy
	}{{"by policy", hotel.Theirs}, {"by hand", hotel.AskOwner}} {
		t.Run(c.name, func(t *testing.T) {
			b := newInbox(t)
			for f := range everything {
				everything[f] = c.by
			}
			b.asks(t, fieldPolicies(everything))
			b.live(t)
			b.f.beginRead(t)
			b.f.endRead(t)
			night := b.today + 3
			b.seesEdited(t, night, edited)
			if c.by == hotel.AskOwner {
				if own := b.ownOf(t, night); strings.Contains(own, "channel:") {
					t.Errorf("before anybody has decided the house says %s", own)
				}
				for _, k := range b.conflicts(t, hotel.ConflictDrift) {
					b.resolve(t, k, string(hotel.Theirs), "")
				}
			}
			want := strings.ReplaceAll("price 12100 by it, min stay 3 by it, no arrival by it", "it", byChannel(b.f.id))
			if own := b.ownOf(t, night); own != want {
				t.Errorf("the house says %s, want %s", own, want)
			}
			b.f.catchUp(t)
			b.f.beginRead(t)
			b.f.endRead(t)
			for g, v := range edited {
				if got := b.productAt(g, night); got != v {
					t.Errorf("%s is shown as %d, want %d as it was", g, got, v)
				}
			}
			for cell, g := range b.f.groups(t) {
				if cell.Night == night && (g.state == left || g.dirty()) {
					t.Errorf("%v is %+v, and is to be what the house says", cell, g)
				}
			}
			if found := must(b.Verify(context.Background(), VerifyOptions{Report: quietly, Stage: asTheyAre}))(t); len(found.Differences) > 0 {
				t.Errorf("the cells are not what the journal makes of them: %v", found.Differences)
			}
		})
	}
}

// TestWhatCannotBeTakenOverIsAsked: a night that somebody holds, what another system
// says, and what no price of the product alone brings. It stands at the channel until
// somebody has decided, and "theirs" is refused with the reason.
func TestWhatCannotBeTakenOverIsAsked(t *testing.T) {
	night := func(b *inbox) hotel.Date { return b.today + 3 }
	for code, prepare := range map[string]func(*testing.T, *inbox){
		"locked": func(t *testing.T, b *inbox) {
			e := hotel.RateEntry{RoomTypeID: b.double.ID, RatePlanID: b.flex.ID, Dates: b.span(3, 3), Lock: hotel.Given(hotel.Lock{By: "the owner"})}
			if _, _, err := b.UpdateRates(context.Background(), tester, hotel.Once{}, hotel.RateUpdate{PropertyID: b.property.ID, Source: "api", Entries: []hotel.RateEntry{e}}); err != nil {
				t.Fatal(err)
			}
		},
		"owned_by_pms": func(t *testing.T, b *inbox) {
			must2(b.ChangeProperty(context.Background(), tester, hotel.Once{}, b.property.ID, hotel.Change[hotel.Property]{Apply: func(of *hotel.Property) error {
				of.Truth.Prices = hotel.ByPMS
				return nil
			}}))(t)
		},
		"not_exact": func(t *testing.T, b *inbox) {
			must2(b.ChangeChannel(context.Background(), tester, hotel.Once{}, b.f.id, 0, func(of *hotel.Channel) error {
				of.Markup = &hotel.Markup{Kind: hotel.Percent, Value: "200"} // 43.21 is three times no price
				return nil
			}))(t)
		},
	} {
		t.Run(code, func(t *testing.T) {
			b := newInbox(t)
			prepare(t, b)
			b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs}))
			b.live(t)
			b.f.beginRead(t)
			b.f.endRead(t)
			before := b.ownOf(t, night(b))
			b.seesEdited(t, night(b), map[hotel.Group]int64{hotel.Price: 4321})
			c := b.open(t, hotel.ConflictDrift)
			if c.Status != hotel.ConflictOpen || !strings.Contains(string(c.Facts), `"not_taken":{"code":"`+code+`"`) {
				t.Errorf("it is %s with facts %s", c.Status, c.Facts)
			}
			_, _, err := b.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: string(hotel.Theirs)})
			if r, refused := errors.AsType[*hotel.Refusal](err); !refused || len(r.Items) != 1 || r.Items[0].Code != code {
				t.Errorf("theirs by hand: %v, want a refusal of %s", err, code)
			}
			if own := b.ownOf(t, night(b)); own != before {
				t.Errorf("the house says %s, want %s as before", own, before)
			}
			b.f.catchUp(t)
			if got := b.productAt(hotel.Price, night(b)); got != 4321 {
				t.Errorf("%d is shown while somebody is asked, want 4321", got)
			}
			b.resolve(t, b.open(t, hotel.ConflictDrift), string(hotel.Ours), "")
			b.f.catchUp(t)
			if got := b.productAt(hotel.Price, night(b)); got == 4321 {
				t.Error("ours was decided, and theirs is shown")
			}
		})
	}
}

// TestTheHousesNewerWordIsNotTakenOver: what was typed at a channel before it was told
// what the house has said since is put right, whether that is worked out for the channel
// or not yet.
func TestTheHousesNewerWordIsNotTakenOver(t *testing.T) {
	for name, reaches := range map[string]func(*testing.T, *farSide){
		"not worked out for the house": func(*testing.T, *farSide) {},
		"not worked out for the channel": func(t *testing.T, f *farSide) {
			f.h.deriveAll(t)
		},
		"not told": func(t *testing.T, f *farSide) {
			f.h.deriveAll(t)
			for f.derive(t) {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newInbox(t)
			b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs}))
			b.live(t)
			b.f.beginRead(t)
			b.f.endRead(t)
			night := b.today + 3
			must(b.setPrice(b.double, b.flex, night, night, 13000))(t)
			reaches(t, b.f)
			b.seesEdited(t, night, map[hotel.Group]int64{hotel.Price: 12100})
			b.f.catchUp(t)
			if own, got := b.ownOf(t, night), b.productAt(hotel.Price, night); own != "price 13000 by api" || got != 13000 {
				t.Errorf("the house says %s and %d is shown, want the house's 13000", own, got)
			}
			b.f.looks(t)
			b.seesEdited(t, night, map[hotel.Group]int64{hotel.Price: 12500})
			if own := b.ownOf(t, night); own != "price 12500 by "+byChannel(b.f.id) {
				t.Errorf("what was typed after the channel was told leaves the house with %s", own)
			}
		})
	}
}

// TestWhatIsTypedIsTakenOverOnceTheHouseIsWorkedOut: that the house has said something
// of another night delays it, and is not taken for a push that was lost.
func TestWhatIsTypedIsTakenOverOnceTheHouseIsWorkedOut(t *testing.T) {
	b := newInbox(t)
	b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs}))
	b.live(t)
	b.f.beginRead(t)
	b.f.endRead(t)
	night := b.today + 3
	before := b.ownOf(t, night)
	must(b.setPrice(b.double, b.flex, night+1, night+1, 13000))(t)
	b.seesEdited(t, night, map[hotel.Group]int64{hotel.Price: 12100})
	if own := b.ownOf(t, night); own != before {
		t.Errorf("before it is worked out the house says %s, want %s", own, before)
	}
	b.f.catchUp(t)
	b.f.beginRead(t)
	b.f.endRead(t)
	if own := b.ownOf(t, night); own != "price 12100 by "+byChannel(b.f.id) {
		t.Errorf("the house says %s", own)
	}
}

// TestANightThatIsLeftOutBecomesNobodysLimit: where a channel that shows counts says nothing of a
// night nothing is on sale. That nobody has chosen: theirs tells it again, and takes a count of
// none that it does show.
func TestANightThatIsLeftOutBecomesNobodysLimit(t *testing.T) {
	for _, leftOut := range []bool{true, false} {
		t.Run(fmt.Sprint(leftOut), func(t *testing.T) {
			b := newInbox(t)
			b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAvailable: hotel.Theirs}))
			b.live(t)
			b.f.catchUp(t)
			b.f.looks(t)
			at := hotel.Cell{Line: b.f.counters[0].Line, Group: hotel.Availability, Night: b.today + 3}
			told := *b.f.at(at)
			if b.f.shown[at] = 0; leftOut {
				b.f.leftOut = map[hotel.Cell]bool{at: true}
			}
			for range 2 { // a sale might not have been heard of yet
				b.clock.move(3 * time.Hour)
				b.f.looks(t)
			}
			b.f.leftOut = nil
			b.deriveAll(t)
			b.f.catchUp(t)
			want := int64(0)
			if leftOut {
				want = told
			}
			if n := b.f.shown[at]; n != want || told == 0 {
				t.Errorf("the channel shows %d, was told %d, want %d", n, told, want)
			}
			b.sound(t)
		})
	}
}
