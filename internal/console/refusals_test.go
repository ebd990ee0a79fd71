package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// speakers are the packages whose refusals people meet on pages; those of package api are
// about requests in JSON.
var speakers = []string{"hotel", "ledger", "sync", "internal/auth", "internal/console", "internal/desk"}

// said collects the formats of all that Go sources say by way of [hotel.Say] and of the
// functions that take a format and its arguments on to it.
type said struct {
	files    *token.FileSet
	formats  map[string]string // where each is said
	variable []string          // where a format is no constant
	loose    []string          // where a refusal is made of a text
}

// makers are the functions that every package may call, and which argument is the format.
var makers = map[string]int{"Say": 0, "Refuse": 1, "Invalid": 2, "Wrong": 2}

// quiet are functions that take a format for what is no refusal.
var quiet = map[string]bool{"broken": true, "note": true, "leaveOut": true, "say": true}

func (s *said) collect(t *testing.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(s.files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	own, texts := map[string]int{}, map[string]ast.Expr{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				note(own, n.Name.Name, n.Type)
			case *ast.AssignStmt:
				for i, value := range n.Rhs {
					if of, is := value.(*ast.FuncLit); is {
						note(own, called(n.Lhs[i]), of.Type)
					}
				}
			case *ast.ValueSpec:
				for i, value := range n.Values {
					texts[n.Names[i].Name] = value
				}
			}
			return true
		})
	}
	for _, f := range files {
		s.read(f, own, texts)
	}
}

// note keeps which argument of a function is the format of what it says.
func note(own map[string]int, name string, of *ast.FuncType) {
	i := 0
	for _, field := range of.Params.List {
		for _, p := range field.Names {
			if p.Name == "format" && !quiet[name] {
				own[name] = i
			}
			i++
		}
	}
}

func (s *said) read(f *ast.File, own map[string]int, texts map[string]ast.Expr) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			name, where := called(n.Type), s.files.Position(n.Pos())
			if f.Name.Name == "hotel" && filepath.Base(where.Filename) != "refusal.go" {
				name = "hotel." + name
			}
			if (name == "hotel.RefusedItem" || name == "hotel.Refusal") && len(n.Elts) > 0 {
				s.loose = append(s.loose, where.String())
			}
		case *ast.CallExpr:
			name := called(n.Fun)
			at, is := makers[strings.TrimPrefix(name, "hotel.")]
			if !is || f.Name.Name != "hotel" && !strings.HasPrefix(name, "hotel.") {
				at, is = own[name[strings.LastIndexByte(name, '.')+1:]]
			}
			if !is || at >= len(n.Args) {
				return true
			}
			format, constant := textOf(n.Args[at], texts)
			where := s.files.Position(n.Pos()).String()
			switch passed, named := n.Args[at].(*ast.Ident); {
			case constant:
				s.formats[format] = where
			case named && passed.Name == "format": // whoever calls the function is looked at
			case at == 0 || isText(n.Args[at-1]) || strings.HasPrefix(name, "hotel."):
				s.variable = append(s.variable, where)
			}
		}
		return true
	})
}

func isText(e ast.Expr) bool {
	of, is := e.(*ast.BasicLit)
	return is && of.Kind == token.STRING
}

// called is a function or type as it is named in a source.
func called(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return called(e.X) + "." + e.Sel.Name
	}
	return ""
}

// textOf is the value of a constant text.
func textOf(e ast.Expr, texts map[string]ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return constant.StringVal(constant.MakeFromLiteral(e.Value, e.Kind, 0)), true
		}
	case *ast.BinaryExpr:
		left, known := textOf(e.X, texts)
		right, too := textOf(e.Y, texts)
		return left + right, known && too
	case *ast.Ident:
		if of := texts[e.Name]; of != nil {
			return textOf(of, texts)
		}
	}
	return "", false
}

