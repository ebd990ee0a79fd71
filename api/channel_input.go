package api

import (
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
		return &created[channelBody]{Location: s.base() + "/channels/" + v.ID, ETag: etag(v.Revision), Cache: "no-store", Body: channelOf(v)}, nil
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
		if at := b.Sync.ReservationsSchedule; at != nil {
			c.Schedule = *at
		}
		if at := b.Sync.ReadBackSchedule; at != nil {
			c.ReadBack = *at
		}
		c.Days = b.Sync.HorizonDays.pointer()
	}
	c.Weight, c.Priority = b.Weight, b.Priority
	c.Pricing.Basis, c.Pricing.Currency = hotel.PriceBasis(b.PriceBasis), hotel.Currency(b.Currency)
	if b.Markup != nil {
		m := b.Markup.read()
		c.Markup = &m
	}
	if b.Exchange != nil {
		x := b.Exchange.read()
		c.Pricing.Exchange = &x
	}
	if b.CutOff != nil {
		cut := hotel.CutOff(*b.CutOff)
		c.CutOff = &cut
	}
	if b.Commission != nil {
		x := b.Commission.read()
		c.Commission = &x
	}
	c.Sellers = readSellers(b.Sellers)
	if c.Policies.Absent, err = readAbsent(b.Absent); err != nil {
		return c, err
	}
	if b.PriceGuard != nil {
		c.Pricing.Guard, err = b.PriceGuard.read()
	}
	return c, err
}

// channelPatch is a merge patch (RFC 7396).
type channelPatch struct {
	Name       optional[string]                     `json:"name,omitzero" minLength:"1" maxLength:"200"`
	Mode       optional[string]                     `json:"mode,omitzero" enum:"live,shadow" doc:"Only from live to shadow; it goes live by activate."`
	Settings   optional[map[string]json.RawMessage] `json:"settings,omitzero" doc:"Laid over those of the channel key by key; null goes back to the default, and a secret of *** stays."`
	Sync       optional[schedulesInput]             `json:"sync,omitzero"`
	Markup     optional[markupBody]                 `json:"markup,omitzero"`
	PriceBasis optional[string]                     `json:"price_basis,omitzero" enum:"tax_included,tax_excluded"`
	Currency   optional[string]                     `json:"currency,omitzero" pattern:"^[A-Z]{3}$" patternDescription:"an ISO 4217 code"`
	Exchange   optional[exchangeBody]               `json:"exchange_rate,omitzero"`
	PriceGuard optional[guardBody]                  `json:"price_guard,omitzero"`
	CutOff     optional[cutOffBody]                 `json:"cut_off,omitzero"`
	Absent     optional[map[string]string]          `json:"absent,omitzero"`
	Commission optional[commissionBody]             `json:"commission,omitzero"`
	Sellers    optional[map[string]sellerBody]      `json:"sellers,omitzero" doc:"All of them: who is missing has the terms of the channel."`
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
		change, err := in.Body.read()
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
		return channelResource(v), nil
	})
	content := s.api.OpenAPI().Paths[op.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]
}

func (p channelPatch) read() (desk.ChannelChange, error) {
	if p.Name.Null {
		return desk.ChannelChange{}, hotel.Invalid("/name", "required", "cannot be cleared")
	}
	if p.Settings.Null {
		return desk.ChannelChange{}, hotel.Invalid("/settings", "required", "cannot be cleared; clear single keys with null")
	}
	if p.Mode.Set && (p.Mode.Null || p.Mode.Value != "shadow") {
		return desk.ChannelChange{}, hotel.Invalid("/mode", "read_only", "a channel goes live by activate, with its plan")
	}
	c := desk.ChannelChange{Shadow: p.Mode.Set, Name: p.Name.pointer(), Settings: p.Settings.Value}
	if p.Sync.Set {
		c.Schedule, c.ReadBack = p.Sync.Value.ReservationsSchedule, p.Sync.Value.ReadBackSchedule
		c.Days = optionally(p.Sync.Value.HorizonDays, func(n int) int { return n })
	}
	c.Markup = optionally(p.Markup, markupBody.read)
	c.Pricing.Exchange = optionally(p.Exchange, exchangeBody.read)
	c.CutOff = optionally(p.CutOff, func(b cutOffBody) hotel.CutOff { return hotel.CutOff(b) })
	c.Commission = optionally(p.Commission, commissionBody.read)
	c.Sellers = optionally(p.Sellers, readSellers)
	c.Weight = optionally(p.Weight, func(n int) int { return n })
	c.Priority = p.Priority.orZero()
	if basis := p.PriceBasis.orZero(); basis != nil {
		b := hotel.PriceBasis(*basis)
		c.Pricing.Basis = &b
	}
	if currency := p.Currency.orZero(); currency != nil {
		v := hotel.Currency(*currency)
		c.Pricing.Currency = &v
	}
	absent, err := readAbsent(p.Absent.Value)
	if err != nil {
		return c, err
	}
	c.Absent = hotel.Optional[map[hotel.Field]hotel.AbsentPolicy]{Set: p.Absent.Set, Null: p.Absent.Null, Value: absent}
	if c.Pricing.Guard.Set = p.PriceGuard.Set; p.PriceGuard.Set && !p.PriceGuard.Null {
		c.Pricing.Guard.Value, err = p.PriceGuard.Value.read()
	}
	return c, err
}

// optionally turns an optional member of the wire into one of the model.
func optionally[B, V any](o optional[B], to func(B) V) hotel.Optional[V] {
	v := hotel.Optional[V]{Set: o.Set, Null: o.Null}
	if o.Set && !o.Null {
		v.Value = to(o.Value)
	}
	return v
}
