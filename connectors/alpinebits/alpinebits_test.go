package alpinebits

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// env is what a connector gets in these tests.
func env(t *testing.T) connectors.Env {
	client := transport.New(transport.Options{})
	t.Cleanup(client.CloseIdleConnections)
	return connectors.Env{Client: client, Log: zap.NewNop(), Clock: hotel.SystemClock{}, Shelf: memory{}}
}

// memory is a shelf that forgets.
type memory map[string][]byte

// Get implements [connectors.Shelf].
func (m memory) Get(_ context.Context, name string) ([]byte, error) { return m[name], nil }

// Put implements [connectors.Shelf].
func (m memory) Put(_ context.Context, name string, body []byte) error {
	m[name] = body
	return nil
}

// TestNegotiation: the newest version that both speak is found, whether a portal
// answers with what it speaks or turns an unknown version down.
func TestNegotiation(t *testing.T) {
	for _, c := range []struct {
		preset  string
		newest  message.Version
		version string
		why     string // empty: free rooms can be told
	}{
		{"2024-10", message.V2024, "2024-10", ""},
		{"2022-10", message.V2024, "2022-10", ""},
		{"2020-10", message.V2024, "2020-10", ""},
		{"2024-10", message.V2020, "2020-10", ""},
		{"sets", message.V2024, "2024-10", ""},
	} {
		_, url := portal(t, c.preset)
		cfg := sound()
		cfg.URL, cfg.Newest = url, c.newest
		found, err := discover(t.Context(), cfg, env(t))
		if err != nil || found.Version != c.version || !slices.Contains(found.Features, gzipFeature) {
			t.Errorf("%s with %s finds %v, %v", c.preset, c.newest, found, err)
		}
		if len(found.Doubts) != 0 {
			t.Errorf("%s: doubts %q", c.preset, found.Doubts)
		}
		if why := missing(cfg, freeRooms, found); !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
			t.Errorf("%s lacks %q", c.preset, why)
		}
		opened, err := open(t.Context(), cfg, env(t))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := opened.Send(t.Context(), oneNight(t, opened)); (err == nil) != (c.why == "") {
			t.Errorf("%s, without a handshake before: %v", c.preset, err)
		}
	}
}

// TestNegotiationDoubtsWhatAPortalDoesNotTake, of what the channel is set up to tell.
func TestNegotiationDoubtsWhatAPortalDoesNotTake(t *testing.T) {
	_, url := portal(t, "sets")
	cfg := sound()
	cfg.URL, cfg.StandardGuests = url, Guests{"DBL": 2}
	found, err := discover(t.Context(), cfg, env(t))
	if err != nil || len(found.Doubts) != 1 || !strings.Contains(found.Doubts[0], "whole_plans") {
		t.Errorf("doubts %q, %v", found.Doubts, err)
	}
}

// TestAPortalThatHandsNothingOut is asked for no list, and whoever has set up that its
// reservations are fetched hears of that: they go on being fetched, so that it is seen
// that none come in.
func TestAPortalThatHandsNothingOut(t *testing.T) {
	sim, _ := portal(t, "2024-10")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		sim.ServeHTTP(rec, r)
		echo, said, _ := strings.Cut(rec.Body.String(), "<Warnings>")
		maps.Copy(w.Header(), rec.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(rec.Code)
		_, _ = io.WriteString(w, strings.TrimSuffix(echo+"<Warnings>"+strings.ReplaceAll(said, message.ReadRequests.Handshake, "action_OTA_Other"), "<Warnings>"))
	}))
	t.Cleanup(server.Close)
	for asked, doubts := range map[Way]int{Pull: 1, Push: 0} {
		cfg := sound()
		cfg.URL, cfg.GuestRequests = server.URL, asked
		found, err := discover(t.Context(), cfg, env(t))
		if err != nil || len(found.Doubts) != doubts {
			t.Errorf("%s: doubts %q, %v", asked, found.Doubts, err)
		}
		if able := capabilities(cfg, found); able.Polls != (asked == Pull) || able.Lists || !able.Rereads || able.Receives != (asked == Push) {
			t.Errorf("%s is able to %+v", asked, able)
		}
		if able := capabilities(cfg, connectors.Discovered{}); !able.Lists || able.Polls != (asked == Pull) {
			t.Errorf("%s, of which nothing is known, is able to %+v", asked, able)
		}
	}
}

