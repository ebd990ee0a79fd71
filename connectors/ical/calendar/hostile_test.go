package calendar

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// What a calendar costs grows with its length and no faster, whoever has written it.
func TestReadCostsAsMuchAsItIsLong(t *testing.T) {
	const long = 400 << 10
	dates := "\nDTEND;VALUE=DATE:20270108"
	for name, c := range map[string]struct {
		event string
		stays int
	}{
		"a zone with many slashes":         {"DTSTART;TZID=" + strings.Repeat("a/", long/2) + ":20270105T150000" + dates, 0},
		"a zone with many slashes, folded": {"DTSTART;TZID=" + strings.Repeat("a/\n ", long/2) + ":20270105T150000" + dates, 0},
		"many parameters":                  {"DTSTART" + strings.Repeat(";a=b", long/4) + ":20270105" + dates, 0},
		"many parameters of another line":  {"DTSTART:20270105" + dates + "\nX-A" + strings.Repeat(";a=b", long/4) + ":c", 1},
		"a long description":               {"DTSTART:20270105" + dates + "\nDESCRIPTION:" + strings.Repeat("a/", long/2), 1},
	} {
		t.Run(name, func(t *testing.T) {
			body := []byte(whole(c.event))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := Read(t.Context(), body, window(t))
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 32*long {
				t.Errorf("%d bytes are taken for %d", taken, len(body))
			}
			if err != nil || len(got.Events) != c.stays || len(got.LeftOut) != 1-c.stays {
				t.Errorf("read %d stays, left out %d, and %v; want %d", len(got.Events), len(got.LeftOut), err, c.stays)
			}
		})
	}
}

// Zones that a calendar makes up are looked for a few times, and then are the
// property's.
func TestReadManyZones(t *testing.T) {
	var events []string
	for i := range 3 * maxZones {
		events = append(events, fmt.Sprintf("DTSTART;TZID=Atlantis/%d:20270105T150000\nDTEND;VALUE=DATE:20270108\n", i))
	}
	r := reader{ctx: t.Context(), in: window(t), zones: map[string]*time.Location{}}
	for i := range 3 * maxZones {
		r.zoneOf(fmt.Sprintf("Atlantis/%d", i))
	}
	if len(r.zones) > maxZones {
		t.Errorf("%d zones are kept", len(r.zones))
	}
	got, err := Read(t.Context(), []byte(whole(strings.Join(events, "--\n"))), window(t))
	if err != nil || len(got.Events) != len(events) {
		t.Errorf("read %d stays and %v, want %d", len(got.Events), err, len(events))
	}
}

// Rules that lead nowhere for long are followed together as far as it is worth it.
func TestReadManyRules(t *testing.T) {
	const daily = "DTSTART:20080105T000000\nDURATION:PT1H\nRRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7;BYMINUTE=1,2,3;UNTIL=20270110T000000Z\n"
	got, err := Read(t.Context(), []byte(whole(strings.Repeat(daily+"--\n", 5)+"DTSTART:20270105")), window(t))
	if err != nil || len(got.Events) != 1 || len(got.LeftOut) != 5 {
		t.Errorf("read %d stays, left out %d, and %v", len(got.Events), len(got.LeftOut), err)
	}
}

// A rule of very many positions takes a second for each hundred.
func TestReadLongRule(t *testing.T) {
	rule := "FREQ=YEARLY;BYMONTHDAY=1;BYSETPOS=-366" + strings.Repeat(",-366", maxRule/5)
	got, err := Read(t.Context(), []byte(whole("DTSTART:20270105T000000\nDURATION:PT1H\nRRULE:"+rule)), window(t))
	if err != nil || len(got.LeftOut) != 1 || got.LeftOut[0].Problem != errRule.Error() {
		t.Errorf("left out %+v, and %v", got.LeftOut, err)
	}
}

// A calendar of more stays than one listing can have is none.
func TestReadTooManyStays(t *testing.T) {
	body := whole(strings.Repeat("DTSTART:20270105\n--\n", maxStays+1))
	if _, err := Read(t.Context(), []byte(body), window(t)); err == nil || err.Error() != fmt.Sprintf("it has more than %d stays in two years", maxStays) {
		t.Errorf("the error is %v", err)
	}
}

// Whoever has given up is not kept waiting.
func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, []byte(whole("DTSTART:20270105")), window(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
