package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"ostler.example/connectors"
	_ "ostler.example/connectors/process"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// The canaries: a secret of a channel that was kept as it was typed, one that is typed
// now, and what a webhook is signed with.
const (
	canaryOld, canaryNew = "canary-of-an-older-version", "canary-typed-just-now"
	canaryHook           = "whsec_Y2FuYXJ5LW9mLWEtd2ViaG9vay1vZi0yNC1ieXRlcw=="
)

// sealedHouse is a data folder with a channel as an older version kept it, and a webhook.
type sealedHouse struct {
	t        *testing.T
	dir      string
	file     string
	house    testkit.House
	property string
	channel  string
	endpoint string
}

func newSealedHouse(t *testing.T) *sealedHouse {
	t.Helper()
	dir := testkit.Folder(t)
	h := &sealedHouse{t: t, dir: filepath.Join(dir, "data"), file: filepath.Join(dir, "ostler.toml")}
	made, err := Init(t.Context(), InitOptions{File: h.file, Data: h.dir, Operator: "me", Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	seal, err := openSeal(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	inLedger(t, h.dir, func(l *ledger.Ledger) error {
		h.house = testkit.NewHouse(t, l)
		h.property = h.house.Property.ID
		c, _, err := l.CreateChannel(t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
			PropertyID: h.property, Connector: "mock", Name: "Old", Status: hotel.Draft, Account: "mock:old", Schedule: "@every 1h",
			Settings: []byte(`{"url":"http://127.0.0.1:9","hotel":"H","secret":"` + canaryOld + `"}`),
		})
		if err != nil {
			return err
		}
		h.channel = c.ID
		e, _, err := l.CreateWebhookEndpoint(t.Context(), testkit.Tester, hotel.Once{}, hotel.WebhookEndpoint{
			ClientID: made.ClientID, WebhookSettings: hotel.WebhookSettings{URL: "https://hooks.example/a"}, Headers: seal.Close([]byte(`{}`), made.ClientID), Position: -1,
		}, seal.Close([]byte(canaryHook), made.ClientID))
		h.endpoint = e.ID
		return err
	})
	return h
}

// open opens the house with the key that is there.
func (h *sealedHouse) open(log *zap.Logger) *Environment {
	h.t.Helper()
	c, err := config.Load(h.file)
	if err != nil {
		h.t.Fatal(err)
	}
	seal, err := sealOf(c, c.FindSecret)
	if err != nil {
		h.t.Fatal(err)
	}
	e, err := OpenEnvironment(context.WithoutCancel(h.t.Context()), EnvironmentOptions{
		Path: ledgerPath(h.dir), PublicURL: "http://hotel.example", Seal: seal, Sync: config.Default().Sync, Ledger: config.Default().Ledger,
		Clock: hotel.SystemClock{}, Log: log,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return e
}

func (h *sealedHouse) stop(e *Environment) {
	h.t.Helper()
	if err := e.Stop(); err != nil {
		h.t.Error(err)
	}
}

// kept returns the settings of the old channel as they are kept, and its secret as it is
// used.
func (h *sealedHouse) kept(e *Environment, seal connectors.Sealer) (settings, secret string) {
	h.t.Helper()
	c, err := e.Ledger.Channel(h.t.Context(), h.channel)
	if err != nil {
		h.t.Fatal(err)
	}
	driver, _ := connectors.Lookup("mock")
	opened, err := driver.Unseal(seal, c.Settings)
	if err != nil {
		return string(c.Settings), err.Error()
	}
	var of struct{ Secret string }
	if err := json.Unmarshal(opened, &of); err != nil {
		h.t.Fatal(err)
	}
	return string(c.Settings), of.Secret
}

// grep names the files below a folder that hold one of the canaries.
func (h *sealedHouse) grep(dir string) (found []string) {
	h.t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, canary := range []string{canaryOld, canaryNew, canaryHook} {
			if bytes.Contains(raw, []byte(canary)) {
				found = append(found, filepath.Base(path)+" holds "+canary)
			}
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return found
}

// TestNoFileHasASecretOfAChannel: what an older version kept as it was typed is sealed at
// the first start, and what is typed from then on at once; neither the database nor its log
// nor a backup holds any of it, and channels are opened with it as before.
func TestNoFileHasASecretOfAChannel(t *testing.T) {
	h := newSealedHouse(t)
	if found := h.grep(h.dir); len(found) == 0 {
		t.Fatal("the older version kept nothing that could be found")
	}
	e := h.open(zap.NewNop())
	seal, err := openSeal(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	if settings, secret := h.kept(e, seal); secret != canaryOld || strings.Contains(settings, canaryOld) {
		t.Errorf("kept are %s, used is %q", settings, secret)
	}
	sealed, err := e.Engine.Seal("mock", nil, []byte(`{"url":"http://127.0.0.1:9","hotel":"H2","secret":"`+canaryNew+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.Ledger.CreateChannel(t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
		PropertyID: h.property, Connector: "mock", Name: "New", Status: hotel.Draft, Account: "mock:new", Schedule: "@every 1h", Settings: sealed,
	}); err != nil {
		t.Fatal(err)
	}
	if c, err := e.Engine.Configure("mock", sealed); err != nil || strings.Contains(string(c.Shown), "sealed:") || strings.Contains(string(c.Shown), canaryNew) {
		t.Errorf("shown is %s, %v", c.Shown, err)
	}
	if found := h.grep(h.dir); len(found) > 0 {
		t.Errorf("while the ledger is open: %q", found)
	}
	h.stop(e)
	to := t.TempDir()
	if _, err := Backup(t.Context(), BackupOptions{File: h.file, To: filepath.Join(to, "a.db"), Report: func(string, float64) {}}); err != nil {
		t.Fatal(err)
	}
	if found := append(h.grep(h.dir), h.grep(to)...); len(found) > 0 {
		t.Errorf("afterwards: %q", found)
	}
}

// TestSealKeyIsRotated: everything is sealed with a fresh key, and the one of before opens
// nothing any more; a rotation that is cut off leaves what every start and the next one go
// on with.
func TestSealKeyIsRotated(t *testing.T) {
	h := newSealedHouse(t)
	h.stop(h.open(zap.NewNop()))
	before, err := sealKeys(filepath.Join(h.dir, sealFile))
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(h.file)
	if err != nil {
		t.Fatal(err)
	}
	// Cut off once the fresh key was written, before anything was sealed with it.
	if err := writeSealKeys(filepath.Join(h.dir, sealFile), append([][32]byte{newSealKey()}, before...)); err != nil {
		t.Fatal(err)
	}
	if err := RotateSealKey(t.Context(), c, zap.NewNop()); err != nil {
		t.Fatal(err)
	}
	after, err := sealKeys(filepath.Join(h.dir, sealFile))
	if err != nil || len(after) != 1 || slices.Contains(before, after[0]) {
		t.Fatalf("%d keys, %v", len(after), err)
	}
	core, logged := observer.New(zap.InfoLevel)
	e := h.open(zap.New(core))
	if _, secret := h.kept(e, auth.NewSeal(after[0])); secret != canaryOld {
		t.Errorf("with the fresh key its secret is %q", secret)
	}
	if _, secret := h.kept(e, auth.NewSeal(before[0])); secret == canaryOld {
		t.Error("the key of before still opens it")
	}
	endpoint, err := e.Ledger.WebhookEndpoint(t.Context(), h.endpoint)
	if err != nil {
		t.Fatal(err)
	}
	for what, sealed := range map[string][]byte{"secret": endpoint.Secrets[0].Sealed, "headers": endpoint.Headers} {
		if !auth.NewSeal(after[0]).Current(sealed, endpoint.ClientID) {
			t.Errorf("the webhook's %s is not sealed with the fresh key", what)
		}
	}
	h.stop(e)
	if logged.Len() > 0 {
		t.Errorf("the start after it says %+v", logged.All())
	}
}

// TestKeyOfTheConfiguration takes the place of the data folder's, which still opens what it
// has sealed, and everything is sealed with the first of its lines.
func TestKeyOfTheConfiguration(t *testing.T) {
	h := newSealedHouse(t)
	h.stop(h.open(zap.NewNop()))
	key := filepath.Join(filepath.Dir(h.dir), "seal")
	write(t, key, NewSealKey())
	write(t, h.file, "data = \""+h.dir+"\"\n[ledger]\nseal_key = \"seal\"\n[secrets]\nseal = \""+key+"\"\n")
	h.stop(h.open(zap.NewNop()))
	if err := os.Remove(filepath.Join(h.dir, sealFile)); err != nil {
		t.Fatal(err)
	}
	keys, err := sealKeys(key)
	if err != nil {
		t.Fatal(err)
	}
	e := h.open(zap.NewNop())
	if _, secret := h.kept(e, auth.NewSeal(keys[0])); secret != canaryOld {
		t.Errorf("with the key of the configuration its secret is %q", secret)
	}
	h.stop(e)
	c, err := config.Load(h.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := RotateSealKey(t.Context(), c, zap.NewNop()); err == nil || !strings.Contains(err.Error(), "in front of those there") {
		t.Errorf("a rotation here: %v", err)
	}
}

// TestRestoringWithAnotherKey says whose secrets cannot be used, as does every start until
// the key is put back.
func TestRestoringWithAnotherKey(t *testing.T) {
	h := newSealedHouse(t)
	h.stop(h.open(zap.NewNop()))
	to := filepath.Join(t.TempDir(), "a.db")
	if _, err := Backup(t.Context(), BackupOptions{File: h.file, To: to, Report: func(string, float64) {}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(h.dir, sealFile)
	then, err := sealKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	r, err := Restore(t.Context(), RestoreOptions{File: h.file, Backup: to, Operator: "me", Log: zap.NewNop(), Report: func(string, float64) {}})
	want := []string{"channel " + h.channel, "webhook endpoint " + h.endpoint}
	if err != nil || !slices.Equal(r.Sealed, want) {
		t.Fatalf("the restore names %q, %v, want %q", r.Sealed, err, want)
	}
	core, logged := observer.New(zap.ErrorLevel)
	e := h.open(zap.New(core))
	if logged.FilterMessageSnippet("another key than this installation's").Len() != 1 {
		t.Errorf("the start says %+v", logged.All())
	}
	h.stop(e)
	now, err := sealKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeSealKeys(path, append(now, then...)); err != nil {
		t.Fatal(err)
	}
	e = h.open(zap.NewNop())
	if _, secret := h.kept(e, auth.NewSeal(now[0])); secret != canaryOld {
		t.Errorf("with the key put back its secret is %q", secret)
	}
	h.stop(e)
}

// TestRotationKeepsTheKeysThatAreNeeded: what can be is sealed with the fresh key, beside a
// secret of the same channel that no key opens; while that, or one of a connector that is
// not in this program, is left, no key goes.
func TestRotationKeepsTheKeysThatAreNeeded(t *testing.T) {
	h := newSealedHouse(t)
	h.stop(h.open(zap.NewNop()))
	path := filepath.Join(h.dir, sealFile)
	before, err := sealKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	driver, _ := connectors.Lookup("process")
	sealed := func(s connectors.Sealer, was, is string) string {
		t.Helper()
		out, err := driver.Seal(s, json.RawMessage(was), json.RawMessage(is))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	first := sealed(auth.NewSeal(newSealKey()), "{}", `{"program":"p","secrets":{"a":"lost"}}`)
	both := strings.Replace(first, `"secrets":{`, `"secrets":{"b":"`+canaryNew+`",`, 1)
	both = sealed(auth.NewSeal(before[0]), first, both)
	channel := func(id, connector, settings string) {
		inLedger(t, h.dir, func(l *ledger.Ledger) error {
			_, _, err := l.CreateChannel(t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
				Entity: hotel.Entity{ID: id}, PropertyID: h.property, Connector: connector, Name: id, Status: hotel.Draft, Account: id, Schedule: "@every 1h", Settings: []byte(settings),
			})
			return err
		})
	}
	settings := func(id string) (now json.RawMessage) {
		inLedger(t, h.dir, func(l *ledger.Ledger) error {
			c, err := l.Channel(t.Context(), id)
			now = c.Settings
			return err
		})
		return now
	}
	change := func(id, to string) {
		inLedger(t, h.dir, func(l *ledger.Ledger) error {
			_, _, err := l.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, id, 0, func(c *hotel.Channel) error {
				c.Settings = []byte(to)
				return nil
			})
			return err
		})
	}
	c, err := config.Load(h.file)
	if err != nil {
		t.Fatal(err)
	}
	rotate := func(names string, keys int) [][32]byte {
		t.Helper()
		err := RotateSealKey(t.Context(), c, zap.NewNop())
		if (err == nil) != (names == "") || err != nil && !strings.Contains(err.Error(), names) {
			t.Errorf("the rotation says %v, want %q", err, names)
		}
		now, err := sealKeys(path)
		if err != nil || len(now) != keys {
			t.Fatalf("%d keys, %v, want %d", len(now), err, keys)
		}
		return now
	}
	channel("half", "process", both)
	now := rotate("channel half", 2)
	var of struct{ Secrets map[string]string }
	opened := strings.Replace(string(settings("half")), first[strings.Index(first, `"a":`):strings.LastIndex(first, `}}`)], `"a":""`, 1)
	raw, err := driver.Unseal(auth.NewSeal(now[0]), json.RawMessage(opened))
	if err != nil || json.Unmarshal(raw, &of) != nil || of.Secrets["b"] != canaryNew {
		t.Errorf("with the fresh key alone the secret beside it is %v, %v", of.Secrets, err)
	}
	change("half", `{"program":"p"}`)
	channel("foreign", "nowhere", `{"key":"sealed:abc"}`)
	rotate("channel foreign", 3)
	change("foreign", `{"key":"k"}`)
	rotate("", 1)
}

// TestEarlierKeysStayForSandboxes that cannot be sealed anew: those keep neither production
// nor one another from it, and the log names them and lets no key go.
func TestEarlierKeysStayForSandboxes(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	for _, name := range []string{"broken", "sound", "open"} {
		leave := e.inside(name)
		leave()
	}
	e.stop()
	e.start()
	defer e.inside("open")()
	broken := filepath.Join(sandboxFolder(sandboxesPath(e.dir), hotel.Sandbox{ID: "broken", Generation: 1}), "ledger", "sandbox.db")
	whole, err := os.ReadFile(broken)
	if err != nil {
		t.Fatal(err)
	}
	write(t, broken, strings.Repeat("no ledger ", 1000))
	ring := auth.NewSeal([32]byte{1}, [32]byte{})
	look := func() *observer.ObservedLogs {
		core, logged := observer.New(zap.InfoLevel)
		e.env.log, e.env.sandboxes.o.Log = zap.New(core), zap.New(core)
		e.env.sealRest(t.Context(), ring)
		return logged
	}
	logged := look()
	if logged.FilterMessageSnippet("may be taken away").Len() > 0 || logged.FilterMessageSnippet("keep the other lines").Len() != 1 {
		t.Errorf("the log says %+v", logged.All())
	}
	if told := logged.FilterMessageSnippet("not sealed anew").All(); len(told) != 1 || told[0].ContextMap()["sandbox"] != "broken" {
		t.Errorf("of sandboxes it tells %+v", told)
	}
	if logged.FilterMessageSnippet("are sealed anew").FilterField(zap.String("sandbox", "sound")).Len() != 1 {
		t.Errorf("the sandbox behind it is passed by: %+v", logged.All())
	}
	write(t, broken, string(whole))
	if logged := look(); logged.FilterMessageSnippet("may be taken away").Len() != 1 {
		t.Errorf("once it is mended the log says %+v", logged.All())
	}
	e.env.lost = []string{"channel c"}
	if logged := look(); logged.FilterMessageSnippet("may be taken away").Len() > 0 {
		t.Errorf("with a secret of production lost the log says %+v", logged.All())
	}
}

// inside opens a sandbox, and keeps it open until leave is called.
func (e *estate) inside(id string) (leave func()) {
	e.t.Helper()
	_, leave, err := e.env.sandboxes.enter(context.WithoutCancel(e.t.Context()), id)
	if err != nil {
		e.t.Fatal(err)
	}
	return leave
}

// TestPretendChannelsStaySealed: opening a sandbox once more changes nothing of them.
func TestPretendChannelsStaySealed(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	look := func() (revision int64, settings string) {
		t.Helper()
		box, leave, err := e.env.sandboxes.enter(context.WithoutCancel(t.Context()), "s")
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		c, err := box.env.Ledger.Channel(t.Context(), "ch_bravo")
		if err != nil {
			t.Fatal(err)
		}
		return c.Revision, string(c.Settings)
	}
	first, settings := look()
	if !strings.Contains(settings, `"secret":"sealed:`) {
		t.Errorf("kept are %s", settings)
	}
	e.stop()
	e.start()
	if again, same := look(); again != first || same != settings {
		t.Errorf("opened again, revision %d is %d, and kept are %s, were %s", first, again, same, settings)
	}
}
