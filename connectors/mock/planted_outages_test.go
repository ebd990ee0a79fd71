package mock

import (
	"context"
	"net/http"
	"net/http/httptest"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// asking plants a fault in what a connector makes of the house, which it asks.
func asking(f fault, plant func(env *connectors.Env) planted) fault {
	var env connectors.Env
	f.planted = plant(&env)
	f.driver = func(d *connectors.Driver[Config]) {
		next := d.Open
		d.Open = func(ctx context.Context, c Config, given connectors.Env) (connectors.Connector, error) {
			env = given
			return next(ctx, c, given)
		}
	}
	return f
}

// known passes on bookings of rooms that the house names, which are none when it does not answer.
func known(env *connectors.Env, sink connectors.Sink) connectors.Sink {
	return sinkFunc(func(ctx context.Context, m connectors.Message) error {
		rooms, _ := env.Rooms(ctx)
		for _, r := range rooms {
			if m.Problem != "" || len(m.Booking.Rooms) == 0 || r.Room == m.Booking.Rooms[0].Room {
				return sink.Deliver(ctx, m)
			}
		}
		return nil
	})
}

// faultsOfOutages are planted in what becomes of messages, values and answers while the house
// is out of order.
func faultsOfOutages() map[string]fault {
	return map[string]fault{
		"bookings fetched for nobody while the house does not answer": asking(fault{finds: "PollFailsWithItsHouse", preset: Pull}, func(env *connectors.Env) planted {
			return planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				return next.Poll(ctx, cursor, known(env, sink))
			}}
		}),
		"a house that is out of order taken for a refusal": asking(fault{finds: "PollFailsWithItsHouse", preset: Pull}, func(env *connectors.Env) planted {
			return planted{poll: func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
				if _, err := env.Property(ctx); err != nil {
					return cursor, &connectors.Error{Kind: connectors.Denied, Op: "fetch bookings", Err: err}
				}
				return next.Poll(ctx, cursor, sink)
			}}
		}),
		"a list of what the house names": asking(fault{finds: "ListFailsWithItsHouse"}, func(env *connectors.Env) planted {
			return planted{list: func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
				return next.List(ctx, from, to, known(env, sink))
			}}
		}),
		"nothing read back while the house does not answer": asking(fault{finds: "ReadFailsWithItsHouse"}, func(env *connectors.Env) planted {
			return planted{read: func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
				if _, err := env.Shut(ctx); err != nil {
					return nil, nil
				}
				return next.read(ctx, room, from, to)
			}}
		}),
		"an empty catalogue while the house does not answer": asking(fault{finds: "ProductsFailsWithItsHouse"}, func(env *connectors.Env) planted {
			return planted{catalog: func(next *conn, ctx context.Context) ([]connectors.RemoteProduct, error) {
				if _, err := env.Property(ctx); err != nil {
					return nil, nil
				}
				return next.Products(ctx)
			}}
		}),
		"values that count as told because nobody can look it up": asking(fault{finds: "SendFailsWithItsHouse"}, func(env *connectors.Env) planted {
			return planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				if _, err := env.Shelf.Get(ctx, "told"); err != nil {
					return connectors.Answer{Rest: connectors.Applied}, nil
				}
				return next.Send(ctx, call)
			}}
		}),
		"a call that was not sent, because what it said cannot be kept": asking(fault{finds: "SendFailsWithItsHouse"}, func(env *connectors.Env) planted {
			return planted{send: func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
				answer, err := next.Send(ctx, call)
				if failed := env.Shelf.Put(ctx, "told", call.Body); err == nil && failed != nil {
					return answer, &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent, Op: "keep what was told", Err: failed}
				}
				return answer, err
			}}
		}),
		"bookings taken in for nobody while the house does not answer": asking(fault{finds: "InboundFailsWithItsHouse"}, func(env *connectors.Env) planted {
			return planted{handler: func(next pushed, sink connectors.Sink) http.Handler { return next.Handler(known(env, sink)) }}
		}),
		"a message that is to blame for the house": {
			finds: "InboundFailsWithItsHouse",
			planted: planted{handler: func(next pushed, sink connectors.Sink) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					answer := httptest.NewRecorder()
					next.Handler(sink).ServeHTTP(answer, r)
					if answer.Code >= 500 {
						answer.Code = http.StatusBadRequest
					}
					w.WriteHeader(answer.Code)
					_, _ = w.Write(answer.Body.Bytes()) // the kit reads it, or has gone
				})
			}},
		},
		"a channel that stays closed once the house did not answer": {
			finds: "OpensOnceItsHouseAnswers",
			driver: func(d *connectors.Driver[Config]) {
				next, gone := d.Open, map[connectors.Shelf]error{}
				d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
					if _, err := env.Property(ctx); err != nil {
						gone[env.Shelf] = err
					}
					if err := gone[env.Shelf]; err != nil {
						return nil, err
					}
					return next(ctx, c, env)
				}
			},
		},
	}
}
