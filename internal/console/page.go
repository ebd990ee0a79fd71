package console

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

//go:embed pages
var pageFiles embed.FS

// page is a template with the frame around it.
type page struct{ *template.Template }

// parsePages reads all pages; each has what the frame and the files of pieces define.
func parsePages() map[string]*page {
	pages := map[string]*page{}
	files, err := fs.Glob(pageFiles, "pages/*.html")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name == "frame" || strings.HasSuffix(name, "pieces") {
			continue
		}
		t := template.Must(template.New("frame.html").ParseFS(pageFiles, "pages/frame.html", "pages/*pieces.html", file))
		pages[name] = &page{t}
	}
	return pages
}

// edition changes with what pages load, so that browsers may keep it for good.
var edition = func() string {
	h := sha256.New()
	err := fs.WalkDir(static, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := static.ReadFile(name)
		h.Write(content)
		return err
	})
	if err != nil {
		panic(err) // the files are compiled in
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}()

// view is what a template is given: what is shown, and what the frame needs.
type view struct {
	*visit
	Page string
	Data any
}

// Here is where the page is, to come back to.
func (v view) Here() string { return v.here() }

// here is where whoever asked is. What answers a form cannot be asked for again: then it is
// the page that the form was on, as its address tells.
func (v *visit) here() string {
	if v.r.Method == http.MethodGet {
		return v.r.URL.RequestURI()
	}
	for at := v.r.URL.Path; at != "/"; at = path.Dir(at) {
		if v.c.shows(at) {
			return at
		}
	}
	return "/"
}

// Follows reports whether the page follows what happens. What answers a form does not: to
// ask for it again would throw away what was typed, and what is wrong with it.
func (v view) Follows() bool { return v.house.ID != "" && v.r.Method == http.MethodGet }

// Edition is of the files that pages load.
func (view) Edition() string { return edition }

// Language is the page's.
func (v view) Language() string { return v.words.language }

// Languages are those that there are.
func (view) Languages() []string { return languages }

// User is who is signed in; one without a name is nobody.
func (v view) User() auth.User { return v.user }

// Session is the one that the page is shown in.
func (v view) Session() auth.Session { return v.session }

// House is the one that the page is about; without an id it is about none.
func (v view) House() hotel.Property { return v.house }

// Path is where a page of the house is.
func (v view) Path(page string) string { return v.path(page) }

// May reports whether the user has a scope in the house.
func (v view) May(scope string) bool { return v.may(auth.Scope(scope)) }

// Done is what was just done, said once.
func (v view) Done() string {
	if key := "done." + v.r.URL.Query().Get("done"); v.words.has(key) {
		return v.words.T(key)
	}
	return ""
}

// T is a text of the catalogue, with the arguments in the places of {0}, {1} and so on.
func (v view) T(key string, args ...any) string { return v.words.T(key, args...) }

// Count is a number of things in words.
func (v view) Count(key string, n int) string { return v.words.count(key, n) }

// Of puts together what a piece of a page is given.
func (v view) Of(data any) view { v.Data = data; return v }

