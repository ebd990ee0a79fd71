package console

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// mostPictures is how many bytes the pictures of the documentation have together, at most.
const mostPictures = 1_500_000

// The documentation shows pictures that there are, and there are no others.
func TestPicturesOfTheDocumentation(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	text, err := os.ReadFile(filepath.Join(docs, "console.md"))
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, found := range regexp.MustCompile(`!\[[^\]]+\]\((images/console/[^)]+)\)`).FindAllStringSubmatch(string(text), -1) {
		shown = append(shown, filepath.Join(docs, found[1]))
	}
	there, err := filepath.Glob(filepath.Join(docs, "images", "console", "*"))
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, file := range there {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if sum += info.Size(); !slices.Contains(shown, file) {
			t.Errorf("nothing shows %s", file)
		}
	}
	for _, file := range shown {
		if !slices.Contains(there, file) {
			t.Errorf("there is no %s: make screenshots takes it", file)
		}
	}
	if len(shown) < 5 || sum > mostPictures {
		t.Errorf("%d pictures of %d bytes, at most %d", len(shown), sum, mostPictures)
	}
}
