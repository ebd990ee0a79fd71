package alpinebits

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/transport"
)

// The headers of the protocol.
const (
	versionHeader  = "X-AlpineBits-ClientProtocolVersion"
	clientHeader   = "X-AlpineBits-ClientID"
	encodingHeader = "X-AlpineBits-Server-Accept-Encoding"
)

// maxComplaint is how much is read of what a portal says in plain text.
const maxComplaint = 300

// post makes one call in a version and within the channel's own timeout. A request
// that the portal turns down comes back with its words in the error.
func (c *conn) post(ctx context.Context, op string, a message.Action, v message.Version, compressed bool, request []byte) (transport.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.cfg.Timeout))
	defer cancel()
	body, kind, err := form(a, request, compressed)
	if err != nil {
		return transport.Reply{}, unsent(op, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return transport.Reply{}, unsent(op, err)
	}
	req.SetBasicAuth(c.cfg.User, c.cfg.Password)
	req.Header.Set("Content-Type", kind)
	req.Header.Set(versionHeader, string(v))
	req.Header.Set(clientHeader, c.cfg.ClientID)
	if compressed {
		req.Header.Set("Content-Encoding", "gzip")
	}
	reply, err := c.call.Do(req, op)
	if failure := (*connectors.Error)(nil); errors.As(err, &failure) {
		if said := strings.TrimSpace(string(reply.Body)); strings.HasPrefix(said, "ERROR") {
			failure.Err = fmt.Errorf("%w: %s", failure.Err, c.words(said[:min(len(said), maxComplaint)]))
		}
	}
	return reply, err
}

// form writes what is posted: the name of the action, and the message.
func form(a message.Action, request []byte, compressed bool) (body []byte, kind string, err error) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	err = errors.Join(w.WriteField("action", a.Name), w.WriteField("request", string(request)), w.Close())
	if err != nil || !compressed {
		return out.Bytes(), w.FormDataContentType(), err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err = z.Write(out.Bytes()); err == nil {
		err = z.Close()
	}
	return packed.Bytes(), w.FormDataContentType(), err
}

// unsent is a request that could not be made.
func unsent(op string, err error) error {
	return &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: op, Err: fmt.Errorf("make the request: %w", err)}
}

// unreadable is an answer that says nothing: a broken portal, not a refusal.
func unreadable(op string, err error) error {
	return &connectors.Error{Kind: connectors.Temporary, Op: op, Err: fmt.Errorf("the answer cannot be read: %w", err)}
}

// failed is an answer that says that nothing was done.
func (c *conn) failed(op string, said message.Reply) error {
	kind := connectors.Temporary
	switch {
	case said.Unmapped():
		kind = connectors.Unmapped
	case said.Hopeless():
		kind = connectors.Invalid
	}
	return &connectors.Error{Kind: kind, Op: op, Err: fmt.Errorf("the portal says: %s", c.words(said.Words()))}
}
