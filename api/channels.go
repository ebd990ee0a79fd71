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

type channelBody struct {
	EntityBody
	PropertyID string                `json:"property_id"`
	Connector  string                `json:"connector"`
	Name       string                `json:"name"`
	Status     string                `json:"status" enum:"draft,testing,active,paused,error,disconnected"`
	Mode       string                `json:"mode" enum:"live,shadow" doc:"In shadow what it would be told is worked out and compared, and nothing is sent, acknowledged, or read that is gone once it was read. So it is until it goes live by its plan."`
	Frozen     bool                  `json:"frozen" doc:"Paused as it stood; otherwise a paused channel is closed and kept so."`
	Settings   json.RawMessage       `json:"settings" doc:"All settings, the defaults among them; secrets are shown as ***. Null while they cannot be used."`
	Schedule   syncBody              `json:"sync"`
	Markup     *markupBody           `json:"markup"`
	PriceBasis *string               `json:"price_basis" enum:"tax_included,tax_excluded"`
	Currency   *string               `json:"currency"`
	Exchange   *exchangeBody         `json:"exchange_rate"`
	PriceGuard *guardBody            `json:"price_guard"`
	CutOff     *cutOffBody           `json:"cut_off"`
	Absent     map[string]string     `json:"absent" doc:"What is done about a field that it cannot carry."`
	Commission *commissionBody       `json:"commission"`
	Sellers    map[string]sellerBody `json:"sellers" doc:"What is other about single sellers behind a relay, by name."`
	Weight     *int                  `json:"weight" doc:"Its share when guarded rooms are dealt; null: its room nights of the last 90 days and one."`
	Priority   int                   `json:"priority"`

	Capabilities   *capabilitiesBody  `json:"capabilities"`
	Buckets        []bucketBody       `json:"buckets" doc:"The published limits of its account, as in capabilities, and how many calls are left now."`
	Circuit        *string            `json:"circuit" enum:"closed,open,half_open" doc:"Null while the channel is not open."`
	CircuitCause   *string            `json:"circuit_cause" enum:"failing,denied" doc:"Why the circuit is not closed: calls in a row had no sensible answer, or the credentials are not taken. Null while it is closed."`
	CircuitSince   *string            `json:"circuit_since" format:"date-time" doc:"When it opened."`
	RetryAt        *string            `json:"retry_at" format:"date-time" doc:"When an open circuit, or a channel that could not be opened, is tried again. Credentials that are not taken are tried every 15 minutes, and at once when the channel is changed or tested."`
	HeldUntil      *string            `json:"held_until" format:"date-time" doc:"The far side asked for a pause until then, for an hour at the most: whatever asks for longer is taken for a mistake."`
	DerivedThrough int64              `json:"derived_through" doc:"What it is to show is computed up to this journal sequence."`
	SyncedThrough  int64              `json:"synced_through" doc:"Nothing at or before this journal sequence is unacknowledged."`
	LagCells       int                `json:"lag_cells" doc:"Cells that it is still to be told."`
	UnknownCells   int                `json:"unknown_cells" doc:"Cells whose last call has no known outcome."`
	RejectedCells  int                `json:"rejected_cells" doc:"Cells that it refused."`
	HeldCells      int                `json:"held_cells" doc:"Prices that its price guard keeps from being sent."`
	Cells          *cellsByState      `json:"cells" doc:"Groups of fields of the nights of its products, from today on, by how each stands. Of one channel alone: null in lists, and where a channel was changed."`
	Kept           []keptNightsBody   `json:"kept_at_channel" nullable:"true" doc:"What the house says of nights and the channel cannot be told, so that somebody has to keep it there. Null where cells is."`
	RoomsAtRisk    int                `json:"rooms_at_risk" doc:"Rooms that it may still sell although it is paused, disconnected or in error."`
	LastPushOkAt   *string            `json:"last_push_ok_at" format:"date-time"`
	LastPullOkAt   *string            `json:"last_pull_ok_at" format:"date-time"`
	OpenConflicts  int                `json:"open_conflicts"`
	SilentSince    *string            `json:"silent_since" format:"date-time" doc:"When its last message came, of a channel that has told of no booking for unusually long by its own history; null otherwise."`
	StaleSince     *string            `json:"stale_since" format:"date-time" doc:"Since when it shows something out of date; null: everything was confirmed within a minute."`
	Audit          *auditBody         `json:"audit" doc:"Of a channel that a restored backup knows less of than there was: how far it is with being found out about. It is paused until it is audited and somebody activates it. Null otherwise."`
	LastReadBackAt *string            `json:"last_read_back_at" format:"date-time" doc:"When the last read-back of everything that it shows began; of a channel that cannot be asked, when it was last told everything again."`
	Health         *channelHealthBody `json:"health" doc:"How well it keeps up with the house. Of one channel alone: null in lists, and where a channel was changed."`
	Published      []publishedBody    `json:"published" nullable:"true" doc:"What it comes to read at our addresses, and when it last did: until it reads again it shows what it read then. Null of a channel that is told, in lists, and where a channel was changed."`
	LastError      *lastErrorBody     `json:"last_error"`
	Flags          []flagBody         `json:"flags" doc:"What its connector did against the rules. A flag goes with the next call of its part that is answered as it should be."`
}

