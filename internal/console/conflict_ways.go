package console

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// way is an option with what whoever takes it is asked for.
type way struct {
	hotel.ConflictOption
	MayNot  bool // the user lacks what taking it needs
	Choices []choice
	Inputs  []input
	Typed   bool   // somebody wanted to take it, and could not
	Note    string // as it was typed then
}

// taken is the form of a way out as somebody has filled it in, and what is wrong in it.
type taken struct {
	form
	mistakes
}

// AsksForNote reports whether a note is among what is asked for.
func (w way) AsksForNote() bool {
	return slices.ContainsFunc(w.Inputs, func(i input) bool { return i.Name == "note" })
}

// choice is one way of taking an option, all of which is said already.
type choice struct {
	Label, Detail string
	Picks         []choicePick
}

// choicePick is a button.
type choicePick struct {
	Pick       string // the arguments as a form has them
	Text, Cost string
}

// input asks for an argument.
type input struct {
	hotel.Argument // its name is that of the form: values.amount for a member of a group
	Members        []input
	Picks          []pick // what of ours it names by an id; nil: it names nothing
	Picked         string // what it most likely is, or was said to be
	Said           []string
	Fault          wrong
}

// Says reports whether a word was said.
func (i input) Says(word string) bool { return slices.Contains(i.Said, word) }

// idle reports whether it asks for a group of which nothing can be wanted, such as other
// values than a closing.
func (i input) idle() bool {
	return i.Type == hotel.GroupArgument && i.Required && len(i.Members) == 0
}

// ours are what arguments name by an id, by the name of the argument.
type ours map[string][]pick

// asker asks for the arguments of a way out.
type asker struct {
	*visit
	ours                     // to be chosen by name
	likely map[string]string // what an argument most likely is, by its name
	group  hotel.Group       // of the values that may be wanted instead
	vain   []string          // what would be refused, whatever is said
	taken                    // what was typed; without values nothing was
}

