package alpinebits

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// told is how each operation is asked for, and what its answer is called.
var told = map[string]struct {
	op     string
	action message.Action
	answer string
}{
	freeRooms: {"tell free rooms", message.FreeRooms, message.Answered},
	ratePlans: {"tell prices", message.RatePlans, message.Priced},
}

// Send implements [connectors.Connector]. A call that nothing has been agreed for
// begins with the handshake.
func (c *conn) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	how, known := told[call.Operation]
	if !known {
		return connectors.Answer{}, unsent("send", fmt.Errorf("there is no operation %q", call.Operation))
	}
	t, err := c.terms(ctx)
	if err != nil {
		return connectors.Answer{}, err
	}
	if why := missing(call.Operation, t.discovered()); why != "" {
		return connectors.Answer{}, unsent(how.op, errors.New(why))
	}
	said, err := c.ask(ctx, how.op, how.action, t, call.Body, how.answer)
	if err != nil {
		return connectors.Answer{}, err
	}
	return c.answer(said, call.Keys), nil
}

// answer reads what a portal says to values. A warning names none of them, so it stands
// for all of the message.
func (c *conn) answer(said message.Reply, keys []connectors.Key) connectors.Answer {
	answer := connectors.Answer{Rest: connectors.Applied, Excerpt: c.words(said.Words())}
	if said.Refused() {
		answer.Rest, answer.Keys = connectors.Rejected, make(map[connectors.Key]connectors.Verdict, len(keys))
		for _, k := range keys {
			answer.Keys[k] = connectors.Verdict{Outcome: connectors.Rejected, Words: answer.Excerpt}
		}
	}
	return answer
}

// ask makes a call whose answer says no more than how it went.
func (c *conn) ask(ctx context.Context, op string, a message.Action, t terms, request []byte, root string) (message.Reply, error) {
	reply, err := c.request(ctx, op, a, t, request)
	if err != nil {
		return message.Reply{}, err
	}
	said, err := message.ReadReply(reply, root)
	return said, c.heard(op, said, err)
}

// request makes a call by what was agreed. A portal that turns it down as a whole may
// have changed since.
func (c *conn) request(ctx context.Context, op string, a message.Action, t terms, request []byte) ([]byte, error) {
	reply, err := c.post(ctx, op, a, t.version, slices.Contains(t.features, gzipFeature), request)
	if reply.Status == http.StatusBadRequest {
		c.agreed.forget()
	}
	return reply.Body, err
}

// heard is the error of an answer that could not be read, or that says that nothing
// was done.
func (c *conn) heard(op string, said message.Reply, err error) error {
	if err != nil {
		return unreadable(op, errors.New(c.words(err.Error())))
	}
	if said.Asks(message.AskHandshake) {
		c.agreed.forget()
	}
	if said.Failed {
		return c.failed(op, said)
	}
	return nil
}