type syncBody struct {
	ReservationsSchedule string `json:"reservations_schedule" example:"@every 60s" doc:"When its bookings are fetched: a cron expression in UTC, or @every with a time. A connector may ask less often by a setting of its own, as ical does: each calendar once in every, 15 minutes if it says nothing."`
	ReadBackSchedule     string `json:"read_back_schedule" example:"@every 1h" doc:"When everything that it shows is read, where it can be asked. Nights without rooms are read every 10 minutes besides. A channel that cannot be asked is told everything again then, every 24 hours unless you say otherwise; counters of guarded pools are left out."`
	HorizonDays          *int   `json:"horizon_days" doc:"So many days from today on it is sold at the most, and closed beyond. Null: as far as the property sells and the channel takes."`
}

// schedulesInput is what a request says of it: what is absent stays, and what is null
// goes back to the default.
type schedulesInput struct {
	ReservationsSchedule optional[string] `json:"reservations_schedule,omitzero" example:"@every 60s" doc:"When its bookings are fetched: a cron expression in UTC, or @every with a time. Null: every minute."`
	ReadBackSchedule     optional[string] `json:"read_back_schedule,omitzero" example:"@every 1h" doc:"When everything that it shows is read, where it can be asked. Null: the default."`
	HorizonDays          optional[int]    `json:"horizon_days,omitzero" minimum:"1" maximum:"1095" doc:"So many days from today on it is sold at the most, and closed beyond. Null: as far as the property sells and the channel takes."`
}

type lastErrorBody struct {
	Detail string  `json:"detail"`
	At     *string `json:"at" format:"date-time"`
}

type publishedBody struct {
	Name   string  `json:"name" example:"double-1"`
	ReadAt *string `json:"read_at" format:"date-time" doc:"When it was last read; null: never, or not since the channel was joined to its place."`
}

func publishedOf(list []hotel.Published) []publishedBody {
	var out []publishedBody
	for _, p := range list {
		out = append(out, publishedBody{p.Name, stampOrNull(p.ReadAt)})
	}
	return out
}

type flagBody struct {
	Part   string `json:"part" enum:"push,pull,list,read,ask,act,receive,hint" doc:"What it was about to do."`
	Fault  string `json:"fault" enum:"panic,hung,foreign,contradiction,number,currency,oversized,calls,refusal,unannounced"`
	Detail string `json:"detail" doc:"The newest, in words."`
	Since  string `json:"since" format:"date-time"`
	LastAt string `json:"last_at" format:"date-time"`
	Times  int    `json:"times"`
}

func flagsOf(flags []hotel.Flag) []flagBody {
	out := make([]flagBody, len(flags))
	for i, f := range flags {
		out[i] = flagBody{f.Part, string(f.Fault.Kind), f.Fault.Words, stamp(f.Since), stamp(f.LastAt), f.Times}
	}
	return out
}

// readBackOf is when everything that a channel shows is read, or told again.
func readBackOf(v desk.ChannelView) string {
	if v.Configured != nil && !v.Configured.Abilities.Reads {
		return cmp.Or(v.ReadBack, hotel.DefaultRefresh)
	}
	return cmp.Or(v.ReadBack, hotel.DefaultReadBack)
}

type auditBody struct {
	Stage string `json:"stage" enum:"closing,closing_again,listing,reading,audited" doc:"It is closed, closed once more when nothing told before the restore can act any more, its bookings are listed, what it shows is read; then it waits for somebody to activate it."`
	Since string `json:"since" format:"date-time"`
}

