// Package wire holds the frames of the process protocol, in which Ostler and a
// connector that is a program of its own speak: one JSON object on each line,
// requests on the program's standard input, answers on its standard output. The
// README of connectors/process tells what they mean, and protocol.schema.json
// there says it to machines. This package turns what the seam knows into frames
// and back, starts nothing and reads nothing.
package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Version is that of the protocol, which open names.
const Version = 1

// MaxFrame is the longest line that Ostler reads, in bytes.
const MaxFrame = 16 << 20

// The calls.
const (
	Open     = "open"
	Encode   = "encode"
	Send     = "send"
	Read     = "read"
	List     = "list"
	Poll     = "poll"
	Products = "products"
	Receive  = "receive"
	Publish  = "publish"
	Visits   = "visits"
	Act      = "act"
	Reread   = "reread"
	Discover = "discover"
)

// Frame is one line, in either direction. ID names the call that it belongs to;
// exactly one of the other members is there, but for a call with its parameters and
// a failed poll, which has both an error and a result.
type Frame struct {
	ID int64 `json:"id"`

	// From Ostler.
	Call    string          `json:"call,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Now     time.Time       `json:"now,omitzero"`      // of a call: the hotel's time, which a sandbox sets ahead
	Cancel  bool            `json:"cancel,omitempty"`  // its answer is not awaited any more
	Kept    *bool           `json:"kept,omitempty"`    // whether the message that was delivered is on disk
	Fetched *Fetched        `json:"fetched,omitempty"` // what a fetch came to
	Shelved *Shelved        `json:"shelved,omitempty"` // what a look at the shelf came to

	Reported *Reported `json:"reported,omitempty"` // what a report came to
	Told     *Told     `json:"told,omitempty"`     // what the house says

	// From the program.
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
	Deliver *Message        `json:"deliver,omitempty"` // a message about a booking; the next one after kept
	Hint    bool            `json:"hint,omitempty"`    // there is something to poll
	Fetch   *Fetch          `json:"fetch,omitempty"`   // an HTTP request for Ostler to make
	Shelf   *Shelf          `json:"shelf,omitempty"`   // something for Ostler to keep, or to look up
	Report  *Report         `json:"report,omitempty"`  // something that somebody has to look at
	House   *House          `json:"house,omitempty"`   // something to ask the house
}

// OpenParams begin every life of a program.
type OpenParams struct {
	Protocol int               `json:"protocol"`
	Channel  string            `json:"channel"`
	Settings json.RawMessage   `json:"settings"`
	Secrets  map[string]string `json:"secrets"`
	Found    *Discovered       `json:"found,omitempty"` // by a handshake before, where there was one
	House    []string          `json:"house,omitempty"` // what can be asked of the house
}

// Discovered is [connectors.Discovered], the result of discover.
type Discovered struct {
	Version  string   `json:"version,omitempty"`
	Features []string `json:"features,omitempty"`
	Doubts   []string `json:"doubts,omitempty"`
}

// Description is a program's answer to open.
type Description struct {
	Protocol     int          `json:"protocol"`
	Name         string       `json:"name"`
	Account      string       `json:"account"`
	Place        string       `json:"place"`
	Capabilities Capabilities `json:"capabilities"`
}

// Fetch is an HTTP request; Number tells those of one call apart.
type Fetch struct {
	Number int64               `json:"number"`
	Method string              `json:"method"`
	URL    string              `json:"url"`
	Header map[string][]string `json:"header,omitempty"`
	Body   Blob                `json:"body,omitempty"`
}

// Fetched is the answer to a fetch, or why there is none.
type Fetched struct {
	Number  int64               `json:"number"`
	Status  int                 `json:"status,omitempty"`
	Header  map[string][]string `json:"header,omitempty"`
	Body    Blob                `json:"body,omitempty"`
	Error   string              `json:"error,omitempty"`
	NotSent bool                `json:"not_sent,omitempty"` // nothing went out
}

// Shelf is a use of [connectors.Shelf] under one of two names: Get looks up what was
// put there last, Put replaces it with Body. Number tells those of one call apart.
type Shelf struct {
	Number int64  `json:"number"`
	Get    string `json:"get,omitempty"`
	Put    string `json:"put,omitempty"`
	Body   Blob   `json:"body,omitempty"`
}

// Shelved is what came of it: of a get the body, none where nothing was put; of
// either why it did not work.
type Shelved struct {
	Number int64  `json:"number"`
	Body   *Blob  `json:"body,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Report is [hotel.ChannelReport].
type Report struct {
	Number   int64  `json:"number"`
	Code     string `json:"code"`
	Of       string `json:"of,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Severity string `json:"severity,omitempty"`
	Over     bool   `json:"over,omitempty"`
}

// Reported is what came of a report: nothing where it is kept.
type Reported struct {
	Number int64  `json:"number"`
	Error  string `json:"error,omitempty"`
}

// FromReport writes a report.
func FromReport(r hotel.ChannelReport) *Report {
	return &Report{Code: r.Code, Of: r.Of, Reason: r.Reason, Severity: string(r.Severity), Over: r.Over}
}

// Read returns the report as the seam knows it.
func (r *Report) Read() (hotel.ChannelReport, error) {
	out := hotel.ChannelReport{Code: r.Code, Of: r.Of, Reason: r.Reason, Severity: hotel.Severity(r.Severity), Over: r.Over}
	switch out.Severity {
	case "", hotel.Info, hotel.Warning, hotel.Critical:
	default:
		return out, fmt.Errorf("severity: %q is none of info, warning and critical", r.Severity)
	}
	if r.Code == "" {
		return out, errors.New("code: say what is reported")
	}
	return out, nil
}

// Error is a failed call in the words of [connectors.Error].
type Error struct {
	Kind              connectors.Kind `json:"kind"`
	Effect            string          `json:"effect,omitempty"` // possible, which is meant without one, or not_sent
	Op                string          `json:"op,omitempty"`
	RetryAfterSeconds int64           `json:"retry_after_seconds,omitempty"`
	Message           string          `json:"message"`
}

const notSent = "not_sent"

// FromError writes a failure.
func FromError(err error) *Error {
	e := connectors.AsError(err)
	out := &Error{Kind: e.Kind, Op: e.Op, RetryAfterSeconds: int64((e.RetryAfter + time.Second - 1) / time.Second), Message: err.Error()}
	if e.Err != nil {
		out.Message = e.Err.Error()
	}
	if e.Effect == connectors.NotSent {
		out.Effect = notSent
	}
	return out
}

// maxRetryAfter is the longest wait that a program can pass on.
const maxRetryAfter = time.Hour

// Err reads a failure; one of an unknown kind is temporary. cause is what it wraps.
func (e *Error) Err(cause error) *connectors.Error {
	out := &connectors.Error{Kind: e.Kind, Op: e.Op, Err: cause}
	switch e.Kind {
	case connectors.Temporary, connectors.RateLimited, connectors.Denied, connectors.Invalid, connectors.Unmapped:
	default:
		out.Kind = connectors.Temporary
	}
	if e.Effect == notSent {
		out.Effect = connectors.NotSent
	}
	if s := e.RetryAfterSeconds; s > 0 {
		out.RetryAfter = time.Duration(min(s, int64(maxRetryAfter/time.Second))) * time.Second
	}
	return out
}
