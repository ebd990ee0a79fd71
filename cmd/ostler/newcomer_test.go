package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ostler.example/hotel"
	operators "ostler.example/internal/client"
)

// TestNewcomer goes the way of docs/operating.md: from an empty folder to a
// booking that a pretend channel sold, with a kill in between.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	if out, code := i.run(t, "channel", "list"); code != 1 || !strings.Contains(out, "start it with systemctl start ostler, or ostler serve") {
		t.Errorf("without a daemon: code %d\n%s", code, out)
	}
	if out, code := i.run(t, "doctor"); code != 1 || !strings.Contains(out, "fault    daemon: none runs on "+i.data) {
		t.Errorf("the doctor without a daemon: code %d\n%s", code, out)
	}
	p := begin(t, "serve", "--config", i.file)
	await(t, p, "started", 1)
	f := i.pretend(t)
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if got := await(t, p, "configuration read again", 1); fmt.Sprint(got.Applied, got.Waiting) != "[secrets.pretend] []" {
		t.Errorf("a secret under the running daemon: %+v", got)
	}
	i.furnish(t)

	out := i.must(t, "channel", "add", "--property", "seaview", "--connector", "mock", "--name", "Pretend",
		"--set", "url="+f.url, "--set", "preset=pull", "--set", "hotel=demo", "--set", "secret=secret:pretend", "--set", "calls_per_minute=200")
	id := regexp.MustCompile(`ch_\w+`).FindString(out)
	offered := regexp.MustCompile(`A-STD +A-flex +Standard +Flexible +double/flex +medium`)
	if !strings.Contains(out, "it answers") || !offered.MatchString(out) {
		t.Errorf("a channel that was made:\n%s", out)
	}
	if out := i.must(t, "channel", "test", id); !offered.MatchString(out) || !strings.Contains(out, "20 are not mapped") || strings.Contains(out, "channel plan") {
		t.Errorf("tested:\n%s", out)
	}
	if out, code := i.run(t, "channel", "add", "--property", "seaview", "--connector", "mock", "--name", "Nobody",
		"--set", "url=http://127.0.0.1:1", "--set", "preset=pull", "--set", "hotel=demo", "--set", "secret=secret:pretend"); code != 0 || !strings.Contains(out, "its far side cannot be asked yet") {
		t.Errorf("a channel that nobody answers for: code %d\n%s", code, out)
	} else {
		i.must(t, "channel", "disconnect", regexp.MustCompile(`ch_\w+`).FindString(out))
	}
	if out := i.must(t, "channel", "map", id, "--products"); !offered.MatchString(out) || !strings.Contains(out, "20 are not mapped") {
		t.Errorf("products:\n%s", out)
	}
	if out, code := i.run(t, "channel", "map", id, "--take", "medium"); code != 1 || !strings.Contains(out, "repeat this with --yes") || !strings.Contains(out, "A-STD/A-flex (Standard Flexible) is double/flex (medium): Standard is called like Standard Double; both take up to 2 adults; Flexible is called like Flexible; both come with room only") {
		t.Errorf("proposals that nobody has agreed to: code %d\n%s", code, out)
	}
	if out := i.must(t, "channel", "map", id, "--take", "medium", "--dry-run"); !strings.Contains(out, "nothing is stored") {
		t.Errorf("proposals tried:\n%s", out)
	}
	if out := i.must(t, "channel", "map", id); strings.Contains(out, "A-STD") || !strings.Contains(out, "look at double: Standard Double is not sold by this channel") {
		t.Errorf("mapped by nobody:\n%s", out)
	}
	if out := i.must(t, "channel", "map", id, "double/flex=DBL/BAR"); !strings.Contains(out, "warning: the far side offers no DBL/BAR") || !strings.Contains(out, "sold_by") {
		t.Errorf("a code that is not there, of a plan that is not sold there:\n%s", out)
	}
	if out := i.must(t, "channel", "map", id, "--replace", "--sell", "--take", "medium", "--yes"); strings.Contains(out, "BAR") || strings.Contains(out, "look at") || !strings.Contains(out, "1 are taken, 19 are left") {
		t.Errorf("mapped:\n%s", out)
	}
	if out := i.must(t, "channel", "test", id); !strings.Contains(out, "19 are not mapped") || !strings.Contains(out, "before anything is: ostler channel plan "+id) {
		t.Errorf("tested once it is mapped:\n%s", out)
	}
	if out, code := i.run(t, "channel", "activate", id); code != 1 || !strings.Contains(out, "repeat this with --accept-raises") {
		t.Errorf("nobody accepted the raises: code %d\n%s", code, out)
	}
	if out := i.must(t, "channel", "activate", id, "--accept-raises", "--by", "Ada"); !strings.Contains(out, "is active, with 0 cells to tell and 0 refused") {
		t.Errorf("live:\n%s", out)
	}
	night := ahead(10)
	sells := func(rooms int) {
		t.Helper()
		eventually(t, patience, 20*time.Millisecond, func() error {
			c, err := f.shows("standard", night)
			if err == nil && (c.Available != rooms || c.Closed && rooms > 0) {
				err = fmt.Errorf("it shows %+v on %s, want %d rooms", c, night, rooms)
			}
			return err
		})
	}
	sells(6)
	if out, code := i.run(t, "channel", "map", id, "--replace", "double/flex=DBL/BAR"); code != 1 || !strings.Contains(out, "repeat this with --accept-raises") || !strings.Contains(out, "not known -> 6") ||
		!strings.Contains(out, "A-STD/A-flex was double/flex, and is closed there on all nights") || !strings.Contains(out, "DBL/BAR is double/flex, and is opened there where the house sells it") {
		t.Errorf("mapped otherwise while it is live: code %d\n%s", code, out)
	}
	if out := i.must(t, "channel", "map", id, "--replace", "double/flex=A-STD/A-flex"); strings.Contains(out, "told at once") {
		t.Errorf("mapped as it is:\n%s", out)
	}
	if out, code := i.run(t, "channel", "map", id, "--remove", "A-STD/A-flex"); code != 1 || !strings.Contains(out, "repeat this with --yes") || !strings.Contains(out, "no night shows more rooms than now") {
		t.Errorf("taken away while it is live: code %d\n%s", code, out)
	}
	i.must(t, "channel", "map", id, "--remove", "A-STD/A-flex", "--yes")
	sells(0)
	i.must(t, "channel", "map", id, "double/flex=A-STD/A-flex", "--accept-raises", "--by", "Ada")
	sells(6)
	f.book(t, "standard", "flex", night, 1)
	i.must(t, "channel", "sync", id, "--kind", "reservations")
	if got := i.booked(t); got != 1 {
		t.Errorf("%d bookings came in", got)
	}

	p.kill()
	f.book(t, "standard", "flex", night, 1)
	p = begin(t, "serve", "--config", i.file)
	await(t, p, "started", 1)
	i.must(t, "channel", "sync", id, "--kind", "reservations")
	if got := i.booked(t); got != 2 {
		t.Errorf("%d bookings after a kill", got)
	}
	sells(4)
	i.decide(t, night)
	// Whether this machine's clock is kept is none of the newcomer's business.
	if out := i.must(t, "doctor"); strings.Contains(strings.Replace(out, "warning  clock: nobody keeps it", "", 1), "warning") || !strings.Contains(out, "channel "+id+": its far side answers and knows us") {
		t.Errorf("doctor:\n%s", out)
	}

	i.unreached(t)
	i.apply(t, id)
	i.reports(t, night)

	i.must(t, "channel", "pause", id)
	sells(0)
	var shown map[string]any
	if err := json.Unmarshal([]byte(i.must(t, "channel", "show", id, "--json")), &shown); err != nil || shown["status"] != "paused" || shown["rooms_at_risk"] != 0.0 {
		t.Errorf("paused: %v, %v", shown, err)
	}
	if out := i.must(t, "channel", "disconnect", id); !strings.Contains(out, "is disconnected") {
		t.Errorf("disconnected:\n%s", out)
	}
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
}

