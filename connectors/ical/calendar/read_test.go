package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// window is how the tests read: a house in Vienna, from New Year of 2027 on.
func window(t testing.TB) Reading {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	return Reading{Zone: zone, From: hotel.DateOf(2027, 1, 1), To: hotel.DateOf(2029, 1, 1)}
}

// whole makes a calendar of the lines of events, each of which is closed by "--".
func whole(lines string) string {
	var out strings.Builder
	out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for event := range strings.SplitSeq(strings.TrimSpace(lines), "--\n") {
		out.WriteString("BEGIN:VEVENT\r\n" + strings.ReplaceAll(strings.TrimSpace(event), "\n", "\r\n") + "\r\nEND:VEVENT\r\n")
	}
	return out.String() + "END:VCALENDAR\r\n"
}

// told is an event in a line.
func told(e Event) string {
	words := []string{fmt.Sprintf("%s %s..%s", e.Kind, e.Stay.CheckIn, e.Stay.CheckOut)}
	for name, value := range map[string]string{"code": e.Code} {
		if value != "" {
			words = append(words, name+"="+value)
		}
	}
	if e.Guest != "" {
		words = append(words, "guest="+e.Guest)
	}
	if e.Tentative {
		words = append(words, "tentative")
	}
	return strings.Join(words, " ")
}

