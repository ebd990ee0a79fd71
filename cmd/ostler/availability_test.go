package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/internal/testkit"
)

// seedRequest asks for the two nights of the seed's example, far ahead.
func seedRequest() map[string]string {
	return map[string]string{
		"property_id": property, "check_in": ahead(200).String(), "check_out": ahead(202).String(), "room_type": "deluxe",
	}
}

// firstRequest sends the first request that anybody will send, byte by byte as it
// is written down: a GET with a JSON body.
func firstRequest(t *testing.T, d *demo) {
	asked := seedRequest()
	body, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	want := d.seedAnswer(t)

	t.Run("raw bytes", func(t *testing.T) {
		raw := fmt.Sprintf("GET /v1/availability HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", d.listen, d.token, len(body), body)
		a := exchange(t, d.listen, raw)
		checkSeedAnswer(t, a, want)
		if got := a.header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control of an answer to a body: %q", got)
		}
	})
	t.Run("query string", func(t *testing.T) {
		query := url.Values{}
		for k, v := range asked {
			query.Set(k, v)
		}
		a, err := d.do(http.MethodGet, "/availability?"+query.Encode(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkSeedAnswer(t, a, want)
	})
	t.Run("method QUERY", func(t *testing.T) {
		a, err := d.do("QUERY", "/availability", asked, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkSeedAnswer(t, a, want)
	})
	t.Run("curl", func(t *testing.T) {
		checkSeedAnswer(t, byCurl(t, d.base, d.token, string(body)), want)
	})
	t.Run("curl through nginx", func(t *testing.T) {
		checkSeedAnswer(t, byCurl(t, behindNginx(t, d.listen)+"/v1", d.token, string(body)), want)
	})
	t.Run("a room that is not there", func(t *testing.T) {
		other := maps.Clone(asked)
		other["room_type"] = "presidential"
		a, err := d.do(http.MethodGet, "/availability", other, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := a.refusal(); err != nil || a.status != http.StatusUnprocessableEntity || p.Code != "validation_failed" {
			t.Errorf("got %d %s (%v)", a.status, a.body, err)
		}
	})
}

// byCurl sends the first request as the documentation does.
func byCurl(t *testing.T, base, token, body string) answer {
	t.Helper()
	out, err := exec.Command(testkit.Tool(t, "curl"), "--silent", "--include", "--noproxy", "*", "-X", "GET", "-H", "Authorization: Bearer "+token,
		"-H", "Content-Type: application/json", "-d", body, base+"/availability").Output()
	if err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, bytes.NewReader(out))
}

// behindNginx puts an nginx as it comes in front of an address, and returns its own.
func behindNginx(t *testing.T, address string) string {
	t.Helper()
	nginx := testkit.Tool(t, "nginx")
	spare, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	front := spare.Addr().String()
	_ = spare.Close()
	dir := t.TempDir()
	config := fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	server { listen %[2]s; location / { proxy_pass http://%[3]s; } }
}`, dir, front, address)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	run := exec.Command(nginx, "-p", dir, "-c", file)
	run.Stderr = &said
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	t.Cleanup(func() {
		_ = run.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("nginx: %v\n%s", err, &said)
		}
	})
	eventually(t, patience, 20*time.Millisecond, func() error {
		conn, err := net.Dial("tcp", front)
		if err == nil {
			return conn.Close()
		}
		select {
		case end := <-ended:
			ended <- end
			t.Fatalf("nginx: %v\n%s", end, &said)
		default:
		}
		return err
	})
	return "http://" + front
}

// seedAnswer returns the whole body that is due: eight rooms, and the cheapest
// plan that sells two nights, computed from the prices.
func (d *demo) seedAnswer(t *testing.T) string {
	t.Helper()
	h := d.mustHouse(t)
	cells, err := list[priceCell](&d.client, "/rates", url.Values{
		"property_id": {property}, "room_type_id": {h.room("deluxe")}, "date_from": {ahead(200).String()}, "date_to": {ahead(201).String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	total := map[string]float64{} // whole euros, which a float holds exactly
	for _, c := range cells {
		var amount float64
		if _, err := fmt.Sscanf(c.Amount.Amount, "%g", &amount); err != nil {
			t.Fatal(err)
		}
		total[c.RatePlanID] += amount
	}
	delete(total, h.plan("long")) // sells four nights or more
	rate := slices.Min(slices.Collect(maps.Values(total))) / 2
	return fmt.Sprintf(`{"status":"success","property_id":%q,"available":true,"rooms":[{"type":"Deluxe","available":8,"rate":%g}]}`, property, rate)
}

// checkSeedAnswer compares every member and the way each value is written.
func checkSeedAnswer(t *testing.T, a answer, want string) {
	t.Helper()
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("got %d %s: %s", a.status, a.header.Get("Content-Type"), a.body)
	}
	if diff := cmp.Diff(members(t, []byte(want)), members(t, a.body)); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

// members decodes JSON with its numbers as they are written.
func members(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

// exchange writes bytes to an address and reads the one answer.
func exchange(t *testing.T, address, request string) answer {
	t.Helper()
	conn, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(conn, strings.NewReader(request)); err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, conn)
}

func readAnswer(t *testing.T, r io.Reader) answer {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(r), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, raw}
}
