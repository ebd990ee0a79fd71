package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strings"

	"ostler.example/hotel"
)

// position is a place in a list: behind the entry with this sort key and id.
type position struct {
	key int64
	id  string
}

// The parts of a cursor: sort key, hash of the list's filters, id, signature.
const (
	keyBytes    = 8
	filterBytes = 8
	macBytes    = 16
)

// cursor writes a position of the list for the client to carry. It is signed:
// the client cannot make one up, nor use it with other filters.
func (s *server) cursor(list *url.URL, p position) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(p.key))
	b = append(b, filterHash(list)...)
	b = append(b, p.id...)
	return base64.RawURLEncoding.EncodeToString(append(b, s.sign(b)...))
}

// readCursor reads a cursor of the list; nil for none.
func (s *server) readCursor(list *url.URL, text string) (*position, error) {
	if text == "" {
		return nil, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text) // one text for each cursor: it lets line breaks through
	if err != nil || strings.ContainsAny(text, "\r\n") || len(b) < keyBytes+filterBytes+macBytes {
		return nil, hotel.Refuse("cursor_invalid", "The cursor is none of this server's.")
	}
	body, mac := b[:len(b)-macBytes], b[len(b)-macBytes:]
	if !hmac.Equal(mac, s.sign(body)) {
		return nil, hotel.Refuse("cursor_invalid", "The cursor is none of this server's.")
	}
	if string(body[keyBytes:keyBytes+filterBytes]) != string(filterHash(list)) {
		return nil, hotel.Refuse("cursor_mismatch", "The cursor belongs to a list with other filters.")
	}
	return &position{
		key: int64(binary.BigEndian.Uint64(body)),
		id:  string(body[keyBytes+filterBytes:]),
	}, nil
}

func (s *server) sign(b []byte) []byte {
	h := hmac.New(sha256.New, s.cursorKey[:])
	h.Write(b)
	return h.Sum(nil)[:macBytes]
}

// filterHash tells lists apart: the path and every parameter but those that
// only say which part of the list is wanted.
func filterHash(list *url.URL) []byte {
	q := list.Query()
	q.Del("cursor")
	q.Del("limit")
	sum := sha256.Sum256([]byte(list.Path + "?" + q.Encode()))
	return sum[:filterBytes]
}
