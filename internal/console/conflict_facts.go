package console

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// seenFact is one thing that was seen, in words.
type seenFact struct{ Name, Value string }

// seenTable is things of one kind that were seen, one a row.
type seenTable struct {
	Name  string
	Heads []string
	Rows  [][]seenCell
	More  int // rows that there are besides
}

// seenCell is a value in a table; of a booking with its id, by which its page is found.
type seenCell struct{ Text, Reservation string }

// mostSeen is how many rows a table has.
const mostSeen = 100

// seen is the facts of a conflict as they are shown.
type seen struct {
	Facts  []seenFact
	Tables []seenTable
}

// unsaid are members of facts that the program needs, and nobody else. Whom to move where is
// offered beside the way out that does it.
var unsaid = []string{"movable", "message", "sequence", "id", "asked_by", "update_id", "block_id", "currency", "reference_reuse"}

// unsaidInRows are those that tables have no room for.
var unsaidInRows = []string{"revision", "channel_modified_at", "left_out_by", "channel_reference"}

// unnamed are those whose value says what it is.
var unnamed = []string{"nights", "detail", "kind", "state", "at"}

// ofTheBooking are members that are the booking's, which is shown beside.
var ofTheBooking = []string{"reservation_id", "channel_id", "channel_reference", "stay", "room_type_id", "held_room_type_id", "rate_plan_id"}

// member is one of an object of JSON, which has an order here.
type member struct {
	name  string
	value any // nil, bool, json.Number, string, []any or []member
}

// inOrder reads a value of JSON with the members of objects in their order.
func inOrder(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			one, err := inOrder(d)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		_, err = d.Token()
		return list, err
	case json.Delim('{'):
		object := []member{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := inOrder(d)
			if err != nil {
				return nil, err
			}
			object = append(object, member{fmt.Sprint(name), value})
		}
		_, err = d.Token()
		return object, err
	}
	return token, nil
}

// teller says facts in the words of the page.
type teller struct {
	*visit
	names    map[string]string // of room types, rate plans, channels and bookings, by id
	currency hotel.Currency    // of amounts that name none; "": there are no such
	closings bool              // values without members are open nights
}

// seenOf is what was seen, with names for ids. What is the booking's is left out where that
// is shown.
func (v *visit) seenOf(k hotel.Conflict, names map[string]string, booked bool) (all seen, err error) {
	if len(k.Facts) == 0 {
		return all, nil
	}
	d := json.NewDecoder(strings.NewReader(string(k.Facts)))
	d.UseNumber()
	value, err := inOrder(d)
	if err != nil {
		return all, fmt.Errorf("facts of conflict %s: %w", k.ID, err)
	}
	object, _ := value.([]member)
	t := teller{visit: v, names: names}
	for _, m := range object {
		switch m.name {
		case "currency":
			t.currency = hotel.Currency(fmt.Sprint(m.value))
		case "group":
			t.closings = m.value == hotel.Closures.String()
		}
	}
	for _, m := range object {
		if m.value == false || slices.Contains(unsaid, m.name) || booked && slices.Contains(ofTheBooking, m.name) {
			continue
		}
		if rows, is := rowsOf(m.value); is {
			t.table(&all, t.name(m.name), rows)
			continue
		}
		all.Facts = append(all.Facts, seenFact{t.name(m.name), t.text(m.name, m.value)})
	}
	return all, nil
}

// rowsOf are the objects of a list of them.
func rowsOf(value any) (rows [][]member, is bool) {
	list, is := value.([]any)
	if !is || len(list) == 0 {
		return nil, false
	}
	for _, one := range list {
		object, is := one.([]member)
		if !is {
			return nil, false
		}
		rows = append(rows, spanned(object))
	}
	return rows, true
}

// spanned makes one member of a first and a last night.
func spanned(object []member) []member {
	var from, to hotel.Date
	var known [2]error
	for _, m := range object {
		switch m.name {
		case "from":
			from, known[0] = hotel.ParseDate(fmt.Sprint(m.value))
		case "to":
			to, known[1] = hotel.ParseDate(fmt.Sprint(m.value))
		}
	}
	if known[0] != nil || known[1] != nil || from == 0 || to == 0 {
		return object
	}
	return append([]member{{"nights", hotel.Span{From: from, To: to}}}, slices.DeleteFunc(slices.Clone(object), func(m member) bool { return m.name == "from" || m.name == "to" })...)
}

// table adds rows, those of a single column as one value, and of rows that nothing is said
// of what lies within them alone.
func (t teller) table(into *seen, name string, rows [][]member) {
	var columns []string
	for _, row := range rows {
		for _, m := range row {
			if _, inside := rowsOf(m.value); !inside && !slices.Contains(columns, m.name) && !slices.Contains(unsaid, m.name) && !slices.Contains(unsaidInRows, m.name) {
				columns = append(columns, m.name)
			}
		}
	}
	table := seenTable{Name: name, More: max(0, len(rows)-mostSeen)}
	for _, c := range columns {
		table.Heads = append(table.Heads, t.name(c))
	}
	var within []func()
	for _, row := range rows[:len(rows)-table.More] {
		cells := make([]seenCell, len(columns))
		for _, m := range row {
			if inside, is := rowsOf(m.value); is {
				within = append(within, func() {
					of := t.name(m.name)
					if len(cells) > 0 {
						of += ": " + cells[0].Text
					}
					t.table(into, of, inside)
				})
				continue
			}
			if i := slices.Index(columns, m.name); i >= 0 {
				cells[i].Text = t.text(m.name, m.value)
				if m.name == "reservation_id" {
					cells[i].Reservation, _ = m.value.(string)
				}
			}
		}
		table.Rows = append(table.Rows, cells)
	}
	switch {
	case len(columns) == 0:
	case len(columns) == 1 && table.More == 0:
		var texts []string
		for _, row := range table.Rows {
			texts = append(texts, row[0].Text)
		}
		into.Facts = append(into.Facts, seenFact{name, strings.Join(texts, ", ")})
	default:
		into.Tables = append(into.Tables, table)
	}
	for _, add := range within {
		add()
	}
}

