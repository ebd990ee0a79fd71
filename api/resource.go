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

// resource is one resource, with its revision as a strong validator.
type resource[T any] struct {
	Status int
	ETag   string `header:"ETag"`
	Cache  string `header:"Cache-Control"`
	Body   T
}

// revalidate lets whoever holds a resource keep it and ask whether it is still
// true.
const revalidate = "private, no-cache"

// resourceOf answers with the resource, or with 304 when the sender holds the
// revision already.
func resourceOf[T any](ifNoneMatch string, revision int64, body T) *resource[T] {
	r := &resource[T]{Status: http.StatusOK, ETag: etag(revision), Cache: revalidate, Body: body}
	if matches(ifNoneMatch, r.ETag) {
		r.Status = http.StatusNotModified
	}
	return r
}

// tagged is the resource under another validator than its revision.
func (r *resource[T]) tagged(ifNoneMatch, tag string) *resource[T] {
	r.Status, r.ETag = http.StatusOK, tag
	if matches(ifNoneMatch, tag) {
		r.Status = http.StatusNotModified
	}
	return r
}

// showing is the resource under a validator of all that its body shows, for one that
// shows more than changes with its revision: others, or what the day makes of it.
func showing[T any](ifNoneMatch string, revision int64, body T) *resource[T] {
	return resourceOf(ifNoneMatch, revision, body).tagged(ifNoneMatch, shownTag(revision, body))
}

// shownTag is the validator of a body and of all that it shows.
func shownTag(revision int64, body any) string {
	return fmt.Sprintf(`"r%d-%x"`, revision, digest(body))
}

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

// etag is the validator of a revision.
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
