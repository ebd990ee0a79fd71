package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// channelInput is a channel that somebody wants to make.
type channelInput struct {
	PropertyID string                     `json:"property_id"`
	Connector  string                     `json:"connector" example:"mock" doc:"One of GET /connectors. It never changes."`
	Name       string                     `json:"name" minLength:"1" maxLength:"200"`
	Settings   map[string]json.RawMessage `json:"settings,omitempty" doc:"As the connector's settings_schema says, over the defaults of the configuration. A secret may be named as secret:NAME."`
	Sync       *schedulesInput            `json:"sync,omitempty"`
	Markup     *markupBody                `json:"markup,omitempty"`
	PriceBasis string                     `json:"price_basis,omitempty" enum:"tax_included,tax_excluded"`
	Currency   string                     `json:"currency,omitempty" pattern:"^[A-Z]{3}$" patternDescription:"an ISO 4217 code"`
	Exchange   *exchangeBody              `json:"exchange_rate,omitempty"`
	PriceGuard *guardBody                 `json:"price_guard,omitempty"`
	CutOff     *cutOffBody                `json:"cut_off,omitempty"`
	Absent     map[string]string          `json:"absent,omitempty" doc:"For fields that it cannot carry: kept_at_channel or close."`
	Commission *commissionBody            `json:"commission,omitempty"`
	Sellers    map[string]sellerBody      `json:"sellers,omitempty" doc:"What is other about single sellers behind a relay, by the name that their bookings bring."`
	Weight     *int                       `json:"weight,omitempty" minimum:"0" maximum:"1000000" doc:"Its share when guarded rooms are dealt; left out: its room nights of the last 90 days and one."`
	Priority   int                        `json:"priority,omitempty" minimum:"0" maximum:"1000" doc:"Of two channels that are alike the lower number is dealt to first."`
}

func (s *server) registerChannelCreation() {
	op := huma.Operation{
		OperationID: "create-channel", Method: http.MethodPost, Path: "/channels",
		Summary: "Make a channel", Tags: []string{tagChannels}, DefaultStatus: http.StatusCreated,
		Description: "It begins as a draft: test it, map it, look at its plan, and activate it.",
	}
	register(s, op, needs(auth.ChannelsWrite), func(ctx context.Context, in *struct{ Body channelInput }) (*created[channelBody], error) {
		c, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.CreateChannel(ctx, callerOf(ctx), c)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/channels/"+v.ID, v.Revision, channelOf(v)), nil
	})
}

func (b channelInput) read() (hotel.Channel, error) {
	if b.Settings == nil {
		b.Settings = map[string]json.RawMessage{}
	}
	settings, err := json.Marshal(b.Settings)
	if err != nil {
		return hotel.Channel{}, err
	}
	c := hotel.Channel{PropertyID: b.PropertyID, Connector: b.Connector, Name: b.Name, Settings: settings}
	if b.Sync != nil {
		c.Schedule, c.ReadBack = b.Sync.ReservationsSchedule.Or("", ""), b.Sync.ReadBackSchedule.Or("", "")
		c.Days = b.Sync.HorizonDays.pointer()
	}
	c.Weight, c.Priority = b.Weight, b.Priority
	return c, b.terms(&c)
}

// terms sets what a channel's prices are made into, and what it takes of them.
func (b channelInput) terms(c *hotel.Channel) (err error) {
	c.Pricing.Basis, c.Pricing.Currency = hotel.PriceBasis(b.PriceBasis), hotel.Currency(b.Currency)
	c.Markup, c.Pricing.Exchange, c.CutOff, c.Commission = nil, nil, nil, nil
	if b.Markup != nil {
		c.Markup = new(b.Markup.read())
	}
	if b.Exchange != nil {
		c.Pricing.Exchange = new(b.Exchange.read())
	}
	if b.CutOff != nil {
		c.CutOff = new(hotel.CutOff(*b.CutOff))
	}
	if b.Commission != nil {
		c.Commission = new(b.Commission.read())
	}
	c.Sellers = readSellers(b.Sellers)
	if c.Policies.Absent, err = readAbsent(b.Absent); err != nil {
		return err
	}
	c.Pricing.Guard = hotel.PriceGuard{}
	if b.PriceGuard != nil {
		c.Pricing.Guard, err = b.PriceGuard.read()
	}
	return err
}

