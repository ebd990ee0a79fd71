// Command program runs a connector as a program of its own, for tests, and records what
// goes in and out: program CONNECTOR FILE.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"go.uber.org/zap"

	"ostler.example/connectors"
	_ "ostler.example/connectors/all"
	"ostler.example/connectors/process/serve"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(connector, file string) error {
	in, err1 := os.OpenFile(file+".in", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	out, err2 := os.OpenFile(file+".out", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	driver, known := connectors.Lookup(connector)
	if !known {
		return fmt.Errorf("there is no connector %q", connector)
	}
	return serve.Run(context.Background(), serve.Options{
		Driver: driver, In: io.TeeReader(os.Stdin, in), Out: io.MultiWriter(out, os.Stdout), Log: zap.NewNop(),
	})
}
