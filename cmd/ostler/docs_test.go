package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
