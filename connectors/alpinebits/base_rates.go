package alpinebits

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// A portal may ask for prices instead of being told them. What it is to be told of them lies
// ready in the pictures of the rate plans that the setting base_rates names, from which it is
// answered.

// asking is a channel that we ask for reservations, and whose portal asks us for prices.
type asking struct{ pulled }

var _ connectors.Receiver = asking{}

// Handler implements [connectors.Receiver].
func (c asking) Handler(connectors.Sink) http.Handler {
	return c.opens(func(message.Version) []message.Supported { return nil }, map[string]answers{})
}

// opens opens the door to a portal, for these actions and for prices where it asks for them.
func (c *conn) opens(can func(message.Version) []message.Supported, actions map[string]answers) http.Handler {
	all := can
	if len(c.cfg.BaseRates) > 0 {
		all = func(v message.Version) []message.Supported {
			return append(can(v), message.Supported{Action: message.BaseRates.Handshake})
		}
		actions[message.BaseRates.Name] = c.tellRates
	}
	return door{c.cfg.InboundUser, c.cfg.InboundPassword}.lets(all, actions)
}

// tellRates answers what rooms cost.
func (c *conn) tellRates(w http.ResponseWriter, r *http.Request, q asked) {
	set, err := c.baseRates(r.Context(), q)
	if err == nil {
		answer(w, message.WriteBaseRates(set))
		return
	}
	if refusal, theirs := errors.AsType[message.Refusal](err); theirs {
		answer(w, message.WriteFailure(message.BaseRated, refusal))
		return
	}
	c.log.Error("a portal is not told prices; it has to ask again", zap.Error(err))
	complain(w, http.StatusInternalServerError, "the prices could not be read; ask again")
}

// baseRates are the prices of all plans or of those that are asked for, on the nights that are
// asked for. There are no changes apart: without dates it is all.
func (c *conn) baseRates(ctx context.Context, q asked) (message.PlanSet, error) {
	set := message.PlanSet{Hotel: c.property()}
	question, nights, err := c.cfg.ratesAsked(q, hotel.Span{From: c.today() - 1, To: lastNight}) // the property may be behind us by a day
	if err != nil {
		return set, err
	}
	codes := question.Plans
	if len(codes) == 0 {
		codes = slices.Sorted(maps.Keys(c.cfg.BaseRates))
	}
	sold, known := c.sold(ctx)
	for i, code := range codes {
		if c.cfg.BaseRates[code] == "" || slices.Contains(codes[:i], code) {
			return set, message.Refusal{Code: message.CodeRate, Why: "there is no rate plan " + code + ", or it stands there twice"}
		}
		if known && !sold[code] {
			continue
		}
		p, err := c.basePlan(ctx, code, nights)
		if err != nil {
			return set, err
		}
		if len(p.Rates) > 0 {
			set.Plans = append(set.Plans, p)
		}
	}
	if len(set.Plans) == 0 {
		return set, message.Refusal{Code: message.CodeRate, Why: "no rate plan has prices on these nights"}
	}
	return set, nil
}

// ratesAsked reads a question for prices of this hotel, and which of the nights that have some
// it is about.
func (c Config) ratesAsked(q asked, nights hotel.Span) (message.RatesQuestion, hotel.Span, error) {
	question, err := message.ReadRatesQuestion(q.request)
	if err != nil {
		return question, nights, unread(err)
	}
	if question.From != nil {
		nights.From = max(nights.From, *question.From)
	}
	if question.To != nil {
		nights.To = min(nights.To, *question.To)
	}
	return question, nights, c.isFor(q.version, question.Hotel)
}

// lastNight is behind every night that has a price: what counts as told is told.
var lastNight = hotel.DateOf(9999, time.December, 31)

// basePlan are the prices of one plan.
func (c *conn) basePlan(ctx context.Context, code string, nights hotel.Span) (message.Plan, error) {
	p := message.Plan{Code: code, Kind: message.New, Basis: &message.PriceBasis{Meals: c.cfg.BaseRates[code]}}
	told, err := c.told.whole(ctx, together{code})
	if err != nil {
		return p, err
	}
	maps.DeleteFunc(told, func(k connectors.Key, _ hotel.Offer) bool { return k.Group != hotel.Price || !nights.Contains(k.Night) })
	rates := c.rates(told)
	if err := inOneCurrency(code, rates); err != nil {
		c.log.Error("a portal is not told the prices of a rate plan", zap.Error(err)) // it was told before that was refused
		return p, nil
	}
	for currency, list := range rates {
		p.Currency, p.Rates = currency, list
	}
	return p, nil
}

// lay lays the prices of a call ready for the portal that asks for them.
func (c *conn) lay(ctx context.Context, op string, call connectors.Call) (connectors.Answer, error) {
	s, err := c.sending(ctx, call)
	if err != nil {
		return connectors.Answer{}, unkept(op, err)
	}
	told, err := c.told.whole(ctx, s.of)
	if err != nil {
		s.undo(ctx)
		return connectors.Answer{}, unkept(op, err)
	}
	if err := inOneCurrency(s.of.plan, c.rates(told)); err != nil {
		s.undo(ctx)
		return connectors.Answer{}, unsent(op, err)
	}
	return connectors.Answer{Rest: connectors.Applied}, nil
}
