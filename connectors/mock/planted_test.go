package mock

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/hotel"
)

// serial tells the drivers of one round of the tests from those of the next.
var serial atomic.Int64

// fault is one planted fault and the case that is to find it.
type fault struct {
	finds    string
	also     []string // other cases that cannot but notice it
	preset   Preset
	planted  planted
	driver   func(d *connectors.Driver[Config])
	settings map[string]string // more of them, for the case that finds it
}

// unsaid is a key that stands in a failure as the program has it.
var unsaid = regexp.MustCompile(`\{(DBL|TWN|NOROOM) `)

// TestPlantedFaults plants one fault after the other and wants exactly the case
// that is about it to fail; without a fault none does, and every case has one.
func TestPlantedFaults(t *testing.T) {
	stop := make(chan struct{})
	var leaked sync.WaitGroup
	defer leaked.Wait()
	defer close(stop)

	var counter int
	faults := map[string]fault{
		"no fault":          {},
		"no fault, fetched": {preset: Pull},
		"an unknown key in the example": {
			finds:  "ExampleDecodes",
			driver: func(d *connectors.Driver[Config]) { d.Example += "\n# colour = \"red\"\n" },
		},
		"a capability without its method": {
			finds: "CapabilitiesMatchInterfaces",
			driver: func(d *connectors.Driver[Config]) {
				d.Capabilities = func(c Config, f connectors.Discovered) connectors.Capabilities {
					caps := capabilities(c, f)
					caps.Polls = true
					return caps
				}
			},
		},
		"bytes that change from time to time": {
			finds: "EncodeIsPure",
			planted: planted{encode: func(next *conn, changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
				calls, refused := next.Encode(changes)
				counter++
				for i := range calls {
					calls[i].Body = append(calls[i].Body, strings.Repeat(" ", counter%7)...)
				}
				return calls, refused
			}},
		},
		"a change that gets lost": {
			finds: "EncodeCoversEveryChange",
			planted: planted{encode: func(next *conn, changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
				return next.Encode(changes[:min(len(changes), 1203)])
			}},
		},
		"a call for each night": {
			finds: "EncodeGroupsNights",
			planted: planted{encode: func(next *conn, changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
				if len(changes) < 1300 {
					return next.Encode(changes)
				}
				var calls []connectors.Call
				for part := range slices.Chunk(changes, 4) {
					some, _ := next.Encode(part)
					calls = append(calls, some...)
				}
				return calls, nil
			}},
		},
		"a call that is too full": {
			finds: "EncodeKeepsToOperations",
			planted: planted{encode: func(next *conn, changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
				calls, refused := next.Encode(changes)
				if len(changes) != 1200 {
					return calls, refused
				}
				for i := 1; i < len(calls); i++ {
					if calls[i].Operation == calls[0].Operation {
						calls[0].Keys = append(calls[0].Keys, calls[i].Keys...)
						return slices.Delete(calls, i, i+1), refused
					}
				}
				return calls, refused
			}},
		},
		"no leap days": {
			finds: "SendShows",
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				call.Body = bytes.ReplaceAll(call.Body, []byte("-02-29"), []byte("-03-01"))
				return next.Send(ctx, call)
			}},
		},
		"a repeated call adds": {
			finds: "SendTwiceShowsSame", also: []string{"RandomWalk", "SendFailsWithItsHouse", "CountMovesAsDeclared", "RepeatsChangeNothing"},
			planted: func() planted {
				seen := map[string]bool{}
				count := regexp.MustCompile(`"available":\d+`)
				return planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
					again := seen[string(call.Body)]
					seen[string(call.Body)] = true
					if again {
						call.Body = count.ReplaceAll(call.Body, []byte(`"available":99`))
					}
					return next.Send(ctx, call)
				}}
			}(),
		},
		"a count that is said to stay as it is": {
			finds: "CountMovesAsDeclared",
			driver: func(d *connectors.Driver[Config]) {
				d.Capabilities = func(c Config, f connectors.Discovered) connectors.Capabilities {
					caps := capabilities(c, f)
					caps.AdjustsOn.Book = hotel.AdjustNo
					return caps
				}
			},
		},
		"versions by when calls leave": {
			finds: "OlderVersionsChangeNothing",
			planted: func() planted {
				var version int64
				return planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
					version++
					call.Version = version
					return next.Send(ctx, call)
				}}
			}(),
		},
		"a repeat as a call of its own": {
			finds: "RepeatsChangeNothing",
			planted: func() planted {
				type one struct {
					by *conn
					id string
				}
				seen := map[one]bool{}
				return planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
					this := one{next, call.ID}
					again := seen[this]
					seen[this] = true
					call.Version *= 1000
					if again {
						call.ID, call.Version = call.ID+"-again", call.Version+1
					}
					return next.Send(ctx, call)
				}}
			}(),
		},
		"rejections that nobody reads": {
			finds: "PartialRejection", also: []string{"RefusedCallChangesNothing"},
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				answer.Keys = nil
				return answer, err
			}},
		},
		"a field that is declared and left out": {
			finds: "FieldsMatchCarriage", also: []string{"FieldsAreLifted", "ReadIsWhole"},
			planted: func() planted {
				advance := regexp.MustCompile(`"min_advance_days":\d+`)
				return planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
					call.Body = advance.ReplaceAll(call.Body, []byte(`"min_advance_days":0`))
					return next.Send(ctx, call)
				}}
			}(),
		},
		"an opening that does not wait for its price": {
			finds: "OpensAtPrice", preset: Hub,
			planted: planted{encode: func(next *conn, changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
				var opening, rest []connectors.Change
				for _, c := range changes {
					if c.AtPrice {
						opening = append(opening, c)
					} else {
						rest = append(rest, c)
					}
				}
				first, _ := next.Encode(opening)
				calls, refused := next.Encode(rest)
				return append(first, calls...), refused
			}},
		},
		"a call that outlives its caller": {
			finds: "SendHonoursCancel", settings: map[string]string{"timeout": "200ms"},
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				return next.Send(context.WithoutCancel(ctx), call)
			}},
		},
		"a 429 called temporary": {
			finds: "ErrorKinds",
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				if e := connectors.AsError(err); err != nil && e.Kind == connectors.RateLimited {
					e.Kind = connectors.Temporary
				}
				return answer, err
			}},
		},
		"a cut called harmless": {
			finds: "ErrorEffects",
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				if err != nil {
					connectors.AsError(err).Effect = connectors.NotSent
				}
				return answer, err
			}},
		},
		"a second try": {
			finds: "SendNeverRetries",
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				if err != nil && ctx.Err() == nil {
					return next.Send(ctx, call)
				}
				return answer, err
			}},
		},
		"any 200 counts": {
			finds: "NonsenseIsNotSuccess", also: []string{"RandomWalk"},
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				if err != nil && strings.Contains(err.Error(), "the answer cannot be read") {
					return connectors.Answer{Rest: connectors.Applied}, nil
				}
				return answer, err
			}},
		},
		"an answer without end that counts": {
			finds: "EndlessAnswerIsAnError",
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				if err != nil && strings.Contains(err.Error(), "the answer is longer") {
					return connectors.Answer{Rest: connectors.Applied}, nil
				}
				return answer, err
			}},
		},
		"a poll that outlives its caller": {
			finds: "PollHonoursCancel", preset: Pull, settings: map[string]string{"timeout": "200ms"},
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				return next.Poll(context.WithoutCancel(ctx), cursor, sink)
			}},
		},
		"a poll without an answer that went well": {
			finds: "PollFailsWithItsWire", preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				behind, err := next.Poll(ctx, cursor, sink)
				return behind, unlessUnreadable(err)
			}},
		},
		"a key for each fetch": {
			finds: "PollRedeliversSameKeys", also: []string{"ListAgreesWithFeed"}, preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				return next.Poll(ctx, cursor, sinkFunc(func(ctx context.Context, m connectors.Message) error {
					counter++
					m.Key += strconv.Itoa(counter)
					return sink.Deliver(ctx, m)
				}))
			}},
		},
		"a list that outlives its caller": {
			finds: "ListHonoursCancel", settings: map[string]string{"timeout": "200ms"},
			planted: planted{list: func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
				return next.List(context.WithoutCancel(ctx), from, to, sink)
			}},
		},
		"half a list that counts": {
			finds: "ListFailsWithItsWire",
			planted: planted{list: func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
				return unlessUnreadable(next.List(ctx, from, to, sink))
			}},
		},
		"a read-back that outlives its caller": {
			finds: "ReadHonoursCancel", settings: map[string]string{"timeout": "200ms"},
			planted: planted{read: func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
				return next.read(context.WithoutCancel(ctx), room, from, to)
			}},
		},
		"nothing read that counts": {
			finds: "ReadFailsWithItsWire",
			planted: planted{read: func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
				changes, err := next.read(ctx, room, from, to)
				return changes, unlessUnreadable(err)
			}},
		},
		"a refused poll called temporary": {
			finds: "PollFailsWithItsWire", preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				behind, err := next.Poll(ctx, cursor, sink)
				return behind, ofToday(err, connectors.Denied)
			}},
		},
		"a pause that a list does not hear": {
			finds: "ListFailsWithItsWire",
			planted: planted{list: func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
				return ofToday(next.List(ctx, from, to, sink), connectors.RateLimited)
			}},
		},
		"a refused read-back called temporary": {
			finds: "ReadFailsWithItsWire",
			planted: planted{read: func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
				changes, err := next.read(ctx, room, from, to)
				return changes, ofToday(err, connectors.Denied)
			}},
		},
		"a catalogue that outlives its caller": {
			finds: "ProductsHonoursCancel", settings: map[string]string{"timeout": "200ms"},
			planted: planted{catalog: func(next *conn, ctx context.Context) ([]connectors.RemoteProduct, error) {
				return next.Products(context.WithoutCancel(ctx))
			}},
		},
		"half a catalogue that counts": {
			finds: "ProductsFailsWithItsWire",
			planted: planted{catalog: func(next *conn, ctx context.Context) ([]connectors.RemoteProduct, error) {
				products, err := next.Products(ctx)
				return products, unlessUnreadable(err)
			}},
		},
		"a pause that the catalogue does not hear": {
			finds: "ProductsFailsWithItsWire",
			planted: planted{catalog: func(next *conn, ctx context.Context) ([]connectors.RemoteProduct, error) {
				products, err := next.Products(ctx)
				return products, ofToday(err, connectors.RateLimited)
			}},
		},
		"a price for some guests that nobody reads": {
			finds: "ReadIsWhole",
			planted: planted{read: func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
				changes, err := next.read(ctx, room, from, to)
				return slices.DeleteFunc(changes, func(c connectors.Change) bool { return c.Key.Occupancy == 1 }), err
			}},
		},
		"a call that is taken for made after a restart": {
			finds: "RandomWalk", also: []string{"OpensOnceItsHouseAnswers"},
			driver: func(d *connectors.Driver[Config]) {
				next, last := d.Open, "" // far sides come one after the other, and may be given a port that was used before
				d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
					opened, err := next(ctx, c, env)
					if c.URL != last {
						last = c.URL
						return opened, err
					}
					first := true
					again, _ := opened.(faultyPushed)
					again.p.send = func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
						if first {
							first = false
							return connectors.Answer{Rest: connectors.Applied}, nil
						}
						return next.Send(ctx, call)
					}
					return again, err
				}
			},
		},
		"revisions that say nothing": {
			finds: "RevisionsAreOrdered", preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				return next.Poll(ctx, cursor, sinkFunc(func(ctx context.Context, m connectors.Message) error {
					m.Revision = "1"
					return sink.Deliver(ctx, m)
				}))
			}},
		},
		"a late message that is swallowed": {
			finds: "LateMessagesStayThemselves", also: []string{"ListAgreesWithFeed", "TheirClockLosesNothing", "ChildrenKeepTheirAges", "RoomsOfABookingStayApart", "InboundFailsWithItsHouse"},
			planted: func() planted {
				newest := map[string]string{}
				return planted{handler: func(next pushed, sink connectors.Sink) http.Handler {
					return next.Handler(sinkFunc(func(ctx context.Context, m connectors.Message) error {
						if m.Revision != "" && m.Revision < newest[m.Ref] {
							return nil
						}
						newest[m.Ref] = m.Revision
						return sink.Deliver(ctx, m)
					}))
				}}
			}(),
		},
		"a key for each delivery": {
			finds: "InboundDelivers", also: []string{"LateMessagesStayThemselves", "ListAgreesWithFeed"},
			planted: planted{handler: func(next pushed, sink connectors.Sink) http.Handler {
				return next.Handler(sinkFunc(func(ctx context.Context, m connectors.Message) error {
					counter++
					m.Key += strconv.Itoa(counter)
					return sink.Deliver(ctx, m)
				}))
			}},
		},
		"a signature that nobody checks": {
			finds: "InboundRefusesForgery",
			planted: planted{handler: func(next pushed, sink connectors.Sink) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(bytes.NewReader(body))
					r.Header.Set(signatureHeader, sign(body))
					next.Handler(sink).ServeHTTP(w, r)
				})
			}},
		},
		"pushed and answered before it is stored": {
			finds: "InboundNotAckedUntilDurable", also: []string{"InboundFailsWithItsHouse"},
			planted: planted{handler: func(next pushed, sink connectors.Sink) http.Handler {
				return next.Handler(sinkFunc(func(ctx context.Context, m connectors.Message) error {
					_ = sink.Deliver(ctx, m)
					return nil
				}))
			}},
		},
		"pushed and thrown away because it cannot be read": {
			finds: "InboundKeepsWhatItCannotRead",
			planted: planted{handler: func(next pushed, sink connectors.Sink) http.Handler {
				return next.Handler(readable(sink))
			}},
		},
		"read again as another booking": {
			finds: "InboundKeepsWhatItCannotRead",
			planted: planted{reread: func(next *conn, raw []byte) (connectors.Message, error) {
				m, err := next.Reread(context.Background(), raw)
				m.Ref += "0"
				return m, err
			}},
		},
		"fetched and thrown away because it cannot be read": {
			finds: "PollKeepsWhatItCannotRead", preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				return next.Poll(ctx, cursor, readable(sink))
			}},
		},
		"a night left out of the read-back": {
			finds: "ReadbackMatchesSend", also: []string{"ReadIsWhole"},
			planted: planted{read: func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
				return next.read(ctx, room, from, to-1)
			}},
		},
		"a board in the far side's own words": {
			finds: "CatalogHasProduct",
			planted: planted{catalog: func(next *conn, ctx context.Context) ([]connectors.RemoteProduct, error) {
				products, err := next.Products(ctx)
				for i := range products {
					products[i].Board = "BB"
				}
				return products, err
			}},
		},
		"an empty catalogue": {
			finds: "CatalogHasProduct",
			planted: planted{catalog: func(next *conn, ctx context.Context) ([]connectors.RemoteProduct, error) {
				_, err := next.Products(ctx)
				return nil, err
			}},
		},
		"a list that takes out of the feed": {
			finds: "ListByDateConsumesNothing", preset: Pull,
			planted: planted{list: func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
				ignore := sinkFunc(func(context.Context, connectors.Message) error { return nil })
				_, err := pulled{next}.Poll(ctx, "", ignore)
				return errors.Join(err, next.List(ctx, from, to, sink))
			}},
		},
		"a list with keys of its own": {
			finds:   "ListAgreesWithFeed",
			planted: planted{list: relisted(func(m *connectors.Message) { m.Key = "listed/" + m.Ref })},
		},
		"a list with the time of the list": {
			finds: "ListAgreesWithFeed", preset: Pull,
			planted: planted{list: relisted(func(m *connectors.Message) { m.At = m.At.Add(time.Hour) })},
		},
		"a message that comes with every poll": {
			finds: "PollResumesFromCursor", also: []string{"RevisionsAreOrdered", "ListAgreesWithFeed", "TheirClockLosesNothing", "ChildrenKeepTheirAges", "RoomsOfABookingStayApart", "PollFailsWithItsHouse"}, preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				if cursor != "" {
					if err := sink.Deliver(ctx, connectors.Message{Ref: "PULL-000001"}); err != nil {
						return cursor, err
					}
				}
				return next.Poll(ctx, cursor, sink)
			}},
		},
		"fetched and acknowledged before it is stored": {
			finds: "PollNotAckedUntilDurable", also: []string{"PollRedeliversSameKeys", "PollFailsWithItsHouse"}, preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				return next.Poll(ctx, cursor, sinkFunc(func(ctx context.Context, m connectors.Message) error {
					_ = sink.Deliver(ctx, m)
					return nil
				}))
			}},
		},
		"a booking that is left as it was": {
			finds: "ActionsAreDone",
			planted: planted{act: func(next connectors.Actor, ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
				if a.Kind == hotel.ActionShorten {
					return connectors.Verdict{Outcome: connectors.Applied}, nil
				}
				return next.Act(ctx, a)
			}},
		},
		"a refusal that nobody reads": {
			finds: "ActionRefused",
			planted: planted{act: func(next connectors.Actor, ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
				_, err := next.Act(ctx, a)
				return connectors.Verdict{Outcome: connectors.Applied}, err
			}},
		},
		"a key for each attempt": {
			finds: "ActionTwiceDoneOnce",
			planted: planted{act: func(next connectors.Actor, ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
				counter++
				a.ID += strconv.Itoa(counter)
				return next.Act(ctx, a)
			}},
		},
		"an action that is tried twice": {
			finds: "ActionErrors",
			planted: planted{act: func(next connectors.Actor, ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
				verdict, err := next.Act(ctx, a)
				if connectors.AsError(err).Kind == connectors.RateLimited && err != nil {
					return next.Act(ctx, a)
				}
				return verdict, err
			}},
		},
		"any 200 is a yes": {
			finds: "ActionNonsenseIsNotSuccess",
			planted: planted{act: func(next connectors.Actor, ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
				verdict, err := next.Act(ctx, a)
				if err != nil && strings.Contains(err.Error(), "the answer cannot be read: it is about another booking") {
					return connectors.Verdict{Outcome: connectors.Applied}, nil
				}
				return verdict, err
			}},
		},
		"a secret in a log line": {
			finds: "NoSecretsInLogs",
			driver: func(d *connectors.Driver[Config]) {
				next := d.Open
				d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
					env.Log.Debug("opened", zap.String("authorization", "Bearer "+c.Secret))
					return next(ctx, c, env)
				}
			},
		},
		"a goroutine left behind": {
			finds: "LeavesNoGoroutine",
			driver: func(d *connectors.Driver[Config]) {
				next := d.Open
				d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
					leaked.Go(func() { <-stop })
					return next(ctx, c, env)
				}
			},
		},
	}
	maps.Copy(faults, faultsOfPromises())
	maps.Copy(faults, faultsOfParties())
	maps.Copy(faults, faultsOfOutages())
	// The mock's calls bring their messages. What only hints is shown on channex.
	missing := slices.DeleteFunc(connectortest.Cases(), func(c string) bool { return c == "InboundHints" })
	for name, f := range faults {
		driver := "mock_planted_" + strconv.FormatInt(serial.Add(1), 10)
		f.register(driver)
		missing = slices.DeleteFunc(missing, func(c string) bool { return c == f.finds })
		t.Run(name, func(t *testing.T) {
			results, err := f.results(t.Context(), driver)
			if err != nil {
				t.Fatal(err)
			}
			found := f.finds == ""
			for _, r := range results {
				for _, failure := range r.Failures {
					if unsaid.MatchString(failure) {
						t.Errorf("%s does not say of what it is as people do: %s", r.Case, failure)
					}
				}
				if r.Case == f.finds {
					found = len(r.Failures) > 0
					continue
				}
				for _, failure := range r.Failures {
					if slices.Contains(f.also, r.Case) {
						break
					}
					t.Errorf("%s fails, which is not about it: %s", r.Case, failure)
				}
			}
			if !found {
				t.Errorf("%s does not fail", f.finds)
			}
		})
	}
	for _, c := range missing {
		if strings.HasPrefix(c, "Published") || strings.HasPrefix(c, "Served") || c == "WholeReadMatchesSend" || strings.HasPrefix(c, "ReadWhole") {
			continue // nothing is published or read whole and nobody served here: the connectors ical, channex and alpinebits plant these
		}
		t.Errorf("no fault shows that %s can fail", c)
	}
}

