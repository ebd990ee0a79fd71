package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// noticesPage is which people of a house are told of what, and how far that has come.
type noticesPage struct {
	Lines   []recipientForm
	New     recipientForm
	Untold  []hotel.NoticeKind // of which nobody is told
	Times   policyForm         // when, and the sheet
	Locked  bool               // the user may see it and change nothing
	Waiting []hotel.NoticeMail
	Told    []noticeTold
}

// recipientForm is somebody who is told, or is to be, with a form to say of what. Fields
// are called as in /v1.
type recipientForm struct {
	form
	mistakes
	hotel.Recipient
	At     string // its place among the others; "": it is new
	Locked bool
}

// Address is where the recipient is reached.
func (r recipientForm) Address() string { return address(r.Recipient) }

func address(r hotel.Recipient) string {
	if r.URL != "" {
		return r.URL
	}
	return r.Email
}

// Kinds are all that people are told of, and Languages those that they are written to in.
func (recipientForm) Kinds() []hotel.NoticeKind { return hotel.NoticeKinds }
func (recipientForm) Languages() []string       { return hotel.NoticeLanguages }

// Hears reports whether the recipient is told of a kind.
func (r recipientForm) Hears(k hotel.NoticeKind) bool { return r.Is("events", string(k)) }

// noticeTold is something that lasts and that people were told of.
type noticeTold struct {
	hotel.Notice
	About string // in words, "" where the kind says it
	Page  string // of the house, on which it stands; "": on none
}

// noticesPage is filled in with what is stored. Recipients are people: that they are shown
// is written down, as of the property that has them.
func (v *visit) noticesPage() (p noticesPage, stored hotel.Notifications, err error) {
	stored, revision, err := v.c.desk.Notifications(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return p, stored, err
	}
	open, waiting, err := v.c.desk.Notices(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return p, stored, err
	}
	if len(stored.Recipients)+len(waiting) > 0 {
		if err := v.noted(v.caller, "console.notifications", []string{v.house.ID}); err != nil {
			return p, stored, err
		}
	}
	p.Locked, p.Waiting = !v.may(auth.PropertiesWrite), waiting
	blank := form{url.Values{"revision": {strconv.FormatInt(revision, 10)}, "language": {v.words.language}}}
	p.New = recipientForm{form: blank, Locked: p.Locked}
	p.Untold = slices.Clone(hotel.NoticeKinds)
	for i, r := range stored.Recipients {
		p.Lines = append(p.Lines, recipientForm{form: recipientValues(r, revision), Recipient: r, At: strconv.Itoa(i), Locked: p.Locked})
		p.Untold = slices.DeleteFunc(p.Untold, func(k hotel.NoticeKind) bool { return slices.Contains(r.Events, k) })
	}
	w := policyWords{v, hotel.Policies{}, "policy.standard"}
	p.Times = policyForm{form: timesOf(stored, revision), To: v.path("house/notifications/times"), Back: v.path("house"), Locked: p.Locked, Groups: w.notices()}
	p.Told, err = v.toldOf(open)
	return p, stored, err
}

// toldOf says what people were told of, and where it stands.
func (v *visit) toldOf(open []hotel.Notice) (list []noticeTold, err error) {
	var names map[string]string
	if len(open) > 0 && v.may(auth.ChannelsRead) {
		if names, err = v.sellers(); err != nil {
			return nil, err
		}
	}
	for _, n := range open {
		t := noticeTold{Notice: n}
		subject := strings.TrimPrefix(n.Cause, string(n.Kind)+"/")
		switch n.Kind {
		case hotel.NoticeChannelStale, hotel.NoticeNotFetched:
			t.About, t.Page = cmp.Or(names[subject], subject), "channels/"+subject
		case hotel.NoticeUnmapped, hotel.NoticeUnread, hotel.NoticeOversell, hotel.NoticeChannelRefused, hotel.NoticePriceGuard, hotel.NoticeReported:
			t.Page = "conflicts/" + subject
		case hotel.NoticeExpiring:
			t.About = v.expiring(subject)
		case hotel.NoticeBookingNew, hotel.NoticeBookingModified, hotel.NoticeBookingCancelled, hotel.NoticeBackupFailed:
		}
		if !v.may(auth.ChannelsRead) {
			t.Page = ""
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b noticeTold) int { return a.Since.Compare(b.Since) })
	return list, nil
}

// expiring says what ends: the parts of its name are those that addresses are called with.
func (v *visit) expiring(subject string) string {
	on := func(date string) string {
		d, err := hotel.ParseDate(date)
		if err != nil {
			return date
		}
		return v.words.date(d)
	}
	of := strings.SplitN(subject, " ", 5) // the name of a client may have spaces
	switch {
	case of[0] == "secret" && len(of) == 5:
		return v.words.T("notices.secret", of[4], on(of[3]))
	case of[0] == "certificate" && len(of) == 3:
		return v.words.T("notices.certificate", of[1], on(of[2]))
	}
	return subject
}

// notices shows who is told of what.
func (c *Console) notices(v *visit) error {
	p, _, err := v.noticesPage()
	if err != nil {
		return err
	}
	return v.show("notices", http.StatusOK, p)
}

