package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// channelFarSide is a pretend channel, and the channel that it is the far side of.
type channelFarSide struct {
	channel string
	*farSide
	url     string         // where it answers
	besides map[string]any // settings that its far side does not tell over the wire
}

// settings are those of the channel, over the defaults of its connector.
func (f channelFarSide) settings() (json.RawMessage, error) {
	told := f.instance.Settings(f.url)
	if len(f.besides) == 0 {
		return told, nil
	}
	var all map[string]any
	if err := json.Unmarshal(told, &all); err != nil {
		return nil, fmt.Errorf("settings of the simulator of %s: %w", f.channel, err)
	}
	maps.Copy(all, f.besides)
	return json.Marshal(all)
}

// farSideSecret returns what both sides of a folder's pretend channels know.
func farSideSecret(dir string) (string, error) {
	path := filepath.Join(dir, "sim", "secret")
	raw, err := os.ReadFile(path)
	if known := strings.TrimSpace(string(raw)); err == nil && known != "" {
		return known, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return "", err
	}
	secret := rand.Text()
	return secret, writeFile(path, []byte(secret), 0o600)
}

// connectFarSides tells the ledger where the pretend channels are now, and sets those
// live that are to be. A new far side shows no room on any night: that is the opening
// balance.
func connectFarSides(ctx context.Context, e *Environment, sides []channelFarSide, operator string, goesLive func(hotel.Channel) bool) error {
	l := e.Ledger
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: operator}}
	for _, f := range sides {
		s, err := l.Channel(ctx, f.channel)
		if err != nil {
			return err
		}
		driver, ok := connectors.Lookup(s.Connector)
		if !ok {
			return fmt.Errorf("this program has no connector %s", s.Connector)
		}
		own, err := f.settings()
		if err != nil {
			return err
		}
		settings, err := driver.Configure(nil, own)
		if err != nil {
			return err
		}
		sealed, err := e.Engine.Seal(s.Connector, s.Settings, settings.JSON())
		if err != nil {
			return err
		}
		if account := s.Connector + ":" + settings.Account(); account != s.Account || !bytes.Equal(sealed, s.Settings) {
			_, _, err := l.ChangeChannel(ctx, by, hotel.Once{}, s.ID, 0, func(c *hotel.Channel) error {
				c.Settings, c.Account = sealed, account
				if !c.Told() { // later it is there still, also where it has another port by now
					c.Place = s.Connector + ":" + settings.Place()
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if goesLive(s.Channel) {
			if err := l.GoLive(ctx, by, s.ID, 0); err != nil {
				return err
			}
		}
	}
	return nil
}
