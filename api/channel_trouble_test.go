package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// A channel that breaks the rules is shown with what it did, and the feed tells of
// it with the channel as it stands.
func TestFlagsOfAChannel(t *testing.T) {
	h := newHouse(t)
	id := h.draft()
	if flags := h.call("GET", "/v1/channels/"+id, "").want(t, 200, "").json(t)["flags"].([]any); len(flags) != 0 {
		t.Errorf("flags of a new channel: %v", flags)
	}
	if err := h.ledger.Flag(t.Context(), id, "read", hotel.Fault{Kind: hotel.FaultNumber, Words: "-1 rooms"}); err != nil {
		t.Fatal(err)
	}
	flags := h.call("GET", "/v1/channels/"+id, "").want(t, 200, "").json(t)["flags"].([]any)
	flag := flags[0].(map[string]any)
	if len(flags) != 1 || flag["part"] != "read" || flag["fault"] != "number" || flag["detail"] != "-1 rooms" || flag["times"] != 1.0 || flag["since"] == nil {
		t.Errorf("flags %v", flags)
	}
	list := h.call("GET", "/v1/events?type=channel.flagged", "").want(t, 200, "").json(t)["data"].([]any)
	object := list[0].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)
	if len(list) != 1 || object["id"] != id || len(object["flags"].([]any)) != 1 {
		t.Errorf("events %v", list)
	}
}

// A channel whose credentials are refused is in error, says so, and when they are
// tried again.
func TestChannelThatIsDenied(t *testing.T) {
	h := newHouse(t)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer refuses.Close()
	id := h.call("POST", "/v1/channels", channel(refuses.URL, "")).want(t, 201, "").json(t)["id"].(string)
	path := "/v1/channels/" + id
	if err := h.ledger.GoLive(t.Context(), hotel.By{Actor: hotel.System}, id, 0); err != nil {
		t.Fatal(err)
	}
	if err := h.engine.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.engine.Stop(); err != nil {
			t.Error(err)
		}
	}()
	h.call("POST", path+"/test", "").want(t, 502, "channel_error")
	got := h.call("GET", path, "").want(t, 200, "").json(t)
	if got["status"] != "error" || got["circuit"] != "open" || got["circuit_cause"] != "denied" || got["circuit_since"] == nil || got["retry_at"] == nil || got["last_error"] == nil {
		t.Errorf("the channel is %v %v %v since %v, tried again %v: %v", got["status"], got["circuit"], got["circuit_cause"], got["circuit_since"], got["retry_at"], got["last_error"])
	}
	entered := h.call("GET", "/v1/events?type=channel.error", "").want(t, 200, "").json(t)["data"].([]any)
	if len(entered) != 1 || entered[0].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)["status"] != "error" {
		t.Errorf("told of the error by %v", entered)
	}
	list := h.call("GET", "/v1/events?type=channel.circuit_opened", "").want(t, 200, "").json(t)["data"].([]any)
	object := list[0].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)
	if len(list) != 1 || object["channel_id"] != id || object["cause"] != "denied" || object["failures"] != 1.0 || !strings.HasSuffix(fmt.Sprint(object["retry_at"]), "Z") || len(object["retry_at"].(string)) != len("2026-11-29T08:00:00.000Z") {
		t.Errorf("events %v", list)
	}
}
