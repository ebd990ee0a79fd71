package main

import (
	"context"
	"fmt"

	"ostler.example/internal/app"
	"ostler.example/internal/config"
)

// notifyCommands are `ostler notify ...`.
type notifyCommands struct {
	Test notifyTest `cmd:"" help:"Send a mail through the mail server of the configuration."`
}

type notifyTest struct {
	configFile
	To string `required:"" placeholder:"ADDRESS" help:"Whom to send it to."`
}

// Run sends the mail. It needs no daemon.
func (c notifyTest) Run(ctx context.Context) error {
	settings, err := config.Load(c.Config)
	if err != nil {
		return err
	}
	if err := app.MailTest(ctx, settings, c.To); err != nil {
		return err
	}
	fmt.Printf("%s has taken a mail for %s\n", settings.Notify.SMTPHost, c.To)
	return nil
}
