package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// NoticeState returns how far the people of a property have been told what happens.
// Of one that has told nobody yet it is the zero state.
func (l *Ledger) NoticeState(ctx context.Context, property string) (hotel.NoticeState, error) {
	var s hotel.NoticeState
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetNoticeState(ctx, property)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		s.Through, s.Day = row.Through, hotel.Date(row.Day)
		open, err := q.ListNotices(ctx, property)
		for _, n := range open {
			s.Open = append(s.Open, hotel.Notice{Cause: n.Cause, Kind: hotel.NoticeKind(n.Kind), Since: instant(n.Since), Told: instant(n.Told)})
		}
		return err
	})
	if err != nil {
		return s, fmt.Errorf("what the people of %s were told: %w", property, err)
	}
	return s, nil
}

// Notify takes it on. The messages get their ids, and are due at once.
func (l *Ledger) Notify(ctx context.Context, property string, step hotel.NoticeStep) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		if err := t.q.PutNoticeState(t.ctx, ledgerdb.PutNoticeStateParams{PropertyID: property, Through: step.Through, Day: int64(step.Day)}); err != nil {
			return err
		}
		for _, n := range step.Told {
			err := t.q.PutNotice(t.ctx, ledgerdb.PutNoticeParams{
				PropertyID: property, Cause: n.Cause, Kind: string(n.Kind), Since: n.Since.UnixMicro(), Told: n.Told.UnixMicro(),
			})
			if err != nil {
				return err
			}
		}
		for _, cause := range step.Over {
			if err := t.q.DeleteNotice(t.ctx, ledgerdb.DeleteNoticeParams{PropertyID: property, Cause: cause}); err != nil {
				return err
			}
		}
		for _, m := range step.Mail {
			items, err := json.Marshal(m.Items)
			if err != nil {
				return err
			}
			err = t.q.InsertNoticeMail(t.ctx, ledgerdb.InsertNoticeMailParams{
				ID: hotel.NewID("ntc"), PropertyID: property, Recipient: m.To, Form: string(m.Form), Day: int64(m.Day), Items: string(items),
				CreatedAt: t.micros(), NextAt: t.micros(),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("tell the people of %s: %w", property, err)
	}
	return nil
}

// DueMail lists at most so many messages that are due, what is due first coming first.
func (l *Ledger) DueMail(ctx context.Context, most int) ([]hotel.NoticeMail, error) {
	rows, err := l.read.DueNoticeMail(ctx, ledgerdb.DueNoticeMailParams{NextAt: l.clock.Now().UnixMicro(), Limit: int64(most)})
	if err != nil {
		return nil, fmt.Errorf("messages that are due: %w", err)
	}
	return noticeMails(rows)
}

// WaitingMail lists at most so many messages that have not reached the people of a property
// yet, the oldest first.
func (l *Ledger) WaitingMail(ctx context.Context, property string, most int) ([]hotel.NoticeMail, error) {
	rows, err := l.read.WaitingNoticeMail(ctx, ledgerdb.WaitingNoticeMailParams{PropertyID: property, Limit: int64(most)})
	if err != nil {
		return nil, fmt.Errorf("messages to the people of %s: %w", property, err)
	}
	return noticeMails(rows)
}

func noticeMails(rows []ledgerdb.NoticeMail) ([]hotel.NoticeMail, error) {
	list := make([]hotel.NoticeMail, len(rows))
	for i, r := range rows {
		list[i] = hotel.NoticeMail{
			ID: r.ID, PropertyID: r.PropertyID, To: r.Recipient, Form: hotel.NoticeForm(r.Form), Day: hotel.Date(r.Day),
			CreatedAt: instant(r.CreatedAt), NextAt: instant(r.NextAt), Attempts: int(r.Attempts),
		}
		if err := json.Unmarshal([]byte(r.Items), &list[i].Items); err != nil {
			return nil, fmt.Errorf("stored message %s: %w", r.ID, err)
		}
	}
	return list, nil
}

// DelayMail has a message sent again at an instant.
func (l *Ledger) DelayMail(ctx context.Context, id string, until time.Time) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DelayNoticeMail(t.ctx, ledgerdb.DelayNoticeMailParams{NextAt: until.UnixMicro(), ID: id})
	})
}

// EndMail forgets a message that has arrived, or never will.
func (l *Ledger) EndMail(ctx context.Context, id string) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.q.DeleteNoticeMail(t.ctx, id) })
}