// TestWhatWasFoundBefore is gone by after a restart, and asked for anew where it says that
// the portal lacks something.
func TestWhatWasFoundBefore(t *testing.T) {
	for _, c := range []struct {
		features []string
		asked    int // handshakes of two calls
	}{
		{[]string{message.FreeRooms.Handshake, message.AcceptCategories, message.AcceptDeltas}, 0},
		{[]string{message.FreeRooms.Handshake}, 1},
	} {
		s := &script{t: t, answers: map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/>`)}, seen: map[string]string{}}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		cfg := sound()
		cfg.URL = server.URL
		with := env(t)
		with.Found = connectors.Discovered{Version: "2022-10", Features: c.features}
		opened, err := open(t.Context(), cfg, with)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := opened.Send(t.Context(), oneNight(t, opened)); err != nil {
				t.Fatal(err)
			}
		}
		asked := 0
		for _, a := range s.asked {
			if a == message.Ping.Name {
				asked++
			}
		}
		if asked != c.asked {
			t.Errorf("with %v it shakes hands %d times, want %d", c.features, asked, c.asked)
		}
	}
}

// TestNegotiationWithErrors: a portal may refuse an unknown version in its answer,
// and one that refuses all of them has no version.
func TestNegotiationWithErrors(t *testing.T) {
	for _, knows := range []message.Version{message.V2020, "2018-10"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			offered, echoed, err := message.ReadPing([]byte(r.FormValue("request")))
			if v := r.Header.Get(versionHeader); err != nil || v != string(knows) {
				_, _ = io.WriteString(w, rs("OTA_PingRS", `<Errors><Error Type="13">no such version</Error></Errors>`))
				return
			}
			_, _ = w.Write(message.WritePong(offered, echoed))
		}))
		t.Cleanup(server.Close)
		cfg := sound()
		cfg.URL = server.URL
		found, err := discover(t.Context(), cfg, env(t))
		if known := knows.Known(); (err == nil) != known || known && found.Version != string(knows) {
			t.Errorf("a portal that knows %s: %v, %v", knows, found, err)
		}
	}
}

// oneNight is a call about one night.
func oneNight(t *testing.T, c connectors.Connector) connectors.Call {
	t.Helper()
	key := connectors.Key{Room: "DBL", Group: hotel.Availability, Night: hotel.DateOf(2027, 2, 1)}
	calls, refused := c.Encode([]connectors.Change{{Key: key, Offer: hotel.Offer{Available: 2}}})
	if len(calls) != 1 || len(refused) != 0 {
		t.Fatalf("one night is %d calls and %d refusals", len(calls), len(refused))
	}
	return calls[0]
}

// script is a portal that shakes hands in 2022-10 and answers the rest as it is told.
type script struct {
	t       *testing.T
	answers map[string]string // by action; what begins with ERROR is answered 400
	deltas  string            // the answer to free rooms that are no complete set; "": as to all
	shakes  string            // the answer to a handshake; "": as it should be
	asked   []string
	seen    map[string]string // the latest request of each action
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	action, request := r.FormValue("action"), r.FormValue("request")
	s.asked = append(s.asked, action)
	s.seen[action] = request
	if r.Header.Get(clientHeader) != "Ostler" {
		s.t.Errorf("the header %s is %q", clientHeader, r.Header.Get(clientHeader))
	}
	said := s.answers[action]
	if action == message.Ping.Name {
		offered, echoed, err := message.ReadPing([]byte(request))
		if err != nil {
			s.t.Errorf("the handshake cannot be read: %v", err)
		}
		ours := message.Agreement{Versions: []message.Spoken{{Version: message.V2022, Actions: offered.Versions[0].Actions}}}
		if said = string(message.WritePong(ours, echoed)); s.shakes != "" {
			said = s.shakes
		}
	} else if v := r.Header.Get(versionHeader); v != "2022-10" {
		s.t.Errorf("%s is asked for in %s", action, v)
	}
	if s.deltas != "" && action == message.FreeRooms.Name && !strings.Contains(request, "CompleteSet") {
		said = s.deltas
	}
	if strings.HasPrefix(said, "ERROR") {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, said)
}

// talk opens a channel to a scripted portal.
func talk(t *testing.T, answers map[string]string) (*script, pulled) {
	t.Helper()
	return talkAs(t, answers, func(*Config) {})
}

// talkAs opens one of other settings.
func talkAs(t *testing.T, answers map[string]string, set func(*Config)) (*script, pulled) {
	t.Helper()
	s, again := stage(t, answers, set)
	return s, again()
}

// stage sets up one of other settings; the channel is opened as often as is asked for.
func stage(t *testing.T, answers map[string]string, set func(*Config)) (*script, func() pulled) {
	t.Helper()
	s := &script{t: t, answers: answers, seen: map[string]string{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	cfg := sound()
	cfg.URL = server.URL
	set(&cfg)
	e := env(t)
	return s, func() pulled {
		t.Helper()
		opened, err := open(t.Context(), cfg, e)
		if err != nil {
			t.Fatal(err)
		}
		return opened.(pulled)
	}
}

// rs is an answer of that name.
func rs(root, inner string) string {
	return fmt.Sprintf(`<%[1]s xmlns="http://www.opentravel.org/OTA/2003/05" Version="1">%[2]s</%[1]s>`, root, inner)
}

// TestSendReadsWhatThePortalSays: success with a warning is a refusal, with an
// advisory it is none, and errors have their kinds.
func TestSendReadsWhatThePortalSays(t *testing.T) {
	for _, c := range []struct {
		name, said string
		outcome    connectors.Outcome
		kind       connectors.Kind // empty: it is no error
		words      string
		handshakes int // of two calls
	}{
		{"success", rs(message.Answered, `<Success/>`), connectors.Applied, "", "", 1},
		{"an advisory", rs(message.Answered, `<Success/><Warnings><Warning Type="11">48 hours</Warning></Warnings>`), connectors.Applied, "", "48 hours", 1},
		{"a warning", rs(message.Answered, `<Success/><Warnings><Warning Type="3">too far, `+testSecret+`</Warning></Warnings>`), connectors.Rejected, "", "too far, ***", 1},
		{"an error", rs(message.Answered, `<Errors><Error Type="13">busy</Error></Errors>`), 0, connectors.Temporary, "busy", 1},
		{"an error about dates", rs(message.Answered, `<Errors><Error Type="13" Code="404">dates</Error></Errors>`), 0, connectors.Invalid, "dates", 1},
		{"an error about the rate", rs(message.Answered, `<Errors><Error Type="13" Code="249">rate</Error></Errors>`), 0, connectors.Unmapped, "rate", 1},
		{"an error about the category", rs(message.Answered, `<Errors><Error Type="13" Code="402"/></Errors>`), 0, connectors.Unmapped, "402", 1},
		{"a wish for a handshake", rs(message.Answered, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_HANDSHAKE"/></Warnings>`), connectors.Applied, "", message.AskHandshake, 2},
		{"a refusal of the request", "ERROR:not included in the handshake agreement", 0, connectors.Invalid, "not included", 3}, // once more behind each
		{"another answer", rs(message.Acknowledged, `<Success/>`), 0, connectors.Temporary, "cannot be read", 1},
	} {
		s, conn := talk(t, map[string]string{message.FreeRooms.Name: c.said})
		call := oneNight(t, conn)
		for range 2 {
			answer, err := conn.Send(t.Context(), call)
			switch {
			case c.kind == "" && err != nil:
				t.Errorf("%s: %v", c.name, err)
			case c.kind != "":
				if err == nil || connectors.AsError(err).Kind != c.kind || !strings.Contains(err.Error(), c.words) {
					t.Errorf("%s: the error is %v, want %s with %q", c.name, err, c.kind, c.words)
				}
			case answer.Rest != c.outcome || answer.Excerpt != c.words || c.outcome == connectors.Rejected && answer.Keys[call.Keys[0]].Words != c.words:
				t.Errorf("%s: the answer is %+v", c.name, answer)
			}
		}
		if n := len(slices.DeleteFunc(s.asked, func(a string) bool { return a != message.Ping.Name })); n != c.handshakes {
			t.Errorf("%s: there are %d handshakes, want %d", c.name, n, c.handshakes)
		}
	}
}

