package contain

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWhatACallReturns(t *testing.T) {
	said := errors.New("its own words")
	for _, c := range []struct {
		name  string
		f     func(context.Context) (int, error)
		value int
		err   error
		fault hotel.FaultKind
	}{
		{"what it says", func(context.Context) (int, error) { return 7, nil }, 7, nil, ""},
		{"its own error", func(context.Context) (int, error) { return 7, said }, 7, said, ""},
		{"a panic", func(context.Context) (int, error) { panic("oh") }, 0, nil, hotel.FaultPanic},
		{"a panic with nothing", func(context.Context) (int, error) { panic(nil) }, 0, nil, hotel.FaultPanic},
		{"the end of its context, in its own words", func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, said }, 0, said, ""},
		{"the same, a moment late", func(ctx context.Context) (int, error) { <-ctx.Done(); time.Sleep(time.Second); return 0, said }, 0, said, ""},
		{"too late", func(ctx context.Context) (int, error) { time.Sleep(time.Hour); return 7, nil }, 0, nil, hotel.FaultHung},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				value, err := Call(ctx, new(Box), "try", c.f)
				fault, faulty := FaultOf(err)
				if value != c.value || fault.Kind != c.fault || faulty != (c.fault != "") || c.err != nil && !errors.Is(err, c.err) {
					t.Errorf("%d, %v, fault %+v", value, err, fault)
				}
				if e := connectors.AsError(err); faulty && (e.Kind != connectors.Temporary || e.Effect != connectors.Possible) {
					t.Errorf("%+v, want nobody to know what it did", e)
				}
				time.Sleep(2 * time.Hour) // whatever was left behind ends
			})
		})
	}
}

// A connector that never ends is called a few times and then no more, until a call
// of it does end.
func TestCallsLeftBehindAreFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, release := new(Box), make(chan struct{})
		var calls atomic.Int32
		try := func() error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := Call(ctx, b, "try", func(context.Context) (int, error) {
				calls.Add(1)
				<-release
				return 0, nil
			})
			return err
		}
		var err error
		for range 3 * mostLeft {
			err = try()
		}
		if e := connectors.AsError(err); calls.Load() != mostLeft || e.Effect != connectors.NotSent {
			t.Errorf("%d calls and then %v", calls.Load(), err)
		}
		close(release)
		synctest.Wait()
		if err := try(); err != nil || calls.Load() != mostLeft+1 {
			t.Errorf("once they have ended: %v", err)
		}
	})
}

func TestAnswer(t *testing.T) {
	a, b := connectors.Key{Room: "A"}, connectors.Key{Room: "B"}
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		name   string
		answer connectors.Answer
		want   connectors.Answer
		fault  hotel.FaultKind
	}{
		{
			"about what was in the call",
			connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{a: {Outcome: connectors.Rejected, Words: "no"}}, Ref: "r"},
			connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{a: {Outcome: connectors.Rejected, Words: "no"}}, Ref: "r"},
			"",
		},
		{
			"about something else: nothing is settled",
			connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{b: {Outcome: connectors.Applied}}},
			connectors.Answer{},
			hotel.FaultForeign,
		},
		{
			"with outcomes that there are not",
			connectors.Answer{Rest: 9, Keys: map[connectors.Key]connectors.Verdict{a: {Outcome: 8}}},
			connectors.Answer{Keys: map[connectors.Key]connectors.Verdict{a: {}}},
			hotel.FaultNumber,
		},
		{
			"with a mountain of words",
			connectors.Answer{Rest: connectors.Applied, Ref: long, Excerpt: long + "\xff", Keys: map[connectors.Key]connectors.Verdict{a: {Words: long}}},
			connectors.Answer{Rest: connectors.Applied, Excerpt: long[:mostWords], Keys: map[connectors.Key]connectors.Verdict{a: {Words: long[:mostWords]}}},
			"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want.Keys == nil && c.fault == "" {
				c.want.Keys = map[connectors.Key]connectors.Verdict{}
			}
			got, fault := Answer(c.answer, []connectors.Key{a})
			if diff := cmp.Diff(c.want, got); diff != "" || fault.Kind != c.fault {
				t.Errorf("fault %+v, answer (-want +got):\n%s", fault, diff)
			}
		})
	}
}

func TestShown(t *testing.T) {
	count := func(room string, night hotel.Date, n int) connectors.Change {
		return connectors.Change{Key: connectors.Key{Room: room, Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: n}}
	}
	for _, c := range []struct {
		name  string
		shown []connectors.Change
		want  []connectors.Change
		fault hotel.FaultKind
	}{
		{"in no order", []connectors.Change{count("D", 12, 1), count("D", 11, 2)}, []connectors.Change{count("D", 12, 1), count("D", 11, 2)}, ""},
		{"twice alike", []connectors.Change{count("D", 11, 2), count("D", 11, 2)}, []connectors.Change{count("D", 11, 2)}, ""},
		{"twice, not alike", []connectors.Change{count("D", 11, 2), count("D", 12, 1), count("D", 11, 3), count("D", 11, 2)}, []connectors.Change{count("D", 12, 1)}, hotel.FaultContradiction},
		{"below nothing, after a number that can be", []connectors.Change{count("D", 11, 2), count("D", 11, -2)}, nil, hotel.FaultNumber},
		{"another room", []connectors.Change{count("E", 11, 2), count("D", 11, 1)}, []connectors.Change{count("D", 11, 1)}, hotel.FaultForeign},
		{"another night", []connectors.Change{count("D", 20, 2)}, nil, hotel.FaultForeign},
		{
			"a price below nothing",
			[]connectors.Change{{Key: connectors.Key{Room: "D", Group: hotel.Price, Night: 11}, Offer: hotel.Offer{Amount: hotel.Money{Minor: -1}}}},
			nil, hotel.FaultNumber,
		},
		{
			"a stay below nothing",
			[]connectors.Change{{Key: connectors.Key{Room: "D", Group: hotel.Lengths, Night: 11}, Offer: hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: -1}}}},
			nil, hotel.FaultNumber,
		},
		{"more than there can be", make([]connectors.Change, mostShown+1), nil, hotel.FaultOversized},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, fault := Shown(c.shown, "D", hotel.Span{From: 10, To: 15})
			if len(got) != len(c.want) || len(got) > 0 && cmp.Diff(c.want, got) != "" || fault.Kind != c.fault {
				t.Errorf("%+v, fault %+v, want %+v, %q", got, fault, c.want, c.fault)
			}
		})
	}
}

// What a connector panics with may quote a guest; what the machine says does not.
func TestAPanicQuotesNobody(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"the name of a guest", "its connector panicked with a string"},
		{beyond(), "its connector panicked: runtime error: index out of range [1] with length 1"},
	} {
		if got := Panic(c.value); got != c.want {
			t.Errorf("told %q, want %q", got, c.want)
		}
	}
}

// beyond is what the machine says of an element that is not there.
func beyond() (said any) {
	defer func() { said = recover() }()
	list, at := make([]int, 1), 1
	return list[at]
}
