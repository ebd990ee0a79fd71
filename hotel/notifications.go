package hotel

import (
	"net/url"
	"slices"
)

// Notifications say which people of a property are told of what, and where the sheet
// goes by which they work when the program does not.
type Notifications struct {
	Recipients []Recipient `json:"recipients,omitempty"`
	DigestTime string      `json:"digest_time,omitempty"` // HH:MM, local; "": DefaultDigestTime
	Sheet      *Sheet      `json:"sheet,omitempty"`       // nil: none is written
}

// Recipient is somebody who is told, by mail or by a call to an address.
type Recipient struct {
	Name      string       `json:"name"`
	Email     string       `json:"email,omitempty"`
	URL       string       `json:"url,omitempty"` // instead of Email; it is called as webhooks are, in networks of the house also without TLS
	Language  string       `json:"language"`      // of [NoticeLanguages]
	Events    []NoticeKind `json:"events,omitempty"`
	Digest    bool         `json:"digest,omitempty"`
	Heartbeat bool         `json:"heartbeat,omitempty"`
}

// NoticeKind is a kind of thing that people are told of.
type NoticeKind string

// The kinds. Of a booking is told when it happens, and so it is of prices that their guard
// lets pass; the others last until they are over, and whoever was told is told that too.
const (
	NoticeBookingNew       NoticeKind = "booking_new"
	NoticeBookingModified  NoticeKind = "booking_modified"
	NoticeBookingCancelled NoticeKind = "booking_cancelled"
	NoticeUnmapped         NoticeKind = "unmapped_booking"
	NoticeUnread           NoticeKind = "unread_message"
	NoticeOversell         NoticeKind = "oversell"
	NoticeChannelStale     NoticeKind = "channel_stale"
	NoticeChannelRefused   NoticeKind = "channel_refused"
	NoticeNotFetched       NoticeKind = "bookings_not_fetched"
	NoticeReported         NoticeKind = "channel_report"
	NoticePriceGuard       NoticeKind = "price_guard"
	NoticeBackupFailed     NoticeKind = "backup_failed"
	NoticeExpiring         NoticeKind = "expiring"
)

// NoticeKinds are all of them.
var NoticeKinds = []NoticeKind{
	NoticeBookingNew, NoticeBookingModified, NoticeBookingCancelled, NoticeUnmapped, NoticeUnread, NoticeOversell, NoticeChannelStale,
	NoticeChannelRefused, NoticeNotFetched, NoticeReported, NoticePriceGuard, NoticeBackupFailed, NoticeExpiring,
}

// NoticeLanguages are those that people are written to in.
var NoticeLanguages = []string{"en", "de", "it"}

// Sheet is what a house works by while the program is away: who comes, who leaves, who
// is there, and what is free, as files that need nothing but themselves.
type Sheet struct {
	Folder       string        `json:"folder"` // its name below the operator's folder of sheets
	EveryMinutes int           `json:"every_minutes"`
	Formats      []SheetFormat `json:"formats"`
}

// SheetFormat is a form that the sheet is written in.
type SheetFormat string

// The forms.
const (
	SheetHTML SheetFormat = "html"
	SheetCSV  SheetFormat = "csv"
)

const (
	// DefaultDigestTime is when the digest and the heartbeat are sent unless the
	// property says otherwise.
	DefaultDigestTime = "07:00"

	// DefaultSheetMinutes is how often the sheet is written unless it says otherwise.
	DefaultSheetMinutes = 60

	maxRecipients   = 50
	maxSheetMinutes = 24 * 60
)

// Complete fills in what was left out.
func (n *Notifications) Complete() {
	if n.DigestTime == "" {
		n.DigestTime = DefaultDigestTime
	}
	for i := range n.Recipients {
		if n.Recipients[i].Language == "" {
			n.Recipients[i].Language = NoticeLanguages[0]
		}
	}
	if s := n.Sheet; s != nil {
		if s.EveryMinutes == 0 {
			s.EveryMinutes = DefaultSheetMinutes
		}
		if len(s.Formats) == 0 {
			s.Formats = []SheetFormat{SheetHTML, SheetCSV}
		}
	}
}

// Check returns a [Refusal] that names every member that cannot be as it is.
func (n *Notifications) Check() error {
	f := newCheckup()
	f.count("recipients", len(n.Recipients), 0, maxRecipients)
	for i := range n.Recipients {
		n.Recipients[i].check(f.in("recipients", i))
	}
	f.clock("digest_time", n.DigestTime)
	if n.Sheet != nil {
		n.Sheet.check(f.in("sheet"))
	}
	return f.refusal()
}

func (r *Recipient) check(f checkup) {
	f.name("name", r.Name, maxName)
	switch {
	case (r.Email == "") == (r.URL == ""):
		f.add("email", "required", "or url is needed, and only one of them")
	case r.URL != "":
		u, err := url.Parse(r.URL)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil {
			f.add("url", "format", "must be an address such as https://alerts.example/hook, without a name and password")
		}
		f.text("url", r.URL, 2000)
	default:
		f.email("email", r.Email)
	}
	oneOf(f, "language", r.Language, NoticeLanguages...)
	for i, k := range r.Events {
		if !slices.Contains(NoticeKinds, k) {
			f.in("events", i).add("", "enum", "must be one of: %s", list(NoticeKinds))
		}
	}
}

func (s *Sheet) check(f checkup) {
	if !ValidID(s.Folder) {
		f.add("folder", "pattern", "must be the name of a folder below the operator's folder of sheets: 1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit in front")
	}
	f.within("every_minutes", s.EveryMinutes, 5, maxSheetMinutes)
	f.count("formats", len(s.Formats), 1, 2)
	for i, form := range s.Formats {
		if form != SheetHTML && form != SheetCSV {
			f.in("formats", i).add("", "enum", "must be one of: html, csv")
		}
	}
}
