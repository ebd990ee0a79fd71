package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/BurntSushi/toml"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/process/wire"
	"ostler.example/internal/config"
)

// connectorTry is `ostler connector test`.
type connectorTry struct {
	Connector string   `arg:"" help:"Which connector; ostler connector list shows them."`
	Preset    string   `placeholder:"NAME" help:"Which kind of far side; the first one by default."`
	Case      []string `placeholder:"NAME" help:"Only this case; may be repeated."`
	Settings  string   `placeholder:"FILE" help:"Ask the far side of these settings, a TOML file, in place of the simulator: its handshake, products, values and bookings. Nothing is told or fetched there."`
	Config    string   `placeholder:"FILE" help:"With --settings: the daemon's configuration, for what it says of the connector and the secrets that settings name as secret:NAME."`
	JSON      bool     `name:"json" help:"Print JSON."`
	Program   []string `arg:"" optional:"" passthrough:"" help:"Behind --: the full path of a program that is tried in the connector's place, and its arguments."`
}

// triedCase is what became of one case: passed, failed or skipped.
type triedCase struct {
	Case     string   `json:"case"`
	Outcome  string   `json:"outcome"`
	Failures []string `json:"failures,omitempty"`
	Reason   string   `json:"reason,omitempty"` // why it was skipped
	Seen     string   `json:"seen,omitempty"`   // what a far side that is there has
	Log      []string `json:"log,omitempty"`    // of one that failed: what was logged last
}

// trial is what came of all of them.
type trial struct {
	Connector    string            `json:"connector"`
	Capabilities wire.Capabilities `json:"capabilities"`
	Cases        []triedCase       `json:"cases"`
	Failed       int               `json:"failed"`
}

// Run tries the connector against its simulator and reports.
func (c connectorTry) Run(ctx context.Context) error {
	if _, err := connectorOf(c.Connector); err != nil {
		return err
	}
	if c.Settings != "" {
		return c.ask(ctx)
	}
	h, err := connectortest.Simulated(c.Connector, c.Preset)
	if err != nil {
		return err
	}
	if command := c.command(); len(command) > 0 {
		h = h.ByProgram(command...)
	}
	h.Only = c.Case
	caps, err := connectortest.Capabilities(ctx, h)
	if err != nil {
		return err
	}
	results, err := connectortest.Results(ctx, h)
	if err != nil {
		return err
	}
	return c.conclude(caps, results)
}

// ask asks the far side of the settings, which a program's connector gets too.
func (c connectorTry) ask(ctx context.Context) error {
	var own map[string]any
	if _, err := toml.DecodeFile(c.Settings, &own); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	log, err := newLog("stderr", zap.WarnLevel)
	if err != nil {
		return err
	}
	l := connectortest.Live{Driver: c.Connector, Log: log, Secret: func(name string) (string, error) {
		return "", fmt.Errorf("names the secret %q: say with --config which configuration has it", name)
	}}
	if c.Config != "" {
		of, err := config.Load(c.Config)
		if err != nil {
			return err
		}
		l.Defaults, l.Secret = of.Connectors[c.Connector], of.FindChannelSecret
	}
	if command := c.command(); len(command) > 0 {
		if c.Connector != connectortest.Programs {
			return fmt.Errorf("a program with settings of its own is tried as connector %s, whose [settings] and [secrets] it gets", connectortest.Programs)
		}
		l.Defaults = maps.Clone(l.Defaults)
		if l.Defaults == nil {
			l.Defaults = map[string]any{}
		}
		l.Defaults["programs"], own["program"] = map[string]any{"tried": map[string]any{"command": command}}, "tried"
	}
	if l.Settings, err = json.Marshal(own); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	caps, results, err := connectortest.Ask(ctx, l)
	if err != nil {
		return err
	}
	return c.conclude(caps, results)
}

// conclude reports what became of all cases.
func (c connectorTry) conclude(caps connectors.Capabilities, results []connectortest.Result) error {
	tried := c.Connector
	if command := c.command(); len(command) > 0 {
		tried = strings.Join(command, " ")
	}
	out := trial{Connector: tried, Capabilities: wire.FromCapabilities(caps)}
	for _, r := range results {
		one := triedCase{Case: r.Case, Outcome: "passed", Failures: r.Failures, Reason: r.Skipped, Seen: r.Seen, Log: r.Log}
		switch {
		case len(r.Failures) > 0:
			one.Outcome = "failed"
			out.Failed++
		case r.Skipped != "":
			one.Outcome = "skipped"
		}
		out.Cases = append(out.Cases, one)
	}
	if err := c.report(out); err != nil {
		return err
	}
	if out.Failed > 0 {
		return fmt.Errorf("%d of %d cases failed", out.Failed, len(out.Cases))
	}
	return nil
}

// command is that of the program to try, without the -- before it.
func (c connectorTry) command() []string {
	if len(c.Program) > 0 && c.Program[0] == "--" {
		return c.Program[1:]
	}
	return c.Program
}

func (c connectorTry) report(t trial) error {
	if c.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(t)
	}
	said, err := json.MarshalIndent(t.Capabilities, "  ", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%s can:\n  %s\n\n", t.Connector, said)
	w := tabwriter.NewWriter(screened{os.Stdout}, 0, 0, 2, ' ', 0)
	for _, one := range t.Cases {
		fmt.Fprintf(w, "%s\t%s\t%s\n", one.Outcome, one.Case, cmp.Or(one.Reason, one.Seen))
		for _, failure := range one.Failures {
			fmt.Fprintf(w, "\t\t%s\n", failure)
		}
		for _, line := range one.Log {
			fmt.Fprintf(w, "\t\tlog: %s\n", line)
		}
	}
	return w.Flush()
}
