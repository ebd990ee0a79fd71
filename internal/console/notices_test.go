package console

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// told are the notifications of the house as they are stored.
func (s *site) told(t *testing.T) hotel.Notifications {
	t.Helper()
	n := s.houseNow(t).Notifications
	if n == nil {
		return hotel.Notifications{}
	}
	return *n
}

// Somebody is told of things, of others, and of nothing any more.
func TestRecipientsAreNamed(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	page := s.path("house/notifications")
	add := func(fields url.Values) reply {
		t.Helper()
		form := formOf(t, b.get(page).body, page)
		maps.Copy(form, fields)
		form.Set("act", "save")
		return b.post(page, form)
	}
	shows(t, b.get(s.path("house")).body, `href="`+page+`"`)
	shows(t, b.get(page).body, catalogue["en"]["notices.nobody"])
	add(url.Values{"name": {"Pager"}, "url": {"https://alerts.example/hook"}, "events": {"oversell", "backup_failed"}})
	seen := formOf(t, b.get(page).body, page) // of the first form of the page, which is the Pager's
	if seen.Get("at") != "0" || seen.Get("url") != "https://alerts.example/hook" || !slices.Equal(seen["events"], []string{"oversell", "backup_failed"}) {
		t.Errorf("the form is filled in with %v", seen)
	}
	shows(t, b.get(page).body, catalogue["en"]["notices.untold"])
	if untold := b.get(page).body; strings.Contains(untold[:strings.Index(untold, "<section")], catalogue["en"]["notice.oversell"]) {
		t.Error("nobody is said to be told of what the Pager is told of")
	}
	fresh := url.Values{"revision": seen["revision"], "name": {"Desk"}, "email": {"desk@hotel.example"}, "language": {"de"}, "digest": {"true"}, "act": {"save"}}
	shows(t, b.post(page, fresh).body, catalogue["en"]["done.saved"], "desk@hotel.example", catalogue["en"]["notices.no_events"])
	want := []hotel.Recipient{
		{Name: "Pager", URL: "https://alerts.example/hook", Language: "en", Events: []hotel.NoticeKind{hotel.NoticeOversell, hotel.NoticeBackupFailed}},
		{Name: "Desk", Email: "desk@hotel.example", Language: "de", Digest: true},
	}
	same := func(a, b hotel.Recipient) bool {
		return a.Name == b.Name && a.URL == b.URL && a.Email == b.Email && a.Language == b.Language && a.Digest == b.Digest && a.Heartbeat == b.Heartbeat && slices.Equal(a.Events, b.Events)
	}
	if got := s.told(t).Recipients; !slices.EqualFunc(got, want, same) {
		t.Fatalf("there are %+v, want %+v", got, want)
	}

	// A form that was shown before another's was stored writes over nothing.
	if r := b.post(page, fresh); r.status != http.StatusPreconditionFailed && r.status != http.StatusConflict || len(s.told(t).Recipients) != 2 {
		t.Errorf("an old form is answered with %d", r.status)
	}
	change := formOf(t, b.get(page).body, page)
	change.Set("heartbeat", "true")
	change["events"] = []string{"oversell"}
	b.post(page, change)
	if got := s.told(t).Recipients[0]; !got.Heartbeat || !slices.Equal(got.Events, []hotel.NoticeKind{hotel.NoticeOversell}) {
		t.Errorf("changed, the Pager is %+v", got)
	}
	gone := formOf(t, b.get(page).body, page)
	gone.Set("act", "remove")
	b.post(page, gone)
	if got := s.told(t).Recipients; len(got) != 1 || got[0].Name != "Desk" {
		t.Errorf("there are still %+v", got)
	}
}

// Whatever people can be told of is called something in every language.
func TestEveryKindOfNoticeHasAName(t *testing.T) {
	for language, texts := range catalogue {
		for _, kind := range hotel.NoticeKinds {
			if texts["notice."+string(kind)] == "" {
				t.Errorf("%s has no word for %s", language, kind)
			}
		}
	}
}

// What cannot be is said by the name that the field has on the form, in the language of the
// page, and what was typed is there still.
func TestRecipientsThatCannotBe(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	page := s.path("house/notifications")
	for name, c := range map[string]struct {
		set  url.Values
		want string
	}{
		"no address":   {url.Values{}, "Indirizzo e-mail: "},
		"two of them":  {url.Values{"email": {"a@b.example"}, "url": {"https://x.example"}}, "Indirizzo e-mail: "},
		"not a mail's": {url.Values{"email": {"nobody"}}, "Indirizzo e-mail: "},
		"not a web's":  {url.Values{"url": {"ftp://x.example"}}, "Oppure un indirizzo da chiamare: "},
		"an event":     {url.Values{"email": {"a@b.example"}, "events": {"rain"}}, "Viene informato di: "},
	} {
		t.Run(name, func(t *testing.T) {
			form := formOf(t, b.get(page).body, page)
			maps.Copy(form, c.set)
			form.Set("name", "Ada")
			r := b.do(http.MethodPost, page, form, http.Header{"Accept-Language": {"it"}})
			if r.status != http.StatusUnprocessableEntity {
				t.Fatalf("answered with %d", r.status)
			}
			shows(t, r.body, `role="alert">`+c.want, `value="Ada"`)
		})
	}
	if got := s.told(t); len(got.Recipients) != 0 {
		t.Errorf("something was stored: %+v", got)
	}
}

