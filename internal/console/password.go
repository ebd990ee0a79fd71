package console

import (
	"errors"
	"net/http"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// seats are where the user is signed in, and how its password is changed.
type seats struct {
	mistakes
	List []auth.Session
}

// HasPassword reports whether the user is asked for the one that there is.
func (v view) HasPassword() bool { return v.user.Password != "" }

func (v *visit) seats() (s seats, err error) {
	s.List, err = v.c.users.Sessions(v.r.Context(), v.user.ID)
	return s, err
}

func (c *Console) sessions(v *visit) error {
	s, err := v.seats()
	if err != nil {
		return err
	}
	return v.show("sessions", http.StatusOK, s)
}

func (c *Console) endSession(v *visit) error {
	if err := c.users.End(v.r.Context(), v.user.ID, v.r.PostFormValue("id")); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, "/sessions", http.StatusSeeOther)
	return nil
}

// changePassword gives the user another password for the one that is typed. Whoever else
// is signed in as the user is not any more; this browser is, anew.
func (c *Console) changePassword(v *visit) error {
	typed := v.r.PostFormValue("password")
	var token string
	err := error(hotel.Invalid("/again", "enum", "%s", v.words.T("password.differ")))
	if typed == v.r.PostFormValue("again") {
		token, err = c.users.ChangePassword(v.r.Context(), v.by(), v.user, v.r.PostFormValue("was"), typed, v.visitor())
	}
	throttled, often := errors.AsType[*auth.Throttled](err)
	status := http.StatusUnprocessableEntity
	m, ok := v.mistakesIn(err, v.called(userFields))
	switch {
	case err == nil:
		v.setCookie(sessionCookie, token, auth.SessionLife)
		http.Redirect(v.w, v.r, "/sessions?done=password", http.StatusSeeOther)
		return nil
	case often:
		status, m.Problem = http.StatusTooManyRequests, v.words.T("sign_in.often", v.words.duration(throttled.After))
	case errors.Is(err, auth.ErrPassword):
		m.Problem = v.words.T("password.wrong")
	case !ok:
		return err
	}
	s, err := v.seats()
	if err != nil {
		return err
	}
	s.mistakes = m
	return v.show("sessions", status, s)
}

// by is the user for the journal.
func (v *visit) by() hotel.By {
	return hotel.By{Actor: hotel.Actor{Kind: hotel.ActorUser, ID: v.user.ID}, RequestID: v.caller.RequestID}
}
