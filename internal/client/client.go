// Package client is the commands' way to the running daemon: /v1 over the socket
// in its data folder. It needs no credentials, since the daemon asks the system
// who is at the other end. It knows no resource of /v1 and tries nothing twice.
package client

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"syscall"
	"time"
)

// Socket returns where the daemon of a data folder listens for commands.
func Socket(dir string) string { return filepath.Join(dir, "admin.sock") }

// ErrNoDaemon says that no daemon runs on the data folder.
var ErrNoDaemon = errors.New("no daemon runs on this data folder: start it with systemctl start ostler, or ostler serve")

// Problem is what the daemon answers to a request that it refuses.
type Problem struct {
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Title     string `json:"title"`
	Detail    string `json:"detail"`
	RequestID string `json:"request_id"`
	Errors    []Item `json:"errors"`
}

// Item is one mistake of a request.
type Item struct {
	Pointer   string `json:"pointer"`   // into the body
	Parameter string `json:"parameter"` // of the query
	Detail    string `json:"detail"`
}

// Error tells the problem in one line, and each of several mistakes in one more.
func (p *Problem) Error() string {
	text := cmp.Or(p.Detail, p.Title)
	text = fmt.Sprintf("%s (%s, request %s)", text, p.Code, p.RequestID)
	for _, e := range p.Errors {
		text += fmt.Sprintf("\n  %s: %s", cmp.Or(e.Pointer, e.Parameter), e.Detail)
	}
	return text
}

// Client asks the daemon of one data folder. Its methods may be called at the
// same time.
type Client struct {
	dir  string
	http *http.Client
}

// callTimeout is how long one request may take.
const callTimeout = time.Minute

// maxAnswer is the most bytes that an answer may have.
const maxAnswer = 64 << 20

// New returns a client for the daemon of the data folder. It connects when it is
// first used; Close ends its connections.
func New(dir string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", Socket(dir))
	}
	return &Client{dir: dir, http: &http.Client{Timeout: callTimeout, Transport: &http.Transport{DialContext: dial}}}
}

// Close ends the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Get reads the resource at a path below /v1, such as /properties, into what
// into points to.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	return c.Do(ctx, http.MethodGet, path, nil, into)
}

// Do sends a request to a path below /v1. The body is sent as JSON unless it is
// nil; the answer is read into what into points to, unless that is nil. A
// refusal is a [*Problem], a daemon that is not there [ErrNoDaemon].
func (c *Client) Do(ctx context.Context, method, path string, body, into any) error {
	if body == nil {
		return c.send(ctx, method, path, "", nil, into)
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.send(ctx, method, path, "application/json", raw, into)
}

// Send posts a body of another media type than JSON; it does what Do does
// otherwise.
func (c *Client) Send(ctx context.Context, path, media string, body []byte, into any) error {
	return c.send(ctx, http.MethodPost, path, media, body, into)
}

// Text reads what is at a path below /v1 as text of a media type, such as text/csv.
func (c *Client) Text(ctx context.Context, path, media string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://ostler/v1"+path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", media)
	raw, err := c.ask(req)
	return string(raw), err
}

func (c *Client) send(ctx context.Context, method, path, media string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://ostler/v1"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	if method != http.MethodGet {
		req.Header.Set("If-Match", "*") // who asks at the terminal means whatever is there
	}
	raw, err := c.ask(req)
	if err != nil || into == nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s %s: the answer cannot be read: %w", method, path, err)
	}
	return nil
}

// ask sends a request and returns the body of its answer.
func (c *Client) ask(req *http.Request) ([]byte, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unreached(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", req.Method, req.URL.Path, err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, refusal(resp, raw)
	}
	return raw, nil
}

// Follow has the daemon do something of its own that takes a while, at a path of
// the socket, and calls line with every line that it says meanwhile. It waits as
// long as ctx lets it.
func (c *Client) Follow(ctx context.Context, path string, line func([]byte) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://ostler"+path, nil)
	if err != nil {
		return err
	}
	patient := &http.Client{Transport: c.http.Transport}
	resp, err := patient.Do(req)
	if err != nil {
		return c.unreached(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("POST %s: %s", path, resp.Status)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		if err := line(lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("POST %s: %w", path, err)
	}
	return nil
}

// unreached says why the daemon could not be asked.
func (c *Client) unreached(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s: %w", c.dir, ErrNoDaemon)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the daemon of %s speaks to its own user and to root only: %w", c.dir, err)
	}
	return err
}

func refusal(resp *http.Response, raw []byte) error {
	p := &Problem{}
	if json.Unmarshal(raw, p) != nil || p.Code == "" {
		return fmt.Errorf("%s %s: %s", resp.Request.Method, resp.Request.URL.Path, resp.Status)
	}
	return p
}
