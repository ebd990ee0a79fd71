package mock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// actOperation names the bucket of what is asked about bookings.
const actOperation = "act"

// What it can be asked to do with its bookings, the rest of them with the preset push
// alone.
var (
	everyAction = []hotel.ActionTerms{
		{Kind: hotel.ActionConfirm, Answers: answers},
		{Kind: hotel.ActionDecline, Answers: answers},
		{Kind: hotel.ActionCancel, Answers: answers},
		{Kind: hotel.ActionShorten, Answers: answers},
		{Kind: hotel.ActionNoShow, Answers: answers, Within: noShowsWithin},
	}
	someActions = everyAction[2:]
)

const (
	answers       = 15 * time.Minute // that it answers at once is no reason to give up at once
	noShowsWithin = 48 * time.Hour   // from the midnight of the arrival
)

type actionBody struct {
	CheckIn  *hotel.Date `json:"check_in,omitempty"` // to shorten: what is left
	CheckOut *hotel.Date `json:"check_out,omitempty"`
	Reason   string      `json:"reason,omitempty"`    // to decline: property or guest
	WaiveFee bool        `json:"waive_fee,omitempty"` // to cancel, or of a no-show
}

// actionAnswer says what was done; Reason is why it was not.
type actionAnswer struct {
	Reference string `json:"reference"`
	Done      bool   `json:"done"`
	Reason    string `json:"reason"`
}

// Act implements [connectors.Actor].
func (c pushed) Act(ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
	return c.act(ctx, a, http.Header{"Idempotency-Key": {a.ID}})
}

// Act implements [connectors.Actor]. The far side does not notice repeats.
func (c pulled) Act(ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
	return c.act(ctx, a, nil)
}

func (c *conn) act(ctx context.Context, a connectors.Action, header http.Header) (connectors.Verdict, error) {
	name := strings.ReplaceAll(string(a.Kind), "_", "-")
	op := name + " booking"
	q := actionBody{Reason: string(a.Refused), WaiveFee: a.Waived}
	if a.Kind == hotel.ActionShorten {
		q.CheckIn, q.CheckOut = &a.Stay.CheckIn, &a.Stay.CheckOut
	}
	body, err := json.Marshal(q)
	if err != nil {
		return connectors.Verdict{}, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: op, Err: fmt.Errorf("write the request: %w", err)}
	}
	reply, err := c.do(ctx, op, http.MethodPost, c.address("bookings/"+url.PathEscape(a.Ref)+"/"+name, nil), body, header)
	if err != nil {
		return connectors.Verdict{}, err
	}
	var said actionAnswer
	if err := json.Unmarshal(reply.Body, &said); err != nil {
		return connectors.Verdict{}, unreadable(op, err)
	}
	switch {
	case said.Reference != a.Ref:
		return connectors.Verdict{}, unreadable(op, errors.New("it is about another booking, or about none"))
	case said.Done:
		return connectors.Verdict{Outcome: connectors.Applied}, nil
	}
	return connectors.Verdict{Outcome: connectors.Rejected, Words: words(said.Reason, c.cfg.Secret)}, nil
}