// decide takes rooms away under guests on a night, and decides what the program asks
// about it.
func (i *installation) decide(t *testing.T, night hotel.Date) {
	t.Helper()
	if out := i.must(t, "conflicts"); strings.Contains(out, "oversell") {
		t.Errorf("before:\n%s", out)
	}
	desk := operators.New(i.data)
	defer desk.Close()
	var types struct {
		Data []struct{ ID, Code string }
	}
	if err := desk.Get(t.Context(), "/room-types?property_id=seaview", &types); err != nil || len(types.Data) != 1 {
		t.Fatal(err, types)
	}
	rooms := func(total int) {
		t.Helper()
		err := desk.Do(t.Context(), http.MethodPost, "/inventory/updates", map[string]any{"property_id": "seaview", "entries": []any{
			map[string]any{"room_type_id": types.Data[0].ID, "date_from": night, "date_to": night, "values": map[string]any{"total": total}},
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	rooms(1)
	found := regexp.MustCompile(`(cf\w*_\w+) +critical +oversell +seaview .*accept`).FindStringSubmatch(i.must(t, "conflicts", "list", "--kind", "oversell"))
	if found == nil {
		t.Fatalf("a night with a room too few:\n%s", i.must(t, "conflicts"))
	}
	if out := i.must(t, "conflicts", "show", found[1]); !strings.Contains(out, "option") || !strings.Contains(out, `fact         nights: [{`) {
		t.Errorf("shown:\n%s", out)
	}
	if out, code := i.run(t, "conflicts", "decide", found[1], "guess"); code != 1 || !strings.Contains(out, "option") {
		t.Errorf("an option that it does not have: code %d\n%s", code, out)
	}
	if out := i.must(t, "conflicts", "decide", found[1], "accept", "--note", "a cot is set up"); !strings.Contains(out, "resolved") {
		t.Errorf("decided:\n%s", out)
	}
	if out := i.must(t, "conflicts", "list", "--decided"); !strings.Contains(out, found[1]) {
		t.Errorf("decided ones:\n%s", out)
	}
	rooms(6)
}

// apply looks at all that a channel would be told, and has it told that.
func (i *installation) apply(t *testing.T, channel string) {
	t.Helper()
	if out, code := i.run(t, "apply", channel, "full.0"); code != 1 || !strings.Contains(out, "plan") {
		t.Errorf("a plan that nobody has made: code %d\n%s", code, out)
	}
	eventually(t, patience, 20*time.Millisecond, func() error { // what is decided may still be on its way
		plan := i.must(t, "plan", channel, "--kind", "full")
		found := regexp.MustCompile(`have it told: ostler apply ` + channel + ` (\S+)`).FindStringSubmatch(plan)
		if found == nil {
			t.Fatalf("a plan:\n%s", plan)
		}
		out, code := i.run(t, "apply", channel, found[1])
		if code == 1 && strings.Contains(out, "plan_outdated") {
			return errors.New(out)
		}
		if code != 0 || !strings.Contains(out, "is completed") || strings.Contains(out, " 0 cells acknowledged") {
			t.Errorf("applied: code %d\n%s", code, out)
		}
		return nil
	})
}

// unreached wants people told by mail where there is no mail server.
func (i *installation) unreached(t *testing.T) {
	t.Helper()
	tell := func(recipients string) {
		t.Helper()
		if err := operators.New(i.data).Do(t.Context(), http.MethodPut, "/properties/seaview/notifications", json.RawMessage(`{"recipients":[`+recipients+`]}`), nil); err != nil {
			t.Fatal(err)
		}
	}
	tell(`{"name":"Desk","email":"desk@hotel.example","events":["oversell"]}`)
	if out, code := i.run(t, "doctor"); code != 1 || !strings.Contains(out, "fault    property seaview: 1 recipient to be told by mail, and there is no mail server") {
		t.Errorf("the doctor, of people whom nothing reaches: code %d\n%s", code, out)
	}
	if out, code := i.run(t, "notify", "test", "--to", "desk@hotel.example"); code != 1 || !strings.Contains(out, "[notify] names no mail server") {
		t.Errorf("a mail without a mail server: code %d\n%s", code, out)
	}
	tell("")
}

// reports looks at what was sold on a night.
func (i *installation) reports(t *testing.T, night hotel.Date) {
	t.Helper()
	if out := i.must(t, "report"); !strings.Contains(out, "occupancy") || !strings.Contains(out, "lead-time") {
		t.Errorf("reports:\n%s", out)
	}
	day := []string{"--from", night.String(), "--to", night.String(), "--property", "seaview", "--group-by", "day"}
	out := i.must(t, append([]string{"report", "occupancy"}, day...)...)
	if !regexp.MustCompile(`(?m)^DAY .*\bROOMS SOLD\b`).MatchString(out) || !regexp.MustCompile(`(?m)^`+night.String()+` +EUR +6 +6 `).MatchString(out) {
		t.Errorf("occupancy:\n%s", out)
	}
	if out := i.must(t, append([]string{"report", "revenue", "--csv"}, day...)...); !strings.HasPrefix(out, "day,currency,") || !strings.Contains(out, "\n"+night.String()+",EUR,") {
		t.Errorf("revenue:\n%s", out)
	}
	if out := i.must(t, append([]string{"report", "channels", "--json", "--compare", "previous_period"}, day[:6]...)...); !strings.Contains(out, `"comparison"`) {
		t.Errorf("channels:\n%s", out)
	}
	if out, code := i.run(t, "report", "occupancy"); code != 1 || !strings.Contains(out, "--from and --to") {
		t.Errorf("of no nights: code %d\n%s", code, out)
	}
	if out, code := i.run(t, append([]string{"report", "occupancy", "--compare", "never"}, day...)...); code != 1 || !strings.Contains(out, "compare: ") {
		t.Errorf("compared with nothing that there is: code %d\n%s", code, out)
	}
}

// TestClientCommands makes clients and takes them through their lives.
func TestClientCommands(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	if out, code := i.run(t, "client", "create", "--name", "Second"); code != 1 || !strings.Contains(out, "there are 1 clients already, and no daemon to ask") {
		t.Errorf("without a daemon: code %d\n%s", code, out)
	}
	p := begin(t, "serve", "--config", i.file)
	i.client.base = await(t, p, "started", 1).PublicURL + "/v1"
	out := i.must(t, "client", "create", "--name", "Desk", "--kind", "pms", "--scope", "properties:read", "--scope", "rates:read")
	found := regexp.MustCompile(`client_id +(\S+)\nclient_secret +(\S+)\n`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("created:\n%s", out)
	}
	id := found[1]
	i.client.id, i.client.secret = id, found[2]
	var err error
	if i.client.token, err = i.client.newToken(); err != nil {
		t.Fatal(err)
	}
	asks := func(want string) {
		t.Helper()
		var properties map[string]any
		if err := i.client.get("/properties", &properties); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("it asks: %v, want %q", err, want)
		}
	}
	asks("")
	if out := i.must(t, "client", "show", id); !strings.Contains(out, "scopes        properties:read rates:read\n") {
		t.Errorf("shown:\n%s", out)
	}
	old := regexp.MustCompile(`secret +(sec_\w+)`).FindStringSubmatch(i.must(t, "client", "show", id))[1]
	if out := i.must(t, "client", "secret", "add", id, "--days", "30"); !regexp.MustCompile(`ends +20\d\d-`).MatchString(out) {
		t.Errorf("a secret that ends:\n%s", out)
	}
	i.must(t, "client", "secret", "drop", id, old)
	if _, err := i.client.newToken(); err == nil {
		t.Error("a dropped secret is good")
	}
	turned := regexp.MustCompile(`client_secret +(\S+)\n`).FindStringSubmatch(i.must(t, "client", "rotate", id))
	if turned == nil || len(regexp.MustCompile(`secret +sec_`).FindAllString(i.must(t, "client", "show", id), -1)) != 2 {
		t.Fatalf("rotated: %q", turned)
	}
	i.client.secret = turned[1]
	if _, err := i.client.newToken(); err != nil {
		t.Errorf("the secret that it was rotated to: %v", err)
	}
	if out := i.must(t, "client", "tier", id, "partner", "--limit", "7000"); !regexp.MustCompile(`tier +partner\n(.*\n)*hourly_limit +7000\n`).MatchString(out) {
		t.Errorf("in another tier:\n%s", out)
	}
	if out, code := i.run(t, "client", "tier", id, "golden"); code != 1 || !strings.Contains(out, "/tier") {
		t.Errorf("in a tier that is not there: code %d\n%s", code, out)
	}
	if out := i.must(t, "client", "tier", id, "standard"); !regexp.MustCompile(`tier +standard\n`).MatchString(out) || strings.Contains(out, "hourly_limit") {
		t.Errorf("back in its tier:\n%s", out)
	}
	if out := i.must(t, "client", "networks", id, "192.0.2.0/24"); !strings.Contains(out, "networks      192.0.2.0/24\n") {
		t.Errorf("bound:\n%s", out)
	}
	asks("invalid_token")
	if out, code := i.run(t, "client", "networks", id); code != 1 || !strings.Contains(out, "--anywhere") {
		t.Errorf("bound to nothing: code %d\n%s", code, out)
	}
	i.must(t, "client", "networks", id, "--anywhere")
	asks("")
	i.must(t, "client", "suspend", id)
	asks("client_suspended")
	i.must(t, "client", "resume", id)
	asks("")
	i.must(t, "client", "revoke-tokens", id)
	asks("invalid_token")
	i.must(t, "client", "revoke", id)
	if out := i.must(t, "client", "list"); !regexp.MustCompile(id + ` +Desk +pms +production +standard +revoked`).MatchString(out) {
		t.Errorf("list:\n%s", out)
	}
	if out, code := i.run(t, "client", "create", "--name", "x", "--kind", "ota", "--property", "none"); code != 1 || !strings.Contains(out, "/property_ids/0: there is no such property") {
		t.Errorf("for a property that is not there: code %d\n%s", code, out)
	}
	i.makesUsers(t)
	i.client.http.CloseIdleConnections()
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
}

// makesUsers makes a user of the console, lets the user in by a link, and ends it.
func (i *installation) makesUsers(t *testing.T) {
	t.Helper()
	i.must(t, "user", "add", "Ada@house.example", "--role", "front_desk", "--no-password")
	i.must(t, "user", "set", "ada@house.example", "--role", "read_only", "--property", "hotel_1", "--property", "hotel_2")
	if out := i.must(t, "user", "list"); !regexp.MustCompile(`ada@house\.example +hotel_1=read_only hotel_2=read_only `).MatchString(out) {
		t.Errorf("list:\n%s", out)
	}
	if out := i.must(t, "user", "disable", "ada@house.example"); !strings.Contains(out, "disabled") {
		t.Errorf("disabled, and %s", out)
	}
	if out := i.must(t, "user", "list"); !regexp.MustCompile(`ada@house\.example .* disabled`).MatchString(out) {
		t.Errorf("disabled, and listed as %s", out)
	}
	if out := i.must(t, "user", "enable", "ada@house.example"); !strings.Contains(out, "active") {
		t.Errorf("enabled, and %s", out)
	}
	i.must(t, "user", "sign-out", "ada@house.example")
	link := strings.TrimSpace(i.must(t, "user", "link", "ada@house.example"))
	resp, err := i.client.http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || !strings.Contains(link, "/sign-in/link?token=") {
		t.Errorf("%s: %s", link, resp.Status)
	}
	for want, args := range map[string][]string{
		"there is a user of this name already": {"user", "add", "ada@house.example", "--role", "owner", "--no-password"},
		"no password was given":                {"user", "add", "eve", "--role", "owner"},
		`there is no user "eve"`:               {"user", "remove", "eve"},
		"nothing to change":                    {"user", "set", "ada@house.example"},
	} {
		if out, code := i.run(t, args...); code != 1 || !strings.Contains(out, want) {
			t.Errorf("%q: code %d\n%s", args, code, out)
		}
	}
	i.must(t, "user", "remove", "ada@house.example")
	if out := i.must(t, "user", "list"); strings.Contains(out, "ada") {
		t.Errorf("removed, and listed:\n%s", out)
	}
}

// run runs a command on the installation.
func (i *installation) run(t *testing.T, args ...string) (output string, code int) {
	t.Helper()
	return run(t, append(args, "--config", i.file)...)
}

// must is run for a command that has to succeed.
func (i *installation) must(t *testing.T, args ...string) string {
	t.Helper()
	out, code := i.run(t, args...)
	if code != 0 {
		t.Fatalf("ostler %s: code %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// pretend starts a far side and names its secret in the configuration.
func (i *installation) pretend(t *testing.T) *farSide {
	t.Helper()
	f := simulated(t)
	secret := filepath.Join(filepath.Dir(i.file), "pretend")
	if err := os.WriteFile(secret, []byte("a pretend secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	i.edit(t, regexp.MustCompile(`# channel_key = .*`), `pretend = "`+secret+`"`)
	return f
}

// simulated starts a far side.
func simulated(t *testing.T) *farSide {
	t.Helper()
	p := begin(t, "simulate", "mock", "--preset", "pull", "--listen", "127.0.0.1:0", "--hotel", "demo", "--data", t.TempDir())
	f := &farSide{id: "ch_a", http: newHTTP()}
	t.Cleanup(f.http.CloseIdleConnections)
	eventually(t, patience, 20*time.Millisecond, func() error {
		found := regexp.MustCompile(`mock listens at (http://127\.0\.0\.1:\d+);`).FindStringSubmatch(p.output())
		if found == nil {
			return errors.New("it has not said where it listens")
		}
		f.url = found[1]
		return nil
	})
	return f
}

// furnish makes a small hotel, from the machine itself.
func (i *installation) furnish(t *testing.T) {
	t.Helper()
	operator := operators.New(i.data)
	defer operator.Close()
	post := func(path string, body map[string]any) string {
		t.Helper()
		var made map[string]any
		if err := operator.Do(t.Context(), "POST", path, body, &made); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return made["id"].(string)
	}
	type m = map[string]any
	post("/properties", m{"id": "seaview", "name": "Sea View", "time_zone": "Europe/Lisbon", "currency": "EUR", "country": "PT", "booking_horizon_days": 40})
	room := post("/room-types", m{
		"property_id": "seaview", "code": "double", "name": "Standard Double", "total_units": 6, "base_occupancy": 2, "max_adults": 2, "max_occupancy": 3,
	})
	plan := post("/rate-plans", m{"property_id": "seaview", "code": "flex", "name": "Flexible", "room_type_ids": []string{room}})
	post("/rates/updates", m{"property_id": "seaview", "entries": []m{{
		"room_type_id": room, "rate_plan_id": plan, "date_from": ahead(5), "date_to": ahead(20), "values": m{"amount": m{"amount": "95.00", "currency": "EUR"}},
	}}})
}

// booked is how many reservations there are.
func (i *installation) booked(t *testing.T) int {
	t.Helper()
	operator := operators.New(i.data)
	defer operator.Close()
	var list struct{ Data []any }
	if err := operator.Get(t.Context(), "/reservations?property_id=seaview", &list); err != nil {
		t.Fatal(err)
	}
	return len(list.Data)
}