// inputsOf ask for arguments, those of a group under its name; at is what they are of.
func (k asker) inputsOf(at, in string, list []hotel.Argument) (inputs []input) {
	for _, a := range list {
		one := input{Picks: k.ours[a.Name], Picked: k.likely[a.Name]}
		if a.Name == "property_id" && len(one.Picks) == 0 || slices.Contains(k.vain, a.Name) {
			continue // there is no other house, or there is no sense in asking
		}
		if one.Picked == "" && a.Required && len(one.Picks) == 1 {
			one.Picked = one.Picks[0].ID
		}
		within := at + "." + a.Name
		if key := "argument." + within; k.words.has(key) {
			a.Doc = k.words.T(key)
		}
		if in == "values." { // one of the fields that can be wanted instead
			f := hotel.Field(a.Name)
			if f.Group() != k.group {
				continue
			}
			a.Doc = k.words.T("field."+a.Name) + ": " + a.Doc
		}
		a.Name = in + a.Name
		if k.Values != nil {
			one.Said, one.Picked, one.Fault = k.Values[a.Name], k.Get(a.Name), k.Wrong(a.Name)
		}
		one.Argument, one.Members = a, k.inputsOf(within, a.Name+".", a.Members)
		inputs = append(inputs, one)
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

// called is the name of what an argument can name; "": of nothing that is sold.
func (o ours) called(argument, id string) string {
	i := slices.IndexFunc(o[argument], func(p pick) bool { return p.ID == id })
	if i < 0 {
		return ""
	}
	return o[argument][i].Name
}

// ways are what can be done about an open conflict.
func (v *visit) ways(k hotel.Conflict, sold ours, names map[string]string, bookings map[string]guestLine, wanted taken) (ways []way, err error) {
	ask := asker{visit: v, ours: maps.Clone(sold), likely: map[string]string{}}
	if len(k.Cells) > 0 {
		ask.group = k.Cells[0].Group
	}
	if k.Kind == hotel.ConflictUnmapped { // the room that is held meanwhile, and what the codes say
		ask.likely["room_type_id"] = k.Subject.RoomTypeID
		is, err := v.c.desk.LikelySold(v.r.Context(), v.caller, k)
		if err != nil {
			return nil, err
		}
		if is != nil {
			ask.likely["room_type_id"], ask.likely["rate_plan_id"] = is.RoomTypeID, is.RatePlanID
		}
		list, err := v.c.desk.ChannelList(v.r.Context(), v.caller, v.house.ID)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(c hotel.Channel) bool { return c.ID == k.ChannelID && c.Live() }) {
			ask.vain = []string{"remember"} // it is mapped by its plan
		}
	}
	crowd, crowded, err := desk.CrowdOf(k)
	if err != nil {
		return nil, err
	}
	if crowded {
		if ask.ours["reservation_id"], err = v.crowd(k, crowd, bookings); err != nil {
			return nil, err
		}
		ask.likely["reservation_id"] = crowd.ReservationID
	}
	for _, o := range hotel.ConflictOptions(k.Kind) {
		if !slices.Contains(k.Options, o.Option) {
			continue
		}
		needs := append([]string{string(auth.ChannelsWrite)}, k.Needs(o)...)
		w := way{ConflictOption: v.option(k.Kind, o), MayNot: slices.ContainsFunc(needs, func(scope string) bool { return !v.may(auth.Scope(scope)) })}
		ask.taken = taken{}
		if w.Typed = o.Option == wanted.Get("option"); w.Typed {
			ask.taken, w.Note = wanted, wanted.Get("note")
		}
		switch {
		case w.MayNot:
		case crowded && o.Option == hotel.OptionMove:
			w.Choices = v.moves(crowd, names, bookings)
		case crowded && o.Option == hotel.OptionWalk:
			if w.Choices, ask.ours["property_id"], err = v.walks(crowd, bookings); err != nil {
				return nil, err
			}
		case o.Option == hotel.OptionSame:
			w.Choices = v.keeps(bookings)
		}
		if o.Option != hotel.OptionSame || len(w.Choices) == 0 {
			w.Inputs = ask.inputsOf(string(k.Kind)+"."+o.Option, "", o.Arguments)
		}
		if slices.ContainsFunc(w.Inputs, input.idle) {
			continue
		}
		ways = append(ways, w)
	}
	return ways, nil
}

// moves are whom to move where, with what that costs the house.
func (v *visit) moves(of desk.CrowdFacts, names map[string]string, bookings map[string]guestLine) (list []choice) {
	for _, m := range of.Movable {
		one := choice{Label: cmp.Or(names[m.ReservationID], m.ReservationID), Detail: v.stayOf(bookings, m.ReservationID)}
		for _, to := range append([]desk.MoveTo{{RoomTypeID: m.RoomTypeID, Cost: m.Cost}}, m.Others...) {
			one.Picks = append(one.Picks, choicePick{
				url.Values{"reservation_id": {m.ReservationID}, "room_type_id": {to.RoomTypeID}}.Encode(),
				v.words.T("choice.move", cmp.Or(names[to.RoomTypeID], to.RoomTypeID)), v.dearer(to.Cost),
			})
		}
		list = append(list, one)
	}
	return list
}

// dearer says by how much one room is dearer than another; nil: nobody knows.
func (v *visit) dearer(by *hotel.Money) string {
	switch {
	case by == nil:
		return v.words.T("choice.cost_unknown")
	case by.Minor == 0:
		return v.words.T("choice.cost_none")
	}
	return v.words.T("choice.dearer", v.words.money(*by))
}

// stayOf is when a booking is for; "" of one that is not shown.
func (v *visit) stayOf(bookings map[string]guestLine, id string) string {
	if l, is := bookings[id]; is {
		return v.words.stay(l.Stay) + " · " + cmp.Or(l.From, v.words.T("bookings.direct"))
	}
	return ""
}

// walks are the other houses of the user that have a room for the booking, with what it
// costs there, and all of its other houses.
func (v *visit) walks(of desk.CrowdFacts, bookings map[string]guestLine) (list []choice, others []pick, err error) {
	guest, shown := bookings[of.ReservationID]
	lobby := v.caller
	lobby.Who = v.user.Lobby()
	houses, err := v.c.desk.Properties(v.r.Context(), lobby)
	if err != nil {
		return nil, nil, err
	}
	one := choice{Label: guest.called(), Detail: v.stayOf(bookings, guest.ID)}
	for _, h := range houses {
		who, ok := v.user.At(h.ID)
		if h.ID == v.house.ID || h.Status != hotel.Active || !ok {
			continue
		}
		others = append(others, pick{h.ID, h.Name})
		if !shown || !who.Scopes.Has(auth.AvailabilityRead) {
			continue
		}
		there := v.caller
		there.Who = who
		a, err := v.c.desk.Availability(v.r.Context(), there, desk.StayQuery{PropertyID: h.ID, Stay: guest.Stay, Adults: guest.Adults, ChildrenAges: guest.ChildrenAges, Details: true})
		if refused, is := v.refusal(err); is && refused.Code == "validation_failed" {
			continue // it sells no such stay
		}
		if err != nil {
			return nil, nil, err
		}
		if least := cheapestOf(a); least != nil {
			one.Picks = append(one.Picks, choicePick{
				url.Values{"reservation_id": {guest.ID}, "property_id": {h.ID}}.Encode(), v.words.T("choice.walk", h.Name), v.words.T("choice.from", v.words.money(*least)),
			})
		}
	}
	if len(one.Picks) > 0 {
		list = append(list, one)
	}
	return list, others, nil
}

// cheapestOf is the least that a stay costs in a room that is free; nil: none is.
func cheapestOf(a desk.StayAnswer) (least *hotel.Money) {
	free := map[string]bool{}
	for _, r := range a.Details.Rooms {
		free[r.Code] = r.Direct+r.Recallable > 0
	}
	for _, p := range a.Details.Plans {
		if p.Total == nil || len(p.Failed) > 0 || !free[p.RoomCode] {
			continue
		}
		if of := p.Total.Gross; least == nil || of.Minor < least.Minor {
			least = &of
		}
	}
	return least
}

// keeps are the bookings of which one may stay.
func (v *visit) keeps(bookings map[string]guestLine) (list []choice) {
	for _, id := range slices.Sorted(maps.Keys(bookings)) {
		list = append(list, choice{bookings[id].called(), v.stayOf(bookings, id), []choicePick{{url.Values{"keep": {id}}.Encode(), v.words.T("choice.keep"), ""}}})
	}
	return list
}

// mostCrowdNights is of how many nights the guests are listed.
const mostCrowdNights = 14

// crowd are the bookings that take a room on the nights of a conflict.
func (v *visit) crowd(k hotel.Conflict, of desk.CrowdFacts, bookings map[string]guestLine) ([]pick, error) {
	if !v.may(auth.ReservationsRead) {
		return nil, nil
	}
	called := map[string]string{}
	for id, l := range bookings {
		called[id] = l.called()
	}
	f := hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, Limit: listed}
	if !of.House {
		f.RoomTypeIDs = []string{k.Subject.RoomTypeID}
	}
	nights := 0
	for _, n := range of.Crowded {
		for d := n.From; d <= n.To && nights < mostCrowdNights; d++ {
			nights++
			f.StayingOn = &d
			list, err := v.c.desk.Reservations(v.r.Context(), v.caller, f)
			if err != nil {
				return nil, err
			}
			lines, err := v.lines("console.conflict", list)
			if err != nil {
				return nil, err
			}
			for _, l := range lines {
				called[l.ID] = l.called()
			}
		}
	}
	var picks []pick
	for id, name := range called {
		picks = append(picks, pick{id, name})
	}
	slices.SortFunc(picks, func(a, b pick) int { return cmp.Compare(a.Name, b.Name) })
	return picks, nil
}

