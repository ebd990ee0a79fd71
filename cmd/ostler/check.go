package main

import (
	"errors"
	"fmt"
	"os"

	"ostler.example/internal/app"
	"ostler.example/internal/config"
)

// checkCommand is `ostler check`.
type checkCommand struct {
	configFile
}

// Run tells every mistake of the configuration, or that there is none and what
// the daemon would do with it.
func (c checkCommand) Run() error {
	settings, err := config.Load(c.Config)
	if err != nil {
		return err
	}
	// Credentials are there for the service only, unless this is run by it.
	hidden := 0
	_, err = settings.ReadSecrets(func(s config.Source) bool {
		if s.IsCredential() && os.Getenv(config.CredentialsFolder) == "" {
			hidden++
			return false
		}
		return true
	})
	if mistakes, ok := errors.AsType[config.Mistakes](err); ok {
		return fmt.Errorf("%s: %w", c.Config, mistakes)
	}
	if err != nil {
		return err
	}
	warnings, err := app.CheckCertificates(settings)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Config, err)
	}
	fmt.Printf("%s: OK\n", c.Config)
	for _, w := range warnings {
		fmt.Printf("  WARNING      %s\n", w)
	}
	fmt.Printf("  data folder  %s\n", settings.Data)
	fmt.Printf("  API          %s/v1, listening at %s\n", settings.Public(settings.API.Listen), settings.API.Listen)
	if own := settings.Sandbox; own.Listen != "" {
		fmt.Printf("  sandbox      %s/v1, listening at %s\n", settings.PublicSandbox(own.Listen), own.Listen)
	}
	fmt.Printf("  inbound      %s\n", settings.Inbound.Listen)
	fmt.Printf("  admin        %s\n", settings.Admin.Listen)
	if len(settings.Secrets) > 0 {
		fmt.Printf("  secrets      %d, of which %d could be read\n", len(settings.Secrets), len(settings.Secrets)-hidden)
	}
	if hidden > 0 {
		fmt.Printf("  Credentials of systemd are seen by the service only; it checks them when it starts.\n")
	}
	return nil
}
