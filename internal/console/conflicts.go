package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// conflictLine is a conflict in a list.
type conflictLine struct {
	hotel.Conflict
	From string // the channel's name; "" for none
}

// conflicts lists conflicts of the house.
func (v *visit) conflicts(f hotel.ConflictFilter) ([]conflictLine, error) {
	list, err := v.c.desk.Conflicts(v.r.Context(), v.caller, []string{v.house.ID}, f)
	if err != nil {
		return nil, err
	}
	sellers, err := v.sellers()
	lines := make([]conflictLine, len(list))
	for i, k := range list {
		lines[i] = conflictLine{k, sellers[k.ChannelID]}
	}
	return lines, err
}

// inbox is what waits for a decision, or was decided.
type inbox struct {
	Status hotel.ConflictStatus
	Lines  []conflictLine
}

// severities are how urgent a conflict can be, the most urgent first.
var severities = []hotel.Severity{hotel.Critical, hotel.Warning, hotel.Info}

func (c *Console) inbox(v *visit) error {
	in := inbox{Status: hotel.ConflictOpen}
	if v.r.URL.Query().Get("status") == string(hotel.ConflictResolved) {
		in.Status = hotel.ConflictResolved
	}
	var err error
	if in.Lines, err = v.conflicts(hotel.ConflictFilter{Statuses: []hotel.ConflictStatus{in.Status}, Limit: listed}); err != nil {
		return err
	}
	if in.Status == hotel.ConflictOpen {
		slices.SortStableFunc(in.Lines, func(a, b conflictLine) int {
			return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
		})
	}
	return v.show("conflicts", http.StatusOK, in)
}

// decision is a conflict with all that it takes to decide it.
type decision struct {
	conflictLine
	Room   string // the name of the room type that it is about; "": about none
	Facts  []fact
	Ways   []way      // out of it, while it is open
	Taken  string     // the way that was taken, in words
	Booked *guestLine // the booking that it is about; nil: about none, or one that the user may not see
}

// way is an option with what whoever takes it is asked for.
type way struct {
	hotel.ConflictOption
	MayNot bool // the user lacks what taking it needs
	Inputs []input
}

// input asks for an argument.
type input struct {
	hotel.Argument // its name is that of the form: values.amount for a member of a group
	Members        []input
	Picks          []pick // what of ours it names by an id; nil: it names nothing
	Picked         string // what it most likely is
}

// ours are what arguments name by an id, by the name of the argument.
type ours map[string][]pick

// asker asks for the arguments of a way out.
type asker struct {
	*visit
	ours        // to be chosen by name
	held string // the room that is held meanwhile; "": none is
}

// inputsOf ask for arguments, those of a group under its name; at is what they are of. A
// room that has to be said is likely the one that is held.
func (k asker) inputsOf(at, in string, list []hotel.Argument) []input {
	inputs := make([]input, len(list))
	for i, a := range list {
		one := input{Picks: k.ours[a.Name]}
		switch {
		case !a.Required:
		case a.Name == "room_type_id":
			one.Picked = k.held
		case len(one.Picks) == 1:
			one.Picked = one.Picks[0].ID
		}
		within := at + "." + a.Name
		if key := "argument." + within; k.words.has(key) {
			a.Doc = k.words.T(key)
		}
		a.Name = in + a.Name
		one.Argument, one.Members = a, k.inputsOf(within, a.Name+".", a.Members)
		inputs[i] = one
	}
	return inputs
}

// Word is one of the words that an argument takes.
func (v view) Word(word string) string {
	if key := "argument.word." + word; v.words.has(key) {
		return v.T(key)
	}
	return word
}

// ours are the room types and the rate plans that are sold, by their names.
func (v *visit) ours() (ours, error) {
	rooms, err := v.c.desk.RoomTypes(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return nil, err
	}
	n := ours{}
	for _, r := range rooms {
		if r.Status == hotel.Active {
			n["room_type_id"] = append(n["room_type_id"], pick{r.ID, r.Name})
		}
	}
	if !v.may(auth.RatesRead) {
		return n, nil
	}
	plans, err := v.c.desk.RatePlans(v.r.Context(), v.caller, v.house.ID)
	for _, p := range plans {
		if p.Status == hotel.Active {
			n["rate_plan_id"] = append(n["rate_plan_id"], pick{p.ID, p.Name})
		}
	}
	return n, err
}

// asked is the conflict that the address names.
func (v *visit) asked() (hotel.Conflict, error) {
	k, err := v.c.desk.Conflict(v.r.Context(), v.caller, v.r.PathValue("id"))
	if err == nil && k.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such conflict in this house")
	}
	return k, err
}

