package channex

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/hotel"
)

// TestWhatChannexTellsIsReported: what somebody at the hotel should know of, once for each
// agency, in a form in which its end is found too; of guests nothing is told.
func TestWhatChannexTellsIsReported(t *testing.T) {
	config := sound()
	config.WebhookSecret = "sixteen characters"
	for _, c := range []struct {
		name, event, payload string
		want                 []hotel.ChannelReport
	}{
		{
			"a sync that failed", "sync_error", `{"channel":"BDC","channel_id":"c1","channel_name":"Locanda Seaview","error_type":"authorization_error","property_name":"Seaview"}`,
			[]hotel.ChannelReport{{Code: "sync_error", Of: "Locanda Seaview", Reason: "authorization_error", Severity: hotel.Warning}},
		},
		{"one that says nothing", "sync_warning", `null`, []hotel.ChannelReport{{Code: "sync_warning", Severity: hotel.Info}}},
		{"one of another form", "rate_error", `["x"]`, []hotel.ChannelReport{{Code: "rate_error", Severity: hotel.Warning}}},
		{"an agency switched off", "deactivate_channel", `{"title":"Seaview","channel_id":"c1","ota_name":"Expedia"}`, []hotel.ChannelReport{{Code: "deactivate_channel", Of: "Seaview", Severity: hotel.Critical}}},
		{"and on again", "activate_channel", `{"title":"Seaview","channel_id":"c1","ota_name":"Expedia"}`, []hotel.ChannelReport{{Code: "deactivate_channel", Of: "Seaview", Over: true}}},
		{
			"an agency that will be removed", "channel_removal_warning", `{"channel_name":"Old","days_left":7,"removal_date":"2027-01-05T00:00:00"}`,
			[]hotel.ChannelReport{{Code: "channel_removal_warning", Of: "Old", Reason: "2027-01-05", Severity: hotel.Warning}},
		},
		{
			"a booking that nobody acknowledged", "non_acked_booking", `{"booking_unique_id":"BDC-1","channel_id":"c1","customer_name":"Ada Lovelace"}`,
			[]hotel.ChannelReport{{Code: "non_acked_booking", Reason: "BDC-1", Severity: hotel.Warning}},
		},
		{"a secret in its words", "sync_error", `{"error_type":"sixteen characters are wrong"}`, []hotel.ChannelReport{{Code: "sync_error", Reason: "*** are wrong", Severity: hotel.Warning}}},
		{"a room that is not mapped, which the booking tells", "booking_unmapped_room", `{}`, nil},
		{"a review", "review", `{"title":"Nice"}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []hotel.ChannelReport
			failing := errors.New("the disk is full")
			heard := hinted{&conn{cfg: config, log: zap.NewNop(), shelf: kept{}, tell: func(_ context.Context, r hotel.ChannelReport) error {
				got = append(got, r)
				return failing
			}}}
			call := func() int {
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"event":"`+c.event+`","property_id":"P1","payload":`+c.payload+`}`))
				r.Header.Set(secretHeader, config.WebhookSecret)
				heard.Handler(&hearing{}).ServeHTTP(w, r)
				return w.Code
			}
			if status := call(); (status == http.StatusServiceUnavailable) != (c.want != nil) {
				t.Errorf("answered %d when nothing can be kept", status)
			}
			failing, got = nil, nil
			if status := call(); status != http.StatusOK {
				t.Errorf("answered %d", status)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
