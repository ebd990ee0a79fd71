package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

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

func notificationsOf(p hotel.Property) hotel.Notifications {
	var n hotel.Notifications
	if p.Notifications != nil {
		n = *p.Notifications
	}
	n.Complete()
	return n
}
