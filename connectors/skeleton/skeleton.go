// Package skeleton writes a connector to begin with: one that compiles, speaks a small
// protocol of its own with a simulator beside it, and passes the conformance suite.
// Whoever writes a connector changes it piece by piece, with the suite at hand.
package skeleton

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

//go:embed template
var templates embed.FS

//go:embed golangci.txt
var linting string

// nameForm is that of the registry.
var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]{1,31}$`)

// Files returns the files of a connector of that name by their paths, below the root of
// the module.
func Files(module, name string) (map[string][]byte, error) {
	if !nameForm.MatchString(name) || token.IsKeyword(name) {
		return nil, fmt.Errorf("%q: the name of a connector, and of its package, is 2 to 32 lower-case letters and digits and no word of the language", name)
	}
	files := map[string][]byte{}
	err := fs.WalkDir(templates, "template", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := templates.ReadFile(path)
		if err != nil {
			return err
		}
		out, err := filled(string(text), module, name)
		if err != nil {
			return err
		}
		to := strings.TrimSuffix(strings.TrimPrefix(path, "template/"), ".tmpl")
		if to == "connector.go" {
			to = name + ".go"
		}
		files["connectors/"+name+"/"+to] = out
		return nil
	})
	return files, err
}

// filled is a text with the names of a module and of a connector in it.
func filled(text, module, name string) ([]byte, error) {
	t, err := template.New(name).Delims("{%", "%}").Parse(text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, map[string]string{"Module": module, "Name": name})
	return out.Bytes(), err
}

// Linting returns the lines that the linter's settings of the module need of a connector: what
// it, its tests and its simulator may import. It is "" where there are no such settings.
func Linting(root, name string) (string, error) {
	if _, err := os.Stat(filepath.Join(root, ".golangci.yml")); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	module, err := moduleAt(root)
	if err != nil {
		return "", err
	}
	lines, err := filled(linting, module, name)
	return string(lines), err
}

// moduleLine names the module in its go.mod.
var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)`)

// moduleAt is the path of the module whose root is given.
func moduleAt(root string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("%s is no root of a Go module: %w; name one with --into", root, err)
	}
	module := moduleLine.FindSubmatch(mod)
	if module == nil {
		return "", fmt.Errorf("%s/go.mod names no module", root)
	}
	return string(module[1]), nil
}

// Write writes a connector into the module whose root is given, registers it in
// connectors/all where that is, and returns the paths of what it wrote. It never
// replaces a file.
func Write(root, name string) ([]string, error) {
	module, err := moduleAt(root)
	if err != nil {
		return nil, err
	}
	files, err := Files(module, name)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(root, "connectors", name)
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is there already", folder)
	}
	var written []string
	for path, text := range files {
		to := filepath.Join(root, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644)); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, register(root, module, name)
}

// register adds blank imports of the connector and its simulator to connectors/all.
func register(root, module, name string) error {
	path := filepath.Join(root, "connectors", "all", "all.go")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a module of its own registers where it pleases
	}
	if err != nil {
		return err
	}
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return fmt.Errorf("%s has no list of imports to add to", path)
	}
	added := fmt.Sprintf("\t_ %q // say what it is\n\t_ %q // and a pretend one\n", module+"/connectors/"+name, module+"/connectors/"+name+"/simulator")
	whole, err := format.Source(slices.Concat(text[:end], []byte(added), text[end:]))
	if err != nil {
		return fmt.Errorf("add to %s: %w", path, err)
	}
	return os.WriteFile(path, whole, 0o644)
}
