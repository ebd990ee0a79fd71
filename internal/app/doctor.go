package app

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/client"
	"ostler.example/internal/config"
)

// Finding is what the doctor has to say about one thing.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"` // what to do about it
}

// Level says how bad a finding is.
type Level string

// A fault keeps Ostler from working as it should; a warning is worth a look.
const (
	Well    Level = "ok"
	Warning Level = "warning"
	Fault   Level = "fault"
)

// Doctor looks at an installation and tells what it finds, one thing after the
// other. It changes nothing but a file of its own in the data folder, which it
// removes again; channels are asked whether they are there.
func Doctor(ctx context.Context, file string, found func(Finding)) {
	d := &doctor{ctx: ctx, found: found, machine: thisMachine}
	settings, ok := d.configuration(file)
	if !ok {
		return
	}
	d.settings = settings
	d.folder()
	d.disk()
	d.fsync()
	d.clock()
	d.sqlite()
	d.backups(now())
	d.mail()
	d.secured(now())
	d.daemon = client.New(settings.Data)
	defer d.daemon.Close()
	if !d.running() {
		return
	}
	d.listeners()
	d.folders()
	d.properties()
	d.channels()
}

type doctor struct {
	ctx      context.Context
	found    func(Finding)
	settings config.Config
	daemon   *client.Client
	machine  machine
}

func (d *doctor) well(check, says string, args ...any) {
	d.found(Finding{check, Well, fmt.Sprintf(says, args...), ""})
}

func (d *doctor) say(level Level, check, do, says string, args ...any) {
	d.found(Finding{check, level, fmt.Sprintf(says, args...), do})
}

// configuration reads the configuration and the secrets that it names.
func (d *doctor) configuration(file string) (config.Config, bool) {
	const check = "configuration"
	c, err := config.Load(file)
	if err != nil {
		d.say(Fault, check, "mend it; ostler check tells every mistake", "%v", err)
		return c, false
	}
	hidden := 0
	_, err = c.ReadSecrets(func(s config.Source) bool {
		if s.IsCredential() {
			hidden++
		}
		return !s.IsCredential()
	})
	if err != nil {
		d.say(Fault, "secrets", "give each secret that the configuration names a file that the service may read", "%v", err)
	}
	d.well(check, "%s can be read, and is whole", file)
	if hidden > 0 {
		d.well("secrets", "%d are credentials of systemd, which the service alone can read", hidden)
	}
	return c, true
}

// Count writes a number of things in words.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// clockLate is by how much a file may be newer than the clock says.
const clockLate = 5 * time.Minute

var now = hotel.SystemClock{}.Now