func (c *Console) conflict(v *visit) error {
	k, err := v.asked()
	if err != nil {
		return err
	}
	sellers, err := v.sellers()
	if err != nil {
		return err
	}
	rooms, err := v.rooms()
	if err != nil {
		return err
	}
	d := decision{conflictLine: conflictLine{k, sellers[k.ChannelID]}, Room: rooms[k.Subject.RoomTypeID]}
	if d.Facts, err = factsOf(k.Facts); err != nil {
		return fmt.Errorf("facts of conflict %s: %w", k.ID, err)
	}
	if k.Resolution != nil {
		d.Taken = v.optionOf(k.Kind, k.Resolution.Option)
	}
	if k.Status == hotel.ConflictOpen {
		sold, err := v.ours()
		if err != nil {
			return err
		}
		for _, o := range hotel.ConflictOptions(k.Kind) {
			if !slices.Contains(k.Options, o.Option) {
				continue
			}
			needs := append([]string{string(auth.ChannelsWrite)}, k.Needs(o)...)
			d.Ways = append(d.Ways, way{
				v.option(k.Kind, o), slices.ContainsFunc(needs, func(scope string) bool { return !v.may(auth.Scope(scope)) }), asker{v, sold, k.Subject.RoomTypeID}.inputsOf(string(k.Kind)+"."+o.Option, "", o.Arguments),
			})
		}
	}
	if k.Subject.Type == "reservation" && v.may(auth.ReservationsRead) {
		list, err := c.desk.Reservations(v.r.Context(), v.caller, hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, IDs: []string{k.Subject.ID}, Limit: 1})
		if err != nil {
			return err
		}
		lines, err := v.lines("console.conflict", list)
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			d.Booked = &lines[0]
		}
	}
	return v.show("conflict", http.StatusOK, d)
}

// decide takes the option of a form.
func (c *Console) decide(v *visit) error {
	k, err := v.asked()
	if err != nil {
		return err
	}
	if err := v.r.ParseForm(); err != nil {
		return hotel.Refuse("malformed", "the form cannot be read")
	}
	taken := hotel.ConflictDecision{Option: v.r.PostFormValue("option"), Note: v.r.PostFormValue("note")}
	if option, known := k.Kind.Option(taken.Option); known && len(option.Arguments) > 0 {
		if taken.Arguments, err = json.Marshal(v.arguments("", option.Arguments, v.r.PostForm)); err != nil {
			return err
		}
	}
	if _, _, err := c.desk.ResolveConflict(v.r.Context(), v.caller, k.ID, taken); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("conflicts")+"?done=decided", http.StatusSeeOther)
	return nil
}

// arguments are those of an option as a form has them. What cannot be read goes on as it
// is: whoever checks it says what is wrong with it.
func (v *visit) arguments(in string, list []hotel.Argument, form url.Values) map[string]any {
	given := map[string]any{}
	for _, a := range list {
		name := in + a.Name
		text := strings.TrimSpace(form.Get(name))
		switch a.Type {
		case hotel.GroupArgument:
			if members := v.arguments(name+".", a.Members, form); len(members) > 0 {
				given[a.Name] = members
			}
		case hotel.WordsArgument:
			if len(form[name]) > 0 {
				given[a.Name] = form[name]
			}
		case hotel.FlagArgument:
			if text != "" {
				given[a.Name] = true
			}
		case hotel.NumberArgument:
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				given[a.Name] = n
			} else if text != "" {
				given[a.Name] = text
			}
		case hotel.MoneyArgument:
			if text != "" {
				given[a.Name] = map[string]string{"amount": text, "currency": string(v.house.Currency)}
			}
		case hotel.TextArgument, hotel.DateArgument:
			if text != "" {
				given[a.Name] = text
			}
		}
	}
	return given
}

// fact is one thing that was seen: a name such as bookings.1.channel, and a value.
type fact struct{ Name, Value string }

// factsOf makes lines of the facts of a conflict.
func factsOf(raw json.RawMessage) (lines []fact, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var all any
	if err := decoder.Decode(&all); err != nil {
		return nil, err
	}
	flatten("", all, &lines)
	return lines, nil
}

func flatten(at string, value any, into *[]fact) {
	under := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
	switch of := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			flatten(under(name), of[name], into)
		}
	case []any:
		for i, one := range of {
			flatten(under(strconv.Itoa(i+1)), one, into)
		}
	case nil:
	default:
		*into = append(*into, fact{cmp.Or(at, "-"), fmt.Sprint(of)})
	}
}
