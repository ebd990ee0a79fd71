package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// ours calls the API as the demo's client of production, and returns the answer.
func ours(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	client := running.Clients["production"]
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {client.ID}, "client_secret": {client.Secret}}
	answer, err := http.PostForm(running.Console+"v1/oauth/token", form)
	if err != nil {
		t.Fatal(err)
	}
	var token struct {
		Access string `json:"access_token"`
	}
	err = json.NewDecoder(answer.Body).Decode(&token)
	answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(method, running.Console+"v1/"+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token.Access)
	r.Header.Set("Content-Type", "application/json")
	if answer, err = http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || answer.StatusCode >= 400 {
		t.Fatalf("%s %s: %d %v %v", method, path, answer.StatusCode, got, err)
	}
	return got
}

// installation is a program of its own with an empty ledger, and the link by which its owner,
// whom nobody has given a house yet, signs in.
func installation(t *testing.T) (link string) {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "ostler.toml")
	text := fmt.Sprintf("data = %q\n[api]\nlisten = \"127.0.0.1:0\"\n[inbound]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n", filepath.Join(folder, "data"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ostler := func(args ...string) *exec.Cmd {
		return exec.Command(filepath.Join("..", "bin", "ostler"), append(args, "--config", file)...)
	}
	must := func(args ...string) string {
		said, err := ostler(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("ostler %v: %v\n%s", args, err, said)
		}
		return strings.TrimSpace(string(said))
	}
	must("init")
	serve := ostler("serve")
	said, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Kill()
		_ = serve.Wait()
	})
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), `"started"`) {
	}
	go func() {
		for lines.Scan() { // else it would wait for a reader
		}
	}()
	must("user", "add", "first@example.org", "--role", "owner", "--no-password")
	return must("user", "link", "first@example.org")
}

// Somebody of two houses chooses one; the owner of a program without any, who comes by a link,
// is told so. Then the owner of the demo is back.
func TestLobby(t *testing.T) {
	second := fmt.Sprint("lake_", time.Now().Unix()) // a house that an earlier run has archived is another
	ours(t, http.MethodPost, "properties", `{"id": "`+second+`", "name": "Lake House", "currency": "EUR", "time_zone": "Europe/Rome", "country": "IT", "address": {"city": "Como"}}`)
	t.Cleanup(func() { ours(t, http.MethodPost, "properties/"+second+"/archive", `{}`) })
	do(t, chromedp.Navigate(running.Console), chromedp.WaitVisible(`a.row[href="/p/`+second+`/today"]`))
	lookFar(t, "lobby")
	do(t, chromedp.Click(`a.row[href="/p/`+second+`/today"]`), chromedp.WaitVisible("#figures"))
	look(t, "today-empty")
	do(t, chromedp.Navigate(running.Console+"p/nowhere/today"), chromedp.WaitVisible(".gate .button"))
	look(t, "problem")

	do(t, chromedp.Navigate(installation(t)), chromedp.WaitVisible(".gate .primary"))
	look(t, "sign-in-link")
	do(t, chromedp.Click(".gate .primary"), chromedp.WaitVisible("main .none"))
	lookFar(t, "lobby-empty")
	do(t, chromedp.Navigate(running.Console), chromedp.WaitVisible("#password")) // the cookie of one port is that of all
	signIn(t)
}
