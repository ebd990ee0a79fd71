package app

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/client"
	"ostler.example/internal/desk"
	"ostler.example/ledger"
)

// running asks the daemon whether it is there. Two of them cannot be: the
// folder's lock sees to it; one that holds the lock and does not answer is found.
func (d *doctor) running() bool {
	const check = "daemon"
	err := d.daemon.Get(d.ctx, "/properties?limit=1", nil)
	if err == nil {
		d.well(check, "it answers at %s", client.Socket(d.settings.Data))
		return true
	}
	if !errors.Is(err, client.ErrNoDaemon) {
		d.say(Fault, check, "run this as the service's user or as root; look at journalctl -u ostler", "%v", err)
		return false
	}
	lock, locked := ledger.LockFolder(d.settings.Data)
	if locked != nil {
		d.say(Fault, check, "find it with fuser "+d.settings.Data+"/lock, and stop it: two may not work on one folder", "a process works on the folder and does not answer commands: %v", locked)
		return false
	}
	_ = lock.Release()
	d.say(Fault, check, "start it: systemctl start ostler, or ostler serve", "none runs on %s", d.settings.Data)
	return false
}

const dialTimeout = 3 * time.Second

// listeners looks whether somebody answers at the configured addresses.
func (d *doctor) listeners() {
	for key, address := range map[string]string{
		"api.listen": d.settings.API.Listen, "inbound.listen": d.settings.Inbound.Listen, "admin.listen": d.settings.Admin.Listen,
		"sandbox.listen": d.settings.Sandbox.Listen,
	} {
		if address == "" || strings.HasSuffix(address, ":0") {
			continue // there is none, or any port: only the log says which
		}
		c, err := net.DialTimeout("tcp", address, dialTimeout)
		if err != nil {
			d.say(Fault, "listener "+key, "restart the daemon if the address was changed; look at journalctl -u ostler", "%v", err)
			continue
		}
		_ = c.Close()
		d.well("listener "+key, "%s takes connections", address)
		d.shown(key, address)
	}
}

type doctorProperty struct {
	ID       string `json:"id"`
	TimeZone string `json:"time_zone"`
	Country  string `json:"country"`
}

func (d *doctor) properties() {
	list, err := client.All[doctorProperty](d.ctx, d.daemon, "/properties")
	if err != nil {
		d.say(Fault, "properties", "look at journalctl -u ostler", "%v", err)
		return
	}
	for _, p := range list {
		d.zone(p, now())
		d.reached(p.ID)
	}
	d.well("properties", "%d, in time zones of their countries unless told otherwise", len(list))
}

type doctorChannel struct {
	ID           string
	Status       string
	Settings     json.RawMessage
	CreatedAt    string  `json:"created_at"`
	StaleSince   *string `json:"stale_since"`
	SilentSince  *string `json:"silent_since"`
	Audit        *struct{ Stage, Since string }
	LagCells     int     `json:"lag_cells"`
	Rejected     int     `json:"rejected_cells"`
	Circuit      *string `json:"circuit"`
	CircuitCause *string `json:"circuit_cause"`
	LastPush     *string `json:"last_push_ok_at"`
	LastPull     *string `json:"last_pull_ok_at"`
	Sync         struct {
		Schedule string `json:"reservations_schedule"`
	}
	Capabilities *struct{ Polls bool }
	LastError    *struct{ Detail string } `json:"last_error"`
	Flags        []struct{ Part, Fault, Detail string }
}

// channels asks each channel's far side and looks for what is stale or not
// mapped.
func (d *doctor) channels() {
	list, err := client.All[doctorChannel](d.ctx, d.daemon, "/channels")
	if err != nil {
		d.say(Fault, "channels", "look at journalctl -u ostler", "%v", err)
		return
	}
	for _, ch := range list {
		if ch.Status == "disconnected" {
			continue
		}
		d.reachable(ch)
		d.audited(ch)
		d.stale(ch)
		d.mapped(ch)
	}
}

// reachable has the channel's far side asked: its name found, its certificate
// good, its credentials taken. Where it does not answer, it is looked how far one comes.
func (d *doctor) reachable(ch doctorChannel) {
	check := "channel " + ch.ID
	if ch.Status == "draft" {
		d.say(Warning, check, "ostler channel test "+ch.ID, "it is a draft, which nobody has tested yet")
		return
	}
	if err := d.daemon.Do(d.ctx, http.MethodPost, "/channels/"+ch.ID+"/test", nil, nil); err != nil {
		says, do := d.way(ch.Settings)
		if says == "" {
			d.say(Fault, check, "look at its settings: ostler channel show "+ch.ID, "its far side does not answer as it should: %v", err)
			return
		}
		d.say(Fault, check, do+"; ostler channel test "+ch.ID+" tries again", "its far side does not answer: %s (%v)", says, err)
		return
	}
	d.well(check, "its far side answers and knows us")
}