func TestReadKinds(t *testing.T) {
	const dates = "\nDTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270108"
	const stay = " 2027-01-05..2027-01-08"
	for name, c := range map[string]struct{ event, want string }{
		"a reservation with its number, folded within a word": {
			"SUMMARY:Reserved\nDESCRIPTION:Reservation URL: https://www.airbnb.com/hosting/reserv\n ations/details/HMABCD1234\\nPhone Number (Last 4 D\n igits): 1234", "reservation" + stay + " code=HMABCD1234",
		},
		"a reservation by the address of before": {"SUMMARY:Busy\nDESCRIPTION:https://www.airbnb.com/reservation/itinerary?code=HMZYXW9876", "reservation" + stay + " code=HMZYXW9876"},
		"a guest's first name":                   {"SUMMARY:Reserved - Ann", "reservation" + stay + " guest=Ann"},
		"another language":                       {"SUMMARY:Réservée - Zoé", "reservation" + stay + " guest=Zoé"},
		"a block by the site itself":             {"SUMMARY:Airbnb (Not available)", "block" + stay},
		"a block in another language":            {"SUMMARY:Indisponible", "block" + stay},
		"a block in a third":                     {"SUMMARY:Nicht verfügbar", "block" + stay},
		"a site that does not tell them apart":   {"SUMMARY:CLOSED - Not available", "unclear" + stay},
		"free text":                              {"SUMMARY:Aunt Emma", "unclear" + stay},
		"a word that begins like another":        {"SUMMARY:Reservedness", "unclear" + stay},
		"nothing said":                           {"UID:x", "unclear" + stay},
		"tentative in words":                     {"SUMMARY:Provisoire - Bob", "unclear" + stay + " tentative"},
		"tentative by its status":                {"SUMMARY:Reserved\nSTATUS:TENTATIVE", "reservation" + stay + " tentative"},
		"escaped text":                           {`SUMMARY:Reserved - Ann\, Bob\; and \\`, "reservation" + stay + ` guest=Ann, Bob; and \`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(t.Context(), []byte(whole(c.event+dates)), window(t))
			if err != nil || len(got.Events) != 1 {
				t.Fatalf("read %d events, warnings %v and %v, want 1", len(got.Events), got.Warnings, err)
			}
			if said := told(got.Events[0]); said != c.want {
				t.Errorf("read %s, want %s", said, c.want)
			}
		})
	}
}

func TestReadNights(t *testing.T) {
	for name, c := range map[string]struct{ event, want string }{
		"the end is the day of check-out":                {"DTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270108", "2027-01-05..2027-01-08"},
		"a date that does not say so":                    {"DTSTART:20270105\nDTEND:20270108", "2027-01-05..2027-01-08"},
		"names in lower case":                            {"dtstart;value=date:20270105\ndtend;value=date:20270108", "2027-01-05..2027-01-08"},
		"folded with a tab":                              {"DTSTART;VALUE=DATE:2027\n\t0105\nDTEND:20270108", "2027-01-05..2027-01-08"},
		"no end is one day":                              {"DTSTART;VALUE=DATE:20270105", "2027-01-05..2027-01-06"},
		"a duration":                                     {"DTSTART;VALUE=DATE:20270105\nDURATION:P4D", "2027-01-05..2027-01-09"},
		"a duration of weeks":                            {"DTSTART;VALUE=DATE:20270105\nDURATION:P1W", "2027-01-05..2027-01-12"},
		"a duration of hours":                            {"DTSTART;VALUE=DATE:20270105\nDURATION:PT36H", "2027-01-05..2027-01-07"},
		"check-in and check-out times":                   {"DTSTART:20270105T150000\nDTEND:20270108T100000", "2027-01-05..2027-01-08"},
		"to midnight of the day of check-out":            {"DTSTART:20270105T000000\nDTEND:20270108T000000", "2027-01-05..2027-01-08"},
		"a time of check-in, and a date of check-out":    {"DTSTART:20270105T140000Z\nDTEND;VALUE=DATE:20270108", "2027-01-05..2027-01-08"},
		"a date of check-in, and a time of check-out":    {"DTSTART;VALUE=DATE:20270105\nDTEND:20270108T233000Z", "2027-01-05..2027-01-09"},
		"weekly, from a time to a date":                  {"DTSTART:20270105T140000Z\nDTEND;VALUE=DATE:20270107\nRRULE:FREQ=WEEKLY;COUNT=2", "2027-01-05..2027-01-07, 2027-01-12..2027-01-14"},
		"daily, in an hour that a day has not":           {"DTSTART;TZID=Europe/Vienna:20270327T023000\nDTEND;TZID=Europe/Vienna:20270327T030000\nRRULE:FREQ=DAILY;COUNT=3", "2027-03-27..2027-03-28, 2027-03-28..2027-03-29, 2027-03-29..2027-03-30"},
		"a few hours of one day take its night":          {"DTSTART:20270105T100000\nDTEND:20270105T120000", "2027-01-05..2027-01-06"},
		"in UTC, the evening before here":                {"DTSTART:20270104T230000Z\nDTEND:20270107T230000Z", "2027-01-05..2027-01-08"},
		"in another zone":                                {"DTSTART;TZID=America/New_York:20270104T190000\nDTEND;TZID=America/New_York:20270107T190000", "2027-01-05..2027-01-08"},
		"in a zone of Windows":                           {"DTSTART;TZID=Eastern Standard Time:20270104T190000\nDTEND;TZID=\"Eastern Standard Time\":20270107T190000", "2027-01-05..2027-01-08"},
		"in a zone behind a writer's prefix":             {"DTSTART;TZID=/example.com/20260101/America/New_York:20270104T190000\nDURATION:P3D", "2027-01-05..2027-01-08"},
		"in a zone that nobody knows: here":              {"DTSTART;TZID=Atlantis:20270105T150000\nDTEND;TZID=Atlantis:20270108T100000", "2027-01-05..2027-01-08 (the time zone \"Atlantis\" is not known: the property's is taken)"},
		"over the clocks going forward":                  {"DTSTART:20270327T233000\nDTEND:20270329T010000", "2027-03-27..2027-03-29"},
		"over a leap day":                                {"DTSTART;VALUE=DATE:20280228\nDTEND;VALUE=DATE:20280301", "2028-02-28..2028-03-01"},
		"cancelled takes nothing":                        {"DTSTART;VALUE=DATE:20270105\nSTATUS:CANCELLED", ""},
		"free takes nothing":                             {"DTSTART;VALUE=DATE:20270105\nTRANSP:TRANSPARENT", " (events marked as free, which take no night: 1)"},
		"cancelled, and free":                            {"DTSTART;VALUE=DATE:20270105\nTRANSP:TRANSPARENT\nSTATUS:CANCELLED", ""},
		"no time at all":                                 {"DTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270105", " (event 1 is left out: it takes no time)"},
		"a time without an end":                          {"DTSTART:20270105T100000", " (event 1 is left out: it takes no time)"},
		"backwards":                                      {"DTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270104", " (event 1 is left out: it ends before it begins)"},
		"a day that there is not":                        {"DTSTART;VALUE=DATE:20270229\nDTEND;VALUE=DATE:20270303", " (event 1 is left out: \"20270229\" is no date)"},
		"a negative duration":                            {"DTSTART;VALUE=DATE:20270105\nDURATION:-P1D", " (event 1 is left out: \"-P1D\" is no duration)"},
		"an end that is no property":                     {"DTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE", " (event 1 is left out: its DTEND cannot be read)"},
		"no beginning":                                   {"DTEND;VALUE=DATE:20270105", " (event 1 is left out: it has no beginning)"},
		"over before the window":                         {"DTSTART;VALUE=DATE:20261228\nDTEND;VALUE=DATE:20270101", ""},
		"under way":                                      {"DTSTART;VALUE=DATE:20261228\nDTEND;VALUE=DATE:20270102", "2026-12-28..2027-01-02"},
		"behind the window":                              {"DTSTART;VALUE=DATE:20290101\nDTEND;VALUE=DATE:20290103", ""},
		"a block of years: as far as the window":         {"SUMMARY:Blocked\nDTSTART;VALUE=DATE:20200101\nDTEND;VALUE=DATE:20990101", "2027-01-01..2029-01-01"},
		"weekly":                                         {"DTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270107\nRRULE:FREQ=WEEKLY;COUNT=2", "2027-01-05..2027-01-07, 2027-01-12..2027-01-14"},
		"weekly but for one":                             {"DTSTART;VALUE=DATE:20270105\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;VALUE=DATE:20270112", "2027-01-05..2027-01-06, 2027-01-19..2027-01-20"},
		"weekly, and once more":                          {"DTSTART;VALUE=DATE:20270105\nRRULE:FREQ=WEEKLY;COUNT=1\nRDATE;VALUE=DATE:20270201", "2027-01-05..2027-01-06, 2027-02-01..2027-02-02"},
		"one of a row is moved":                          {"UID:r\nDTSTART;VALUE=DATE:20270105\nRRULE:FREQ=WEEKLY;COUNT=2\n--\nUID:r\nRECURRENCE-ID;VALUE=DATE:20270112\nDTSTART;VALUE=DATE:20270113", "2027-01-05..2027-01-06, 2027-01-13..2027-01-14"},
		"one of a row is cancelled":                      {"UID:r\nDTSTART;VALUE=DATE:20270105\nRRULE:FREQ=WEEKLY;COUNT=2\n--\nUID:r\nRECURRENCE-ID;VALUE=DATE:20270112\nDTSTART;VALUE=DATE:20270112\nSTATUS:CANCELLED", "2027-01-05..2027-01-06"},
		"times of a row keep their hour of the day":      {"DTSTART;TZID=Europe/Vienna:20270326T233000\nDTEND;TZID=Europe/Vienna:20270327T060000\nRRULE:FREQ=DAILY;COUNT=3", "2027-03-26..2027-03-27, 2027-03-27..2027-03-28, 2027-03-28..2027-03-29"},
		"a row keeps its nights when the clocks go back": {"DTSTART;TZID=Europe/Vienna:20271024T000000\nDTEND;TZID=Europe/Vienna:20271026T000000\nRRULE:FREQ=WEEKLY;COUNT=2", "2027-10-24..2027-10-26, 2027-10-31..2027-11-02"},
		"until an hour of its own zone":                  {"DTSTART;TZID=America/New_York:20270105T150000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20270106T150000", "2027-01-05..2027-01-06, 2027-01-06..2027-01-07"},
		"until an hour of UTC":                           {"DTSTART;TZID=America/New_York:20270105T150000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20270106T195959Z", "2027-01-05..2027-01-06"},
		"until the end of a day":                         {"DTSTART;TZID=America/New_York:20270105T150000\nDURATION:PT1H\nRRULE:UNTIL=20270106;FREQ=DAILY", "2027-01-05..2027-01-06, 2027-01-06..2027-01-07"},
		"until a day":                                    {"DTSTART;VALUE=DATE:20270105\nRRULE:FREQ=DAILY;UNTIL=20270106", "2027-01-05..2027-01-06, 2027-01-06..2027-01-07"},
		"for ever: as far as the window":                 {"DTSTART;VALUE=DATE:20270105\nRRULE:FREQ=YEARLY", "2027-01-05..2027-01-06, 2028-01-05..2028-01-06"},
		"every second":                                   {"DTSTART:20270105T100000\nDTEND:20270105T110000\nRRULE:FREQ=SECONDLY", " (event 1 is left out: it repeats within a day)"},
		"a rule that is none":                            {"DTSTART;VALUE=DATE:20270105\nRRULE:FREQ=SOMETIMES", " (event 1 is left out: how it repeats cannot be read)"},
		"one odd event spoils no other":                  {"DTSTART:gibberish\n--\nDTSTART;VALUE=DATE:20270105", "2027-01-05..2027-01-06 (event 1 is left out: \"gibberish\" is no date)"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(t.Context(), []byte(whole(c.event)), window(t))
			if err != nil {
				t.Fatal(err)
			}
			var stays []string
			for _, e := range got.Events {
				stays = append(stays, e.Stay.CheckIn.String()+".."+e.Stay.CheckOut.String())
			}
			said := strings.Join(stays, ", ")
			if len(got.Warnings) > 0 {
				said += " (" + strings.Join(got.Warnings, "; ") + ")"
			}
			if said != c.want {
				t.Errorf("read %s, want %s", said, c.want)
			}
		})
	}
}

// What is marked as free takes its nights where that is to count for nothing.
func TestReadWhatIsMarkedAsFree(t *testing.T) {
	in := window(t)
	in.Free = true
	got, err := Read(t.Context(), []byte(whole("DTSTART;VALUE=DATE:20270105\nTRANSP:TRANSPARENT\n--\nDTSTART;VALUE=DATE:20270107\nTRANSP:TRANSPARENT\nSTATUS:CANCELLED")), in)
	if err != nil || len(got.Events) != 1 || got.Events[0].Stay.CheckIn != hotel.DateOf(2027, 1, 5) || len(got.Warnings) > 0 {
		t.Errorf("read %+v, %v", got, err)
	}
}

// Only a whole calendar counts.
func TestReadWhole(t *testing.T) {
	sound := whole("UID:x\nDTSTART;VALUE=DATE:20270105")
	for name, c := range map[string]struct{ body, want string }{
		"sound":                               {sound, ""},
		"with a byte order mark":              {"\ufeff" + sound, ""},
		"with bare line feeds":                {strings.ReplaceAll(sound, "\r", ""), ""},
		"with blank lines around":             {"\r\n\r\n" + sound + "\r\n", ""},
		"without events":                      {"BEGIN:VCALENDAR\r\nEND:VCALENDAR", ""},
		"two in a row":                        {sound + sound, ""},
		"with an alarm in the event":          {strings.Replace(sound, "END:VEVENT", "BEGIN:VALARM\r\nDTSTART:x\r\nEND:VALARM\r\nEND:VEVENT", 1), ""},
		"with a malformed property":           {strings.Replace(sound, "VERSION", "PRODID;X-RICAL-TZSOURCE=TZINFO:-//Airbnb Inc//EN\r\nVERSION", 1), ""},
		"nothing":                             {"", "there is nothing in it"},
		"a page":                              {"<!DOCTYPE html><html>Log in</html>", "it is no calendar"},
		"cut off within the last event":       {sound[:len(sound)-30], "it breaks off before its end"},
		"cut off and closed by somebody else": {strings.Replace(sound, "END:VEVENT\r\n", "", 1), "an event has no end"},
		"an event within an event":            {strings.Replace(sound, "UID:x", "UID:x\r\nBEGIN:VEVENT", 1), "an event has no end"},
		"far too large":                       {sound + strings.Repeat(" ", maxBytes), fmt.Sprintf("it has more than %d bytes", maxBytes)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(t.Context(), []byte(c.body), window(t))
			if said := fmt.Sprint(err); said != c.want && (err != nil || c.want != "") {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}

// A line is put together in one piece, in however many it comes.
func TestReadFoldedOften(t *testing.T) {
	body := []byte(whole("DTSTART;VALUE=DATE:20270105\nSUMMARY:" + strings.Repeat("\n x", 20000)))
	if n := testing.AllocsPerRun(1, func() { _, _ = lines(body) }); n > 500 {
		t.Errorf("%.0f pieces of memory are taken", n)
	}
}

// A character that is folded in its middle is whole again, as the writers of bytes
// fold.
func TestReadFoldedWithinACharacter(t *testing.T) {
	body := whole("SUMMARY:Reserved - Zo\xc3\n \xa9\nDTSTART;VALUE=DATE:20270105")
	got, err := Read(t.Context(), []byte(body), window(t))
	if err != nil || len(got.Events) != 1 || got.Events[0].Guest != "Zoé" {
		t.Errorf("read %+v and %v", got.Events, err)
	}
}

// A zone that the calendar names itself is the one that it says it is.
func TestReadOwnZones(t *testing.T) {
	body := strings.Replace(whole("DTSTART;TZID=Home:20270104T190000\nDURATION:P3D"), "BEGIN:VEVENT",
		"BEGIN:VTIMEZONE\r\nTZID:Home\r\nX-LIC-LOCATION:America/New_York\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT", 1)
	got, err := Read(t.Context(), []byte(body), window(t))
	if err != nil || len(got.Events) != 1 || got.Events[0].Stay.CheckIn != hotel.DateOf(2027, 1, 5) {
		t.Errorf("read %+v and %v", got.Events, err)
	}
}

// What is written is read as it was, and no line is longer than it may be.
func TestWrittenIsRead(t *testing.T) {
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	busy := []Busy{
		{UID: "double-1-1@ch_1.ostler", Changed: at, Stay: hotel.Stay{CheckIn: hotel.DateOf(2027, 1, 5), CheckOut: hotel.DateOf(2027, 1, 8)}},
		{UID: "double-1-2@" + strings.Repeat("ö,;\\", 40), Sequence: 3, Changed: at, Stay: hotel.Stay{CheckIn: hotel.DateOf(2028, 2, 28), CheckOut: hotel.DateOf(2028, 3, 1)}},
	}
	text := string(Write("Zimmer mit Aussicht, "+strings.Repeat("ü", 80)+"\r\nEND:VCALENDAR", busy))
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > maxLine || strings.ContainsAny(line, "\r\n") || strings.ToValidUTF8(line, "") != line {
			t.Errorf("a line is not as it has to be: %q", line)
		}
	}
	got, err := Read(t.Context(), []byte(text), window(t))
	if err != nil || len(got.Warnings) > 0 {
		t.Fatalf("read with %v and %v", got.Warnings, err)
	}
	var read []Busy
	for i, e := range got.Events {
		read = append(read, Busy{UID: e.UID, Sequence: busy[i].Sequence, Changed: at, Stay: e.Stay})
	}
	if diff := cmp.Diff(busy, read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		whole("UID:x\nSUMMARY:Reserved - Ann\nDTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270108"),
		whole("UID:r\nDTSTART;TZID=Home:20270105T100000\nDURATION:P1DT2H\nRRULE:FREQ=MONTHLY;BYDAY=-1SU,2MO;BYSETPOS=1\nEXDATE:20270212T100000Z\nRDATE;VALUE=PERIOD:20270301T000000Z/P1D"),
		whole("dtstart:20270105\n--\nRECURRENCE-ID:20270105\nDTSTART;X=\"a;b:c\":20270105"),
		"BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Home\nX-LIC-LOCATION:Europe/Paris\nEND:VTIMEZONE\nEND:VCALENDAR",
		"<html>", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n",
	} {
		f.Add([]byte(seed))
	}
	in := window(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := Read(t.Context(), body, in)
		if err != nil && len(got.Events)+len(got.Warnings) > 0 {
			t.Errorf("what does not count says something")
		}
		for _, e := range got.Events {
			if e.Stay.Nights() == 0 || e.Stay.Nights() > maxReservation || e.Stay.CheckOut <= in.From || e.Stay.CheckIn >= in.To {
				t.Errorf("an event of %s..%s is none", e.Stay.CheckIn, e.Stay.CheckOut)
			}
		}
		again, _ := Read(t.Context(), body, in)
		if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("read twice it differs:\n%s", diff)
		}
	})
}
