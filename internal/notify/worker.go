package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// Ledger is what says what happens, and what keeps the messages until they have arrived.
type Ledger interface {
	Properties(ctx context.Context) ([]hotel.Property, error)
	Sequence(ctx context.Context) (int64, error)
	Entries(ctx context.Context, after int64, limit int) ([]ledger.Entry, error)
	Conflicts(ctx context.Context, f hotel.ConflictFilter) ([]hotel.Conflict, error)
	Conflict(ctx context.Context, id string) (hotel.Conflict, error)
	Channels(ctx context.Context, property string) ([]hotel.ChannelState, error)
	Reservation(ctx context.Context, id string) (hotel.Reservation, error)
	RoomTypes(ctx context.Context, property string) ([]hotel.RoomType, error)

	NoticeState(ctx context.Context, property string) (hotel.NoticeState, error)
	Notify(ctx context.Context, property string, step hotel.NoticeStep) error
	DueMail(ctx context.Context, most int) ([]hotel.NoticeMail, error)
	DelayMail(ctx context.Context, id string, until time.Time) error
	EndMail(ctx context.Context, id string) error
}

var _ Ledger = (*ledger.Ledger)(nil)

// Options are what a Worker needs; Mail, Hook, Lasting and Link may be nil.
type Options struct {
	Ledger  Ledger
	Desk    Desk // where digests are taken from
	Mail    Mail // nil: no mail is sent, it waits
	Hook    Hook // nil: no address is called, its messages wait
	Lasting func(ctx context.Context) []Lasting
	Link    func(channel string) hotel.Link // how a channel's way out stands
	Console string                          // where people decide, such as https://hotel.example/console; "": not said
	Clock   hotel.Clock
	Log     *zap.Logger
}

// Mail sends a text to an address.
type Mail interface {
	Send(ctx context.Context, to, subject, text string) error
}

// Hook calls an address. The receiver knows a repeated call by its id.
type Hook interface {
	Call(ctx context.Context, url, id string, body []byte) error
}

const (
	every   = time.Minute // it looks
	most    = 100         // messages are sent at a look
	longest = 30 * time.Second
	giveUp  = 72 * time.Hour // after a message was made
)

// Worker tells people. It is the only one of its ledger.
type Worker struct {
	o       Options
	began   time.Time
	through int64           // the journal was looked at up to here; 0: not since it was started
	arrived map[string]bool // messages of which that could not be stored
}

// New returns a worker. Run sets it to work.
func New(o Options) *Worker { return &Worker{o: o, began: o.Clock.Now(), arrived: map[string]bool{}} }

// Run tells people until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := w.Look(ctx); err != nil && ctx.Err() == nil {
			w.o.Log.Error("people are not told what happens; it is tried again in a minute", zap.Error(err))
		}
		timer := time.NewTimer(every)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Look makes messages of what is new, and sends those that are due.
func (w *Worker) Look(ctx context.Context) error {
	return errors.Join(w.note(ctx), w.send(ctx))
}

// note makes messages of what is new.
func (w *Worker) note(ctx context.Context) error {
	properties, err := w.o.Ledger.Properties(ctx)
	if err != nil {
		return err
	}
	properties = slices.DeleteFunc(properties, func(p hotel.Property) bool {
		return p.Notifications == nil || len(p.Notifications.Recipients) == 0
	})
	if len(properties) == 0 {
		w.through = 0
		return nil
	}
	end, err := w.o.Ledger.Sequence(ctx)
	if err != nil {
		return err
	}
	states, from := make([]hotel.NoticeState, len(properties)), end
	for i, p := range properties {
		if states[i], err = w.o.Ledger.NoticeState(ctx, p.ID); err != nil {
			return err
		}
		if behind := states[i].Through; behind > 0 { // else nobody is told of what was before they were named
			from = min(from, max(behind, w.through))
		}
	}
	happened, through, err := w.happened(ctx, from)
	if err != nil {
		return err
	}
	for i, p := range properties {
		failed := w.noteOf(ctx, &p, states[i], happened[p.ID], through)
		err = errors.Join(err, failed)
	}
	if err == nil {
		w.through = through
	}
	return err
}

