package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/ledger/internal/ledgerdb"
)

// UnreadMessage is a message of a channel that nobody could read.
type UnreadMessage struct {
	Key, Ref   string
	Problem    string // it may quote the message
	Raw        []byte
	ReceivedAt time.Time
}

// UnreadMessages lists what a channel sent that could not be read, oldest first, also
// what somebody has dismissed.
func (l *Ledger) UnreadMessages(ctx context.Context, channel string) ([]UnreadMessage, error) {
	rows, err := l.read.UnreadMessages(ctx, channel)
	if err != nil {
		return nil, fmt.Errorf("list unread messages of channel %s: %w", channel, err)
	}
	return unreadMessages(rows), nil
}

// MessagesToReread lists the messages of a channel that somebody wants read once more,
// oldest first. Each is given back to [Ledger.Receive] as a [Receipt] that says so in
// Again, whether or not it can be read.
func (l *Ledger) MessagesToReread(ctx context.Context, channel string) ([]UnreadMessage, error) {
	rows, err := l.read.MessagesToReread(ctx, channel)
	if err != nil {
		return nil, fmt.Errorf("list messages of channel %s to read again: %w", channel, err)
	}
	return unreadMessages(rows), nil
}

func unreadMessages(rows []ledgerdb.Message) []UnreadMessage {
	out := make([]UnreadMessage, len(rows))
	for i, r := range rows {
		out[i] = UnreadMessage{Key: r.Key, Ref: r.Ref, Problem: r.Problem, Raw: r.Raw, ReceivedAt: instant(r.ReceivedAt)}
	}
	return out
}
