package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
)

// people is a list of guests.
type people struct {
	Search string
	Lines  []hotel.GuestProfile
	Next   string // where the next page is; "": this is the last
}

// a page of guests has so many.
const pageOfGuests = 50

// guests lists those who were last written to, or those that a text may mean.
func (c *Console) guests(v *visit) error {
	q := v.r.URL.Query()
	p := people{Search: strings.TrimSpace(q.Get("search"))}
	f := hotel.GuestFilter{PropertyIDs: []string{v.house.ID}, Statuses: []hotel.GuestStatus{hotel.GuestActive}, Sort: hotel.GuestsByUpdated, Descending: true, Limit: pageOfGuests + 1}
	switch {
	case strings.Contains(p.Search, "@"):
		f.Email = p.Search
	case p.Search != "" && strings.Trim(p.Search, "+0123456789 -/()") == "":
		f.Phone = p.Search
	default:
		f.LastName = p.Search
	}
	if key, err := strconv.ParseInt(q.Get("key"), 10, 64); err == nil {
		f.AfterKey, f.AfterID = key, q.Get("after")
	}
	list, err := c.desk.Guests(v.r.Context(), v.caller, f)
	if err != nil {
		return err
	}
	if len(list) > pageOfGuests {
		list = list[:pageOfGuests]
		last := list[len(list)-1]
		p.Next = v.path("guests") + "?" + url.Values{"search": {p.Search}, "key": {strconv.FormatInt(last.SortKey(f.Sort), 10)}, "after": {last.ID}}.Encode()
	}
	p.Lines = list
	if err := v.shown("console.guests", idsOf(list)); err != nil {
		return err
	}
	return v.show("guests", http.StatusOK, p)
}

func idsOf(list []hotel.GuestProfile) []string {
	ids := make([]string, len(list))
	for i, g := range list {
		ids[i] = g.ID
	}
	return ids
}

// person is a guest with all that there is to see and do.
type person struct {
	hotel.GuestProfile
	Stays     []guestLine
	Alike     []hotel.GuestProfile // who may be the same person
	MayChange bool
	Gone      bool    // nothing is left but the id
	Typed     *person // as the form to change it is filled in
	Identity  guestIdentity
	mistakes
}

// askedGuest is the guest that the address names, in this house. One that is part of
// another by now is that.
func (v *visit) askedGuest() (hotel.GuestProfile, error) {
	return v.guestNamed(v.r.PathValue("id"))
}

func (v *visit) guestNamed(id string) (hotel.GuestProfile, error) {
	g, err := v.c.desk.Guest(v.r.Context(), v.caller, id)
	if err == nil && g.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such guest in this house")
	}
	return g, err
}

