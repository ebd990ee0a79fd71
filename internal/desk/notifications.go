package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// notices are what the people of a property are told.
type notices interface {
	NoticeState(ctx context.Context, property string) (hotel.NoticeState, error)
	WaitingMail(ctx context.Context, property string, most int) ([]hotel.NoticeMail, error)
}

// Notifications returns who of a property is told of what, with the revision of the
// property.
func (d *Desk) Notifications(ctx context.Context, c Caller, id string) (hotel.Notifications, int64, error) {
	if err := c.enterHouse(auth.PropertiesRead, id); err != nil {
		return hotel.Notifications{}, 0, err
	}
	p, err := d.property(ctx, id)
	return notificationsOf(p), p.Revision, err
}

// SetNotifications replaces that. ifRevision refuses it at another revision of the
// property; 0 is any.
func (d *Desk) SetNotifications(ctx context.Context, c Caller, id string, ifRevision int64, n hotel.Notifications) (hotel.Notifications, int64, error) {
	if err := c.enterHouse(auth.PropertiesWrite, id); err != nil {
		return n, 0, err
	}
	n.Complete()
	if err := n.Check(); err != nil {
		return n, 0, err
	}
	p, _, err := d.ledger.ChangeProperty(ctx, c.by(), c.Once, id, hotel.Change[hotel.Property]{IfRevision: ifRevision, Apply: func(p *hotel.Property) error {
		p.Notifications = &n
		return nil
	}})
	return notificationsOf(p), p.Revision, said(err)
}

// mostWaiting is how many messages are listed that have not arrived.
const mostWaiting = 100

// Notices returns what the people of a property were told of that lasts, and the messages
// that have not reached them yet, the oldest first: what has arrived is not kept.
func (d *Desk) Notices(ctx context.Context, c Caller, id string) (open []hotel.Notice, waiting []hotel.NoticeMail, err error) {
	if err := c.enterHouse(auth.PropertiesRead, id); err != nil {
		return nil, nil, err
	}
	state, err := d.ledger.NoticeState(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	waiting, err = d.ledger.WaitingMail(ctx, id, mostWaiting)
	return state.Open, waiting, err
}

func notificationsOf(p hotel.Property) hotel.Notifications {
	var n hotel.Notifications
	if p.Notifications != nil {
		n = *p.Notifications
	}
	n.Complete()
	return n
}
