package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// count counts the request against the client's hour and tells the client how
// that stands. The headers are those of draft-ietf-httpapi-ratelimit-headers-10
// and the older X-RateLimit family; the three-header form between the two is
// not sent. An operator has no limit, and of no limit nothing is told.
func (s *server) count(a access, c *call) error {
	if c.caller.Operator != "" {
		return nil
	}
	var q auth.Quota
	if a.free {
		q = s.auth.Quota(c.caller.Who)
	} else {
		q = s.auth.Count(c.caller.Who)
	}
	if q.Limit == 0 {
		return nil
	}
	writeQuota(c.header, q)
	if !q.Exceeded {
		return nil
	}
	r := hotel.Refuse("rate_limit_exceeded", "All %d requests of this hour are used.", q.Limit)
	r.Members = map[string]any{"violated-policies": []string{policyName}, "retry_after": seconds(q.After)}
	return r
}

// policyName names the one policy there is.
const policyName = "hourly"

func writeQuota(h http.Header, q auth.Quota) {
	// They go with every answer, so all of them are parts of one text.
	var room [128]byte
	b, limit := appendNumber(append(room[:0], `"`+policyName+`";q=`...), int64(q.Limit))
	b = append(b, `;w=3600`...)
	policy := part{0, len(b)}
	b, remaining := appendNumber(append(b, `"`+policyName+`";r=`...), int64(q.Remaining))
	b, after := appendNumber(append(b, `;t=`...), int64(seconds(q.After)))
	quota := part{policy.end, after.end}
	b, reset := appendNumber(b, ceilUnix(q.Reset))
	text := string(b)
	values := [...]string{policy.of(text), quota.of(text), limit.of(text), remaining.of(text), reset.of(text)}
	for i, name := range [...]string{"Ratelimit-Policy", "Ratelimit", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		h[name] = values[i : i+1 : i+1]
	}
}

// part is a part of a text.
type part struct{ start, end int }

func (p part) of(text string) string { return text[p.start:p.end] }

// appendNumber returns where the number stands, too.
func appendNumber(b []byte, n int64) ([]byte, part) {
	start := len(b)
	b = strconv.AppendInt(b, n, 10)
	return b, part{start, len(b)}
}

// seconds rounds up: whoever waits so long has waited long enough.
func seconds(d time.Duration) int { return max(0, int((d+time.Second-1)/time.Second)) }

func ceilUnix(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

type rateLimitBody struct {
	Tier      string `json:"tier" example:"standard" doc:"The tier that decides the limit."`
	Limit     int    `json:"limit" example:"1000" doc:"Requests an hour; 0 is no limit."`
	Remaining int    `json:"remaining" example:"987" doc:"Requests left in the running hour."`
	Reset     string `json:"reset" format:"date-time" doc:"When the hour ends."`
}

func (s *server) registerRateLimit() {
	op := huma.Operation{
		OperationID: "get-rate-limit", Method: http.MethodGet, Path: "/rate-limit",
		Summary: "How the hourly limit stands", Description: "Does not count against the limit.", Tags: []string{tagService},
	}
	register(s, op, access{free: true, of: ofCaller}, func(ctx context.Context, _ *struct{}) (*answer[rateLimitBody], error) {
		who := callerOf(ctx).Who
		q := s.auth.Quota(who)
		return &answer[rateLimitBody]{Body: rateLimitBody{
			Tier: s.auth.TierOf(who), Limit: q.Limit, Remaining: q.Remaining, Reset: stamp(q.Reset),
		}}, nil
	})
}
