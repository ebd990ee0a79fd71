package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
)

// How long a webhook waits until it is sent again. The real ones wait from a minute on.
const (
	firstWait = time.Second
	lastWait  = time.Minute
	lookEvery = time.Minute // for revisions that nobody has acknowledged
)

// hookEvents are the names of webhooks about bookings.
var hookEvents = map[connectors.EventKind]string{
	connectors.Booked: "booking_new", connectors.Modified: "booking_modification", connectors.Cancelled: "booking_cancellation",
}

// callHooks sends webhooks until ctx ends. None of them outlives the process: they are
// hints, and the feed has the bookings.
func (s *Simulator) callHooks(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	wait := firstWait
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-s.kit.Book.Woken():
		}
		pause := lookEvery
		if err := s.callAll(ctx); err == nil {
			wait = firstWait
		} else if ctx.Err() == nil {
			s.o.Log.Info("webhook not taken, to be sent again", zap.Duration("wait", wait), zap.Error(err))
			pause, wait = wait, min(2*wait, lastWait)
		}
		timer.Reset(pause)
	}
}

// callAll sends everything that there is to tell and stops at the first failure.
func (s *Simulator) callAll(ctx context.Context) error {
	for {
		if more, err := s.CallOldest(ctx); err != nil || !more {
			return err
		}
	}
}

// CallOldest sends the oldest webhook once, and reports whether there was one. On an
// error it is sent again by the next call.
func (s *Simulator) CallOldest(ctx context.Context) (bool, error) {
	s.waiting() // what was not acknowledged in time is to be told of
	s.feed.mu.Lock()
	after := s.feed.hooked
	var late []simkit.Event
	late = append(late, s.feed.late...)
	s.feed.mu.Unlock()
	if len(late) > 0 {
		err := s.callHook(ctx, "non_acked_booking", late[0])
		if err == nil {
			s.feed.mu.Lock()
			s.feed.late = s.feed.late[1:]
			s.feed.mu.Unlock()
		}
		return true, err
	}
	events := s.kit.Book.Events(after, 1)
	if len(events) == 0 {
		return false, nil
	}
	if s.kit.Faults.Unmaps(events[0].Booking.Number) {
		if err := s.callHook(ctx, "booking_unmapped_room", events[0]); err != nil {
			return true, err
		}
	}
	err := s.callHook(ctx, hookEvents[events[0].Kind], events[0])
	if err == nil {
		s.feed.mu.Lock()
		s.feed.hooked = events[0].Seq
		s.feed.mu.Unlock()
	}
	return true, err
}

// callHook sends one webhook about a booking once.
func (s *Simulator) callHook(ctx context.Context, event string, e simkit.Event) error {
	return s.Report(ctx, event, map[string]string{"property_id": s.o.Hotel, "booking_id": bookingID(e.Booking), "revision_id": revisionID(e.Booking)})
}

// Report sends a webhook about anything once: an agency that was switched off, a sync that
// has failed. What is answered below 500 is over.
func (s *Simulator) Report(ctx context.Context, event string, payload map[string]string) error {
	to := s.o.InboundURL()
	if to == "" {
		return errors.New("it is not known where to")
	}
	body, _ := json.Marshal(map[string]any{ // text: nothing that can fail
		"event": event, "property_id": s.o.Hotel, "user_id": nil, "timestamp": s.o.Clock.Now().UTC().Format(time.RFC3339), "payload": payload,
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Channex-Webhook-Secret", s.webhookSecret())
	resp, err := s.o.Client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	if resp.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("answered %d", resp.StatusCode)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		s.o.Log.Warn("webhook refused for good", zap.String("event", event), zap.Int("status", resp.StatusCode))
	}
	return nil
}
