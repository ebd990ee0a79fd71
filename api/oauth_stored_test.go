package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/mattn/go-sqlite3" //nolint:depguard // what the ledger fails with on a full disk
	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger" //nolint:depguard // a store that fails as it does
)

// unstoring is a store that can write nothing.
type unstoring struct {
	*ledger.Ledger
	err error
}

func (u *unstoring) StoreToken(context.Context, auth.Token) error { return u.err }

// A token that the ledger cannot store is not our fault to a client, which would stop
// asking, but something to wait for.
func TestTokenThatCannotBeStored(t *testing.T) {
	h := newHouse(t)
	store := &unstoring{Ledger: h.ledger}
	h.handler.(*server).auth = must(auth.New(t.Context(), auth.Options{Store: store, Clock: h.clock, Log: zap.NewNop()}))(t)
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {h.client.ID}, "client_secret": {h.secret}}.Encode()
	for name, tt := range map[string]struct {
		err        error
		status     int
		code, wait string
	}{
		"the disk is full":           {sqlite3.Error{Code: sqlite3.ErrFull}, 503, "temporarily_unavailable", "1"},
		"nobody knows":               {ledger.ErrUnknown, 503, "temporarily_unavailable", "1"},
		"the ledger refuses":         {hotel.Refuse("temporarily_unavailable", "it is being copied"), 503, "temporarily_unavailable", "1"},
		"the fault is in the ledger": {errors.New("no such table"), 500, "server_error", ""},
	} {
		store.err = tt.err
		got := h.call("POST", "/v1/oauth/token", form, "Authorization:", "Content-Type: "+mediaForm)
		if said := fmt.Sprint(got.json(t)["error"]); got.StatusCode != tt.status || said != tt.code || got.Header.Get("Retry-After") != tt.wait {
			t.Errorf("%s: %d %s, after %q", name, got.StatusCode, got.body, got.Header.Get("Retry-After"))
		}
	}
}
