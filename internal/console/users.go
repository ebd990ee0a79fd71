package console

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// userList is who signs in to the console.
type userList struct {
	mistakes
	form   // of the one that is made
	Lines  []userLine
	Houses []pick
	Link   string // by which a user signs in once, shown this once
	Of     string // whose it is
}

// userLine is one user.
type userLine struct {
	auth.User
	Form     form     // of its roles
	Words    []string // its roles, in words
	Sessions []auth.Session
	Self     bool     // who looks
	Wrong    mistakes // in its form, as Form has it then
}

// Roles are those that there are.
func (userList) Roles() []auth.Role { return auth.Roles }

// owner refuses whoever does not look after the users of the console.
func (v *visit) owner() error {
	if !v.user.Owns() {
		return hotel.Refuse("insufficient_scope", "users are for the owners of every house")
	}
	return nil
}

// userList reads all users, with where they are signed in.
func (v *visit) userList() (l userList, err error) {
	caller := v.caller
	caller.Who = v.user.Lobby()
	houses, err := v.houses(caller)
	if err != nil {
		return l, err
	}
	l.form, l.Houses = form{url.Values{}}, v.houseChoices(houses)
	all, err := v.c.users.List(v.r.Context())
	if err != nil {
		return l, err
	}
	for _, u := range all {
		line := userLine{User: u, Form: form{url.Values{}}, Self: u.ID == v.user.ID}
		for _, house := range slices.Sorted(maps.Keys(u.Roles)) {
			line.Form.Set("role."+house, string(u.Roles[house]))
			line.Words = append(line.Words, v.granted([]string{house}, houses)[0]+": "+v.words.T("role."+string(u.Roles[house])))
		}
		if line.Sessions, err = v.c.users.Sessions(v.r.Context(), u.ID); err != nil {
			return l, err
		}
		l.Lines = append(l.Lines, line)
	}
	return l, nil
}

func (c *Console) usersPage(v *visit) error {
	if err := v.owner(); err != nil {
		return err
	}
	l, err := v.userList()
	if err != nil {
		return err
	}
	return v.show("users", http.StatusOK, l)
}

// roles are those of a form, by house.
func (r *reader) roles() map[string]auth.Role {
	roles := map[string]auth.Role{}
	for name := range r.Values {
		if house, is := strings.CutPrefix(name, "role."); is && r.text(name) != "" {
			roles[house] = auth.Role(r.text(name))
		}
	}
	return roles
}

// addUser makes a user, who signs in by a link and chooses a password then.
func (c *Console) addUser(v *visit) error {
	if err := v.owner(); err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	made, err := c.users.Add(v.r.Context(), v.by(), r.text("name"), "", r.roles())
	if m, ok := v.mistakesIn(err, v.called(userFields)); ok {
		l, err := v.userList()
		if err != nil {
			return err
		}
		l.form, l.mistakes = r.form, m
		return v.show("users", http.StatusUnprocessableEntity, l)
	}
	if err != nil {
		return err
	}
	return v.showLink(made.Name)
}

// showLink shows a link by which a user signs in, this once.
func (v *visit) showLink(name string) error {
	token, err := v.c.users.Link(v.r.Context(), name)
	if err != nil {
		return err
	}
	l, err := v.userList()
	if err != nil {
		return err
	}
	l.Link, l.Of = v.c.publicURL+"/sign-in/link?token="+token, name
	return v.show("users", http.StatusOK, l)
}

// showMistakes shows the form of a user as it was filled in, with what is wrong in it.
func (v *visit) showMistakes(name string, f form, m mistakes) error {
	l, err := v.userList()
	if err != nil {
		return err
	}
	for i := range l.Lines {
		if strings.EqualFold(l.Lines[i].Name, name) {
			l.Lines[i].Form, l.Lines[i].Wrong = f, m
		}
	}
	return v.show("users", http.StatusUnprocessableEntity, l)
}

// changeUser changes the roles of a user, disables or enables it, ends its sessions, or
// makes a link. Nobody does that to themselves, so that an owner is left.
func (c *Console) changeUser(v *visit) error {
	if err := v.owner(); err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	name, act := r.text("name"), r.text("act")
	if strings.EqualFold(name, v.user.Name) {
		return hotel.Invalid("/name", "enum", "%s", v.words.T("users.not_yourself"))
	}
	var change auth.UserChange
	switch off := act == "disable"; act {
	case "link":
		return v.showLink(name)
	case "roles":
		change.Roles = r.roles()
	case "disable", "enable":
		change.Disabled = &off
	case "end":
	default:
		return hotel.Invalid("/act", "enum", "the form does not say what is to be done")
	}
	_, err = c.users.Change(v.r.Context(), v.by(), name, change)
	if m, ok := v.mistakesIn(err, v.called(userFields)); ok {
		return v.showMistakes(name, r.form, m)
	}
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("users")+"?done=user_"+act, http.StatusSeeOther)
	return nil
}