func channelOf(v desk.ChannelView) channelBody {
	c := v.Channel
	b := channelBody{
		EntityBody: entityOf(c.Entity), PropertyID: c.PropertyID, Connector: c.Connector, Name: c.Name, Status: string(c.Status), Mode: "live", Frozen: c.Frozen,
		Settings: json.RawMessage("null"), Schedule: syncBody{c.Schedule, readBackOf(v), c.Days}, Absent: map[string]string{}, Buckets: []bucketBody{}, Sellers: map[string]sellerBody{},
		Circuit: orNull(v.Link.Circuit), CircuitCause: orNull(string(v.Link.Cause)), CircuitSince: stampOrNull(v.Link.Since), RetryAt: stampOrNull(v.Link.RetryAt), HeldUntil: stampOrNull(v.Link.HeldUntil),
		DerivedThrough: v.DerivedThrough, SyncedThrough: v.SyncedThrough,
		LagCells: v.Lag, UnknownCells: v.Unknown, RejectedCells: v.Rejected, HeldCells: v.Held, RoomsAtRisk: v.RoomsAtRisk,
		LastPushOkAt: stampOrNull(v.LastPushAt), LastPullOkAt: stampOrNull(v.LastPullAt), LastReadBackAt: stampOrNull(v.LastReadAt), OpenConflicts: v.OpenConflicts, Flags: flagsOf(v.Flags), StaleSince: stampOrNull(v.StaleSince), SilentSince: stampOrNull(v.SilentSince),
	}
	if c.InShadow() {
		b.Mode = "shadow"
	}
	if c.Audit != nil {
		b.Audit = &auditBody{string(c.Audit.Stage), stamp(c.Audit.Since)}
	}
	if v.Failing {
		b.Status = "error"
	}
	if v.Link.Circuit == "open" {
		b.RetryAt = stampOrNull(v.Link.ProbeAt)
	}
	b.Weight, b.Priority = c.Weight, c.Priority
	b.pricing(c)
	if v.Tally != nil {
		b.Cells, b.Kept = tallyOf(*v.Tally)
		b.Published = publishedOf(v.Published)
	}
	if v.Health != nil {
		b.Health = healthOf(*v.Health)
	}
	if v.Configured != nil {
		abilities := v.Configured.Abilities
		if v.Link.Open {
			abilities = v.Link.Abilities
		}
		capabilities := capabilitiesOf(abilities)
		b.Settings, b.Capabilities, b.Buckets = v.Configured.Shown, &capabilities, capabilities.Buckets
	}
	switch {
	case v.Link.Failure != "":
		b.LastError = &lastErrorBody{Detail: v.Link.Failure}
	case v.Link.Words != "":
		b.LastError = &lastErrorBody{v.Link.Words, stampOrNull(v.Link.Since)}
	case v.LastError != "":
		b.LastError = &lastErrorBody{v.LastError, stampOrNull(v.LastErrorAt)}
	}
	return b
}

func (s *server) registerChannels() {
	list := huma.Operation{
		OperationID: "list-channels", Method: http.MethodGet, Path: "/channels",
		Summary: "Channels and how far each is", Tags: []string{tagChannels},
	}
	register(s, list, needs(auth.ChannelsRead), func(ctx context.Context, in *ofProperties) (*listOf[channelBody], error) {
		all, err := s.desk.Channels(ctx, callerOf(ctx), in.PropertyID...)
		if err != nil {
			return nil, err
		}
		return pageOf(ctx, s, in.Paging, all, func(c desk.ChannelView) position { return position{id: c.ID} }, channelOf)
	})
	get := huma.Operation{
		OperationID: "get-channel", Method: http.MethodGet, Path: "/channels/{id}",
		Summary: "One channel and how far it is", Tags: []string{tagChannels},
		Description: "How far it is moves without a new revision: the ETag covers that too.",
	}
	register(s, get, needs(auth.ChannelsRead), func(ctx context.Context, in *byID) (*resource[channelBody], error) {
		v, err := s.desk.Channel(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return channelResource(in.IfNoneMatch, v), nil
	})
	s.registerChannelCreation()
	s.registerChannelChange()
	s.registerChannelLife()
	s.registerChannelPlan()
	s.registerChannelCells()
	s.registerExplanation()
	s.registerMappings()
	s.registerSyncRuns()
}

func channelResource(ifNoneMatch string, v desk.ChannelView) *resource[channelBody] {
	return resourceOf(ifNoneMatch, v.Revision, channelOf(v))
}