// kept is a sink that keeps everything.
type kept []connectors.Message

// Deliver implements [connectors.Sink].
func (k *kept) Deliver(_ context.Context, m connectors.Message) error {
	*k = append(*k, m)
	return nil
}

// Hint implements [connectors.Sink].
func (k *kept) Hint() {}

// TestPollPassesByWhatIsForOthers: what is for another hotel stays there, all else is
// acknowledged, what is no booking too.
func TestPollPassesByWhatIsForOthers(t *testing.T) {
	s, conn := talk(t, map[string]string{
		message.ReadRequests.Name: list(
			changed(`"R1"`, `"foreign"`, `HotelCode="H1"`, `HotelCode="H2"`),
			changed(`"R1"`, `"asked"`, `"Reserved"`, `"Requested"`),
			changed(`"R1"`, `"gone"`, `"Reserved"`, `"Cancelled"`, `Type="14"`, `Type="15"`),
		),
		message.Acknowledge.Name: rs(message.Acknowledged, `<Success/>`),
	})
	var k kept
	if _, err := conn.Poll(t.Context(), "", &k); err == nil || connectors.AsError(err).Kind != connectors.Invalid || !strings.Contains(err.Error(), "foreign") {
		t.Errorf("a reservation of another hotel is no error: %v", err)
	}
	if len(k) != 2 || k[0].Ref != "asked" || !strings.Contains(k[0].Problem, "offer") || k[1].Event != connectors.Cancelled {
		t.Errorf("the sink has %+v", k)
	}
	ack := s.seen[message.Acknowledge.Name]
	if strings.Contains(ack, "foreign") || !strings.Contains(ack, `Type="14" ID="asked"`) || !strings.Contains(ack, `Type="15" ID="gone"`) {
		t.Errorf("acknowledged is %s", ack)
	}
}