// show writes a page.
func (v *visit) show(name string, status int, data any) error {
	var b bytes.Buffer
	if err := v.c.pages[name].Execute(&b, view{visit: v, Page: name, Data: data}); err != nil {
		return fmt.Errorf("page %s: %w", name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Content-Language", v.words.language)
	v.w.WriteHeader(status)
	_, err := b.WriteTo(v.w)
	if err != nil {
		return nil //nolint:nilerr // whoever asked has left
	}
	return nil
}

// problemView is why something was not done.
type problemView struct {
	Title, Detail string
	Items         []mistake
}

// statuses are those of refusals that people meet; others are 422.
var statuses = map[string]int{
	"not_found": http.StatusNotFound, "property_not_found": http.StatusNotFound, "insufficient_scope": http.StatusForbidden, "forbidden": http.StatusForbidden,
	"precondition_failed": http.StatusConflict, "version_conflict": http.StatusConflict, "nothing_to_undo": http.StatusConflict, "temporarily_unavailable": http.StatusServiceUnavailable,
}

// fail says why a page cannot be shown, or something was not done.
func (v *visit) fail(err error) {
	if errors.Is(err, context.Canceled) && v.r.Context().Err() != nil {
		return // whoever asked has left
	}
	status, problem := http.StatusInternalServerError, problemView{Title: v.words.T("problem.failed"), Detail: v.words.T("problem.logged")}
	if r, ok := v.refusal(err); ok {
		status = http.StatusUnprocessableEntity
		if s, known := statuses[r.Code]; known {
			status = s
		}
		m := v.mistakesOf(r, v.called(bookFields))
		if _, of := r.Members["scope"]; of {
			m.Problem = v.words.T("problem.role") // scopes are for programs: nobody at a desk knows them
		}
		problem = problemView{Title: v.words.T(problemTitle(status)), Detail: m.Problem, Items: m.Faults}
	} else {
		v.c.log.Error("a page failed", zap.String("path", v.r.URL.Path), zap.Error(err))
	}
	if err := v.show("problem", status, problem); err != nil {
		v.c.log.Error("a page failed", zap.String("path", v.r.URL.Path), zap.Error(err))
	}
}

func problemTitle(status int) string {
	switch status {
	case http.StatusNotFound:
		return "problem.nothing"
	case http.StatusForbidden:
		return "problem.may_not"
	case http.StatusConflict:
		return "problem.changed"
	}
	return "problem.refused"
}

// sections are the pages that the frame leads to, and what seeing each needs. A phone has
// room for the first of them; the others are on a page of their own there.
var sections = []struct {
	name  string
	needs auth.Scope // "": nothing
	aside bool
}{
	{"today", "", false},
	{"calendar", auth.RatesRead, false},
	{"rates", auth.RatesRead, true},
	{"reservations", auth.ReservationsRead, false},
	{"conflicts", auth.ChannelsRead, false},
	{"channels", auth.ChannelsRead, true},
	{"guests", auth.GuestsRead, true},
	{"reports", auth.ReportsRead, true},
	{"house", auth.ChannelsRead, true},
	{"partners", auth.AdminClients, true},
	{usersSection, "", true},
}

// usersSection is for owners of every house, which no scope says.
const usersSection = "users"

// Sections are the pages that the frame leads to, of those that the user may see.
func (v view) Sections() []string {
	var names []string
	for _, s := range sections {
		if s.name == usersSection && !v.user.Owns() {
			continue
		}
		if s.needs == "" || v.may(s.needs) {
			names = append(names, s.name)
		}
	}
	return names
}

// Aside reports whether a phone has no room for a section.
func (view) Aside(section string) bool {
	for _, s := range sections {
		if s.name == section {
			return s.aside
		}
	}
	return section == "more"
}

// more leads to the sections that a phone has no room for.
func (c *Console) more(v *visit) error {
	page := view{visit: v}
	return v.show("more", http.StatusOK, slices.DeleteFunc(page.Sections(), func(name string) bool { return !page.Aside(name) }))
}

// Has reports whether there is a section that the user may see, to link to.
func (v view) Has(section string) bool { return slices.Contains(v.Sections(), section) }

// Section is the one that the page belongs to.
func (v view) Section() string {
	rest := strings.TrimPrefix(v.r.URL.Path, "/p/"+v.house.ID+"/")
	section, _, _ := strings.Cut(rest, "/")
	return section
}

// Initial is the user's, for the eye.
func (v view) Initial() string {
	for _, r := range v.user.Name {
		return strings.ToUpper(string(r))
	}
	return ""
}

// Origin is where whoever met a problem goes on: the page of the house that the form
// was on, else the beginning.
func (v view) Origin() string {
	if v.house.ID != "" && v.Has(v.Section()) {
		return v.path(v.Section())
	}
	return "/"
}
