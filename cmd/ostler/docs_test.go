package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocumentsNameTestsThatExist: what the documents say is shown by a test is.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	defined, named := map[string]bool{}, map[string]string{}
	function, name := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`), regexp.MustCompile(`\b((?:Test|Fuzz|Benchmark)[A-Z]\w+)\b`)
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if hidden := strings.HasPrefix(d.Name(), ".") && path != root; hidden || d.Name() == "bin" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".md"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".md") {
			for _, m := range name.FindAllSubmatch(text, -1) {
				named[string(m[1])] = path
			}
			return nil
		}
		for _, m := range function.FindAllSubmatch(text, -1) {
			defined[string(m[1])] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(named) < 100 || len(defined) < 1000 {
		t.Fatalf("%d tests are named and %d are there: it looks in the wrong place", len(named), len(defined))
	}
	for test, path := range named {
		if !defined[test] {
			t.Errorf("%s names %s, which there is not", path, test)
		}
	}
}

// TestEveryPackageIsListed: a newcomer finds each folder of code in the list of folders,
// and in the table of who may import whom.
func TestEveryPackageIsListed(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(of ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{root}, of...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	folders, imports := read("CONTRIBUTING.md"), read("docs", "architecture.md")
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if hidden := strings.HasPrefix(d.Name(), ".") && path != root; hidden || slices.Contains([]string{"bin", "node_modules", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		if _, module := os.Stat(filepath.Join(path, "go.mod")); module == nil && path != root {
			return fs.SkipDir
		}
		code, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil || !slices.ContainsFunc(code, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		n++
		if !strings.Contains(folders, d.Name()+"/") {
			t.Errorf("CONTRIBUTING.md does not list %s", name)
		}
		for at := name; !strings.Contains(imports, "`"+at+"`"); at = filepath.Dir(at) {
			if at == "." || at == "connectors" || at == "internal" {
				t.Errorf("docs/architecture.md does not say what %s may import", name)
				break
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 40 {
		t.Fatalf("%d packages are there: it looks in the wrong place", n)
	}
}
