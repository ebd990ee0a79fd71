package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// updateText is what the three bulk updates have in common.
const updateText = "Entries apply in their order, a later one wins; all are stored or none, or with mode partial each that is good. A value that is left out stays as it is, " +
	"null puts the default back. The ledger has them when the answer comes; the channels follow, and the address in Location tells how far they are."

// updateIn is a bulk update as it is sent.
type updateIn[E any] struct {
	Body updateBody[E]
}

type updateBody[E any] struct {
	PropertyID string `json:"property_id"`
	Mode       string `json:"mode,omitempty" enum:"atomic,partial" default:"atomic" doc:"All entries or none, or those that are good."`
	DryRun     bool   `json:"dry_run,omitempty" doc:"Say what would change, and store nothing."`
	Entries    []E    `json:"entries" minItems:"1" maxItems:"1000"`
}

// updateOf makes the update of the entries, which are read one by one. An entry keeps
// what of it could not be read, so that it is refused with the faults that are found
// later, alone or with all as the mode says.
func updateOf[E, T any](b updateBody[E], read func(E) T) hotel.Update[T] {
	u := hotel.Update[T]{PropertyID: b.PropertyID, Partial: b.Mode == "partial", DryRun: b.DryRun, Entries: make([]T, len(b.Entries))}
	for i, e := range b.Entries {
		u.Entries[i] = read(e)
	}
	return u
}

// unread collects what of an entry could not be read.
type unread []hotel.RefusedItem

// refused notes the faults of an error from reading a member.
func (f *unread) refused(err error) {
	if r, ok := errors.AsType[*hotel.Refusal](err); ok {
		*f = append(*f, r.Items...)
	}
}

// add notes a fault of the member that the pointer names.
func (f *unread) add(pointer, code, format string, args ...any) {
	f.refused(hotel.Invalid(pointer, code, format, args...))
}

// amount reads a price that may be left out or taken away.
func (f *unread) amount(o optional[money], at string) hotel.Optional[hotel.Money] {
	v, err := readAmount(o, at)
	f.refused(err)
	return v
}

// lock reads the lock of an entry.
func (f *unread) lock(o optional[lockBody]) hotel.Optional[hotel.Lock] {
	v, err := readLock(o, "/values/lock")
	f.refused(err)
	return v
}

// EntryDates says which nights an entry means.
type EntryDates struct {
	DateFrom        hotel.Date      `json:"date_from" format:"date" doc:"Inclusive."`
	DateTo          hotel.Date      `json:"date_to" format:"date" doc:"Inclusive; at most 500 dates."`
	DaysOfWeek      []string        `json:"days_of_week,omitempty" maxItems:"7" enum:"mon,tue,wed,thu,fri,sat,sun" doc:"Every day when left out."`
	ExcludeDates    []hotel.Date    `json:"exclude_dates,omitempty" maxItems:"500" doc:"Dates, YYYY-MM-DD."`
	ExpectedVersion optional[int64] `json:"expected_version,omitzero" doc:"Refused as version_conflict when a cell has another version."`
}

