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
