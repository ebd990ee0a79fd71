package mock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// operations are where each is called, and what errors call it.
var operations = map[string]struct{ path, op string }{
	updateAvailability: {"availability", "update availability"},
	updateRates:        {"rates", "update rates"},
}

// Send implements [connectors.Connector].
func (c *conn) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	how, known := operations[call.Operation]
	if !known {
		return connectors.Answer{}, &connectors.Error{
			Kind: connectors.Invalid, Effect: connectors.NotSent, Op: "send",
			Err: fmt.Errorf("there is no operation %q", call.Operation),
		}
	}
	reply, err := c.do(ctx, how.op, http.MethodPost, c.address(how.path, nil), call.Body, c.stamp(call))
	if err != nil {
		return connectors.Answer{}, err
	}
	answer, err := parseAnswer(reply.Body, call.Keys, c.cfg.Secret)
	if err != nil {
		return connectors.Answer{}, unreadable(how.op, err)
	}
	for _, o := range c.cfg.takes() {
		if o.Name == call.Operation {
			o.Spoil(&answer, call.Keys)
		}
	}
	return answer, nil
}

// maxWords bounds what is kept of the far side's words.
const maxWords = 4 << 10

// parseAnswer matches what the far side refused with the keys of the call, by
// content. A refusal of something that was not in the call is kept under its own
// key, so that the engine sees it.
func parseAnswer(body []byte, keys []connectors.Key, secret string) (connectors.Answer, error) {
	var said updateAnswer
	if err := json.Unmarshal(body, &said); err != nil {
		return connectors.Answer{}, err
	}
	if said.Reference == "" {
		return connectors.Answer{}, errors.New("it has no reference") // {} or a page of somebody else's
	}
	answer := connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{}, Ref: said.Reference}
	for _, r := range said.Rejected {
		group, known := groups[r.Field]
		if !known {
			return connectors.Answer{}, errors.New("it refuses an unknown field")
		}
		key := connectors.Key{Room: r.Room, Rate: r.Rate, Group: group, Occupancy: r.Guests, Night: r.From}
		verdict := connectors.Verdict{Outcome: connectors.Rejected, Words: words(r.Reason, secret)}
		matched := 0
		for _, sent := range keys {
			night := sent.Night
			if sent.Night = key.Night; sent == key && r.means(night) {
				sent.Night = night
				answer.Keys[sent] = verdict
				matched++
			}
		}
		if matched == 0 {
			answer.Keys[key] = verdict
		}
	}
	if len(said.Rejected) > 0 {
		answer.Excerpt = words(string(body), secret)
	}
	return answer, nil
}

// means reports whether a night is among those that are refused.
func (r rejection) means(night hotel.Date) bool {
	return (hotel.Span{From: r.From, To: r.To}).Contains(night) && (len(r.Days) == 0 || slices.Contains(r.Days, days[night.Weekday()]))
}

// words are the far side's own, fit to be kept.
func words(said, secret string) string {
	said = strings.ReplaceAll(said, secret, "***")
	return strings.ToValidUTF8(said[:min(len(said), maxWords)], "")
}
