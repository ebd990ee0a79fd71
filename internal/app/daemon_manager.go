package app

import (
	"fmt"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"go.uber.org/zap"
)

// manager tells systemd how the program stands. Where nobody started it that
// way, nobody is told.
type manager struct {
	log     *zap.Logger
	watched bool // it wants to hear regularly that the program works
}

func newManager(log *zap.Logger) manager {
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("the watchdog of systemd is not told that the program works", zap.Error(err))
	}
	return manager{log: log, watched: every > 0}
}

func (m manager) ready(status string) { m.tell(daemon.SdNotifyReady + "\nSTATUS=" + status) }

// startGoesOn is how much longer a start may take each time that systemd is told that it goes
// on: as long as the unit gives it at first, TimeoutStartSec.
const startGoesOn = 5 * time.Minute

// starting says what a start waits for that takes longer than it should.
func (m manager) starting(status string) {
	m.tell(fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d\nSTATUS=%s", startGoesOn.Microseconds(), status))
}

func (m manager) reloading() { m.tell(daemon.SdNotifyReloading) }
func (m manager) stopping()  { m.tell(daemon.SdNotifyStopping) }

// beat is sent from the clock's work, not from a timer beside it: a program that
// lives but comes to no end with its work is started again.
func (m manager) beat() {
	if m.watched {
		m.tell(daemon.SdNotifyWatchdog)
	}
}

func (m manager) tell(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		m.log.Warn("systemd cannot be told how the program stands", zap.Error(err))
	}
}
