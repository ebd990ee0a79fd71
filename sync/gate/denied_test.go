package gate

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
)

// TestOneOperationIsDenied: a far side whose key may write and not read keeps closings back
// once, and is asked to be read four times an hour from then on.
func TestOneOperationIsDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened := 0
		g := open(t, Options{OnChange: func(c Transition) {
			if c.To == Open {
				opened++
			}
		}})
		push := func() (waited time.Duration) {
			before := time.Now()
			p, err := g.Pass(t.Context(), Ticket{Lane: 1, Operation: "push"})
			if err != nil {
				t.Fatal(err)
			}
			p.Done(Result{Outcome: Succeeded})
			return time.Since(before)
		}
		push()
		reads := 0
		stop := make(chan struct{})
		over := make(chan struct{})
		go func() { // whatever is due for long asks again at once
			defer close(over)
			for {
				p, err := g.Pass(t.Context(), Ticket{Lane: 2, Operation: "read"})
				if err != nil {
					return
				}
				select {
				case <-stop:
					p.Done(Result{Outcome: Unsent})
					return
				default:
				}
				reads++
				time.Sleep(time.Second)
				p.Done(Result{Outcome: Denied, Words: "answered 403"})
				time.Sleep(30 * time.Second)
			}
		}()
		waits := 0
		for range 200 {
			time.Sleep(17 * time.Second)
			if push() > 2*time.Second {
				waits++
			}
		}
		if opened != 1 || waits != 1 || reads > 7 {
			t.Errorf("the breaker opened %d times, %d closings waited, and there were %d reads", opened, waits, reads)
		}
		close(stop)
		g.Close()
		<-over
	})
}

// TestEveryOperationIsDenied: credentials that are not taken any more are found out by the
// next call, whatever it is, and the far side is left alone.
func TestEveryOperationIsDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{})
		pass(t, g, Ticket{Operation: "push"}).Done(Result{Outcome: Succeeded})
		pass(t, g, Ticket{Operation: "read"}).Done(Result{Outcome: Denied, Words: "answered 401"})
		p, err := g.Pass(t.Context(), Ticket{Operation: "push"})
		if err != nil {
			t.Fatal(err)
		}
		p.Done(Result{Outcome: Denied, Words: "answered 401"})
		before := time.Now()
		if _, err := g.Pass(t.Context(), Ticket{Operation: "push"}); err != nil || time.Since(before).Round(time.Second) != DeniedFor {
			t.Errorf("the next call goes after %s: %v", time.Since(before), err)
		}
		if st := g.Status(); st.Cause != hotel.Denied {
			t.Errorf("the account stands %+v", st)
		}
	})
}
