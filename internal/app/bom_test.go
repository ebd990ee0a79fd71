package app

import (
	"encoding/json"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// TestBOMListsEveryModule, with what pins it, and nothing of the machine that built it.
func TestBOMListsEveryModule(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.0", Deps: []*debug.Module{
			{Path: "z.example/last", Version: "v2.0.0", Sum: "h1:zzz="},
			{Path: "a.example/first", Version: "v1.0.0", Sum: "h1:aaa=", Replace: &debug.Module{Path: "a.example/fork", Version: "v1.0.1", Sum: "h1:bbb="}},
		},
		Settings: []debug.BuildSetting{{Key: "-tags", Value: "sqlite_omit_load_extension"}, {Key: "vcs.time", Value: "2026-11-21"}, {Key: "CGO_CFLAGS", Value: "-I/home/somebody"}},
	}
	text, err := bomOf(info, "3.50.4")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		BOMFormat, SpecVersion string
		Components             []struct {
			Name, Version, PURL string
			Properties          []struct{ Name, Value string }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var purls []string
	for _, c := range doc.Components {
		purls = append(purls, c.PURL)
	}
	want := []string{"pkg:generic/sqlite@3.50.4", "pkg:golang/a.example/fork@v1.0.1", "pkg:golang/std@1.26.0", "pkg:golang/z.example/last@v2.0.0"}
	if doc.BOMFormat != "CycloneDX" || doc.SpecVersion != "1.6" || !slices.Equal(purls, want) {
		t.Errorf("%s %s lists %q, want %q", doc.BOMFormat, doc.SpecVersion, purls, want)
	}
	if p := doc.Components[1].Properties; len(p) != 1 || p[0].Value != "h1:bbb=" {
		t.Errorf("the fork is pinned by %v", p)
	}
	if strings.Contains(string(text), "somebody") || strings.Contains(string(text), "2026-11-21") || !strings.Contains(string(text), "sqlite_omit_load_extension") {
		t.Errorf("it says of where it was built:\n%s", text)
	}
	again, err := bomOf(info, "3.50.4")
	if err != nil || string(again) != string(text) {
		t.Error("it says something else the second time")
	}
}
