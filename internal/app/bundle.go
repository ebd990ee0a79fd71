package app

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"ostler.example/internal/client"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// BundleOptions says what a support bundle is made of.
type BundleOptions struct {
	File    string                                    // the configuration
	To      string                                    // a new file, .tar.gz
	Journal func(ctx context.Context) ([]byte, error) // the daemon's newest log, a line a JSON object
	Added   func(name string, err error)              // is told of each part, and why one is missing
}

// Bundle writes what whoever helps needs to see of an installation: each part is made of
// what is named for it, so that nothing comes in unasked: no guest, no reference of a
// booking, no secret, none of the words of a far side. A part that cannot be had is left out.
func Bundle(ctx context.Context, o BundleOptions) (err error) {
	f, err := os.OpenFile(o.To, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	zipped := gzip.NewWriter(f)
	packed := tar.NewWriter(zipped)
	defer func() {
		if err = errors.Join(err, packed.Close(), zipped.Close(), f.Close()); err != nil {
			err = errors.Join(fmt.Errorf("write the bundle: %w", err), os.Remove(o.To))
		}
	}()
	b := bundle{ctx: ctx, o: o}
	for _, part := range []struct {
		name string
		made func() ([]byte, error)
	}{
		{"about.json", b.about},
		{"configuration.json", b.configuration}, // and what the others need
		{"doctor.json", b.doctor},
		{"metrics.txt", func() ([]byte, error) { return b.asked("/metrics") }},
		{"readyz.json", func() ([]byte, error) { return b.asked("/readyz") }},
		{"channels.json", b.channels},
		{"ledger.json", b.tally},
		{"log.jsonl", b.log},
	} {
		content, missing := part.made()
		o.Added(part.name, missing)
		if missing != nil {
			part.name, content = part.name+".missing", []byte(missing.Error()+"\n") // it is about files and addresses
		}
		h := &tar.Header{Name: "ostler-support/" + part.name, Mode: 0o600, Size: int64(len(content)), ModTime: now(), Format: tar.FormatPAX}
		if err := packed.WriteHeader(h); err != nil {
			return err
		}
		if _, err := packed.Write(content); err != nil {
			return err
		}
	}
	return nil
}

type bundle struct {
	ctx      context.Context
	o        BundleOptions
	settings *config.Config // nil: they cannot be read
}

var errNoSettings = errors.New("the configuration cannot be read")

func inJSON(v any) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }

func (b *bundle) about() ([]byte, error) {
	var kernel unix.Utsname
	_ = unix.Uname(&kernel)
	sqlite, err := ledger.SQLite()
	if err != nil {
		sqlite = "unusable: " + err.Error()
	}
	modules := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			modules[m.Path] = m.Version
		}
	}
	zone, _ := now().Zone()
	return inJSON(map[string]any{
		"version": Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "kernel": unix.ByteSliceToString(kernel.Release[:]),
		"processors": runtime.NumCPU(), "sqlite": sqlite, "made": now().UTC().Format(time.RFC3339), "zone": zone, "modules": modules,
	})
}

func (b *bundle) configuration() ([]byte, error) {
	c, err := config.Load(b.o.File)
	if err != nil {
		return nil, err
	}
	b.settings = &c
	return inJSON(c.Masked())
}

// doctor is what the doctor says, without what others have said to it.
func (b *bundle) doctor() ([]byte, error) {
	found := []Finding{}
	Doctor(b.ctx, b.o.File, func(f Finding) {
		if strings.HasPrefix(f.Check, "channel ") || f.Check == "mail server" {
			f.Says = firstClause(f.Says)
		}
		found = append(found, f)
	})
	return inJSON(found)
}

// asked is what the daemon answers to the machine's own tools: ids and figures.
func (b *bundle) asked(path string) ([]byte, error) {
	if b.settings == nil {
		return nil, errNoSettings
	}
	ctx, stop := context.WithTimeout(b.ctx, dialTimeout)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.settings.Admin.Listen+path, nil)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	a, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	return io.ReadAll(io.LimitReader(a.Body, mostOfPart))
}

// mostOfPart is how many bytes a part has at most.
const mostOfPart = 16 << 20

// bundledChannel is what is told of a channel.
type bundledChannel struct {
	ID           string                         `json:"id"`
	Connector    string                         `json:"connector"`
	Status       string                         `json:"status"`
	Mode         string                         `json:"mode,omitempty"`
	StaleSince   *string                        `json:"stale_since"`
	SilentSince  *string                        `json:"silent_since"`
	Audit        *struct{ Stage, Since string } `json:"audit"`
	LagCells     int                            `json:"lag_cells"`
	Rejected     int                            `json:"rejected_cells"`
	Circuit      *string                        `json:"circuit"`
	CircuitCause *string                        `json:"circuit_cause"`
	LastPush     *string                        `json:"last_push_ok_at"`
	LastPull     *string                        `json:"last_pull_ok_at"`
	Flags        []struct{ Part, Fault string } `json:"flags"`
}

func (b *bundle) channels() ([]byte, error) {
	if b.settings == nil {
		return nil, errNoSettings
	}
	c := client.New(b.settings.Data)
	defer c.Close()
	list, err := client.All[bundledChannel](b.ctx, c, "/channels")
	if err != nil {
		return nil, err
	}
	return inJSON(list)
}

func (b *bundle) tally() (out []byte, err error) {
	if b.settings == nil {
		return nil, errNoSettings
	}
	owner, err := ownerOf(b.settings.Data)
	if err != nil {
		return nil, err
	}
	path := ledgerPath(b.settings.Data)
	// Reading makes the files beside the ledger where no daemon has them open.
	defer func() { err = errors.Join(err, owner.take(b.settings.Data, filepath.Base(filepath.Dir(path)))) }()
	t, err := ledger.TallyOf(b.ctx, path)
	if err != nil {
		return nil, err
	}
	return inJSON(t)
}

func (b *bundle) log() ([]byte, error) {
	text, err := b.o.Journal(b.ctx)
	if err != nil {
		return nil, err
	}
	return maskLog(text), nil
}

// loggedMembers are those of a line of the log that hold ids, figures and words of our own.
// docs/operating.md says what each is.
var loggedMembers = []string{
	"level", "ts", "part", "channel", "property", "sandbox", "client", "operation", "outcome", "rejected", "schedule", "listener", "passed", "tls", "took", "request_id",
	"version", "applied", "needs_restart", "bytes", "removed", "changed", "attempts", "items", "calls", "times",
}

// maskLog keeps of each line what is known to name nobody, and of an error what was being
// done: what it came to may be the words of a far side. What is no line of ours is left out.
func maskLog(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		var given map[string]any
		if json.Unmarshal(line, &given) != nil {
			continue
		}
		kept := map[string]any{}
		for _, name := range loggedMembers {
			if value, there := given[name]; there {
				kept[name] = value
			}
		}
		for _, name := range []string{"msg", "error"} {
			if words, ok := given[name].(string); ok {
				kept[name] = firstClause(words)
			}
		}
		written, err := json.Marshal(kept)
		if err != nil {
			continue
		}
		out.Write(append(written, '\n'))
	}
	return out.Bytes()
}

// firstClause is what stands before the first colon: our own words, by the way in which
// errors are written here. What is in quotes is others'.
func firstClause(words string) string {
	words, _, _ = strings.Cut(words, ": ")
	if at := strings.IndexAny(words, "\"'`\n"); at >= 0 {
		words = words[:at] + "..."
	}
	return words
}
