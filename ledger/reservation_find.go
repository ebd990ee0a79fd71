package ledger

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// conditions are put together at run time: every filter of a list is optional,
// and only those that are asked for may stand in the statement, else no index
// serves.
type conditions struct {
	where []string
	args  []any
}

func (c *conditions) and(condition string, values ...any) {
	c.where = append(c.where, condition)
	c.args = append(c.args, values...)
}

func (c *conditions) equal(column, value string) {
	if value != "" {
		c.and(column+" = ?", value)
	}
}

func (c *conditions) bound(condition string, d *hotel.Date) {
	if d != nil {
		c.and(condition, int64(*d))
	}
}

// in is a condition that a column has one of several values; none means any.
func in[V ~string](c *conditions, column string, values []V) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = string(v)
	}
	c.and(column+" IN (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// jsonList is the values as a statement reads them with json_each; [] without any.
func jsonList[V ~string](values []V) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(string(v))
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// text joins the conditions.
func (c *conditions) text() string {
	if len(c.where) == 0 {
		return "TRUE"
	}
	return strings.Join(c.where, " AND ")
}

// selected are the conditions of the reservations that a filter selects, all pages of them.
func selected(f hotel.ReservationFilter) (c conditions) {
	in(&c, "property_id", f.PropertyIDs)
	in(&c, "id", f.IDs)
	in(&c, "status", f.Statuses)
	in(&c, "channel_id", f.ChannelIDs)
	c.equal("sub_channel", f.SubChannel)
	if f.Reference != "" {
		c.and("channel_ref = ? AND channel_ref <> ''", f.Reference) // as in the index
	}
	in(&c, "confirmation", f.Confirmations)
	in(&c, "guest_id", f.GuestIDs)
	in(&c, "group_id", f.GroupIDs)
	in(&c, "block_id", f.BlockIDs)
	in(&c, "room_type_id", f.RoomTypeIDs)
	in(&c, "rate_plan_id", f.RatePlanIDs)
	if f.Unmapped {
		c.and("room_type_id IS NULL")
	}
	if f.Unacknowledged {
		c.and("acknowledged < revision")
	}
	if f.Tag != "" {
		c.elsewhere("reservation_tag", f.PropertyIDs, "tag", f.Tag)
	}
	if f.StayingOn != nil {
		c.elsewhere("reservation_night", f.PropertyIDs, "night", int64(*f.StayingOn))
	}
	c.standing(f.In)
	c.bound("check_in >= ?", f.CheckInFrom)
	c.bound("check_in <= ?", f.CheckInTo)
	c.bound("check_out >= ?", f.CheckOutFrom)
	c.bound("check_out <= ?", f.CheckOutTo)
	for _, at := range []struct {
		condition string
		micros    *int64
	}{
		{"created_at >= ?", microsOrNil(f.CreatedSince)},
		{"created_at < ?", microsOrNil(f.CreatedBefore)},
		{"updated_at >= ?", microsOrNil(f.UpdatedSince)},
		{"updated_at < ?", microsOrNil(f.UpdatedBefore)},
	} {
		if at.micros != nil {
			c.and(at.condition, *at.micros)
		}
	}
	return c
}

// selectReservations is the statement that lists the ids that a filter selects, a
// page of them in order. A list of everything is read along the index of its
// order; one that a filter makes short is looked up by the filter, and sorted.
func selectReservations(f hotel.ReservationFilter) (sql string, args []any) {
	c := selected(f)
	key := map[hotel.ReservationSort]string{hotel.SortUpdated: "updated_at", hotel.SortCheckIn: "check_in"}[f.Sort]
	if key == "" {
		key = "created_at"
	}
	if narrow(f) {
		key = "+" + key // keeps SQLite from reading everything in order instead
	}
	direction, behind := "ASC", ">"
	if f.Descending {
		direction, behind = "DESC", "<"
	}
	if f.AfterID != "" {
		c.and(fmt.Sprintf("(%s, id) %s (?, ?)", key, behind), f.AfterKey, f.AfterID)
	}
	return fmt.Sprintf("SELECT id FROM reservation WHERE %s ORDER BY %s %s, id %s LIMIT %d", c.text(), key, direction, direction, f.Limit), c.args
}

// elsewhere is a condition on a table that begins with the property.
func (c *conditions) elsewhere(table string, properties []string, column string, value any) {
	var own conditions
	in(&own, "property_id", properties)
	own.and(column+" = ?", value)
	c.and("id IN (SELECT reservation_id FROM "+table+" WHERE "+own.text()+")", own.args...)
}

// standing is the condition that a reservation stands where one of several says.
func (c *conditions) standing(places []hotel.Standing) {
	var either []string
	var args []any
	for _, s := range places {
		var one conditions
		one.equal("property_id", s.PropertyID)
		in(&one, "status", s.Statuses)
		one.bound("check_in >= ?", s.InFrom)
		one.bound("check_in <= ?", s.InTo)
		one.bound("check_out >= ?", s.OutFrom)
		one.bound("check_out <= ?", s.OutTo)
		either, args = append(either, "("+one.text()+")"), append(args, one.args...)
	}
	if len(either) > 0 {
		c.and("("+strings.Join(either, " OR ")+")", args...)
	}
}

// narrow reports whether a filter leaves few reservations.
func narrow(f hotel.ReservationFilter) bool {
	for _, s := range f.In {
		if s.InTo == nil && s.OutTo == nil {
			return false
		}
	}
	return len(f.In) > 0 || len(f.IDs) > 0 || f.Reference != "" || len(f.Confirmations) > 0 || len(f.GuestIDs) > 0 || len(f.GroupIDs) > 0 || len(f.BlockIDs) > 0 ||
		f.Tag != "" || f.StayingOn != nil || f.CheckOutFrom != nil && f.CheckOutTo != nil
}

// ids runs a statement that selects ids.
func (l *Ledger) ids(ctx context.Context, sql string, args []any) ([]string, error) {
	rows, err := l.readDB.QueryContext(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// Reservations lists reservations. There is one statement for all filters, so
// that what is filtered is what is counted; the order decides the index.
func (l *Ledger) Reservations(ctx context.Context, f hotel.ReservationFilter) (out []hotel.Reservation, err error) {
	sql, args := selectReservations(f)
	ids, err := l.ids(ctx, sql, args)
	if err != nil {
		return nil, fmt.Errorf("list reservations: %w", err)
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

// CountReservations returns how many reservations there are that a filter selects, whatever
// page of them it asks for.
func (l *Ledger) CountReservations(ctx context.Context, f hotel.ReservationFilter) (n int, err error) {
	c := selected(f)
	if err := l.readDB.QueryRowContext(ctx, "SELECT COUNT(*) FROM reservation WHERE "+c.text(), c.args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count reservations: %w", err)
	}
	return n, nil
}
