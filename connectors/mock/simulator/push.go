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
	"time"

	"go.uber.org/zap"
)

// How long the channel waits before it sends a message again.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 30 * time.Second
)

// push sends the messages that wait to the hotel's side, oldest first, each
// until it is answered 200. What is not answered is in the book, so a message
// outlives the process.
func (s *Simulator) push(ctx context.Context) error {
	wait := firstWait
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-s.kit.Book.Woken():
		}
		err := s.pushAll(ctx)
		if err == nil {
			wait = firstWait
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		s.o.Log.Info("message not taken, to be sent again", zap.Duration("wait", wait), zap.Error(err))
		timer.Reset(wait)
		wait = min(2*wait, lastWait)
	}
}

// pushAll sends everything that waits and stops at the first failure.
func (s *Simulator) pushAll(ctx context.Context) error {
	for {
		if more, err := s.PushOldest(ctx); err != nil || !more {
			return err
		}
	}
}

// PushOldest sends the oldest message that waits, once, and reports whether
// there was one. On an error it still waits.
func (s *Simulator) PushOldest(ctx context.Context) (bool, error) {
	waiting := s.kit.Book.Events(0, 1)
	if len(waiting) == 0 {
		return false, nil
	}
	e := waiting[0]
	body, err := json.Marshal(s.event(e))
	if err != nil {
		return true, fmt.Errorf("write message %d: %w", e.Seq, err)
	}
	if err := s.pushOne(ctx, body); err != nil {
		return true, fmt.Errorf("push message %d: %w", e.Seq, err)
	}
	if err := s.kit.Book.Acknowledge(e.Seq); err != nil {
		return true, fmt.Errorf("note message %d as taken: %w", e.Seq, err)
	}
	return true, nil
}

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
