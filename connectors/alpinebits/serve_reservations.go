package alpinebits

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"go.uber.org/zap"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// handedOut is where the revisions of reservations are kept that the far side was told of
// and has not acknowledged: an acknowledgement names no revision. It is of what was told
// last, as long as the answer that told it arrived, and nobody knows that. So where two
// revisions were told without an acknowledgement in between it counts for the first of them,
// and the second is told again. That something was cancelled is acknowledged by a number of
// the type of cancellations.
const handedOut = "reservations handed out"

// mostHandedOut is how many are kept. Whatever falls out is told once more.
const mostHandedOut = 5000

// outing is a reservation as it was told.
type outing struct {
	ID       string `json:"id"`
	Type     string `json:"type"` // of its number
	Revision int64  `json:"revision"`
}

// giveReservations tells what has not been acknowledged, or all that changed since an
// instant.
func (s served) giveReservations(ctx context.Context, v visit) ([]byte, error) {
	h, since, err := message.ReadRead(v.request)
	if err != nil {
		return nil, unread(err)
	}
	if err := s.cfg.isFor(v.version, h); err != nil {
		return nil, err
	}
	all, err := s.waiting(ctx, v, since)
	if err != nil {
		return nil, err
	}
	out, err := s.outings(ctx)
	if err != nil {
		return nil, err
	}
	told := make([]message.Reservation, 0, len(all))
	for _, r := range all {
		now := s.tell(v, r)
		told = append(told, now)
		if o := (outing{r.ID, now.ID.Type, r.Revision}); !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	if err := put(ctx, s.shelf, handedOut, out[max(0, len(out)-mostHandedOut):]); err != nil {
		return nil, err
	}
	return message.WriteReservations(told), nil
}

// toldUpTo is where it is on the shelf up to where the far side was told what waits.
const toldUpTo = "reservations told up to"

// waiting is what an answer tells: all that changed since an instant, or a part of what has
// not been acknowledged. That begins where the last answer ended and goes round, so that what the
// far side never takes keeps nothing from it.
func (s served) waiting(ctx context.Context, v visit, since time.Time) ([]hotel.Reservation, error) {
	if !since.IsZero() {
		var all []hotel.Reservation
		for after, first := "", true; first || after != ""; first = false {
			part, next, err := v.house.Reservations(ctx, since, after)
			if err != nil {
				return nil, err
			}
			all, after = append(all, part...), next
		}
		return all, nil
	}
	place, err := s.shelf.Get(ctx, toldUpTo)
	if err != nil {
		return nil, err
	}
	all, next, err := v.house.Reservations(ctx, since, string(place))
	if err != nil {
		return nil, err
	}
	if len(place) > 0 && next == "" { // round to the beginning
		part, then, err := v.house.Reservations(ctx, since, "")
		if err != nil {
			return nil, err
		}
		next = then
		for _, r := range part {
			if !slices.ContainsFunc(all, func(o hotel.Reservation) bool { return o.ID == r.ID }) {
				all = append(all, r)
			}
		}
		slices.SortStableFunc(all, func(a, b hotel.Reservation) int { return a.UpdatedAt.Compare(b.UpdatedAt) })
	}
	return all, s.shelf.Put(ctx, toldUpTo, []byte(next))
}

func (s served) outings(ctx context.Context) (out []outing, err error) {
	body, err := s.shelf.Get(ctx, handedOut)
	if err == nil && len(body) > 0 {
		err = json.Unmarshal(body, &out)
	}
	return out, err
}

// takeAcknowledgement notes what the far side has stored, as of the revision that it was
// told. What it could not take waits on.
func (s served) takeAcknowledgement(ctx context.Context, v visit) ([]byte, error) {
	taken, refused, err := message.ReadAcknowledgement(v.request)
	if err != nil {
		return nil, unread(err)
	}
	for _, r := range refused {
		s.log.Warn("the hotel's own system could not take a reservation, which is told again", zap.String("reservation", r.RecordID))
	}
	out, err := s.outings(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range taken {
		at := slices.IndexFunc(out, func(o outing) bool { return o.ID == id.ID && o.Type == id.Type })
		if at < 0 || slices.ContainsFunc(refused, func(r message.Notice) bool { return r.RecordID == id.ID }) {
			continue
		}
		if err := v.house.Acknowledge(ctx, id.ID, out[at].Revision); err != nil {
			return nil, err
		}
		// What else was told of it has to be told again before it can be acknowledged.
		out = slices.DeleteFunc(out, func(o outing) bool { return o.ID == id.ID })
	}
	if err := put(ctx, s.shelf, handedOut, out); err != nil {
		return nil, err
	}
	if v.version == message.V2020 {
		return message.WriteSuccess(message.Acknowledged), nil // its schema has no room for a wish
	}
	return s.done(ctx, v, message.Acknowledged)
}

// tell writes a reservation down.
func (s served) tell(v visit, r hotel.Reservation) message.Reservation {
	out := message.Reservation{
		Created: stamp(r.Source.BookedAt, r.CreatedAt), Status: message.Reserved, ID: message.UniqueID{Type: message.Booking, ID: r.ID},
		Hotel: message.Hotel{Code: s.cfg.Hotel, Name: s.cfg.HotelName},
	}
	off := r.Status == hotel.Cancelled || r.Status == hotel.Declined
	switch {
	case off:
		out.Status, out.ID.Type = message.Cancelled, message.Cancellation
	case r.Acknowledged != nil:
		out.Status = message.Modified
	}
	if v.version != message.V2020 {
		out.Modified = stamp(r.UpdatedAt, r.CreatedAt)
	}
	if !off {
		out.Stays = []message.Stay{s.stay(v, r)}
		if words := wishes(r); words != "" {
			out.Comments = []message.Comment{{Text: []string{words}}}
		}
	}
	out.Customer = customer(r.Guest)
	if b := broker(r.Source); b != nil {
		out.Brokers = []message.Broker{*b}
	}
	return out
}

// wishes is what a desk should know of a stay and the standard has no place for: what the
// guest asked for, when they come, and what they have bought beside the room.
func wishes(r hotel.Reservation) string {
	lines := strings.FieldsFunc(printable(r.Requests), func(c rune) bool { return c == '\n' })
	if r.ArrivalTime != "" {
		lines = append(lines, "Arrival: "+r.ArrivalTime)
	}
	for _, e := range r.Extras {
		lines = append(lines, printable(fmt.Sprintf("%d x %s, %s to %s", e.Quantity, cmp.Or(e.Name, e.Code), e.DateFrom, e.DateTo)))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// printable is a text without what XML cannot hold; what separates words goes on doing so.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n', unicode.IsPrint(c):
			return c
		case unicode.IsSpace(c):
			return ' '
		}
		return -1
	}, text)
}

