package api

import (
	"cmp"
	"context"
	"net/url"
	"reflect"
	"slices"

	"ostler.example/hotel"
)

// listOf is one page of a list.
type listOf[T any] struct {
	Link string `header:"Link" doc:"Addresses of the next and the first page (RFC 8288)."`
	Body ListBody[T]
}

// ListBody is one page.
type ListBody[T any] struct {
	Data       []T     `json:"data"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor" doc:"Send it as cursor to go on; null on the last page."`
}

// Paging are the parameters of every list.
type Paging struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Entries on a page."`
	Cursor string `query:"cursor" doc:"next_cursor of the page before."`
}

// page makes the page of entries, which the caller has cut to its limit; last
// is the position of the last of them when there are more behind.
func page[T any](ctx context.Context, s *server, entries []T, last *position) *listOf[T] {
	u := callOf(ctx).url
	first := *u
	first.RawQuery = without(u, "cursor").Encode()
	l := &listOf[T]{Body: ListBody[T]{Data: entries}}
	if entries == nil {
		l.Body.Data = []T{}
	}
	if last != nil {
		next := s.cursor(u, *last)
		l.Body.HasMore, l.Body.NextCursor = true, &next
		q := without(u, "cursor")
		q.Set("cursor", next)
		l.Link = "<" + hostOf(ctx) + u.Path + "?" + q.Encode() + `>; rel="next", `
	}
	l.Link += "<" + hostOf(ctx) + first.RequestURI() + `>; rel="first"`
	return l
}

func without(u *url.URL, parameter string) url.Values {
	q := u.Query()
	q.Del(parameter)
	return q
}

// pageOf cuts a page out of a list that is short enough to be read whole. It
// sorts the list by the key, then the id.
func pageOf[T, B any](
	ctx context.Context, s *server, p Paging, all []T, at func(T) position, body func(T) B,
) (*listOf[B], error) {
	from, err := s.readCursor(callOf(ctx).url, p.Cursor)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b T) int { return compare(at(a), at(b)) })
	if from != nil {
		all = all[searchAfter(all, at, *from):]
	}
	var last *position
	if len(all) > p.Limit {
		all = all[:p.Limit]
		end := at(all[p.Limit-1])
		last = &end
	}
	entries := make([]B, len(all))
	for i, e := range all {
		entries[i] = body(e)
	}
	return page(ctx, s, entries, last), nil
}

func compare(a, b position) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id))
}

func searchAfter[T any](sorted []T, at func(T) position, from position) int {
	i := slices.IndexFunc(sorted, func(e T) bool { return compare(at(e), from) > 0 })
	if i < 0 {
		return len(sorted)
	}
	return i
}

// cellPage cuts a page out of cells, which stand in the order of the ledger:
// room type, rate plan, date. A cursor names the last cell of the page before.
func cellPage[T, B any, P nightly[B]](
	ctx context.Context, s *server, p CellPaging, all []T, at func(T) position, body func(T) B,
) (*listOf[B], error) {
	from, err := s.readCursor(callOf(ctx).url, p.Cursor)
	if err != nil {
		return nil, err
	}
	if all, err = behind(all, at, from); err != nil {
		return nil, err
	}
	entries, last := foldCells[T, B, P](p, all, at, body)
	return page(ctx, s, entries, last), nil
}

// behind returns the cells that follow the one that a cursor names; all without one.
func behind[T any](all []T, at func(T) position, from *position) ([]T, error) {
	if from == nil {
		return all, nil
	}
	i := slices.IndexFunc(all, func(c T) bool { return at(c) == *from })
	if i < 0 {
		return nil, hotel.Refuse("cursor_invalid", "The cell that the cursor names is no longer listed. Begin again.")
	}
	return all[i+1:], nil
}

// foldCells makes the entries of a page. A compact page has one for neighbouring
// nights that differ in nothing else. last is the position of the last cell in
// them when there are cells behind it.
func foldCells[T, B any, P nightly[B]](p CellPaging, cells []T, at func(T) position, body func(T) B) (entries []B, last *position) {
	entries = []B{}
	var before position // of the cell at hand
	for _, c := range cells {
		next, here := body(c), at(c)
		n := len(entries) - 1
		if p.Compact {
			d := P(&next).dates()
			*d = CellDates{DateFrom: d.Date, DateTo: d.Date}
			if n >= 0 && before == (position{here.key - 1, here.id}) && sameButDates[B, P](entries[n], next) {
				P(&entries[n]).dates().DateTo = d.DateTo
				before = here
				continue
			}
		}
		if len(entries) == p.Limit {
			return entries, &before
		}
		entries, before = append(entries, next), here
	}
	return entries, nil
}

// nightly is the body of a cell.
type nightly[B any] interface {
	*B
	dates() *CellDates
}

// CellDates says which night a cell is of, or which nights in a compact list.
type CellDates struct {
	Date     string `json:"date,omitempty" format:"date"`
	DateFrom string `json:"date_from,omitempty" format:"date" doc:"In a compact list instead of date; inclusive."`
	DateTo   string `json:"date_to,omitempty" format:"date" doc:"Inclusive."`
}

func (d *CellDates) dates() *CellDates { return d }

// nightOf names the night of a cell.
func nightOf(d hotel.Date) CellDates { return CellDates{Date: d.String()} }

func sameButDates[B any, P nightly[B]](a, b B) bool {
	*P(&a).dates(), *P(&b).dates() = CellDates{}, CellDates{}
	return reflect.DeepEqual(a, b)
}

// CellPaging are the parameters of lists by night.
type CellPaging struct {
	Limit   int    `query:"limit" minimum:"1" maximum:"2000" default:"1000" doc:"Cells on a page; in a compact list ranges."`
	Cursor  string `query:"cursor" doc:"next_cursor of the page before."`
	Compact bool   `query:"compact" doc:"One entry for neighbouring nights that differ in nothing but the date, with date_from and date_to."`
}