// channelPatch is a merge patch (RFC 7396).
type channelPatch struct {
	Name       optional[string]                     `json:"name,omitzero" minLength:"1" maxLength:"200"`
	Mode       optional[string]                     `json:"mode,omitzero" enum:"live,shadow" doc:"Only from live to shadow; it goes live by activate."`
	Settings   optional[map[string]json.RawMessage] `json:"settings,omitzero" doc:"Laid over those of the channel key by key; null goes back to the default, and a secret of *** stays."`
	Sync       optional[schedulesInput]             `json:"sync,omitzero"`
	Markup     laid[markupBody]                     `json:"markup,omitzero"`
	PriceBasis optional[string]                     `json:"price_basis,omitzero" enum:"tax_included,tax_excluded"`
	Currency   optional[string]                     `json:"currency,omitzero" pattern:"^[A-Z]{3}$" patternDescription:"an ISO 4217 code"`
	Exchange   laid[exchangeBody]                   `json:"exchange_rate,omitzero"`
	PriceGuard laid[guardBody]                      `json:"price_guard,omitzero"`
	CutOff     laid[cutOffBody]                     `json:"cut_off,omitzero"`
	Absent     laid[map[string]string]              `json:"absent,omitzero"`
	Commission laid[commissionBody]                 `json:"commission,omitzero"`
	Sellers    laid[map[string]sellerBody]          `json:"sellers,omitzero" doc:"By name: who is left out keeps its terms, and null gives it those of the channel."`
	Weight     optional[int]                        `json:"weight,omitzero" minimum:"0" maximum:"1000000"`
	Priority   optional[int]                        `json:"priority,omitzero" minimum:"0" maximum:"1000"`
}

func (s *server) registerChannelChange() {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the channel has another ETag."`
		Body    channelPatch
	}
	op := huma.Operation{
		OperationID: "update-channel", Method: http.MethodPatch, Path: "/channels/{id}",
		Summary: "Change a channel", Tags: []string{tagChannels},
		Description: "A merge patch, sent as application/merge-patch+json or application/json. What it is told is worked out again when the change can make it other.",
	}
	register(s, op, needs(auth.ChannelsWrite), func(ctx context.Context, in *input) (*resource[channelBody], error) {
		change, err := in.Body.read(s.api.OpenAPI().Components.Schemas)
		if err != nil {
			return nil, err
		}
		if change.IfRevision, err = s.ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.ChangeChannel(ctx, callerOf(ctx), in.ID, change)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return channelResource("", v), nil
	})
	content := s.api.OpenAPI().Paths[op.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]
}

func (p channelPatch) read(r huma.Registry) (desk.ChannelChange, error) {
	if err := keep(member{"name", p.Name.Null}); err != nil {
		return desk.ChannelChange{}, err
	}
	if p.Settings.Null {
		return desk.ChannelChange{}, hotel.Invalid("/settings", "required", "cannot be cleared; clear single keys with null")
	}
	if p.Mode.Set && (p.Mode.Null || p.Mode.Value != "shadow") {
		return desk.ChannelChange{}, hotel.Invalid("/mode", "read_only", "a channel goes live by activate, with its plan")
	}
	c := desk.ChannelChange{Shadow: p.Mode.Set, Name: p.Name.pointer(), Settings: p.Settings.Value}
	if p.Sync.Null {
		c.Schedule, c.ReadBack, c.Days = new(desk.DefaultSchedule), new(""), hotel.Optional[int]{Set: true, Null: true}
	} else if at := p.Sync.Value; p.Sync.Set {
		if c.Schedule = at.ReservationsSchedule.pointer(); at.ReservationsSchedule.Null {
			c.Schedule = new(desk.DefaultSchedule)
		}
		c.ReadBack = at.ReadBackSchedule.orZero()
		c.Days = optionally(at.HorizonDays, func(n int) int { return n })
	}
	c.Weight = optionally(p.Weight, func(n int) int { return n })
	c.Priority = p.Priority.orZero()
	c.Terms = func(now *hotel.Channel) error { return p.terms(r, now) }
	return c, nil
}

// terms lays what is said of prices and commission over what a channel has by now.
func (p channelPatch) terms(r huma.Registry, c *hotel.Channel) error {
	has := channelBody{Sellers: map[string]sellerBody{}, Absent: map[string]string{}}
	has.pricing(*c)
	next := channelInput{PriceBasis: string(c.Pricing.Basis), Currency: string(c.Pricing.Currency)}
	if basis := p.PriceBasis.orZero(); basis != nil {
		next.PriceBasis = *basis
	}
	if currency := p.Currency.orZero(); currency != nil {
		next.Currency = *currency
	}
	sellers, errSellers := p.Sellers.over(r, "sellers", &has.Sellers)
	if sellers != nil {
		next.Sellers = *sellers
	}
	absent, errAbsent := p.Absent.over(r, "absent", &has.Absent)
	if absent != nil {
		next.Absent = *absent
	}
	var errs [5]error
	next.Markup, errs[0] = p.Markup.over(r, "markup", has.Markup)
	next.Exchange, errs[1] = p.Exchange.over(r, "exchange_rate", has.Exchange)
	next.PriceGuard, errs[2] = p.PriceGuard.over(r, "price_guard", has.PriceGuard)
	next.CutOff, errs[3] = p.CutOff.over(r, "cut_off", has.CutOff)
	next.Commission, errs[4] = p.Commission.over(r, "commission", has.Commission)
	if err := cmp.Or(append(errs[:], errSellers, errAbsent)...); err != nil {
		return err
	}
	return next.terms(c)
}

// optionally turns an optional member of the wire into one of the model.
func optionally[B, V any](o optional[B], to func(B) V) hotel.Optional[V] {
	v := hotel.Optional[V]{Set: o.Set, Null: o.Null}
	if o.Set && !o.Null {
		v.Value = to(o.Value)
	}
	return v
}
