package console

import (
	"cmp"
	"net/http"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// guardLine is how a channel is kept from being told prices that look like a slip.
type guardLine struct {
	channelLine
	Currency hotel.Currency
	Form     form // as it is filled in
	mistakes
}

// Is reports whether a choice of the form is made.
func (g guardLine) Is(name, value string) bool { return g.Form.Is(name, value) }

// Rules are what may be done about a price that is too high.
func (guardLine) Rules() []hotel.GuardRule {
	return []hotel.GuardRule{hotel.GuardHold, hotel.GuardClose, hotel.GuardSend}
}

// guards shows the price guard of every channel.
func (c *Console) guards(v *visit) error {
	lines, err := v.guardLines()
	if err != nil {
		return err
	}
	return v.show("guards", http.StatusOK, lines)
}

func (v *visit) guardLines() ([]guardLine, error) {
	channels, err := v.channels()
	if err != nil {
		return nil, err
	}
	var lines []guardLine
	for _, c := range channels {
		if c.Status == hotel.Disconnected {
			continue
		}
		g := guardLine{channelLine: c, Currency: cmp.Or(c.Pricing.Currency, v.house.Currency), Form: form{}}
		guard := c.Pricing.Guard
		g.Form.Values = map[string][]string{"too_high": {string(cmp.Or(guard.TooHigh, hotel.GuardHold))}}
		g.Form.setMoney(v.words, "floor", guard.Floor)
		g.Form.setMoney(v.words, "ceiling", guard.Ceiling)
		g.Form.setDecimal(v.words, "max_change", guard.MaxChangePct)
		lines = append(lines, g)
	}
	return lines, nil
}

// setGuard changes the price guard of a channel as a form says.
func (c *Console) setGuard(v *visit) error {
	channel, err := v.mine()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	in := cmp.Or(channel.Pricing.Currency, v.house.Currency)
	guard := hotel.PriceGuard{Floor: r.money("floor", in), Ceiling: r.money("ceiling", in), MaxChangePct: r.decimal("max_change"), TooHigh: hotel.GuardRule(r.text("too_high"))}
	change := desk.ChannelChange{IfRevision: r.revision(), Terms: func(ch *hotel.Channel) error {
		ch.Pricing.Guard = guard
		return nil
	}}
	if err = r.refusal(); err == nil {
		_, _, err = c.desk.ChangeChannel(v.r.Context(), v.caller, channel.ID, change)
	}
	m, ok := v.mistakesIn(err, v.called(guardFields))
	switch {
	case ok:
		lines, err := v.guardLines()
		if err != nil {
			return err
		}
		for i := range lines {
			if lines[i].ID == channel.ID {
				lines[i].Form, lines[i].mistakes = r.form, m
			}
		}
		return v.show("guards", http.StatusUnprocessableEntity, lines)
	case err != nil:
		return err
	}
	http.Redirect(v.w, v.r, v.path("rates/guards")+"?done=saved", http.StatusSeeOther)
	return nil
}

// MayGuard reports whether the user may set price guards.
func (v view) MayGuard() bool { return v.may(auth.ChannelsWrite) }
