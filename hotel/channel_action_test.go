package hotel

import (
	"testing"
	"time"
)

func TestDeadlineOfAnAction(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	r := &Reservation{Stay: Stay{CheckIn: DateOf(2026, 11, 20), CheckOut: DateOf(2026, 11, 24)}, HoldExpires: now.Add(20 * time.Minute)}
	for name, c := range map[string]struct {
		terms ActionTerms
		want  time.Time
	}{
		"an hour where nothing is said":              {ActionTerms{Kind: ActionCancel}, now.Add(time.Hour)},
		"as long as it says":                         {ActionTerms{Kind: ActionShorten, Answers: 3 * time.Hour}, now.Add(3 * time.Hour)},
		"no longer than the request itself":          {ActionTerms{Kind: ActionConfirm}, now.Add(20 * time.Minute)},
		"nor to decline it":                          {ActionTerms{Kind: ActionDecline, Answers: time.Minute}, now.Add(time.Minute)},
		"a no-show at any time":                      {ActionTerms{Kind: ActionNoShow}, now.Add(time.Hour)},
		"a no-show until the channel takes no more":  {ActionTerms{Kind: ActionNoShow, Within: 48 * time.Hour, Answers: 20 * time.Hour}, time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)},
		"a no-show that the channel takes no longer": {ActionTerms{Kind: ActionNoShow, Within: 24 * time.Hour}, time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC)},
	} {
		if got := c.terms.Deadline(now, r, zone); !got.Equal(c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