// name is what a member is called.
func (t teller) name(member string) string {
	for _, key := range []string{"seen." + member, "field." + member} {
		if t.words.has(key) {
			return t.words.T(key)
		}
	}
	return strings.ReplaceAll(member, "_", " ")
}

// text is the value of a member.
func (t teller) text(name string, value any) string {
	switch of := value.(type) {
	case nil:
		return t.words.T("seen.not_known")
	case bool:
		return t.words.T(fmt.Sprintf("flag.%t", of))
	case json.Number:
		n, err := of.Int64()
		if err != nil {
			return t.words.decimal(of.String())
		}
		if name == "net" { // what is missing is below 0
			n = -n
		}
		return t.words.number(int(n))
	case string:
		return t.said(name, of)
	case hotel.Span:
		return t.words.span(of)
	case []any:
		var said []string
		for _, one := range of {
			said = append(said, t.text(name, one))
		}
		return strings.Join(said, ", ")
	case []member:
		return t.object(of)
	}
	return fmt.Sprint(value)
}

// said is a text: a name for an id, a word for a code, and days, instants and amounts as
// they are written in the language.
func (t teller) said(name, text string) string {
	if of, known := t.names[text]; known {
		return of
	}
	if room, plan, is := strings.Cut(text, "/"); is && name == "changed_id" {
		return t.said("", room) + " · " + t.said("", plan)
	}
	if d, err := hotel.ParseDate(text); err == nil {
		return t.words.date(d)
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return t.moment(at)
	}
	if strings.HasSuffix(name, "_pct") {
		return t.words.T("number.percent", t.words.decimal(text))
	}
	if m, err := hotel.ParseMoney(text, t.currency); err == nil && t.currency != "" {
		return t.words.money(m)
	}
	for _, key := range []string{"seen.word." + text, "group." + text, "field." + text} {
		if t.words.has(key) {
			return t.words.T(key)
		}
	}
	return text
}

// object is an amount, a stay, what a channel shows, or several things with their names.
func (t teller) object(of []member) string {
	texts := map[string]string{}
	for _, m := range of {
		if text, is := m.value.(string); is {
			texts[m.name] = text
		}
	}
	if m, err := hotel.ParseMoney(texts["amount"], hotel.Currency(texts["currency"])); err == nil && len(of) == 2 {
		return t.words.money(m)
	}
	in, err := hotel.ParseDate(texts["check_in"])
	if out, also := hotel.ParseDate(texts["check_out"]); err == nil && also == nil && len(of) == 2 {
		return t.words.stay(hotel.Stay{CheckIn: in, CheckOut: out})
	}
	var said []string
	for _, m := range spanned(of) {
		switch {
		case slices.Contains(unsaid, m.name) || m.value == false:
		case m.value == true:
			said = append(said, t.name(m.name))
		case m.name == "code": // of a fault, whose detail says it
		case slices.Contains(unnamed, m.name) || m.name == "available" && len(of) == 1:
			said = append(said, t.text(m.name, m.value))
		default:
			said = append(said, t.name(m.name)+" "+t.text(m.name, m.value))
		}
	}
	switch {
	case len(said) > 0:
		return strings.Join(said, ", ")
	case t.closings:
		return t.words.T("seen.open")
	}
	return t.words.T("seen.nothing")
}

// named are the names of what facts can be about: room types, rate plans, channels, and
// bookings, which are returned as well.
func (v *visit) named(k hotel.Conflict, ours ours, sellers map[string]string) (names map[string]string, bookings map[string]guestLine, err error) {
	if names, err = v.rooms(); err != nil {
		return nil, nil, err
	}
	for _, p := range ours["rate_plan_id"] {
		names[p.ID] = p.Name
	}
	maps.Copy(names, sellers)
	names[hotel.Direct] = v.words.T("bookings.direct")
	if !v.may(auth.ReservationsRead) {
		return names, nil, nil
	}
	ids := []string{}
	if k.Subject.Type == "reservation" {
		ids = append(ids, k.Subject.ID)
	}
	for part := range strings.SplitSeq(string(k.Facts), `"`) {
		if strings.HasPrefix(part, "res_") {
			ids = append(ids, part)
		}
	}
	if len(ids) == 0 {
		return names, nil, nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	list, err := v.c.desk.Reservations(v.r.Context(), v.caller, hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, IDs: ids, Limit: len(ids)})
	if err != nil {
		return nil, nil, err
	}
	lines, err := v.lines("console.conflict", list)
	bookings = map[string]guestLine{}
	for _, l := range lines {
		names[l.ID], bookings[l.ID] = l.called(), l
	}
	return names, bookings, err
}

// called is by what people know the booking: the guest, or its number.
func (l guestLine) called() string {
	if l.Who == "" {
		return l.Confirmation
	}
	return l.Who + " (" + l.Confirmation + ")"
}
