package console

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// keptFormats are the formats of all sentences that are stored in English and shown: the
// details of issues, and why a webhook was not reached.
func keptFormats(t *testing.T) map[string]string {
	t.Helper()
	formats, files := map[string]string{}, token.NewFileSet()
	var of func(e ast.Expr) string
	of = func(e ast.Expr) string {
		if text, constant := textOf(e, nil); constant {
			return text
		}
		switch e := e.(type) {
		case *ast.BinaryExpr:
			return of(e.X) + of(e.Y)
		case *ast.CallExpr:
			if called(e.Fun) == "fmt.Sprintf" {
				return of(e.Args[0])
			}
		}
		return "%s"
	}
	for _, dir := range []string{"ledger", "internal/webhook"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			note := func(e ast.Expr) {
				if format := of(e); format != "%s" { // else it is what a function is called with
					formats[format] = files.Position(e.Pos()).String()
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					for _, e := range n.Elts {
						if m, is := e.(*ast.KeyValueExpr); is && called(n.Type) == "hotel.Issue" && called(m.Key) == "Detail" {
							note(m.Value)
						}
					}
				case *ast.CallExpr:
					switch called(n.Fun) {
					case "barredError":
						note(n.Args[0])
					case "odd": // notes an issue
						note(n.Args[1])
					}
				case *ast.FuncDecl:
					if dir == "internal/webhook" && n.Name.Name == "describe" {
						ast.Inspect(n.Body, func(n ast.Node) bool {
							if r, is := n.(*ast.ReturnStmt); is && isText(r.Results[0]) {
								note(r.Results[0])
							}
							return true
						})
					}
				}
				return true
			})
		}
	}
	return formats
}

// Sentences that are stored in English are said in every language, with what they were
// filled in with; one that nobody knows stays as it is.
func TestKeptSentencesAreTranslated(t *testing.T) {
	formats := keptFormats(t)
	if len(formats) < 15 {
		t.Fatalf("only %d are found", len(formats))
	}
	for format, where := range formats {
		var args, shown []any
		for i, v := range verbs(format) {
			arg := fmt.Sprintf("part %d", i)
			shown = append(shown, arg)
			if v[len(v)-1] == 'd' {
				args, shown[i] = append(args, i+7), fmt.Sprint(i+7)
				continue
			}
			args = append(args, arg)
		}
		stored := fmt.Sprintf(format, args...)
		for _, l := range languages {
			said := wordsIn(l).kept(stored)
			if l == languages[0] != (said == stored) {
				t.Errorf("%s (%s): %q is %q", l, where, stored, said)
			}
			for _, arg := range shown {
				if !strings.Contains(said, arg.(string)) {
					t.Errorf("%s: %q says nothing of %v", l, said, arg)
				}
			}
			if strings.Contains(said, "%!") {
				t.Errorf("%s: %q", l, said)
			}
		}
	}
	if got := wordsIn("de").kept("what nobody says"); got != "what nobody says" {
		t.Errorf("an unknown sentence becomes %q", got)
	}
	for _, l := range languages[1:] {
		if len(keptSentences[l]) != len(formats) {
			t.Errorf("%s: %d sentences are translated, of %d that are said", l, len(keptSentences[l]), len(formats))
		}
	}
}

// What is odd about a booking is said in the language of the page, on its own page and beside
// a decision about it.
func TestIssuesAreSaidInTheLanguage(t *testing.T) {
	s := newSite(t)
	c := s.sells(t)
	b := s.as(t, "owner")
	german := http.Header{"Accept-Language": {"de"}}
	for _, page := range []string{"conflicts/" + c.ID, "reservations/" + c.Subject.ID} {
		shows(t, b.do(http.MethodGet, s.path(page), nil, german).body, "Zimmer „attic &lt;i&gt;“ und Rate „x“ des Kanals sind nicht zugeordnet; inzwischen wird ein Zimmer gehalten")
	}
}
