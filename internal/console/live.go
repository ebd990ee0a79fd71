package console

import (
	"fmt"
	"net/http"
	"time"

	"ostler.example/internal/desk"
)

const (
	liveWait  = 20 * time.Second // for something to happen, before the connection is proved
	liveLimit = 200              // events that are told of at once
)

// live tells the page in server-sent events that something happened in the house, as
// the journal says. What it is, the page looks up: it asks for itself again.
func (c *Console) live(v *visit) error {
	q := desk.EventQuery{PropertyIDs: []string{v.house.ID}, Limit: liveLimit, Since: c.clock.Now()}
	out := http.NewResponseController(v.w)
	v.w.Header().Set("Content-Type", "text/event-stream")
	v.w.Header().Set("X-Accel-Buffering", "no") // proxies pass on what is said at once
	_, err := fmt.Fprint(v.w, "retry: 3000\n\n")
	for first := true; err == nil; first = false {
		if err := out.SetWriteDeadline(time.Now().Add(2 * liveWait)); err != nil { //nolint:forbidigo // connections live by the real clock
			return nil //nolint:nilerr // it is closed
		}
		if err := out.Flush(); err != nil {
			return nil //nolint:nilerr // whoever asked has left
		}
		if !first {
			q.Wait = liveWait
		}
		page, err := c.desk.Events(v.r.Context(), v.caller, q, c.stopping)
		if err != nil {
			return nil //nolint:nilerr // the stream has begun: the page connects again, and is told why it may not
		}
		select {
		case <-c.stopping:
			return nil
		default:
		}
		q.After = &page.Next
		said := ": still here\n\n"
		if len(page.Events) > 0 {
			said = fmt.Sprintf("id: %d\nevent: changed\ndata: %d\n\n", page.Next, len(page.Events))
		}
		if _, err := fmt.Fprint(v.w, said); err != nil {
			return nil //nolint:nilerr // whoever asked has left
		}
		if !c.stillIn(v) {
			return nil
		}
	}
	return nil
}

// stillIn reports whether the visit's session has not ended meanwhile, and its user
// may still see what it sees.
func (c *Console) stillIn(v *visit) bool {
	cookie, err := v.r.Cookie(c.cookie(sessionCookie))
	if err != nil {
		return false
	}
	_, user, err := c.users.Session(v.r.Context(), cookie.Value)
	if err != nil {
		return false
	}
	who, ok := user.At(v.house.ID)
	v.caller.Who = who
	return ok
}