// weekdays are the days as they are written.
var weekdays = map[string]time.Weekday{
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday,
	"thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

// read returns the nights of an entry. An entry that sets nothing is a mistake of
// its sender.
func (e EntryDates) read(nothing bool, f *unread) hotel.Dates {
	if nothing {
		f.add("/values", "length", "must set at least one value")
	}
	d := hotel.Dates{Span: hotel.Span{From: e.DateFrom, To: e.DateTo}, Except: e.ExcludeDates}
	if e.DaysOfWeek != nil && len(e.DaysOfWeek) == 0 {
		f.add("/days_of_week", "length", "must name a day, or be left out for every day")
	}
	for _, day := range e.DaysOfWeek {
		d.Weekdays[weekdays[day]] = true
	}
	return d
}

// bulk is the access of a bulk update.
func bulk(scope auth.Scope) access {
	a := needs(scope)
	a.maxBody = bulkBody
	return a
}

// updated is the answer to a bulk update: done here, under way to the channels.
type updated struct {
	Location string `header:"Location"`
	Body     ariUpdateBody
}

type ariUpdateBody struct {
	ID           string           `json:"id,omitempty" doc:"Left out of a dry run."`
	PropertyID   string           `json:"property_id"`
	Kind         string           `json:"kind" enum:"inventory,rates,restrictions"`
	DryRun       bool             `json:"dry_run,omitempty" doc:"Nothing was stored."`
	Status       string           `json:"status,omitempty" enum:"syncing,completed,partial" doc:"Syncing until every channel has it; partial when some of its cells were rejected. Left out of a dry run."`
	Sequence     int64            `json:"sequence,omitempty" doc:"A channel is done when its synced_through has reached it."`
	Entries      int              `json:"entries"`
	CellsMatched int              `json:"cells_matched" doc:"Named by the entries, each as often as it is named."`
	CellsChanged int              `json:"cells_changed" doc:"That are others now than before."`
	CellsOpened  int              `json:"cells_opened,omitempty" doc:"Of a dry run of an undo: cells that nothing typed for them would close any more."`
	CreatedAt    string           `json:"created_at,omitempty" format:"date-time"`
	UpdatedAt    string           `json:"updated_at,omitempty" format:"date-time" doc:"When a channel was last found to be done with it."`
	Revision     int64            `json:"revision,omitempty" doc:"Rises by one whenever channels are found to be done with it."`
	Results      []entryResult    `json:"results,omitempty" doc:"Entry by entry; left out of a list and of events."`
	Channels     []channelOutcome `json:"channels"`
	Oversold     []oversoldNights `json:"oversold,omitempty" doc:"Of a dry run about inventory: nights from which it would take rooms that guests have booked. It may be stored all the same: a conflict oversell tells of them then, and every channel is told that nothing is free."`
}

type oversoldNights struct {
	RoomTypeID string `json:"room_type_id"`
	DateFrom   string `json:"date_from" format:"date"`
	DateTo     string `json:"date_to" format:"date"`
	Net        int    `json:"net" doc:"Below 0: so many rooms would be missing."`
}

type entryResult struct {
	Index        int    `json:"index"`
	Status       string `json:"status" enum:"applied,rejected"`
	CellsChanged int    `json:"cells_changed"`
	Errors       []item `json:"errors,omitempty" doc:"Why the entry was rejected."`
}

type channelOutcome struct {
	ChannelID string        `json:"channel_id"`
	Status    string        `json:"status" enum:"pending,done,skipped" doc:"Skipped when nothing of the update is sold there."`
	DoneAt    *string       `json:"done_at" format:"date-time"`
	Rejected  int           `json:"rejected" doc:"Cells of the update that the channel refused."`
	Held      int           `json:"held" doc:"Those that it was not sent on purpose, such as prices beyond its guard."`
	LastError *outcomeError `json:"last_error" doc:"How the last call ended that did not end well."`
}

type outcomeError struct {
	Code   string `json:"code" enum:"partial,rejected,unknown,not_sent"`
	Detail string `json:"detail"`
}

func ariUpdateOf(u hotel.AriUpdate) ariUpdateBody {
	b := ariUpdateBody{
		ID: u.ID, PropertyID: u.PropertyID, Kind: u.Kind, DryRun: u.ID == "", Sequence: u.Sequence, Entries: u.Entries,
		CellsMatched: u.CellsMatched, CellsChanged: u.CellsChanged, CellsOpened: u.CellsOpened, Channels: []channelOutcome{},
	}
	for i, r := range u.Results {
		result := entryResult{Index: i, Status: "applied", CellsChanged: r.Changed}
		if len(r.Faults) > 0 {
			result.Status, result.CellsChanged, result.Errors = "rejected", 0, bound(itemsOf("", r.Faults))
		}
		b.Results = append(b.Results, result)
	}
	for _, o := range u.Oversold {
		b.Oversold = append(b.Oversold, oversoldNights{o.RoomTypeID, o.From.String(), o.To.String(), o.Net})
	}
	if b.DryRun {
		return b
	}
	b.Status, b.CreatedAt, b.UpdatedAt, b.Revision = string(u.Status), stamp(u.CreatedAt), stamp(u.UpdatedAt), u.Revision
	for _, p := range u.Channels {
		outcome := channelOutcome{ChannelID: p.ChannelID, Status: string(p.Status), DoneAt: stampOrNull(p.DoneAt), Rejected: p.Rejected, Held: p.Held}
		if p.LastError != nil {
			outcome.LastError = &outcomeError{p.LastError.Code, p.LastError.Detail}
		}
		b.Channels = append(b.Channels, outcome)
	}
	return b
}

// updated answers a bulk update, or passes its error on.
func (s *server) updated(ctx context.Context, u hotel.AriUpdate, replayed bool, err error) (*updated, error) {
	replay(ctx, replayed)
	if err != nil {
		return nil, err
	}
	out := &updated{Body: ariUpdateOf(u)}
	if u.ID != "" {
		out.Location = baseOf(ctx) + "/ari-updates/" + u.ID
	}
	return out, nil
}

// ariUpdatesIn are the filters of the list.
type ariUpdatesIn struct {
	Paging
	OfProperties
	Kind         []string  `query:"kind" enum:"inventory,rates,restrictions" doc:"One of several."`
	Status       []string  `query:"status" enum:"syncing,completed,partial" doc:"One of several."`
	CreatedSince time.Time `query:"created_since" doc:"At or after."`
}

func (s *server) registerAriUpdates() {
	list := huma.Operation{
		OperationID: "list-ari-updates", Method: http.MethodGet, Path: "/ari-updates",
		Summary: "Bulk updates and how far they are", Tags: []string{tagInventory},
	}
	register(s, list, needs(auth.InventoryRead, auth.RatesRead), func(ctx context.Context, in *ariUpdatesIn) (*listOf[ariUpdateBody], error) {
		from, err := s.readCursor(callOf(ctx).url, in.Cursor)
		if err != nil {
			return nil, err
		}
		f := hotel.AriUpdateFilter{
			Kinds: in.Kind, Statuses: several[hotel.UpdateStatus](in.Status), CreatedSince: in.CreatedSince,
			Limit: in.Limit + 1, // one more tells whether there is more
		}
		if from != nil {
			f.AfterID = from.id
		}
		found, err := s.desk.AriUpdates(ctx, callerOf(ctx), in.PropertyID, f)
		if err != nil {
			return nil, inParameters(err)
		}
		var last *position
		if len(found) > in.Limit {
			found = found[:in.Limit]
			last = &position{0, found[in.Limit-1].ID}
		}
		entries := make([]ariUpdateBody, len(found))
		for i, u := range found {
			entries[i] = ariUpdateOf(u)
		}
		return page(ctx, s, entries, last), nil
	})
	get := huma.Operation{
		OperationID: "get-ari-update", Method: http.MethodGet, Path: "/ari-updates/{id}",
		Summary: "How far a bulk update is", Tags: []string{tagInventory},
	}
	register(s, get, needs(auth.InventoryRead, auth.RatesRead), func(ctx context.Context, in *byID) (*resource[ariUpdateBody], error) {
		u, err := s.desk.AriUpdate(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, u.Revision, ariUpdateOf(u)), nil
	})
}
