package main_test

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vitals are what a daemon has, by the name of its metric.
type vitals map[string]float64

// What must not grow with the time that a daemon runs, and by how much it may all the
// same: a tenth, and so much that comes and goes.
var mayNotGrow = []struct {
	metric, name string
	comes        float64
	unit         float64
}{
	{"process_resident_memory_bytes", "MB of memory", 32 << 20, 1 << 20},
	{"go_goroutines", "goroutines", 20, 1},
	{"process_open_fds", "descriptors", 16, 1},
	{`ostler_db_bytes{file="log"}`, "MB of the ledger's log", 16 << 20, 1 << 20},
}

// vitalsAt asks a daemon's address of metrics.
func vitalsAt(c *http.Client, address string) (vitals, error) {
	resp, err := c.Get("http://" + address + "/metrics")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	v := vitals{}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		at := strings.LastIndexByte(lines.Text(), ' ')
		if strings.HasPrefix(lines.Text(), "#") || at < 0 {
			continue
		}
		if v[lines.Text()[:at]], err = strconv.ParseFloat(lines.Text()[at+1:], 64); err != nil {
			return nil, err
		}
	}
	for _, m := range mayNotGrow {
		if _, told := v[m.metric]; !told {
			return nil, fmt.Errorf("%s tells no %s", address, m.metric)
		}
	}
	return v, nil
}

// sum adds a metric over all its labels.
func (v vitals) sum(metric string) (total float64) {
	for name, value := range v {
		if name == metric || strings.HasPrefix(name, metric+"{") {
			total += value
		}
	}
	return total
}

// String tells them.
func (v vitals) String() string {
	var all []string
	for _, m := range mayNotGrow {
		all = append(all, fmt.Sprintf("%.0f %s", v[m.metric]/m.unit, m.name))
	}
	return strings.Join(all, ", ")
}

// quarters returns the medians of the second and of the last quarter.
func quarters(looks []vitals) (early, late vitals) {
	middle := func(part []vitals) vitals {
		v := vitals{}
		for _, m := range mayNotGrow {
			values := slices.SortedFunc(slices.Values(part), func(a, b vitals) int { return cmp.Compare(a[m.metric], b[m.metric]) })
			v[m.metric] = values[len(values)/2][m.metric]
		}
		return v
	}
	return middle(looks[len(looks)/4 : len(looks)/2]), middle(looks[3*len(looks)/4:])
}

// growth says what is more in the last quarter of the looks than it may be, beside the
// second: in the first a daemon warms up.
func growth(looks []vitals) (grows []string) {
	early, late := quarters(looks)
	for _, m := range mayNotGrow {
		if late[m.metric] > early[m.metric]*1.1+m.comes {
			grows = append(grows, fmt.Sprintf("%.0f %s in the second quarter, %.0f in the last", early[m.metric]/m.unit, m.name, late[m.metric]/m.unit))
		}
	}
	return grows
}

// TestALeakIsFound lets each of what may not grow grow slowly, in noise.
func TestALeakIsFound(t *testing.T) {
	t.Parallel()
	steady := vitals{"process_resident_memory_bytes": 200 << 20, "go_goroutines": 150, "process_open_fds": 90, `ostler_db_bytes{file="log"}`: 4 << 20}
	const looks = 60
	course := func(leaks string, by float64) (all []vitals) {
		for n := range looks {
			v := vitals{}
			for metric, usual := range steady {
				v[metric] = usual * (1 + 0.05*math.Sin(float64(7*n)))
			}
			v["process_resident_memory_bytes"] -= float64(max(0, 10-n)) * (10 << 20) // it warms up
			v[leaks] += by * float64(n) / looks
			all = append(all, v)
		}
		return all
	}
	if grows := growth(course("", 0)); len(grows) > 0 {
		t.Errorf("without a leak: %v", grows)
	}
	for metric, by := range map[string]float64{
		"process_resident_memory_bytes": 120 << 20, "go_goroutines": 100, "process_open_fds": 64, `ostler_db_bytes{file="log"}`: 48 << 20,
	} {
		if grows := growth(course(metric, by)); len(grows) != 1 {
			t.Errorf("%s grows by %.0f, and found is %v", metric, by, grows)
		}
	}
}

// TestADaemonsLeakIsFound has a daemon lose descriptors, to connections that nobody closes.
func TestADaemonsLeakIsFound(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	p := begin(t, "serve", "--config", i.file)
	public := await(t, p, "started", 1).PublicURL
	admin := listener(t, p, "admin")
	var looks []vitals
	for range 16 {
		for range 4 {
			c, err := net.Dial("tcp", strings.TrimPrefix(public, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Write([]byte("GET /v1/health HTTP/1.1\r\nHost: ostler\r\n\r\n")); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
		v, err := vitalsAt(i.client.http, admin)
		if err != nil {
			t.Fatal(err)
		}
		looks = append(looks, v)
	}
	if grows := growth(looks); !slices.ContainsFunc(grows, regexp.MustCompile(`^\d+ descriptors in`).MatchString) {
		t.Errorf("four more at each of 16 looks, and found is %v of %v", grows, looks)
	}
	i.client.http.CloseIdleConnections()
}
