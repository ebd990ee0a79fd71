package ledger

import (
	"encoding/json"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// CredentialsFacts is what a channel says of credentials that it does not take.
type CredentialsFacts struct {
	Since time.Time `json:"since"`
	Words string    `json:"words"` // the channel's
}

// credentials raises that the channels of an account do not take our credentials,
// once an outage, and ends that when they do. Whoever had them tried again and is
// refused again is told again; whoever paused a channel is not.
func (t *tx) credentials(channels []ledgerdb.ChannelsOfAccountRow, s, was Standing) error {
	for _, c := range channels {
		if s.Cause != hotel.Denied {
			if was.Cause != hotel.Denied {
				continue
			}
			if err := t.overTopic(c.PropertyID, hotel.ConflictCredentials, c.ID); err != nil {
				return err
			}
			continue
		}
		if was.Cause == hotel.Denied && hotel.ChannelStatus(c.Status) == hotel.Paused {
			continue
		}
		facts, err := json.Marshal(CredentialsFacts{Since: s.Since, Words: s.Words})
		if err != nil {
			return err
		}
		err = t.raise(hotel.Conflict{
			PropertyID: c.PropertyID, ChannelID: c.ID, Kind: hotel.ConflictCredentials, Topic: c.ID, Severity: hotel.Critical, Facts: facts,
			Subject: hotel.ConflictSubject{Type: "channel", ID: c.ID},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// enactCredentials has credentials tried again at once, or the channel paused.
func (t *tx) enactCredentials(c *hotel.Conflict, d hotel.ConflictDecision) error {
	_, of, err := t.channel(c.ChannelID)
	if err != nil {
		return err
	}
	if d.Option == hotel.OptionPause {
		return t.pause(of, false)
	}
	return t.reopen(of)
}

// reopen has a channel opened anew as it is, whereby its credentials are tried.
func (t *tx) reopen(c hotel.Channel) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	err = t.q.UpdateChannel(t.ctx, ledgerdb.UpdateChannelParams{
		Status: string(c.Status), Account: c.Account, Settings: string(c.Settings), Body: string(body), UpdatedAt: t.micros(), ID: c.ID,
	})
	if err != nil {
		return err
	}
	_, err = t.append(entry{property: c.PropertyID, kind: ChannelUpdated, subject: c.ID, body: ChannelBody{Channel: c}})
	return err
}
