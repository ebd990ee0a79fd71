package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestEmbeddedBodiesAreExported: members of an embedded struct whose name is not
// exported are in the answers and not in the document.
func TestEmbeddedBodiesAreExported(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]*ast.StructType{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok {
				if body, ok := s.Type.(*ast.StructType); ok {
					bodies[s.Name.Name] = body
				}
			}
			return true
		})
	}
	inJSON := func(s *ast.StructType) bool {
		for _, f := range s.Fields.List {
			if f.Tag != nil && strings.Contains(f.Tag.Value, "json:") {
				return true
			}
		}
		return false
	}
	for name, body := range bodies {
		for _, f := range body.Fields.List {
			embedded, ok := f.Type.(*ast.Ident)
			if !ok || len(f.Names) > 0 || embedded.IsExported() {
				continue
			}
			if of := bodies[embedded.Name]; of != nil && inJSON(of) {
				t.Errorf("%s embeds %s: name its members, or export it", name, embedded.Name)
			}
		}
	}
}
