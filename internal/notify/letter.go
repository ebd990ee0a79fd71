package notify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// letter is a message in words.
type letter struct {
	subject string
	lines   []string
	items   []hotel.NoticeItem
}

// mostLines is how many things a message tells one by one.
const mostLines = 40

func (l *letter) add(line string) { l.lines = append(l.lines, line) }

// text is the letter as mail has it.
func (l *letter) text() string { return strings.Join(l.lines, "\n") + "\n" }

// call is the letter as an address is sent it: what it is about, and its subject. The
// names of guests go by mail alone.
func (l *letter) call(p *hotel.Property, m hotel.NoticeMail) ([]byte, error) {
	body := map[string]any{
		"id": m.ID, "type": "notification." + string(m.Form), "timestamp": m.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z"),
		"data": map[string]any{"property_id": p.ID, "subject": l.subject, "items": l.items},
	}
	return json.Marshal(body)
}

// letter writes a message.
func (w *Worker) letter(ctx context.Context, p *hotel.Property, to hotel.Recipient, m hotel.NoticeMail) (*letter, error) {
	say := wordsOf(to.Language)
	l := &letter{items: append([]hotel.NoticeItem{}, m.Items...)}
	switch m.Form {
	case hotel.FormHeartbeat:
		l.subject = say.of("heartbeat", "hotel", p.Name, "date", say.date(m.Day))
		l.add(say.of("heartbeat_text", "hotel", p.Name))
		return l, nil
	case hotel.FormDigest:
		l.subject = say.of("digest", "hotel", p.Name, "date", say.date(m.Day))
		return l, w.digest(ctx, p, say, l)
	case hotel.FormEvents:
	}
	for i, item := range m.Items {
		line, err := w.line(ctx, p, say, item)
		if err != nil {
			return nil, err
		}
		switch {
		case i == 0 && len(m.Items) == 1:
			l.subject = p.Name + ": " + say.of(phased(item))
		case i == 0:
			l.subject = say.of("several", "hotel", p.Name, "n", len(m.Items))
		}
		if i == mostLines {
			l.add(say.of("more", "n", len(m.Items)-mostLines))
		}
		if i < mostLines {
			l.add(line)
		}
	}
	if w.o.Console != "" {
		l.add("")
		l.add(w.o.Console)
	}
	return l, nil
}

// phased is the key of the words for a thing in its phase.
func phased(i hotel.NoticeItem) string {
	if i.Phase == hotel.NoticeOver || i.Phase == hotel.NoticeSettled {
		return string(i.Kind) + "_" + string(i.Phase)
	}
	return string(i.Kind)
}

// line says one thing.
func (w *Worker) line(ctx context.Context, p *hotel.Property, say *words, i hotel.NoticeItem) (string, error) {
	about, err := w.about(ctx, p, say, i)
	if err != nil {
		return "", err
	}
	line := "- " + say.of(phased(i))
	if about != "" {
		line += ": " + about
	}
	if i.Phase == hotel.NoticeAgain {
		line += " " + say.of("again", "since", say.instant(i.Since, p))
	}
	return line, nil
}

// about says what a thing is about.
func (w *Worker) about(ctx context.Context, p *hotel.Property, say *words, i hotel.NoticeItem) (string, error) {
	switch i.Kind {
	case hotel.NoticeBookingNew, hotel.NoticeBookingModified, hotel.NoticeBookingCancelled:
		r, err := w.o.Ledger.Reservation(ctx, i.Subject)
		if err != nil {
			return "", ifGone(err)
		}
		return w.booking(ctx, p, say, &r)
	case hotel.NoticeChannelStale, hotel.NoticeNotFetched:
		name, err := w.channel(ctx, p, i.Subject)
		return fmt.Sprintf("%s, %s", name, say.of("since", "since", say.instant(i.Since, p))), err
	case hotel.NoticeUnmapped, hotel.NoticeUnread, hotel.NoticeOversell, hotel.NoticeChannelRefused, hotel.NoticeReported, hotel.NoticePriceGuard:
		c, err := w.o.Ledger.Conflict(ctx, i.Subject)
		if err != nil {
			return "", ifGone(err)
		}
		return w.conflict(ctx, p, say, &c)
	case hotel.NoticeBackupFailed:
		if i.Phase == hotel.NoticeOver {
			return "", nil
		}
		return say.of("since", "since", say.instant(i.Since, p)), nil
	case hotel.NoticeExpiring:
	}
	return say.topic(i.Subject), nil
}

// ifGone makes nothing of what is not there any more.
func ifGone(err error) error {
	if errors.Is(err, ledger.ErrNotFound) {
		return nil
	}
	return err
}

// booking says whose it is, of what and when.
func (w *Worker) booking(ctx context.Context, p *hotel.Property, say *words, r *hotel.Reservation) (string, error) {
	rooms, err := w.o.Ledger.RoomTypes(ctx, p.ID)
	if err != nil {
		return "", err
	}
	parts := []string{r.Guest.DisplayName()}
	for _, room := range rooms {
		if room.ID == cmp.Or(r.RoomTypeID, r.HeldRoom) {
			parts = append(parts, room.Name)
		}
	}
	parts = append(parts, say.of("stay", "in", say.date(r.Stay.CheckIn), "out", say.date(r.Stay.CheckOut)), r.Total.String())
	if r.Source.ChannelID != "" {
		name, err := w.channel(ctx, p, r.Source.ChannelID)
		if err != nil {
			return "", err
		}
		parts = append(parts, name+" "+r.Source.Reference)
	}
	parts = append(parts, r.Confirmation)
	return strings.Join(without(parts, ""), ", "), nil
}

// conflict says what it is about and until when it has to be decided.
func (w *Worker) conflict(ctx context.Context, p *hotel.Property, say *words, c *hotel.Conflict) (string, error) {
	var parts []string
	if c.ChannelID != "" {
		name, err := w.channel(ctx, p, c.ChannelID)
		if err != nil {
			return "", err
		}
		parts = append(parts, name)
	}
	if c.Subject.Type == "reservation" {
		r, err := w.o.Ledger.Reservation(ctx, c.Subject.ID)
		if err = ifGone(err); err != nil {
			return "", err
		}
		said, err := w.booking(ctx, p, say, &r)
		if err != nil {
			return "", err
		}
		parts = append(parts, said)
	}
	if c.Deadline != nil {
		parts = append(parts, say.of("until", "until", say.instant(*c.Deadline, p)))
	}
	return strings.Join(without(parts, ""), ", "), nil
}

// channel names one.
func (w *Worker) channel(ctx context.Context, p *hotel.Property, id string) (string, error) {
	list, err := w.o.Ledger.Channels(ctx, p.ID)
	for _, c := range list {
		if c.ID == id {
			return c.Name, err
		}
	}
	return id, err
}

func without(list []string, s string) []string {
	kept := list[:0]
	for _, one := range list {
		if one != s {
			kept = append(kept, one)
		}
	}
	return kept
}
