package main

import (
	"strings"
	"testing"
	"text/tabwriter"
)

// A channel that comes to read is shown with when it did, calendar by calendar.
func TestShowsWhenAChannelHasRead(t *testing.T) {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 1, ' ', 0)
	showChannel(w, object{"id": "ch_1", "published": []any{
		map[string]any{"name": "double-1", "read_at": "2027-01-01T09:00:00Z"}, map[string]any{"name": "double-2", "read_at": nil},
	}})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"read by the site double-1: 2027-01-01T09:00:00Z\n", "read by the site double-2: never\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it says\n%s\nwithout %q", out.String(), want)
		}
	}
}
