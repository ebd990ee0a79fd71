package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// businessDay is a time on the day that the house is at, which is yesterday until its day rolls.
func businessDay(t *testing.T) time.Time {
	t.Helper()
	house := ours(t, "GET", "properties/"+running.Property, "")
	zone, err := time.LoadLocation(house["time_zone"].(string))
	if err != nil {
		t.Fatal(err)
	}
	rolls, err := time.Parse("15:04", house["day_roll_time"].(string))
	if err != nil {
		t.Fatal(err)
	}
	return time.Now().In(zone).Add(-time.Duration(rolls.Hour()*60+rolls.Minute()) * time.Minute)
}

// taken is a booking that was taken elsewhere, of the house's first room type. Its days are
// counted from the day that the house is at.
func taken(t *testing.T, last, status string, from, to int) (id string) {
	t.Helper()
	first := func(of string) string {
		return ours(t, "GET", of+"?property_id="+running.Property, "")["data"].([]any)[0].(map[string]any)["id"].(string)
	}
	today := businessDay(t)
	day := func(n int) string { return today.AddDate(0, 0, n).Format(time.DateOnly) }
	body, err := json.Marshal(map[string]any{"property_id": running.Property, "rows": []any{map[string]any{
		"status": status, "room_type_id": first("room-types"), "rate_plan_id": first("rate-plans"), "check_in": day(from), "check_out": day(to), "adults": 2,
		"guest": map[string]any{"last_name": last, "first_name": "Mary"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	row := ours(t, "POST", "imports/reservations", string(body))["results"].([]any)[0].(map[string]any)
	id, ok := row["reservation_id"].(string)
	if !ok {
		t.Fatalf("imported is %v", row)
	}
	return id
}

// A guest gets another room type and a night more, arrives, and leaves. Of another it is assumed
// that he has come, as the day moved on: he has not.
func TestAStay(t *testing.T) {
	name := fmt.Sprint("Shelley ", time.Now().Unix())
	do(t, chromedp.Navigate(page("reservations/"+taken(t, name, "confirmed", 0, 2))), chromedp.WaitVisible("#change form"))
	moved := ask(t, chromedp.Evaluate[string](`(() => {
		const form = document.querySelector("#change form"), room = form.elements.room_type_id, out = form.elements.check_out;
		room.selectedIndex = (room.selectedIndex + 1) % room.length;
		out.value = new Date(Date.parse(out.value) + 864e5).toISOString().slice(0, 10);
		form.elements.room_number.value = "204";
		form.elements.notes.value = "Comes late";
		return room.selectedOptions[0].textContent;
	})()`))
	press(t, "#change .primary")
	if says := text(t, "#booking"); !strings.Contains(says, moved) || !strings.Contains(says, "204") || !strings.Contains(says, "3 nights") || !strings.Contains(says, "Comes late") {
		t.Errorf("moved to %s for a night more, the booking says %q", moved, says)
	}
	if says := text(t, "#history li"); !strings.Contains(says, moved) {
		t.Errorf("its history says %q of it", says)
	}
	press(t, `#steps form[action$="/step/check-in"] .primary`)
	look(t, "reservation-in-house")
	press(t, `#steps form[action$="/step/check-out"] .primary`)
	press(t, `#steps form[action$="/step/undo-check-out"] button`)
	press(t, `#steps form[action$="/step/check-out"] .primary`)
	if says := text(t, "#heading"); !strings.Contains(says, "departed") {
		t.Errorf("checked out, the booking says %q", says)
	}

	do(t, chromedp.Navigate(page("reservations/"+taken(t, name, "checked_in", -1, 2))), chromedp.WaitVisible("#steps"))
	never := `#steps details:has(form[action$="/step/no-show"])`
	do(t, chromedp.Click(never+" summary"), chromedp.WaitVisible(never+" .danger"), chromedp.Click(never+" [name=charge]"))
	press(t, never+" .danger")
	look(t, "reservation-no-show")
	if says := text(t, "#heading"); !strings.Contains(says, "did not come") {
		t.Errorf("the guest never came, the booking says %q", says)
	}
}
