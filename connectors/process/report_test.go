package process

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// TestReports: what a program reports is told without its secrets, and the program hears
// what of it was not kept, and why.
func TestReports(t *testing.T) {
	t.Parallel()
	for _, full := range []bool{false, true} {
		var got []hotel.ChannelReport
		opened, err := open(t.Context(), configOf("reports"), connectors.Env{ChannelID: "ch_1", Log: zap.NewNop(), Clock: hotel.SystemClock{}, Report: func(_ context.Context, r hotel.ChannelReport) error {
			if full {
				return errors.New("the disk is full, at hunter2hunter2")
			}
			got = append(got, r)
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		products, err := opened.(*conn).Products(t.Context())
		if err := errors.Join(err, opened.Close()); err != nil {
			t.Fatal(err)
		}
		var came []string
		for _, p := range products {
			came = append(came, p.Room+" "+p.RoomName)
		}
		kept, want := "", []hotel.ChannelReport{
			{Code: "sync_error", Of: "Locanda Online", Reason: "out of luck, with secret ***", Severity: hotel.Critical},
			{Code: "sync_error", Of: "Locanda Online", Over: true},
		}
		if full {
			kept, want = "the disk is full, at ***", nil
		}
		answers := []string{"0 " + kept, "1 code: say what is reported", fmt.Sprintf("2 severity: %q is none of info, warning and critical", "loud"), "3 " + kept}
		if diff := cmp.Diff(answers, came); diff != "" {
			t.Errorf("it hears (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("reported is (-want +got):\n%s", diff)
		}
	}
}
