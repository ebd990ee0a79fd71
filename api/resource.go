package api

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
)

// answer is a reply that is never kept.
type answer[T any] struct {
	Body T
}

// created is the reply to a request that made something.
type created[T any] struct {
	Location string `header:"Location"`
	ETag     string `header:"ETag"`
	Cache    string `header:"Cache-Control"`
	Body     T
}

// resource is one resource, with a strong validator of all that is shown of it.
type resource[T any] struct {
	Status int
	ETag   string `header:"ETag"`
	Cache  string `header:"Cache-Control"`
	Body   T
}

// revalidate lets whoever holds a resource keep it and ask whether it is still
// true.
const revalidate = "private, no-cache"

// resourceOf answers with the resource, or with 304 when the sender holds all that is
// shown of it already.
func resourceOf[T any](ifNoneMatch string, revision int64, body T) *resource[T] {
	return taggedAs(ifNoneMatch, shownTag(revision, body), body)
}

// unnumbered is resourceOf for what has no revision.
func unnumbered[T any](ifNoneMatch string, body T) *resource[T] {
	return taggedAs(ifNoneMatch, plainTag(body), body)
}

// taggedAs is resourceOf for what has a validator of its own.
func taggedAs[T any](ifNoneMatch, tag string, body T) *resource[T] {
	r := &resource[T]{Status: http.StatusOK, ETag: tag, Cache: revalidate, Body: body}
	if matches(ifNoneMatch, tag) {
		r.Status = http.StatusNotModified
	}
	return r
}

// shownTag is the validator of a body. Its revision says which change it is, and not
// what is shown: that may move without one, with the day or with what others do, and a
// ledger that was restored from a backup counts on from where that was made.
func shownTag(revision int64, body any) string {
	return fmt.Sprintf(`"r%d-%x"`, revision, digest(body))
}

// plainTag is the validator of a body that has no revision.
func plainTag(body any) string { return fmt.Sprintf(`"%x"`, digest(body)) }

func digest(body any) uint64 {
	h := fnv.New64a()
	if err := json.NewEncoder(h).Encode(body); err != nil {
		panic("api: a body does not write as JSON: " + err.Error()) // it is what will be answered
	}
	return h.Sum64()
}

// byID are the parameters of a resource.
type byID struct {
	ID          string `path:"id"`
	IfNoneMatch string `header:"If-None-Match" doc:"Answers 304 when the resource still has this ETag."`
}

// etag names a revision, for whoever knows no more of what is shown.
func etag(revision int64) string { return `"r` + itoa(revision) + `"` }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// matches compares for If-None-Match, to which weak validators are as good.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return part != ""
		}
	}
	return false
}

// ifMatch reads the revision that If-Match names; 0 for any.
func (s *server) ifMatch(header string) (int64, error) {
	if err := s.mustMatch(strings.TrimSpace(header)); err != nil {
		return 0, err
	}
	return revisionSeen(header)
}

// revisionSeen is the revision of an If-Match that nobody has to send; 0 for any. A
// list of several is not taken: a client has seen one revision. What a tag has behind
// its revision, such as a date, does not count.
func revisionSeen(header string) (int64, error) {
	header = strings.TrimSpace(header)
	if header == "" || header == "*" {
		return 0, nil
	}
	digits, ok := strings.CutPrefix(header, `"r`)
	digits, quoted := strings.CutSuffix(digits, `"`)
	ok = ok && !strings.Contains(digits, `"`) // else what follows the first tag of a list would pass as a part of it
	digits, _, _ = strings.Cut(digits, "-")   // what else a tagged resource shows is not what it is changed by
	revision, err := strconv.ParseInt(digits, 10, 64)
	if !ok || !quoted || err != nil || revision < 1 {
		return 0, hotel.Refuse("precondition_failed", "If-Match names no revision of this resource.")
	}
	return revision, nil
}

// mustMatch refuses a change without If-Match where the house asks for it.
func (s *server) mustMatch(header string) error {
	if header == "" && s.requireIfMatch {
		return hotel.Refuse("precondition_required", "Send the ETag that you have seen as If-Match.")
	}
	return nil
}

// stamp writes an instant as every timestamp is written.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// stampOrNull is stamp, or null for an instant that was never.
func stampOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := stamp(t)
	return &s
}

// orNull is null for the empty text.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// some is the list, never null.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// EntityBody are the members of every stored resource.
type EntityBody struct {
	ID string `json:"id" readOnly:"true"`
	StoredBody
}

// StoredBody are the members that tell when a resource was stored.
type StoredBody struct {
	CreatedAt string `json:"created_at" format:"date-time" readOnly:"true"`
	UpdatedAt string `json:"updated_at" format:"date-time" readOnly:"true"`
	Revision  int64  `json:"revision" readOnly:"true" doc:"Rises by one with each change; the ETag."`
}

func entityOf(e hotel.Entity) EntityBody { return EntityBody{e.ID, storedOf(e)} }

func storedOf(e hotel.Entity) StoredBody {
	return StoredBody{CreatedAt: stamp(e.CreatedAt), UpdatedAt: stamp(e.UpdatedAt), Revision: e.Revision}
}