// picked puts what a choice says into the form.
func (v *visit) picked() error {
	said, err := url.ParseQuery(v.r.PostForm.Get("pick"))
	if err != nil {
		return hotel.Refuse("malformed", "the form cannot be read")
	}
	maps.Copy(v.r.PostForm, said)
	return nil
}

// alsoAt is the caller who sees another house of the user besides, to which a guest may be
// sent; what the user may do stays as it is here.
func (v *visit) alsoAt(house string) desk.Caller {
	caller := v.caller
	if _, ok := v.user.At(house); house != "" && ok {
		caller.PropertyIDs = append(slices.Clone(caller.PropertyIDs), house)
	}
	return caller
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
				given[a.Name] = map[string]string{"amount": v.words.plain(text), "currency": string(v.house.Currency)}
			}
		case hotel.TextArgument, hotel.DateArgument:
			if text != "" {
				given[a.Name] = text
			}
		}
	}
	return given
}

// amounts notes what is no amount among the arguments of an option.
func (r *reader) amounts(in string, list []hotel.Argument, currency hotel.Currency) {
	for _, a := range list {
		r.amounts(in+a.Name+".", a.Members, currency)
		if a.Type == hotel.MoneyArgument {
			r.money(in+a.Name, currency)
		}
	}
}

// argumentOf is what an argument is called on a form, by where it is in a decision.
func argumentOf(pointer string) string {
	return strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(pointer, "/arguments"), "/"), "/", ".")
}