// allSaid is what the sources say.
func allSaid(t *testing.T) *said {
	t.Helper()
	s := &said{files: token.NewFileSet(), formats: map[string]string{}}
	for _, root := range speakers {
		err := filepath.WalkDir(filepath.Join("..", "..", root), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() != "testdata" {
				s.collect(t, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([a-zA-Z%])`)

// verbs are those of a format by the argument that each shows.
func verbs(format string) (list []string) {
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1]) // it is made of digits
		}
		list = append(list, fmt.Sprintf("%d%s", next, m[2]))
		next++
	}
	slices.Sort(list)
	return list
}

// worded reports whether a format says anything beside its arguments.
func worded(format string) bool {
	return strings.ContainsFunc(verb.ReplaceAllString(format, ""), unicode.IsLetter)
}

func TestRefusalsAreSaidInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := allSaid(t)
	if len(s.variable) > 0 {
		t.Errorf("a format is a constant, by which it is found in other languages: %q", s.variable)
	}
	if len(s.loose) > 0 {
		t.Errorf("refusals are made by hotel.Refuse, hotel.Invalid and hotel.Wrong, which keep what they are made of: %q", s.loose)
	}
	for language, texts := range refusals {
		for _, format := range slices.Sorted(maps.Keys(s.formats)) {
			if !worded(format) {
				continue
			}
			text, ok := texts[format]
			switch {
			case !ok || text == "":
				t.Errorf("%s: words/refusals.%s.json has no %q", s.formats[format], language, format)
			case !slices.Equal(verbs(format), verbs(text)):
				t.Errorf("words/refusals.%s.json: %q has the arguments %v, and %q has %v", language, text, verbs(text), format, verbs(format))
			}
		}
		for format := range texts {
			if s.formats[format] == "" {
				t.Errorf("words/refusals.%s.json: nothing says %q any more", language, format)
			}
		}
	}
}

// Whoever is refused reads why in the language of the page: on a page of its own, above a
// form and beside its fields, with dates and numbers as they are written there.
func TestRefusalsAreReadInTheLanguageOfThePage(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	b.post("/language", url.Values{"language": {"de"}})
	shows(t, b.get(s.path("channels/none")).body, `<p role="alert">es gibt nichts mit dieser Kennung</p>`)
	shows(t, b.get(s.path("reports/revenue?from=2026-11-23&to=2026-11-22")).body, "darf nicht vor dem ersten Tag liegen (Mo, 23. Nov. 2026)")
	form := formOf(t, b.get(s.path("house")).body, s.path("house/hours"))
	form.Set("check_in_time", "late")
	form.Set("booking_horizon_days", "100000")
	page := b.post(s.path("house/hours"), form).body
	shows(t, page, "2 Angaben können nicht so sein, wie sie sind; nichts wurde gespeichert", "muss eine Ortszeit sein, HH:MM", "ist 100.000; das Größte ist ")
	b.post("/language", url.Values{"language": {"it"}})
	shows(t, b.get(s.path("channels/none")).body, "non c’è niente con questo")
	b.post("/language", url.Values{"language": {"en"}})
	shows(t, b.get(s.path("channels/none")).body, "there is nothing by this id")
}

// What stands in a refusal is said in its language, too: phrases, states and steps. A
// refusal that was read back from a store is left in English.
func TestWhatStandsInRefusals(t *testing.T) {
	t.Parallel()
	_, err := stay.StepOf(stay.CheckOut).Take(hotel.Cancelled)
	step, _ := errors.AsType[*hotel.Refusal](err)
	stored := &hotel.Refusal{}
	if err := json.Unmarshal([]byte(`{"code":"not_found","detail":"there is no such page"}`), stored); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		refusal *hotel.Refusal
		de, it  string
	}{
		{step, "eine Buchung im Stand „storniert“ kommt nicht in den Stand „abgereist“ durch: Auschecken", "una prenotazione nello stato «annullata» non passa allo stato «partito» con: Check-out"},
		{
			hotel.Refuse("restriction_violated", "the stay is not allowed: %s on %s", hotel.Say("at least %d nights", 3), hotel.Date(20513)),
			"der Aufenthalt ist nicht möglich: mindestens 3 Nächte am ", "almeno 3 notti il ",
		},
		{hotel.Refuse("price_changed", "the stay costs %s now, not %s", hotel.Money{Minor: 123450, Currency: "EUR"}, hotel.Money{Minor: 900, Currency: "EUR"}), "der Aufenthalt kostet jetzt 1.234,50 €, nicht 9,00 €", "il soggiorno costa ora 1.234,50 €, non 9,00 €"},
		{stored, "there is no such page", "there is no such page"},
	} {
		for language, want := range map[string]string{"de": test.de, "it": test.it} {
			if got := wordsIn(language).refused(test.refusal).Detail; !strings.Contains(got, want) {
				t.Errorf("said as %q, want %q", got, want)
			}
		}
		if got := wordsIn("en").refused(test.refusal).Detail; got != test.refusal.Detail {
			t.Errorf("in English %q became %q", test.refusal.Detail, got)
		}
	}
}
