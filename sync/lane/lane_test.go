package lane

import "testing"

func TestString(t *testing.T) {
	for l, want := range map[Lane]string{Lower: "lower", Pull: "pull", Raise: "raise", Rates: "rates", Ask: "ask", Read: "read", 0: "Lane(0)", 9: "Lane(9)"} {
		if got := l.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
