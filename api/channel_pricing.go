package api

import (
	"ostler.example/hotel"
)

type markupBody struct {
	Kind  string `json:"kind" enum:"percent,amount"`
	Value string `json:"value" example:"12.5"`
}

func (b markupBody) read() hotel.Markup {
	return hotel.Markup{Kind: hotel.AdjustmentKind(b.Kind), Value: b.Value}
}

type exchangeBody struct {
	Rate string     `json:"rate" example:"0.95" doc:"So many of the channel's units for one of the property's."`
	Date hotel.Date `json:"date" format:"date" doc:"The day whose rate it is."`
}

func (b exchangeBody) read() hotel.Exchange { return hotel.Exchange(b) }

type cutOffBody struct {
	DaysBefore int    `json:"days_before" minimum:"0" maximum:"365"`
	Time       string `json:"time" pattern:"^([01]\\d|2[0-3]):[0-5]\\d$" patternDescription:"a time such as 18:00"`
}

type commissionBody struct {
	Pct      percentOrText `json:"pct" doc:"A number of per cent."`
	Base     string        `json:"base" enum:"gross,net_of_tax"`
	OnNoShow *bool         `json:"on_no_show_charge,omitempty" doc:"True unless it says otherwise."`
}

func (b commissionBody) read() hotel.Commission {
	return hotel.Commission{Pct: string(b.Pct), Base: b.Base, OnNoShow: b.OnNoShow == nil || *b.OnNoShow}
}

// sellerBody is what is other about one seller behind a relay.
type sellerBody struct {
	Markup     *markupBody     `json:"markup,omitempty" doc:"Only where the relay takes a price for each seller."`
	Commission *commissionBody `json:"commission,omitempty" doc:"What it takes, where its bookings do not say."`
}

func readSellers(b map[string]sellerBody) map[string]hotel.SellerTerms {
	if len(b) == 0 {
		return nil
	}
	out := make(map[string]hotel.SellerTerms, len(b))
	for name, s := range b {
		var of hotel.SellerTerms
		if s.Markup != nil {
			of.Markup = new(s.Markup.read())
		}
		if s.Commission != nil {
			of.Commission = new(s.Commission.read())
		}
		out[name] = of
	}
	return out
}

type guardBody struct {
	Floor        *money  `json:"floor,omitempty"`
	Ceiling      *money  `json:"ceiling,omitempty"`
	MaxChangePct percent `json:"max_change_pct,omitempty" doc:"Against the last acknowledged price of the night."`
	TooHigh      string  `json:"too_high,omitempty" enum:"hold,close,send"`
}

func (b guardBody) read() (g hotel.PriceGuard, err error) {
	g = hotel.PriceGuard{MaxChangePct: string(b.MaxChangePct), TooHigh: hotel.GuardRule(b.TooHigh)}
	if g.Floor, err = readMoney(b.Floor, "/price_guard/floor"); err != nil {
		return g, err
	}
	g.Ceiling, err = readMoney(b.Ceiling, "/price_guard/ceiling")
	return g, err
}

func readAbsent(b map[string]string) (map[hotel.Field]hotel.AbsentPolicy, error) {
	var out map[hotel.Field]hotel.AbsentPolicy
	for field, policy := range b {
		p := hotel.AbsentPolicy(policy)
		if p != hotel.KeptAtChannel && p != hotel.CloseNights {
			return nil, hotel.Invalid("/absent/"+field, "enum", "expected kept_at_channel or close")
		}
		if out == nil {
			out = map[hotel.Field]hotel.AbsentPolicy{}
		}
		out[hotel.Field(field)] = p
	}
	return out, nil
}

// pricing shows what a channel's prices are made into.
func (b *channelBody) pricing(c hotel.Channel) {
	p := c.Pricing
	b.PriceBasis, b.Currency = orNull(string(p.Basis)), orNull(string(p.Currency))
	if c.Markup != nil {
		b.Markup = &markupBody{Kind: string(c.Markup.Kind), Value: c.Markup.Value}
	}
	if p.Exchange != nil {
		x := exchangeBody(*p.Exchange)
		b.Exchange = &x
	}
	if p.Guard != (hotel.PriceGuard{}) {
		b.PriceGuard = &guardBody{moneyOrNone(p.Guard.Floor), moneyOrNone(p.Guard.Ceiling), percent(p.Guard.MaxChangePct), string(p.Guard.TooHigh)}
	}
	if c.CutOff != nil {
		cut := cutOffBody(*c.CutOff)
		b.CutOff = &cut
	}
	if c.Commission != nil {
		b.Commission = &commissionBody{percentOrText(c.Commission.Pct), c.Commission.Base, &c.Commission.OnNoShow}
	}
	for name, of := range c.Sellers {
		var s sellerBody
		if of.Markup != nil {
			s.Markup = &markupBody{string(of.Markup.Kind), of.Markup.Value}
		}
		if of.Commission != nil {
			s.Commission = &commissionBody{percentOrText(of.Commission.Pct), of.Commission.Base, &of.Commission.OnNoShow}
		}
		b.Sellers[name] = s
	}
	for f, policy := range c.Policies.Absent {
		b.Absent[string(f)] = string(policy)
	}
}
