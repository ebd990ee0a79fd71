package inbound

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/contain"
)

// Rereader reads messages of a channel again that could not be read when they came, once
// somebody has asked for it: with another program, or other settings, they perhaps can
// be. Whatever comes of it, the message is asked for no more; of one that still cannot be
// read somebody is asked again.
type Rereader struct {
	Ledger  Ledger
	Channel hotel.Channel
	Read    connectors.Rereader // nil: its connector reads nothing twice
	Sink    *Sink
	Box     *contain.Box // what the connector is called in
	Log     *zap.Logger
	Timeout time.Duration // of one message
	Idle    time.Duration // how often to look without a wake-up
}

// Run reads whenever somebody has asked for it, until ctx ends.
func (r *Rereader) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		asked := r.Ledger.ActionsAsked()
		if err := r.look(ctx); err != nil && ctx.Err() == nil {
			r.Log.Warn("messages that could not be read were not read again", zap.String("channel", r.Channel.ID), zap.Error(err))
		}
		timer := time.NewTimer(r.Idle)
		select {
		case <-ctx.Done():
		case <-asked:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

func (r *Rereader) look(ctx context.Context) error {
	list, err := r.Ledger.MessagesToReread(ctx, r.Channel.ID)
	for _, kept := range list {
		m := r.read(ctx, kept)
		if ctx.Err() != nil {
			return ctx.Err() // it is asked for still
		}
		_, taken := r.Sink.take(ctx, kept.Key, m)
		err = errors.Join(err, taken)
	}
	return err
}

// read reads one message.
func (r *Rereader) read(ctx context.Context, kept ledger.UnreadMessage) connectors.Message {
	m, err := connectors.Message{}, errNotTwice
	if r.Read != nil {
		ctx, cancel := context.WithTimeout(ctx, r.Timeout)
		defer cancel()
		m, err = contain.Call(ctx, r.Box, "reread", func(ctx context.Context) (connectors.Message, error) { return r.Read.Reread(ctx, kept.Raw) })
	}
	if err != nil {
		m = connectors.Message{Problem: err.Error()}
	}
	if m.Problem != "" {
		m.Ref = cmp.Or(m.Ref, kept.Ref)
	}
	m.Key = cmp.Or(m.Key, kept.Key)
	m.Raw = kept.Raw
	return m
}

var errNotTwice = errors.New("its connector reads no message twice: have the channel send it again")
