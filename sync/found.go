package sync

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// foundName is where the result of a channel's handshake is on its shelf. No connector
// has a name with a control character.
const foundName = "\x01handshake"

// finding is what a handshake found, and with which settings: with others something else
// may be found.
type finding struct {
	Settings json.RawMessage       `json:"settings"` // secrets hidden
	Found    connectors.Discovered `json:"found"`
}

// keepFound keeps what a handshake found for the next time that the channel is opened.
func (e *Engine) keepFound(ctx context.Context, c hotel.Channel, s *connectors.Settings, found connectors.Discovered) error {
	if !s.Discovers() {
		return nil
	}
	body, err := json.Marshal(finding{s.Redacted(), found})
	if err != nil {
		return fmt.Errorf("keep what a handshake found: %w", err)
	}
	return e.o.Ledger.Shelve(ctx, c.ID, foundName, body)
}

// found is what the last handshake found with the settings that the channel has, nothing
// where there was none.
func (e *Engine) found(ctx context.Context, c hotel.Channel, s *connectors.Settings) (connectors.Discovered, error) {
	if !s.Discovers() {
		return connectors.Discovered{}, nil
	}
	body, err := e.o.Ledger.Shelved(ctx, c.ID, foundName)
	if err != nil || len(body) == 0 {
		return connectors.Discovered{}, err
	}
	var last finding
	if err := json.Unmarshal(body, &last); err != nil {
		return connectors.Discovered{}, fmt.Errorf("read what a handshake found: %w", err)
	}
	if !bytes.Equal(last.Settings, s.Redacted()) {
		return connectors.Discovered{}, nil
	}
	return last.Found, nil
}