// The time of day and the sheet are set on the same page, and the sheet is taken back by
// emptying its folder.
func TestDigestTimeAndSheetAreSet(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	page, path := s.path("house/notifications"), s.path("house/notifications/times")
	form := formOf(t, b.get(page).body, path)
	if form.Get("digest_time") != hotel.DefaultDigestTime || form.Get("sheet.folder") != "" {
		t.Errorf("the form is filled in with %v", form)
	}
	form.Set("sheet.every_minutes", "30")
	if r := b.post(path, form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, `role="alert">`+catalogue["en"]["notices.sheet.folder"]+": ") {
		t.Errorf("without a folder: %d", r.status)
	}
	form.Set("digest_time", "06:15")
	form.Set("sheet.folder", "front-desk")
	form.Set("sheet.formats", "csv")
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	if got := s.told(t); got.DigestTime != "06:15" || got.Sheet == nil || got.Sheet.Folder != "front-desk" || got.Sheet.EveryMinutes != 30 || !slices.Equal(got.Sheet.Formats, []hotel.SheetFormat{hotel.SheetCSV}) {
		t.Errorf("stored are %+v with %+v", got, got.Sheet)
	}
	form = formOf(t, b.get(page).body, path)
	if form.Get("sheet.formats") != "csv" || form.Get("sheet.every_minutes") != "30" {
		t.Errorf("the form is filled in with %v", form)
	}
	form.Set("sheet.folder", "")
	b.post(path, form)
	if got := s.told(t); got.Sheet != nil || got.DigestTime != "06:15" {
		t.Errorf("taken back, there are %+v with %+v", got, got.Sheet)
	}
}

// The page says which messages wait and what people were told of that lasts, and that it
// was shown to somebody is written down.
func TestWhatPeopleAreToldIsSeen(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	b := s.as(t, "owner")
	page := s.path("house/notifications")
	form := formOf(t, b.get(page).body, page)
	form.Set("name", "Front desk")
	form.Set("email", "desk@hotel.example")
	b.post(page, form)
	since := s.clock.Now().Add(-time.Hour)
	err := s.l.Notify(t.Context(), s.house.Property.ID, hotel.NoticeStep{
		Through: 1, Told: []hotel.Notice{
			{Cause: "channel_stale/ch_1", Kind: hotel.NoticeChannelStale, Since: since, Told: s.clock.Now()},
			{Cause: "oversell/con_1", Kind: hotel.NoticeOversell, Since: since, Told: s.clock.Now()},
			{Cause: "expiring/secret sec_1 cl_1 2026-12-05 The <PMS>", Kind: hotel.NoticeExpiring, Since: since, Told: s.clock.Now()},
		},
		Mail: []hotel.NoticeMail{{To: "desk@hotel.example", Form: hotel.FormEvents, Items: []hotel.NoticeItem{{Kind: hotel.NoticeChannelStale, Phase: hotel.NoticeNew, Subject: "ch_1"}}}, {To: "gone@hotel.example", Form: hotel.FormDigest}},
	})
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := s.l.WaitingMail(t.Context(), s.house.Property.ID, 10)
	if err != nil || len(waiting) != 2 {
		t.Fatalf("%d messages wait: %v", len(waiting), err)
	}
	for range 2 {
		if err := s.l.DelayMail(t.Context(), waiting[0].ID, s.clock.Now().Add(2*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	w := wordsIn("en")
	shows(t, b.get(page).body,
		`href="`+s.path("channels/ch_1")+`">`+w.T("notice.channel_stale"), `href="`+s.path("conflicts/con_1")+`">`+w.T("notice.oversell"), "Secret of The &lt;PMS&gt;, Sat 5 Dec 2026",
		"<strong>Front desk</strong>", "<strong>gone@hotel.example</strong>", w.count("notices.tried", 2), w.T("notices.leaving"))
	if got := s.shownTo(t, s.house.Property.ID); got != "console.notifications" {
		t.Errorf("that recipients were shown is written down as %q", got)
	}
}

// Whoever may change nothing reads who is told of what.
func TestNotificationsAreReadByOthers(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "front_desk")
	page := s.path("house/notifications")
	seen := b.get(page)
	if seen.status != http.StatusOK || strings.Contains(seen.body, `id="add"`) || strings.Contains(seen.body, `name="events"`) {
		t.Errorf("answered with %d, or a form can be sent", seen.status)
	}
	form := url.Values{"revision": {"1"}, "name": {"Ada"}, "email": {"a@b.example"}}
	for _, to := range []string{page, page + "/times"} {
		if r := b.post(to, form); r.status != http.StatusForbidden {
			t.Errorf("%s is answered with %d", to, r.status)
		}
	}
}