func TestPollAndListOfAPortalThatIsOutOfOrder(t *testing.T) {
	busy := rs("OTA_ResRetrieveRS", `<Errors><Error Type="13">busy</Error></Errors>`)
	for name, answers := range map[string]map[string]string{
		"the list fails":                      {message.ReadRequests.Name: busy},
		"the list is none":                    {message.ReadRequests.Name: "<html/>"},
		"the acknowledgement fails":           {message.ReadRequests.Name: list(reserved), message.Acknowledge.Name: rs(message.Acknowledged, `<Errors><Error Type="13"/></Errors>`)},
		"the acknowledgement is not taken":    {message.ReadRequests.Name: list(reserved), message.Acknowledge.Name: rs(message.Acknowledged, `<Success/><Warnings><Warning Type="3"/></Warnings>`)},
		"the acknowledgement is not answered": {message.ReadRequests.Name: list(reserved), message.Acknowledge.Name: ""},
	} {
		_, conn := talk(t, answers)
		var k kept
		if _, err := conn.Poll(t.Context(), "", &k); err == nil {
			t.Errorf("%s and the poll succeeds", name)
		}
	}
	_, conn := talk(t, map[string]string{message.ReadRequests.Name: list(reserved, changed(`"R1"`, `"R2"`, `Duration="P2N"`, ``))})
	var k kept
	if err := conn.List(t.Context(), hotel.DateOf(2027, 2, 1), hotel.DateOf(2027, 2, 2), &k); err == nil {
		t.Errorf("a list with a hole passes for one")
	}
}

// TestAListInAnyOrder: a portal may list what is newest first.
func TestAListInAnyOrder(t *testing.T) {
	first, moved := reserved, changed(`"Reserved"`, `"Modify"`, "2027-02", "2027-04")
	timed := strings.Replace(moved, `CreateDateTime`, `LastModifyDateTime="2027-01-05T03:04:05+01:00" CreateDateTime`, 1)
	older := strings.Replace(changed(`"Reserved"`, `"Modify"`, "2027-02", "2027-05"), `CreateDateTime`, `LastModifyDateTime="2027-01-04T03:04:05+01:00" CreateDateTime`, 1)
	for name, all := range map[string][]string{
		"in order": {first, moved}, "the newest first": {moved, first}, "by their times": {timed, older, first}, "by their times, in order": {first, older, timed},
	} {
		_, conn := talk(t, map[string]string{message.ReadRequests.Name: list(all...)})
		var k kept
		if err := conn.List(t.Context(), hotel.DateOf(2027, 1, 3), hotel.DateOf(2027, 9, 9), &k); err != nil {
			t.Fatal(err)
		}
		if len(k) != 1 || k[0].Event != connectors.Modified || k[0].Booking.Rooms[0].Stay.CheckIn != hotel.DateOf(2027, 4, 1) {
			t.Errorf("%s: listed is %+v", name, k)
		}
	}
}

// TestListTellsTheLastWord: of what was said about a booking the last counts, and
// what only asks is none.
func TestListTellsTheLastWord(t *testing.T) {
	s, conn := talk(t, map[string]string{message.ReadRequests.Name: list(
		reserved, changed(`"R1"`, `"R2"`, `"Reserved"`, `"Requested"`), changed(`"R1"`, `"R3"`, "2027-02", "2027-03"), changed(`"Reserved"`, `"Modify"`),
	)})
	var k kept
	if err := conn.List(t.Context(), hotel.DateOf(2027, 2, 3), hotel.DateOf(2027, 2, 9), &k); err != nil {
		t.Fatal(err)
	}
	if len(k) != 1 || k[0].Ref != "R1" || k[0].Event != connectors.Modified {
		t.Errorf("listed is %+v", k)
	}
	if !strings.Contains(s.seen[message.ReadRequests.Name], `<SelectionCriteria Start="20`) || slices.Contains(s.asked, message.Acknowledge.Name) {
		t.Errorf("the list takes what waits: %s", s.seen[message.ReadRequests.Name])
	}
}