// noteOf makes the messages of one property. What nobody wants to be told of is noted
// all the same, so that somebody who wants to tomorrow is not told of it then.
func (w *Worker) noteOf(ctx context.Context, p *hotel.Property, s hotel.NoticeState, events []event, through int64) error {
	open, moot, err := w.lasting(ctx, p.ID, s.Open)
	if err != nil {
		return err
	}
	now := w.o.Clock.Now()
	items, told, over := compare(s.Open, open, moot, now)
	if s.Through > 0 {
		items = append(items, news(events, max(s.Through, w.through))...)
	}
	step := hotel.NoticeStep{Through: through, Day: s.Day, Told: told, Over: over}
	for _, r := range p.Notifications.Recipients {
		mine := slices.DeleteFunc(slices.Clone(items), func(i hotel.NoticeItem) bool { return !slices.Contains(r.Events, i.Kind) })
		if len(mine) > 0 {
			step.Mail = append(step.Mail, hotel.NoticeMail{To: address(r), Form: hotel.FormEvents, Items: mine})
		}
	}
	if today, due := morning(p, now); due && today > s.Day {
		step.Day = today
		for _, r := range p.Notifications.Recipients {
			switch {
			case r.Digest:
				step.Mail = append(step.Mail, hotel.NoticeMail{To: address(r), Form: hotel.FormDigest, Day: today})
			case r.Heartbeat:
				step.Mail = append(step.Mail, hotel.NoticeMail{To: address(r), Form: hotel.FormHeartbeat, Day: today})
			}
		}
	}
	if len(step.Mail)+len(told)+len(over) == 0 && step.Day == s.Day && s.Through != 0 && through-s.Through < noted {
		return nil // what was looked at in vain is looked at again when it starts next
	}
	return w.o.Ledger.Notify(ctx, p.ID, step)
}

// noted is after how many entries of the journal in which nothing was for anybody that
// is written down.
const noted = 10000

// morning returns the calendar date at the property, and whether its digest is due.
func morning(p *hotel.Property, now time.Time) (hotel.Date, bool) {
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		zone = time.UTC // it was checked when it was stored
	}
	at := p.Notifications.DigestTime
	if at == "" {
		at = hotel.DefaultDigestTime
	}
	return hotel.DateIn(now, zone), now.In(zone).Format("15:04") >= at
}

func address(r hotel.Recipient) string {
	if r.URL != "" {
		return r.URL
	}
	return r.Email
}

// send sends the messages that are due. Where one could not be sent, the others to the
// same kind of address wait as well: mostly it is the server that is away.
func (w *Worker) send(ctx context.Context) error {
	due, err := w.o.Ledger.DueMail(ctx, most)
	if err != nil || len(due) == 0 {
		return err
	}
	properties, err := w.o.Ledger.Properties(ctx)
	if err != nil {
		return err
	}
	away := false
	for _, m := range due {
		i := slices.IndexFunc(properties, func(p hotel.Property) bool { return p.ID == m.PropertyID })
		var to hotel.Recipient
		known := i >= 0
		if known {
			to, known = recipient(properties[i], m.To)
		}
		if !known {
			err = errors.Join(err, w.o.Ledger.EndMail(ctx, m.ID)) // nobody wants it any more
			continue
		}
		failed := errAway
		if byMail := to.URL == ""; w.arrived[m.ID] {
			failed = nil
		} else if !byMail || !away {
			failed = w.deliver(ctx, &properties[i], to, m)
			away = away || byMail && failed != nil
		}
		if ctx.Err() != nil {
			return nil
		}
		err = errors.Join(err, w.settle(ctx, m, failed))
	}
	return err
}

var errAway = errors.New("another message could not be sent just now")

func recipient(p hotel.Property, to string) (hotel.Recipient, bool) {
	if p.Notifications == nil {
		return hotel.Recipient{}, false
	}
	i := slices.IndexFunc(p.Notifications.Recipients, func(r hotel.Recipient) bool { return address(r) == to })
	if i < 0 {
		return hotel.Recipient{}, false
	}
	return p.Notifications.Recipients[i], true
}

// settle notes what came of a message.
func (w *Worker) settle(ctx context.Context, m hotel.NoticeMail, failed error) error {
	now := w.o.Clock.Now()
	switch {
	case failed == nil:
		w.arrived[m.ID] = true // else a full disk would have it sent every minute
		if err := w.o.Ledger.EndMail(ctx, m.ID); err != nil {
			return err
		}
		delete(w.arrived, m.ID)
		return nil
	case now.Sub(m.CreatedAt) > giveUp:
		w.o.Log.Error("a message to people was given up after three days", zap.String("message", m.ID), zap.String("property", m.PropertyID), zap.Error(failed))
		return w.o.Ledger.EndMail(ctx, m.ID)
	}
	if !errors.Is(failed, errAway) {
		w.o.Log.Warn("a message to people has to be sent again", zap.String("message", m.ID), zap.String("property", m.PropertyID), zap.Int("attempts", m.Attempts+1), zap.Error(failed))
	}
	return w.o.Ledger.DelayMail(ctx, m.ID, now.Add(min(time.Hour, every<<min(m.Attempts, 6))))
}

// deliver writes a message and sends it.
func (w *Worker) deliver(ctx context.Context, p *hotel.Property, to hotel.Recipient, m hotel.NoticeMail) error {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	l, err := w.letter(ctx, p, to, m)
	if err != nil {
		return err
	}
	switch {
	case to.URL != "" && w.o.Hook != nil:
		body, err := l.call(p, m)
		if err != nil {
			return err
		}
		return w.o.Hook.Call(ctx, to.URL, m.ID, body)
	case to.Email != "" && w.o.Mail != nil:
		return w.o.Mail.Send(ctx, to.Email, l.subject, l.text())
	}
	return fmt.Errorf("nothing is configured to reach %q: see [notify] in the configuration", to.Name)
}
