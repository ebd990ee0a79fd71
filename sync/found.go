package sync

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/inbound"
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
	if err := e.o.Ledger.Shelve(ctx, c.ID, foundName, body); err != nil {
		return err
	}
	return e.reportUnable(ctx, c, lacks(s, found))
}

// reportUnable has somebody look at a live channel whose far side does not take any more
// what the channel is told: from now on it is not told that, and sells what is closed, or
// below a length of stay. It is over once a test finds all of it taken.
func (e *Engine) reportUnable(ctx context.Context, c hotel.Channel, lacks []string) error {
	r := hotel.ChannelReport{Code: "channel_unable", Over: len(lacks) == 0}
	if !r.Over {
		if !c.Live() {
			return nil // it is refused as it goes live
		}
		r.Severity = hotel.Critical
		r.Reason = fmt.Sprintf("its last test found that the far side does not take any more what the channel tells it (%s): it goes on selling there without. Have it taken there again and test the channel, or change the channel's settings", strings.Join(lacks, ", "))
	}
	return inbound.Report(ctx, e.o.Ledger, c.ID, r)
}

// lacks are the fields that a channel tells by its settings and that the far side does not
// take, as a handshake found.
func lacks(s *connectors.Settings, found connectors.Discovered) []string {
	taken := s.Capabilities(found).Fields
	var lacks []string
	for f := range s.Capabilities(connectors.Discovered{}).Fields {
		if _, takes := taken[f]; !takes {
			lacks = append(lacks, string(f))
		}
	}
	slices.Sort(lacks)
	return lacks
}

// takes refuses to have a channel told what its far side does not take, as the last
// handshake found: calls for it would be refused one after the other, and a closing that is
// one of them would close nothing. One that was not tested as it is set up now is tested.
func (e *Engine) takes(ctx context.Context, c hotel.Channel) error {
	settings, err := e.settings(c.Connector, c.Settings)
	if err != nil {
		return notReached(err)
	}
	found, known, err := e.found(ctx, c, settings)
	if err == nil && !known && settings.Discovers() {
		if _, err = e.Test(ctx, c); err == nil {
			found, _, err = e.found(ctx, c, settings)
		}
	}
	if err != nil {
		return err
	}
	lacks := lacks(settings, found)
	if len(lacks) == 0 {
		return nil
	}
	r := hotel.Refuse("channel_unable", "the far side does not take what the channel's settings tell it (%s), as its last test found: change the settings, or test it again where the far side has changed", strings.Join(lacks, ", "))
	r.Members = map[string]any{"fields": lacks}
	return r
}

// found is what the last handshake found with the settings that the channel has; it reports
// false where there was none.
func (e *Engine) found(ctx context.Context, c hotel.Channel, s *connectors.Settings) (found connectors.Discovered, known bool, err error) {
	if !s.Discovers() {
		return found, false, nil
	}
	body, err := e.o.Ledger.Shelved(ctx, c.ID, foundName)
	if err != nil || len(body) == 0 {
		return found, false, err
	}
	var last finding
	if err := json.Unmarshal(body, &last); err != nil {
		return found, false, fmt.Errorf("read what a handshake found: %w", err)
	}
	if !bytes.Equal(last.Settings, s.Redacted()) {
		return found, false, nil
	}
	return last.Found, true, nil
}
