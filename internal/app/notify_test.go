package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"testing"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/notify"
	"ostler.example/internal/testkit"
)

// A pager in a network of the house is called without TLS in production, where no
// webhook is; without the network it is not.
func TestThePagerOfTheHouseIsCalledWithoutTLS(t *testing.T) {
	t.Parallel()
	heard := make(chan string, 10)
	pager := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard <- r.Header.Get("webhook-signature") }))
	defer pager.Close()
	for name, tt := range map[string]struct {
		allow []netip.Prefix
		calls int
	}{
		"in a network of the house": {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, 1},
		"in none":                   {nil, 0},
	} {
		e, err := OpenEnvironment(t.Context(), EnvironmentOptions{
			Path: filepath.Join(testkit.Folder(t), "production.db"), Seal: auth.NewSeal([32]byte{}), Webhooks: config.Webhooks{AllowCIDRs: tt.allow},
			Sync: config.Default().Sync, Ledger: config.Default().Ledger, Clock: hotel.SystemClock{}, Log: zap.NewNop(),
			Notify: &NotifyOptions{Notify: config.Notify{WebhookSecret: "hook"}, Secret: func(string) (string, error) { return "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", nil }, Lasting: func(context.Context) []notify.Lasting {
				return []notify.Lasting{{Kind: hotel.NoticeBackupFailed, Topic: notify.BackupTopic, Since: hotel.SystemClock{}.Now()}}
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		n := hotel.Notifications{Recipients: []hotel.Recipient{{Name: "Pager", URL: pager.URL, Events: []hotel.NoticeKind{hotel.NoticeBackupFailed}}}}
		n.Complete()
		_, _, err = e.Ledger.CreateProperty(t.Context(), tester, hotel.Once{}, hotel.Property{
			Name: "Zur Post", TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE", CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00",
			HorizonDays: 40, Status: hotel.Active, Notifications: &n,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.notices.Look(t.Context()); err != nil && tt.calls > 0 {
			t.Errorf("%s: %v", name, err)
		}
		if len(heard) != tt.calls {
			t.Errorf("%s: %d calls of %d", name, len(heard), tt.calls)
		}
		for range len(heard) {
			<-heard
		}
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	}
}
