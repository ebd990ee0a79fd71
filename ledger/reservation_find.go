package ledger

import (
	"context"
	"fmt"
	"strings"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// selectReservations is the statement that lists the ids that a filter selects.
// It is the one that is put together at run time: every filter is optional, and
// only those that are asked for may stand in it, else no index serves.
func selectReservations(f hotel.ReservationFilter) (sql string, args []any) {
	var where []string
	and := func(condition string, values ...any) {
		where = append(where, condition)
		args = append(args, values...)
	}
	in := func(column string, values []string) {
		if len(values) > 0 {
			and(column + " IN (?" + strings.Repeat(", ?", len(values)-1) + ")")
			for _, v := range values {
				args = append(args, v)
			}
		}
	}
	equal := func(column, value string) {
		if value != "" {
			and(column+" = ?", value)
		}
	}
	in("property_id", f.PropertyIDs)
	in("id", f.IDs)
	statuses := make([]string, len(f.Statuses))
	for i, s := range f.Statuses {
		statuses[i] = string(s)
	}
	in("status", statuses)
	equal("channel_id", f.ChannelID)
	equal("channel_ref", f.Reference)
	equal("confirmation", f.Confirmation)
	equal("group_id", f.GroupID)
	equal("room_type_id", f.RoomTypeID)
	if f.Unmapped {
		and("room_type_id IS NULL")
	}
	for column, d := range map[string]*hotel.Date{"check_in >= ?": f.CheckInFrom, "check_in <= ?": f.CheckInTo} {
		if d != nil {
			and(column, int64(*d))
		}
	}
	if f.StayingOn != nil {
		and("check_in <= ? AND check_out > ?", int64(*f.StayingOn), int64(*f.StayingOn))
	}
	for column, at := range map[string]*int64{
		"created_at >= ?": microsOrNil(f.CreatedSince), "created_at < ?": microsOrNil(f.CreatedBefore),
		"updated_at >= ?": microsOrNil(f.UpdatedSince), "updated_at < ?": microsOrNil(f.UpdatedBefore),
	} {
		if at != nil {
			and(column, *at)
		}
	}
	key := map[hotel.ReservationSort]string{hotel.SortUpdated: "updated_at", hotel.SortCheckIn: "check_in"}[f.Sort]
	if key == "" {
		key = "created_at"
	}
	direction, behind := "ASC", ">"
	if f.Descending {
		direction, behind = "DESC", "<"
	}
	if f.AfterID != "" {
		and(fmt.Sprintf("(%s, id) %s (?, ?)", key, behind), f.AfterKey, f.AfterID)
	}
	sql = "SELECT id FROM reservation"
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	sql += fmt.Sprintf(" ORDER BY %s %s, id %s LIMIT %d", key, direction, direction, f.Limit)
	return sql, args
}

func (l *Ledger) findReservations(ctx context.Context, f hotel.ReservationFilter) ([]string, error) {
	sql, args := selectReservations(f)
	rows, err := l.readDB.QueryContext(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("list reservations: %w", err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("list reservations: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// Reservations lists reservations. There is one statement for all filters, so
// that what is filtered is what is counted; the order decides the index.
func (l *Ledger) Reservations(ctx context.Context, f hotel.ReservationFilter) (out []hotel.Reservation, err error) {
	ids, err := l.findReservations(ctx, f)
	if err != nil {
		return nil, err
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		for _, id := range ids {
			r, err := loadReservation(ctx, q, id)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	return out, err
}