func (c *Console) guest(v *visit) error {
	g, err := v.askedGuest()
	if merged, is := v.refusal(err); is && merged.Code == "guest_merged" {
		into, _ := merged.Members["merged_into"].(string)
		http.Redirect(v.w, v.r, v.path("guests/"+into), http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	return v.showGuest(g, person{GuestProfile: g, Identity: identityOf(g, v.house.Zone())}, mistakes{})
}

// showGuest shows a guest, and the form to change it as it is filled in.
func (v *visit) showGuest(g hotel.GuestProfile, typed person, m mistakes) error {
	p := person{Typed: &typed, mistakes: m, GuestProfile: g, MayChange: v.may("guests:write") && g.Status == hotel.GuestActive, Gone: g.Status == hotel.GuestAnonymized}
	if !p.Gone {
		booked, err := v.c.desk.Stays(v.r.Context(), v.caller, g.ID)
		if err != nil {
			return err
		}
		if p.Stays, err = v.lines("console.guest", booked.Booked); err != nil {
			return err
		}
		if p.Alike, err = v.alike(g); err != nil {
			return err
		}
	}
	if err := v.shown("console.guest", append(idsOf(p.Alike), g.ID)); err != nil {
		return err
	}
	return v.show("guest", m.status(), p)
}

// alike finds profiles that may be of the same person: of the same address, number, or
// whole name.
func (v *visit) alike(g hotel.GuestProfile) ([]hotel.GuestProfile, error) {
	var found []hotel.GuestProfile
	for _, f := range []hotel.GuestFilter{{Email: g.Email}, {Phone: g.Phone}, {LastName: g.LastName}} {
		if f.Email == "" && f.Phone == "" && f.LastName == "" {
			continue
		}
		f.PropertyIDs, f.Statuses, f.Limit = []string{v.house.ID}, []hotel.GuestStatus{hotel.GuestActive}, namesakes
		list, err := v.c.desk.Guests(v.r.Context(), v.caller, f)
		if err != nil {
			return nil, err
		}
		found = append(found, slices.DeleteFunc(list, func(o hotel.GuestProfile) bool {
			return o.ID == g.ID || f.LastName != "" && hotel.GuestKey(o.DisplayName()) != hotel.GuestKey(g.DisplayName())
		})...)
	}
	slices.SortFunc(found, func(a, b hotel.GuestProfile) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(found, func(a, b hotel.GuestProfile) bool { return a.ID == b.ID }), nil
}

// guestField is a member of a guest as a form has it; they are in the order of [hotel.Guest.Texts].
type guestField struct{ Name, Kind, Value string }

var guestFields = []guestField{
	{"first_name", "text", ""},
	{"last_name", "text", ""},
	{"title", "text", ""},
	{"company", "text", ""},
	{"email", "email", ""},
	{"phone", "tel", ""},
	{"language", "text", ""},
	{"country", "text", ""},
	{"nationality", "text", ""},
	{"date_of_birth", "date", ""},
	{"line1", "text", ""},
	{"line2", "text", ""},
	{"city", "text", ""},
	{"region", "text", ""},
	{"postal_code", "text", ""},
}

// Fields are the members with what is known.
func (p person) Fields() []guestField {
	list := slices.Clone(guestFields)
	for i, text := range p.Texts() {
		list[i].Value = *text
	}
	return list
}

// values are the members and what the guest likes as the form has them.
func (p person) values() form {
	f := form{url.Values{"revision": {strconv.FormatInt(p.Revision, 10)}}}
	for _, of := range p.Fields() {
		f.set(of.Name, of.Value)
	}
	for _, l := range p.Likings() {
		f.set(l.Name, l.Lines())
	}
	for _, l := range p.RoomLikings() {
		f.set("room_"+l.Name, l.Value)
	}
	return f
}

// liking is a list of things that a guest likes.
type liking struct {
	Name string
	List []hotel.Preference
}

// Likings are the lists that there are.
func (p person) Likings() []liking {
	return []liking{{"tags", p.Preferences.Tags}, {"dietary", p.Preferences.Dietary}, {"notes", p.Preferences.Notes}}
}

// Lines are the values of a list, one on a line.
func (l liking) Lines() string {
	values := make([]string, len(l.List))
	for i, p := range l.List {
		values[i] = p.Value
	}
	return strings.Join(values, "\n")
}

// roomLiking is what a guest likes about a room; nobody knows what has no source.
type roomLiking struct {
	Name string
	hotel.Preference
}

// RoomLikings are those that there are.
func (p person) RoomLikings() []roomLiking {
	var list []roomLiking
	for _, r := range roomLikings(&p.Preferences.Room) {
		l := roomLiking{Name: r.name}
		if *r.is != nil {
			l.Preference = **r.is
		}
		list = append(list, l)
	}
	return list
}

type roomWish struct {
	name string
	is   **hotel.Preference
}

func roomLikings(r *hotel.RoomPreferences) []roomWish {
	return []roomWish{{"floor", &r.Floor}, {"bed", &r.Bed}, {"smoking", &r.Smoking}, {"accessible", &r.Accessible}}
}

// changeGuest writes what a form says. What cannot be stored is said on the page, with the
// form as it was filled in.
func (c *Console) changeGuest(v *visit) error {
	g, err := v.askedGuest()
	if err != nil {
		return err
	}
	seen, err := v.seen()
	if err != nil {
		return err
	}
	identity, asked := typedIdentity(v.r.PostForm)
	if !asked {
		identity = identityOf(g, v.house.Zone())
	}
	ch := hotel.Change[hotel.GuestProfile]{IfRevision: seen, Apply: func(p *hotel.GuestProfile) error {
		if err := typedOver(p, v.r.PostForm); err != nil || !asked {
			return err
		}
		return identity.over(p, v.house.Zone(), v.c.clock.Now())
	}}
	_, _, err = c.desk.ChangeGuest(v.r.Context(), v.caller, g.ID, ch)
	typed := person{GuestProfile: g, Identity: identity}
	_ = typedOver(&typed.GuestProfile, v.r.PostForm) // what is wrong with it err says
	m, wrong := v.again(err, v.guestLabels(), form{v.r.PostForm}, typed.values(), person{GuestProfile: g}.values())
	switch {
	case wrong:
		if typed.Revision = seen; m.Changed {
			typed.Revision = g.Revision
		}
		return v.showGuest(g, typed, m)
	case err != nil:
		return err
	}
	http.Redirect(v.w, v.r, v.path("guests/"+g.ID)+"?done=guest", http.StatusSeeOther)
	return nil
}

// typedOver lays what a form says over a profile. What it leaves as it was keeps its source;
// what is new was noted by the house. A telephone number that cannot be read is laid over as it
// was typed.
func typedOver(p *hotel.GuestProfile, form url.Values) (unread error) {
	texts, before := p.Texts(), p.Phone
	for i, f := range guestFields {
		if form.Has(f.Name) {
			*texts[i] = strings.TrimSpace(form.Get(f.Name))
		}
	}
	if p.Phone != before {
		p.Phone, unread = phone(p.Phone)
	}
	p.VIP = form.Get("vip") != ""
	for _, l := range []struct {
		name string
		is   *[]hotel.Preference
	}{{"tags", &p.Preferences.Tags}, {"dietary", &p.Preferences.Dietary}, {"notes", &p.Preferences.Notes}} {
		*l.is = liked(form.Get(l.name), *l.is)
	}
	for _, r := range roomLikings(&p.Preferences.Room) {
		said := liked(form.Get("room_"+r.name), known(*r.is))
		if *r.is = nil; len(said) > 0 {
			*r.is = &said[0]
		}
	}
	return unread
}

func known(p *hotel.Preference) []hotel.Preference {
	if p == nil {
		return nil
	}
	return []hotel.Preference{*p}
}

// liked reads lines; those that were there keep where they are known from.
func liked(text string, before []hotel.Preference) []hotel.Preference {
	var list []hotel.Preference
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		p := hotel.Preference{Value: line, Source: hotel.NotedByStaff}
		if i := slices.IndexFunc(before, func(b hotel.Preference) bool { return b.Value == line }); i >= 0 {
			p = before[i]
		}
		list = append(list, p)
	}
	return list
}