// setRecipient adds somebody who is told, changes of what, or tells somebody no more.
func (c *Console) setRecipient(v *visit) error {
	p, to, err := v.noticesPage()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	at, sent, made := len(to.Recipients), &p.New, r.recipient()
	if text := r.text("at"); text != "" {
		if at, err = strconv.Atoi(text); err != nil || at < 0 || at >= len(p.Lines) {
			return hotel.Refuse("precondition_failed", "whoever this form is about is not told of anything any more")
		}
		sent = &p.Lines[at]
	}
	switch {
	case r.text("act") == "remove":
		to.Recipients = slices.Delete(to.Recipients, at, min(at+1, len(to.Recipients)))
	case at == len(to.Recipients):
		to.Recipients = append(to.Recipients, made)
	default:
		to.Recipients[at] = made
	}
	revision := r.revision()
	if err = r.refusal(); err == nil {
		_, _, err = c.desk.SetNotifications(v.r.Context(), v.caller, v.house.ID, revision, to)
	}
	m, ok := v.mistakesIn(err, v.prefixed("notices."))
	if ok {
		sent.form, sent.mistakes = r.form, m
	}
	return v.savedNotices(p, ok, err)
}

// setNoticeTimes changes when people are told every day, and the sheet.
func (c *Console) setNoticeTimes(v *visit) error {
	p, to, err := v.noticesPage()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	to.DigestTime, to.Sheet = r.text("digest_time"), r.sheet(to.Sheet)
	revision := r.revision()
	if err = r.refusal(); err == nil {
		_, _, err = c.desk.SetNotifications(v.r.Context(), v.caller, v.house.ID, revision, to)
	}
	m, ok := v.mistakesIn(err, v.prefixed("notices."))
	if ok {
		p.Times.form, p.Times.mistakes = r.form, m
	}
	return v.savedNotices(p, ok, err)
}

// savedNotices shows what is stored now, or the page again with what is wrong in a form.
func (v *visit) savedNotices(p noticesPage, mistaken bool, err error) error {
	switch {
	case mistaken:
		return v.show("notices", http.StatusUnprocessableEntity, p)
	case err != nil:
		return err
	}
	http.Redirect(v.w, v.r, v.path("house/notifications")+"?done=saved", http.StatusSeeOther)
	return nil
}

// recipientValues is a form filled in with a recipient.
func recipientValues(r hotel.Recipient, revision int64) form {
	f := form{url.Values{"revision": {strconv.FormatInt(revision, 10)}}}
	f.set("name", r.Name)
	f.set("email", r.Email)
	f.set("url", r.URL)
	f.set("language", r.Language)
	for _, k := range r.Events {
		f.set("events", string(k))
	}
	f.tick("digest", r.Digest)
	f.tick("heartbeat", r.Heartbeat)
	return f
}

// recipient is that of a form.
func (r *reader) recipient() hotel.Recipient {
	to := hotel.Recipient{
		Name: r.text("name"), Email: r.text("email"), URL: r.text("url"), Language: r.text("language"),
		Digest: r.Is("digest", "true"), Heartbeat: r.Is("heartbeat", "true"),
	}
	for _, k := range r.Values["events"] {
		to.Events = append(to.Events, hotel.NoticeKind(k))
	}
	return to
}

// sheetFormats are the form's words for what the sheet is written as; the first is what
// holds where nothing is said.
var sheetFormats = []string{"html,csv", "html", "csv"}

// notices asks when people are told every day, and about the sheet.
func (w policyWords) notices() []policyGroup {
	row := func(name, input, holds string) policyRow {
		return policyRow{Name: name, Of: w.words.T("notices." + name), Words: w.words.T("notices." + name + ".words"), Input: input, Holds: holds}
	}
	formats := row("sheet.formats", "", w.holds(w.words.T("notices.sheet.formats."+sheetFormats[0])))
	formats.Choices = w.choices("notices.sheet.formats.", sheetFormats[1:]...)
	return []policyGroup{
		{ID: "daily", Title: "notices.daily", Rows: []policyRow{row("digest_time", typedTime, hotel.DefaultDigestTime)}},
		{ID: "sheet", Title: "notices.sheet", Rows: []policyRow{
			row("sheet.folder", typedText, ""), row("sheet.every_minutes", typedNumber, w.holds(strconv.Itoa(hotel.DefaultSheetMinutes))), formats,
		}},
	}
}

// timesOf is a form filled in with them.
func timesOf(n hotel.Notifications, revision int64) form {
	f := form{url.Values{"revision": {strconv.FormatInt(revision, 10)}, "digest_time": {n.DigestTime}}}
	if s := n.Sheet; s != nil {
		f.set("sheet.folder", s.Folder)
		f.set("sheet.every_minutes", strconv.Itoa(s.EveryMinutes))
		for _, word := range sheetFormats[1:] {
			if len(s.Formats) == 1 && word == string(s.Formats[0]) {
				f.set("sheet.formats", word)
			}
		}
	}
	return f
}

// sheet is that of a form; nil: none is written. Whoever empties the folder wants none any
// more, whatever else the form has kept.
func (r *reader) sheet(was *hotel.Sheet) *hotel.Sheet {
	folder, minutes, formats := r.text("sheet.folder"), r.number("sheet.every_minutes"), r.text("sheet.formats")
	if folder == "" && (was != nil || minutes == nil && formats == "") {
		return nil
	}
	s := hotel.Sheet{Folder: folder}
	if minutes != nil {
		s.EveryMinutes = *minutes
	}
	if formats != "" {
		for format := range strings.SplitSeq(formats, ",") {
			s.Formats = append(s.Formats, hotel.SheetFormat(format))
		}
	}
	return &s
}

// Name is whom a message is for: the recipient's name, else the address alone.
func (p noticesPage) Name(m hotel.NoticeMail) string {
	for _, r := range p.Lines {
		if r.Address() == m.To {
			return r.Name
		}
	}
	return m.To
}
