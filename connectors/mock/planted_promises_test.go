package mock

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// promising is a driver that declares something else of its far side.
func promising(change func(*connectors.Capabilities)) func(d *connectors.Driver[Config]) {
	return func(d *connectors.Driver[Config]) {
		d.Capabilities = func(c Config, f connectors.Discovered) connectors.Capabilities {
			caps := capabilities(c, f)
			change(&caps)
			return caps
		}
	}
}

// faultsOfPromises are planted in what is declared of a far side's bounds, and of when it
// does and tells things, and in what is made of answers that are about something else.
func faultsOfPromises() map[string]fault {
	return map[string]fault{
		"no fault, within bounds": {preset: Strict},
		"a refused call that is told again": {
			finds: "RefusedCallChangesNothing",
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				refused := func(k connectors.Key) bool { return answer.Keys[k].Outcome == connectors.Rejected }
				if err != nil || len(call.Keys) < 4 || slices.ContainsFunc(call.Keys, func(k connectors.Key) bool { return !refused(k) }) {
					return answer, err
				}
				call.ID += "-again"
				call.Version++
				_, _ = next.Send(ctx, call)
				return answer, nil
			}},
		},
		"a minimum that is never lifted": {
			finds: "FieldsAreLifted",
			planted: func() planted {
				type place struct {
					by  *conn
					key connectors.Key
				}
				kept := map[place]string{}
				lengths, arrival := regexp.MustCompile(`"lengths":\{`), regexp.MustCompile(`"min_stay_arrival":\d+`)
				return planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
					if len(call.Keys) != 1 || call.Keys[0].Group != hotel.Lengths {
						return next.Send(ctx, call)
					}
					at := place{next, call.Keys[0]}
					if said := arrival.Find(call.Body); said != nil {
						kept[at] = string(said) + ","
					} else if kept[at] != "" {
						call.Body = lengths.ReplaceAll(call.Body, []byte(`"lengths":{`+kept[at]))
					}
					return next.Send(ctx, call)
				}}
			}(),
		},
		"a day of departure that is said to count": {
			finds: "ThroughIsReadAsDeclared",
			driver: promising(func(caps *connectors.Capabilities) {
				c := caps.Fields[hotel.FieldMinStayThrough]
				c.ThroughIncludesDeparture = true
				caps.Fields[hotel.FieldMinStayThrough] = c
			}),
		},
		"a horizon that is said to be farther": {
			finds: "HorizonIsReached", preset: Strict,
			driver: promising(func(caps *connectors.Capabilities) { caps.HorizonDays += 30 }),
		},
		"a currency that is told as it is": {
			finds: "OtherCurrencyRefused", preset: Pull,
			driver: promising(func(caps *connectors.Capabilities) { caps.Currencies = []string{"EUR"} }),
		},
		"a refusal of something else that is left out": {
			finds: "ForeignOutcomeIsSeen",
			planted: planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				for k := range answer.Keys {
					if !slices.Contains(call.Keys, k) {
						delete(answer.Keys, k)
					}
				}
				return answer, err
			}},
		},
		"nights read by their place": {
			finds: "ForeignReadIsNotTaken",
			planted: planted{read: func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
				all, err := next.read(ctx, room, from-60, to+60)
				asked := hotel.Span{From: from, To: to}
				if err != nil || len(all) == 0 {
					return all, err
				}
				if slices.ContainsFunc(all, func(c connectors.Change) bool { return asked.Contains(c.Key.Night) }) {
					return slices.DeleteFunc(all, func(c connectors.Change) bool { return !asked.Contains(c.Key.Night) }), nil
				}
				off := all[0].Key.Night - from
				for i := range all {
					all[i].Key.Night -= off
				}
				return all, nil
			}},
		},
		"a lifetime that is said to be shorter": {
			finds: "LateCallEndsInLifetime", preset: Pull,
			driver: promising(func(caps *connectors.Capabilities) { caps.Lifetime = 30 * time.Second }),
		},
		"sales that are said to be listed sooner": {
			finds: "SaleIsListedInTime", preset: Slow,
			driver: promising(func(caps *connectors.Capabilities) { caps.SaleSettle = 30 * time.Second }),
		},
		"a date read by our clock": {
			finds: "RetryAfterByTheirClock",
			driver: func(d *connectors.Driver[Config]) {
				next := d.Open
				d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
					env.Client = transport.New(transport.Options{Base: undated{env.Client.Transport}})
					return next(ctx, c, env)
				}
			},
		},
		"a date that counts only beside another": {
			finds: "RetryAfterByTheirClock",
			driver: func(d *connectors.Driver[Config]) {
				next := d.Open
				d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
					env.Client = transport.New(transport.Options{Base: impatient{env.Client.Transport}})
					return next(ctx, c, env)
				}
			},
		},
		"a booking of the future that is left out": {
			finds: "TheirClockLosesNothing", preset: Pull,
			planted: planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				soon := next.call.Clock.Now().Add(time.Hour)
				return next.Poll(ctx, cursor, sinkFunc(func(ctx context.Context, m connectors.Message) error {
					if m.At.After(soon) {
						return nil
					}
					return sink.Deliver(ctx, m)
				}))
			}},
		},
	}
}

// impatient is a wire on which an answer without a date asks for no pause until another.
type impatient struct{ base http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (i impatient) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := i.base.RoundTrip(r)
	if err == nil && resp.Header.Get("Date") == "" && strings.HasSuffix(resp.Header.Get("Retry-After"), "GMT") {
		resp.Header.Del("Retry-After")
	}
	return resp, err
}

// undated is a wire on which answers lose their date.
type undated struct{ base http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (u undated) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := u.base.RoundTrip(r)
	if err == nil {
		resp.Header.Del("Date")
	}
	return resp, err
}
