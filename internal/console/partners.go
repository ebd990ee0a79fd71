package console

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// administrator is the user as whoever administers clients, which are the whole
// installation's: the house of the page is only where the user looks at them from.
func (v *visit) administrator() (desk.Caller, error) {
	who, ok := v.user.Everywhere()
	if !ok || !v.may(auth.AdminClients) {
		return desk.Caller{}, hotel.Refuse("insufficient_scope", "clients are administered by owners and operators of every house")
	}
	c := v.caller
	c.Who = who
	return c, nil
}

// administered is a page for whoever administers clients.
func administered(serve func(*Console, *visit, desk.Caller) error) func(*Console, *visit) error {
	return func(c *Console, v *visit) error {
		admin, err := v.administrator()
		if err != nil {
			return err
		}
		return serve(c, v, admin)
	}
}

// administeredForm is a form for whoever administers clients.
func administeredForm(serve func(*Console, *visit, desk.Caller, *reader) error) func(*Console, *visit) error {
	return administered(func(c *Console, v *visit, admin desk.Caller) error {
		r, err := readForm(v.r)
		if err != nil {
			return err
		}
		return serve(c, v, admin, r)
	})
}

// once is the key under which a form that is sent twice has its effect once; one that was
// mended is another.
func (v *visit) once() hotel.Once {
	form := sha256.Sum256([]byte(v.r.PostForm.Encode()))
	return hotel.Once{
		Client: "user:" + v.user.ID, Method: v.r.Method, Path: v.r.URL.Path,
		Key: fmt.Sprintf("%s %x", v.r.PostFormValue("key"), form[:8]), Fingerprint: form,
	}
}

// partners are those who use the API, or ask to.
type partners struct {
	Asking  []auth.AccessRequest // who waits for a step
	Past    []auth.AccessRequest
	Clients []desk.ClientView
}

// partners lists access requests and clients. Nobody is named here: organisations are.
func (c *Console) partners(v *visit, admin desk.Caller) error {
	var p partners
	requests, err := c.desk.AccessRequests(v.r.Context(), admin)
	if err != nil {
		return err
	}
	for _, r := range requests {
		if r.Status.Ended() || r.Status == auth.RequestProductionIssued {
			p.Past = append(p.Past, r)
			continue
		}
		p.Asking = append(p.Asking, r)
	}
	if p.Clients, err = c.desk.Clients(v.r.Context(), admin); err != nil {
		return err
	}
	slices.SortStableFunc(p.Clients, func(a, b desk.ClientView) int { return rank(a) - rank(b) })
	return v.show("partners", http.StatusOK, p)
}

// rank has those who may call in production before those of the sandbox, and those who
// may not call any more at the end.
func rank(c desk.ClientView) int {
	switch {
	case c.Status == auth.ClientRevoked:
		return 2
	case c.Environment == auth.Sandbox:
		return 1
	}
	return 0
}

// houses are the properties by id, as the administrator knows them.
func (v *visit) houses(admin desk.Caller) (map[string]string, error) {
	list, err := v.c.desk.Properties(v.r.Context(), admin)
	names := map[string]string{}
	for _, p := range list {
		names[p.ID] = p.Name
	}
	return names, err
}

// granted are the properties that somebody is granted, in words.
func (v *visit) granted(ids []string, houses map[string]string) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		switch name, known := houses[id]; {
		case id == auth.AllProperties:
			list[i] = v.words.T("partner.every_house")
		case known:
			list[i] = name
		default:
			list[i] = id
		}
	}
	return list
}

// pick is something that a form offers to choose.
type pick struct{ ID, Name string }

// houseChoices are the properties that may be granted.
func (v *visit) houseChoices(houses map[string]string) []pick {
	list := []pick{{auth.AllProperties, v.words.T("partner.every_house")}}
	for _, id := range slices.Sorted(maps.Keys(houses)) {
		list = append(list, pick{id, houses[id]})
	}
	return list
}

// tierChoices are the tiers, each with its requests an hour.
func (v *visit) tierChoices(admin desk.Caller) ([]pick, error) {
	tiers, err := v.c.desk.Tiers(admin)
	var list []pick
	for _, name := range slices.Sorted(maps.Keys(tiers)) {
		list = append(list, pick{name, name + ": " + v.anHour(tiers[name])})
	}
	return list, err
}

// anHour is how many requests an hour there may be, in words; 0 is no limit.
func (v *visit) anHour(n int) string {
	if n == 0 {
		return v.words.T("partner.no_limit")
	}
	return v.words.T("partner.an_hour", v.words.number(n))
}

// channelChoices are the channels of all houses that a client may stand for.
func (v *visit) channelChoices(admin desk.Caller, houses map[string]string) ([]pick, error) {
	var list []pick
	for _, id := range slices.Sorted(maps.Keys(houses)) {
		states, err := v.c.desk.Channels(v.r.Context(), admin, id)
		if err != nil {
			return nil, err
		}
		for _, s := range states {
			if s.Status != hotel.Disconnected {
				list = append(list, pick{s.ID, houses[id] + ": " + s.Name})
			}
		}
	}
	return list, nil
}

// scopes are those that a form has ticked.
func (r *reader) scopes(name string) auth.Scopes {
	var set auth.Scopes
	for _, one := range r.Values[name] {
		s, err := auth.ParseScopes(one)
		if err != nil {
			r.fault(name, "enum", "%s", err)
		}
		set |= s
	}
	return set
}

// tickScopes notes scopes as a form has them.
func (f form) tickScopes(name string, set auth.Scopes) {
	for _, s := range set.List() {
		f.Add(name, string(s))
	}
}
