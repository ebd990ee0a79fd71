package ledger

import (
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDocHasARoomForEachFile: the map in doc.go says of each file what lives there, and names
// none that there is not.
func TestDocHasARoomForEachFile(t *testing.T) {
	stems := stemsOfMap(t)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
	for _, file := range files {
		if !slices.ContainsFunc(stems, func(stem string) bool { return covers(stem, file) }) {
			t.Errorf("%s: the map in doc.go has no room for it: add its name to the item that it belongs to", file)
		}
	}
	for _, stem := range stems {
		if !slices.ContainsFunc(files, func(file string) bool { return covers(stem, file) }) {
			t.Errorf("doc.go: the map names %s, and there is no such file", stem)
		}
	}
}

func covers(stem, file string) bool {
	if strings.HasSuffix(stem, "_") {
		return strings.HasPrefix(file, stem)
	}
	return file == stem+".go"
}

// stemsOfMap returns the names of the map: what stands before the first colon of each clause
// of an item, and the words that go on a prefix.
func stemsOfMap(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var stems []string
	for _, block := range new(comment.Parser).Parse(file.Doc.Text()).Content {
		list, ok := block.(*comment.List)
		if !ok {
			continue
		}
		for _, item := range list.Items {
			text := strings.Join(strings.Fields(string(new(comment.Printer).Text(&comment.Doc{Content: item.Content}))), " ")
			for _, clause := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '.' }) {
				names, _, ok := strings.Cut(clause, ":")
				if !ok {
					continue
				}
				for name := range strings.SplitSeq(names, ",") {
					stems = append(stems, strings.TrimSpace(name))
				}
			}
			for word := range strings.FieldsSeq(text) { // _step is of the prefix that was named last
				if strings.HasPrefix(word, "_") {
					stems = append(stems, strings.TrimSuffix(lastPrefix(stems), "_")+strings.Trim(word, ",;.:"))
				}
			}
		}
	}
	return stems
}

func lastPrefix(stems []string) string {
	for _, stem := range slices.Backward(stems) {
		if strings.HasSuffix(stem, "_") {
			return stem
		}
	}
	return ""
}
