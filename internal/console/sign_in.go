package console

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// The cookies, by their plain names.
const (
	sessionCookie  = "ostler_session"
	languageCookie = "ostler_language"
)

// cookie is the name of a cookie: with TLS one that no other host and no plain
// connection can set.
func (c *Console) cookie(name string) string {
	if c.secure {
		return "__Host-" + name
	}
	return name
}

func (v *visit) setCookie(name, value string, life time.Duration) {
	k := &http.Cookie{
		Name: v.c.cookie(name), Value: value, Path: "/", MaxAge: int(life.Seconds()), Secure: v.c.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if life <= 0 {
		k.MaxAge = -1
	}
	http.SetCookie(v.w, k)
}

// signInView is what the page to sign in at says.
type signInView struct {
	Name, Problem, Back, Link string
	Wait                      string
	Lost                      bool // a form was sent when nobody was signed in any more
}

// askWho leads to the page to sign in at, and back afterwards. A form that was sent is not kept,
// which that page says: whoever signs in next need not be who has sent it.
func (v *visit) askWho() error {
	if v.r.Header.Get("Sec-Fetch-Dest") == "empty" { // a script asks: it reloads the page, which leads there
		v.w.WriteHeader(http.StatusUnauthorized)
		return nil
	}
	q := url.Values{}
	if at := v.here(); at != "/" {
		q.Set("back", at)
	}
	if v.r.Method != http.MethodGet && v.r.URL.Path != "/sign-out" {
		q.Set("lost", "true")
	}
	http.Redirect(v.w, v.r, strings.TrimSuffix("/sign-in?"+q.Encode(), "?"), http.StatusSeeOther)
	return nil
}

// askWhoAt likewise, when the session is over.
func (v *visit) askWhoAt(err error) error {
	if !errors.Is(err, auth.ErrSession) {
		return err
	}
	v.setCookie(sessionCookie, "", 0)
	return v.askWho()
}

func (c *Console) signInPage(v *visit) error {
	return v.show("sign_in", http.StatusOK, signInView{Back: v.r.URL.Query().Get("back"), Lost: v.r.URL.Query().Get("lost") != ""})
}

func (v *visit) visitor() auth.Visitor {
	return auth.Visitor{Address: auth.Address(v.r.RemoteAddr), Agent: v.r.UserAgent()}
}

// signIn begins a session by name and password.
func (c *Console) signIn(v *visit) error {
	name := v.r.PostFormValue("name")
	token, err := c.users.SignIn(v.r.Context(), name, v.r.PostFormValue("password"), v.visitor())
	if err != nil {
		return v.refuseSignIn(err, signInView{Name: name, Back: v.r.PostFormValue("back")})
	}
	v.setCookie(sessionCookie, token, auth.SessionLife)
	http.Redirect(v.w, v.r, v.back("/"), http.StatusSeeOther)
	return nil
}

// refuseSignIn says why nobody was let in, on the page that was asked from.
func (v *visit) refuseSignIn(err error, view signInView) error {
	throttled, often := errors.AsType[*auth.Throttled](err)
	status := http.StatusUnauthorized
	switch {
	case often:
		status, view.Problem, view.Wait = http.StatusTooManyRequests, "sign_in.often", v.words.duration(throttled.After)
	case errors.Is(err, auth.ErrPassword):
		view.Problem = "sign_in.wrong"
	case errors.Is(err, auth.ErrLink):
		view.Problem = "sign_in.link_over"
	default:
		return err
	}
	return v.show("sign_in", status, view)
}

// linkPage asks whoever has a link to use it: what merely looks at links, as mail
// programs do, must not use it up.
func (c *Console) linkPage(v *visit) error {
	return v.show("sign_in", http.StatusOK, signInView{Link: v.r.URL.Query().Get("token")})
}

// redeem begins a session by a link.
func (c *Console) redeem(v *visit) error {
	token, err := c.users.Redeem(v.r.Context(), v.r.PostFormValue("token"), v.visitor())
	if err != nil {
		return v.refuseSignIn(err, signInView{})
	}
	v.setCookie(sessionCookie, token, auth.SessionLife)
	http.Redirect(v.w, v.r, "/", http.StatusSeeOther)
	return nil
}

func (c *Console) signOut(v *visit) error {
	if err := c.users.End(v.r.Context(), v.user.ID, v.session.ID); err != nil {
		return err
	}
	v.setCookie(sessionCookie, "", 0)
	http.Redirect(v.w, v.r, "/sign-in", http.StatusSeeOther)
	return nil
}

func (c *Console) chooseLanguage(v *visit) error {
	language := v.r.PostFormValue("language")
	if catalogue[language] == nil {
		return hotel.Invalid("/language", "enum", "expected one of %q", languages)
	}
	v.setCookie(languageCookie, language, 365*24*time.Hour)
	http.Redirect(v.w, v.r, v.back("/"), http.StatusSeeOther)
	return nil
}
