package simulator

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"ostler.example/connectors/simkit"
)

// pusher sends every message to the hotel's side until it is answered 200.
func (s *Simulator) pusher() simkit.Pusher {
	return simkit.Pusher{Book: s.kit.Book, Log: s.o.Log, Push: func(ctx context.Context, e simkit.Event) error {
		body, err := json.Marshal(s.event(e))
		if err != nil {
			return err
		}
		return s.pushOne(ctx, body)
	}}
}

// PushOldest sends the oldest message that waits, once, and reports whether
// there was one. On an error it still waits.
func (s *Simulator) PushOldest(ctx context.Context) (bool, error) { return s.pusher().Oldest(ctx) }

// pushOne sends one message once.
func (s *Simulator) pushOne(ctx context.Context, body []byte) error {
	to := s.o.InboundURL()
	if to == "" {
		return errors.New("it is not known where to")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(s.o.Secret))
	mac.Write(body)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Mock-Signature", hex.EncodeToString(mac.Sum(nil)))
	resp, err := s.o.Client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %d", resp.StatusCode)
	}
	return nil
}