// TestSkippingNeedsAReason: no case is left out silently or by mistake.
func TestSkippingNeedsAReason(t *testing.T) {
	for name, skip := range map[string]map[string]string{
		"a case that does not exist": {"SendTravelsInTime": "nobody can"},
		"no reason":                  {"SendShows": ""},
	} {
		h := harness("mock", Push)
		h.Skip = skip
		if _, err := connectortest.Results(t.Context(), h); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	h := harness("mock", Push)
	h.Skip = map[string]string{"SendShows": "its calendar is broken"}
	results, err := connectortest.Results(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Case == "SendShows" && !strings.Contains(r.Skipped, "its calendar is broken") {
			t.Errorf("SendShows is not skipped: %+v", r)
		}
	}
}

// unlessUnreadable is what becomes of an error where nobody looks at what an answer says.
func unlessUnreadable(err error) error {
	if err != nil && strings.Contains(err.Error(), "the answer cannot be read") {
		return nil
	}
	return err
}

// ofToday calls a failure of a kind one of today.
func ofToday(err error, kind connectors.Kind) error {
	if e := connectors.AsError(err); err != nil && e.Kind == kind {
		e.Kind = connectors.Temporary
	}
	return err
}

// relisted tells of what is listed otherwise.
func relisted(change func(m *connectors.Message)) func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	return func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
		return next.List(ctx, from, to, sinkFunc(func(ctx context.Context, m connectors.Message) error {
			change(&m)
			return sink.Deliver(ctx, m)
		}))
	}
}

// readable passes on only what could be read.
func readable(sink connectors.Sink) connectors.Sink {
	return sinkFunc(func(ctx context.Context, m connectors.Message) error {
		if m.Problem != "" {
			return nil
		}
		return sink.Deliver(ctx, m)
	})
}