// audited says how far a channel is since a backup was restored.
func (d *doctor) audited(ch doctorChannel) {
	switch {
	case ch.Audit == nil:
	case ch.Audit.Stage == string(hotel.Audited):
		d.say(Warning, "channel "+ch.ID, "enter again what was sold directly since the backup, then ostler channel activate "+ch.ID, "it is closed since a backup was restored; all it can tell is known")
	default:
		d.say(Warning, "channel "+ch.ID, "wait; if it cannot be reached at all: ostler channel disconnect --force "+ch.ID, "it is closed since a backup was restored, and not audited yet (%s since %s)", ch.Audit.Stage, ch.Audit.Since)
	}
}

func (d *doctor) stale(ch doctorChannel) {
	check := "channel " + ch.ID
	why := ""
	if ch.LastError != nil {
		why = ch.LastError.Detail
	}
	switch {
	case ch.CircuitCause != nil && *ch.CircuitCause == "denied":
		d.say(Fault, check, "mend its credentials: ostler channel show "+ch.ID+"; then ostler channel test "+ch.ID, "its far side does not take our credentials, and it is told nothing: %s", why)
	case ch.Status == "error":
		d.say(Fault, check, "mend what it says; ostler channel show "+ch.ID, "it cannot be kept right: %s", why)
	case ch.Circuit != nil && *ch.Circuit == "open":
		d.say(Fault, check, "wait, or mend the far side: it is tried again by itself", "its calls fail, and it is left alone for a while")
	case ch.StaleSince != nil:
		d.say(Warning, check, "ostler channel show "+ch.ID, "what it shows is out of date since %s; %d cells wait to be told", *ch.StaleSince, ch.LagCells)
	}
	if ch.SilentSince != nil {
		d.say(Warning, check, "look at its extranet for bookings that are not here; then ostler channel sync "+ch.ID+" --kind reservations", "it has told of no booking since %s, which is long for it", *ch.SilentSince)
	}
	for _, f := range ch.Flags {
		if f.Fault == string(hotel.FaultUnannounced) {
			d.say(Warning, check, "switch its webhook on there, to this channel's address and with its secret; its next call ends this", "it does not call any more when it has bookings: %s", f.Detail)
			continue
		}
		d.say(Fault, check, "look at the log, and tell whoever wrote its connector; it ends by itself once this goes well", "it breaks the rules (%s, %s): %s", f.Part, f.Fault, f.Detail)
	}
	if ch.Rejected > 0 {
		d.say(Warning, check, "look at the log for its words, and at ostler channel map "+ch.ID, "it refused %d cells", ch.Rejected)
	}
	if ch.Status != "draft" && ch.Capabilities != nil && ch.Capabilities.Polls && ch.unfetched(now()) {
		d.say(Warning, check, "ostler channel sync "+ch.ID+" --kind reservations", "its bookings are to be fetched by %s, and were not for %.0f minutes and more", ch.Sync.Schedule, desk.UnfetchedAfter.Minutes())
	}
}

// unfetched reports whether the channel's bookings are due for too long. Of one whose
// bookings never were fetched the beginning counts.
func (ch *doctorChannel) unfetched(now time.Time) bool {
	last := ch.CreatedAt
	if ch.LastPull != nil {
		last = *ch.LastPull
	}
	at, err := time.Parse(time.RFC3339, last)
	return err == nil && desk.Unfetched(ch.Sync.Schedule, at, now)
}

func (d *doctor) mapped(ch doctorChannel) {
	var m struct {
		Mappings []any
		Coverage []struct{ Code, Detail string }
	}
	if err := d.daemon.Get(d.ctx, "/channels/"+ch.ID+"/mappings", &m); err != nil {
		d.say(Fault, "channel "+ch.ID, "look at journalctl -u ostler", "%v", err)
		return
	}
	do := "ostler channel map " + ch.ID
	if len(m.Mappings) == 0 {
		d.say(Warning, "channel "+ch.ID, do+" --products", "nothing of the house is mapped to it")
	}
	// What is not sold there at all is a choice.
	m.Coverage = slices.DeleteFunc(m.Coverage, func(c struct{ Code, Detail string }) bool { return c.Code == "room_not_mapped" })
	if len(m.Coverage) > 0 {
		d.say(Warning, "channel "+ch.ID, do, "its mapping has %s, such as: %s", Count(len(m.Coverage), "gap"), m.Coverage[0].Detail)
	}
}
