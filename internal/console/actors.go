package console

import (
	"cmp"

	"ostler.example/hotel"
)

// doers are the names of those who do things in a house: users of the console and
// channels. Programs have their id alone, whose names are for those who administer them.
type doers struct {
	words           *words
	users, channels map[string]string
}

// doers reads the names. A user who was removed has none any more.
func (v *visit) doers() (d doers, err error) {
	d = doers{words: v.words, users: map[string]string{}}
	if d.channels, err = v.sellers(); err != nil {
		return d, err
	}
	list, err := v.c.users.List(v.r.Context())
	for _, u := range list {
		d.users[u.ID] = u.Name
	}
	return d, err
}

// called is who it was, in words.
func (d doers) called(a hotel.Actor) string {
	kind := d.words.T("actor." + string(a.Kind))
	switch a.Kind {
	case hotel.ActorUser:
		return cmp.Or(d.users[a.ID], kind)
	case hotel.ActorChannel:
		return cmp.Or(d.channels[a.ID], kind)
	case hotel.ActorClient:
		return d.words.T("actor.client_of", a.ID)
	case hotel.ActorOperator, hotel.ActorSystem:
	}
	return kind
}
