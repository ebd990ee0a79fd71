package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/process/serve"
)

// connectorCommands are `ostler connector ...`.
type connectorCommands struct {
	List  connectorList  `cmd:"" help:"List the connectors of this program."`
	Test  connectorTry   `cmd:"" help:"Try a connector against its simulator, by the conformance suite, and report."`
	New   connectorNew   `cmd:"" help:"Write a connector to begin with, with a simulator, that passes the conformance suite."`
	Serve connectorServe `cmd:"" help:"Run a connector as a program of its own, over the process protocol."`
}

type connectorList struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists the connectors.
func (c connectorList) Run() error {
	type listed struct {
		Name      string `json:"name"`
		Summary   string `json:"summary"`
		Simulator bool   `json:"has_simulator"`
	}
	var all []listed
	for _, name := range connectors.Names() {
		driver, _ := connectors.Lookup(name)
		_, simulated := connectors.LookupSimulator(name)
		all = append(all, listed{name, driver.Summary(), simulated})
	}
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(all)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSIMULATOR\tWHAT IT IS")
	for _, one := range all {
		simulated := "no"
		if one.Simulator {
			simulated = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", one.Name, simulated, one.Summary)
	}
	return w.Flush()
}

// connectorServe is how another Ostler, or a test, runs a connector of this program.
type connectorServe struct {
	Connector string `arg:"" help:"Which connector; ostler connector list shows them."`
}

// Run serves until its input ends.
func (c connectorServe) Run(ctx context.Context) error {
	driver, err := connectorOf(c.Connector)
	if err != nil {
		return err
	}
	log, err := newLog("stderr", zap.InfoLevel)
	if err != nil {
		return err
	}
	return serve.Run(ctx, serve.Options{Driver: driver, In: os.Stdin, Out: os.Stdout, Log: log})
}

// connectorOf returns the connector of that name.
func connectorOf(name string) (*connectors.Registered, error) {
	driver, ok := connectors.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("this program has no connector %q; it has: %v", name, connectors.Names())
	}
	return driver, nil
}
