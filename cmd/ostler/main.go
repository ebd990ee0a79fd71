// Command ostler is the channel manager: the daemon, the demo and the tools of
// those who run it, in one binary.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // fresh machines have no zone files

	"github.com/alecthomas/kong"

	_ "ostler.example/connectors/all"
	"ostler.example/internal/app"
)

var commands struct {
	Serve     serveCommand      `cmd:"" help:"Run the daemon."`
	Init      initCommand       `cmd:"" help:"Write a configuration, make the ledger and a first client."`
	Check     checkCommand      `cmd:"" help:"Tell every mistake of the configuration."`
	Demo      demoCommand       `cmd:"" help:"Run the whole program on a sample hotel with pretend channels that sell its rooms."`
	Simulate  simulateCommand   `cmd:"" help:"Run the pretend far side of a connector as a server."`
	Ledger    ledgerCommand     `cmd:"" help:"Work on the ledger while the daemon stands still."`
	Backup    backupCommand     `cmd:"" help:"Copy the ledger, also while the daemon works on it."`
	Restore   restoreCommand    `cmd:"" help:"Put a backup in the place of the ledger, with the daemon stopped."`
	Channel   channelCommands   `cmd:"" help:"Make, map, activate, pause and look at channels."`
	Connector connectorCommands `cmd:"" help:"Look at, try and write connectors."`
	Plan      channelPlan       `cmd:"" help:"Show the calls that a channel would be told by."`
	Apply     applyCommand      `cmd:"" help:"Have a channel told what a plan says, if it is still all that there is to tell."`
	Report    reportCommand     `cmd:"" help:"Show how full the house is, what it earns, and how the service worked."`
	Conflicts conflictCommands  `cmd:"" help:"Look at what the program left for a person to decide, and decide it."`
	Explain   explainCommand    `cmd:"" help:"Tell why a channel is shown what it is shown on a night."`
	Client    clientCommands    `cmd:"" help:"Make and look at the clients of the API."`
	Notify    notifyCommands    `cmd:"" help:"Try how people of the houses are reached."`
	User      userCommands      `cmd:"" help:"Make and look at the users of the console."`
	Access    accessCommands    `cmd:"" help:"Decide on those who ask for access to the API."`
	Import    importCommand     `cmd:"" help:"Take over what exists already elsewhere."`
	Secrets   secretsCommands   `cmd:"" help:"Change the key that secrets in the ledger are sealed with."`
	Doctor    doctorCommand     `cmd:"" help:"Look for faults of the installation, and tell what to do about each."`
	Support   supportCommand    `cmd:"" name:"support-bundle" help:"Pack what somebody who helps needs to see of an installation, without guests, bookings and secrets."`
	Version   versionCommand    `cmd:"" help:"Print the version, or what the program is built from."`

	Manual     manualCommand     `cmd:"" hidden:"" help:"Write the manual page ostler(1)."`
	Completion completionCommand `cmd:"" hidden:"" help:"Write what a shell reads to complete commands."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	k := kong.Parse(&commands, kong.Name("ostler"), kong.Description("A channel manager for hotels, on your own server."), kong.UsageOnError(),
		kong.Writers(os.Stdout, screened{os.Stderr}))
	k.BindTo(ctx, (*context.Context)(nil))
	k.FatalIfErrorf(k.Run())
}

type versionCommand struct {
	SBOM bool `name:"sbom" help:"Print instead what the program is built from, as CycloneDX in JSON."`
}

// Run prints the version.
func (c versionCommand) Run() error {
	if !c.SBOM {
		fmt.Println("ostler " + app.Version)
		return nil
	}
	bom, err := app.BOM()
	if err != nil {
		return err
	}
	fmt.Println(string(bom))
	return nil
}
