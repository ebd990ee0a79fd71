package ledger

import (
	"encoding/json"
	"fmt"
	"sync"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// readTerms keeps what was read of texts of terms. Each step of every channel asks for
// them, and they change only when a connector is opened with other abilities.
var readTerms = struct {
	sync.Mutex
	of map[string]hotel.Terms
}{of: map[string]hotel.Terms{}}

// mostTerms is how many of them are kept, before all are read anew.
const mostTerms = 256

// termsOf returns what a channel's connector promised when it was last opened; of
// one that never was, nothing. Whoever asks only reads them.
func termsOf(channel ledgerdb.Channel) (hotel.Terms, error) {
	if channel.Terms == "" {
		return hotel.Terms{}, nil
	}
	readTerms.Lock()
	defer readTerms.Unlock()
	if terms, known := readTerms.of[channel.Terms]; known {
		return terms, nil
	}
	var terms hotel.Terms
	if err := json.Unmarshal([]byte(channel.Terms), &terms); err != nil {
		return terms, fmt.Errorf("terms of channel %s: %w", channel.ID, err)
	}
	if len(readTerms.of) >= mostTerms {
		clear(readTerms.of)
	}
	readTerms.of[channel.Terms] = terms
	return terms, nil
}

func abilityOf(channel ledgerdb.Channel) (exposure.Ability, error) {
	terms, err := termsOf(channel)
	return exposure.Of(terms), err
}
