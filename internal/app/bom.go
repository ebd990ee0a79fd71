package app

import (
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"strings"

	"ostler.example/ledger"
)

// The document that lists what the program is built from, as CycloneDX 1.6 has it. There is
// no time and no number of its own in it, so that the same program says the same.
type (
	bom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   bomMetadata `json:"metadata"`
		Components []component `json:"components"`
	}

	bomMetadata struct {
		Component component `json:"component"`
	}

	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}

	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// BOM lists what this program is built from, by its own account: every module with the sum
// that go.sum pins it by, Go's own library, and SQLite, which is compiled in. It is
// CycloneDX in JSON.
func BOM() ([]byte, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, errors.New("this program does not know what it is built from: build it with go build")
	}
	sqlite, err := ledger.SQLite()
	if err != nil {
		return nil, err
	}
	return bomOf(info, sqlite)
}

func bomOf(info *debug.BuildInfo, sqlite string) ([]byte, error) {
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	doc := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Components: []component{
		{Type: "library", Ref: "pkg:golang/std@" + goVersion, Name: "std", Version: goVersion, PURL: "pkg:golang/std@" + goVersion},
		{Type: "library", Ref: "pkg:generic/sqlite@" + sqlite, Name: "sqlite", Version: sqlite, PURL: "pkg:generic/sqlite@" + sqlite},
	}}
	doc.Metadata.Component = component{Type: "application", Ref: "ostler@" + Version, Name: "ostler", Version: Version}
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "vcs") || strings.HasPrefix(s.Key, "CGO_") {
			continue // of where it was built, not of what it is
		}
		doc.Metadata.Component.Properties = append(doc.Metadata.Component.Properties, property{"go:" + s.Key, s.Value})
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		doc.Components = append(doc.Components, component{
			Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl, Properties: []property{{"go:sum", m.Sum}},
		})
	}
	slices.SortFunc(doc.Components, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	return json.MarshalIndent(doc, "", "  ")
}