// mostBroker is how long a broker and a number may be in the schemas, in characters.
const mostBroker = 64

// broker says by whom a channel's reservation was sold, and its number there; nil of one
// that nobody else numbers.
func broker(s hotel.Source) *message.Broker {
	short := func(text string) string {
		runes := []rune(strings.TrimSpace(printable(text)))
		return string(runes[:min(len(runes), mostBroker)])
	}
	b := message.Broker{Type: message.InternetBroker, Value: short(s.Reference), Source: short(cmp.Or(s.SubChannel, s.ChannelID))}
	if b.Value == "" || b.Source == "" {
		return nil
	}
	return &b
}

// stamp is the first of two instants that is one, as text.
func stamp(at, otherwise time.Time) string {
	if at.IsZero() {
		at = otherwise
	}
	return at.UTC().Format(time.RFC3339)
}

// stay writes down the room. Children whose age nobody has told take the place of adults.
func (s served) stay(v visit, r hotel.Reservation) message.Stay {
	out := message.Stay{Span: message.StaySpan{Start: r.Stay.CheckIn.String(), End: r.Stay.CheckOut.String()}}
	for _, room := range v.layout.Rooms {
		if room.ID == r.RoomOn(r.Stay.CheckIn) {
			out.RoomType.Code = category(s.cfg.RoomCodes.from(room.Code))
		}
	}
	for _, p := range v.layout.Plans {
		if p.ID == r.RatePlanID {
			out.RatePlan = message.RatePlan{Code: s.cfg.RateCodes.from(p.Code), Meals: message.MealsOf(mealCode(p.MealPlan))}
		}
	}
	adults := r.Adults
	ages := map[int]int{}
	for _, age := range r.ChildrenAges {
		if age < 0 {
			adults++
			continue
		}
		ages[age]++
	}
	if adults > 0 || len(ages) == 0 {
		out.Guests = append(out.Guests, message.Guests{Count: strconv.Itoa(max(1, adults))})
	}
	for age := range 120 {
		if n := ages[age]; n > 0 {
			out.Guests = append(out.Guests, message.Guests{Count: strconv.Itoa(n), Age: strconv.Itoa(age)})
		}
	}
	switch {
	case r.Totals != nil && r.Totals.Gross.Currency != "":
		out.Total = &message.Amount{AfterTax: r.Totals.Gross.Amount(), Currency: string(r.Totals.Gross.Currency)}
	case r.PriceKnown && r.Total.Currency != "":
		out.Total = &message.Amount{AfterTax: r.Total.Amount(), Currency: string(r.Total.Currency)}
	}
	return out
}

// category is a code that fits, "" where none does: the far side then has to ask.
func category(code string) string {
	if !categoryForm(code) {
		return ""
	}
	return code
}

// What the schemas take of a guest. A channel may have said anything.
var (
	emailForm    = regexp.MustCompile(`^\S+@\S+$`)
	languageForm = regexp.MustCompile(`^[a-z][a-z]$`)
	countryForm  = regexp.MustCompile(`^[A-Z][A-Z]$`)
)

// formed returns what has the form, of anything else nothing.
func formed(text string, form *regexp.Regexp) string {
	if form.MatchString(text) {
		return text
	}
	return ""
}

// customer writes a guest down, as far as the schemas have room for what is known: one
// value that they do not take spoils the answer with all its reservations.
func customer(g hotel.Guest) *message.Person {
	p := &message.Person{
		GivenName: cmp.Or(cut(g.FirstName, maxText), "-"), Surname: cmp.Or(cut(g.LastName, maxText), "-"), Email: formed(strings.TrimSpace(g.Email), emailForm),
		Language: formed(strings.ToLower(cut(g.Language, 2)), languageForm),
	}
	if number := digits(g.Phone); number != "" {
		p.Phones = []message.Phone{{Kind: "1", Number: number}}
	}
	if country := formed(strings.ToUpper(g.Country), countryForm); country != "" {
		p.Address = &message.Address{Line: cut(g.Address.Line1, maxText), City: cut(g.Address.City, maxText), Zip: cut(g.Address.PostalCode, maxZip)}
		p.Address.Country.Code = country
	}
	return p
}

// digits are those of a telephone number, with the plus before them.
func digits(number string) string {
	plus := ""
	if strings.HasPrefix(strings.TrimSpace(number), "+") {
		plus = "+"
	}
	only := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
	if only == "" {
		return ""
	}
	return cut(plus+only, maxText)
}

// The most characters that the schemas have room for: of a name, and of a postal code.
const (
	maxText = 64
	maxZip  = 16
)

// cut returns the first characters of a text, without white space around it.
func cut(text string, most int) string {
	runes := []rune(strings.TrimSpace(text))
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}
