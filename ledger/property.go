package ledger

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

var properties = housePart[hotel.Property, *hotel.Property]{
	noun: hotel.Say("property"), created: PropertyCreated, updated: PropertyUpdated, archived: PropertyArchived,
	property: func(p *hotel.Property) string { return p.ID },
	status:   func(p *hotel.Property) *hotel.Status { return &p.Status },
	get: func(t *tx, id string) (hotel.Property, error) {
		return readOne[hotel.Property](t.q.GetProperty(t.ctx, id))
	},
	insert: func(t *tx, d document) error { return t.q.InsertProperty(t.ctx, ledgerdb.InsertPropertyParams(d)) },
	update: func(t *tx, d document) error {
		return t.q.UpdateProperty(t.ctx, ledgerdb.UpdatePropertyParams{Body: d.Body, UpdatedAt: d.UpdatedAt, Revision: d.Revision, ID: d.ID})
	},
	prepare: func(t *tx, s *structure, before, p *hotel.Property) error {
		p.Complete()
		if err := p.Check(); err != nil {
			return err
		}
		if p.Status == hotel.Archived {
			return hotel.Invalid("/status", "enum", "is active or suspended here; a property is archived at its own address")
		}
		if before == nil {
			return nil
		}
		if p.Currency != before.Currency && len(s.plans) > 0 {
			return hotel.Invalid("/currency", "read_only", "cannot change while there are rate plans: archive them first")
		}
		if p.Currency != before.Currency {
			if booked, err := t.q.HasReservations(t.ctx, p.ID); err != nil {
				return fmt.Errorf("look for reservations: %w", err)
			} else if booked {
				return hotel.Invalid("/currency", "read_only", "cannot change: there are reservations in %s", before.Currency)
			}
		}
		for i := range s.plans {
			if err := s.plans[i].Check(p, s.rooms, s.plans); err != nil {
				return hotel.Refuse("resource_in_use", "rate plan %s needs what is changed here: %v", s.plans[i].ID, err)
			}
		}
		for _, rule := range s.rules {
			for _, limit := range []*hotel.Money{rule.Floor, rule.Ceiling} {
				if limit != nil && limit.Currency != p.Currency {
					return hotel.Refuse("resource_in_use", "pricing rule %s has a limit in %s: change or delete it first", rule.ID, limit.Currency)
				}
			}
		}
		return nil
	},
	needed: func(t *tx, s *structure, p *hotel.Property) error {
		channels, err := t.q.ChannelsOf(t.ctx, p.ID)
		if err := errors.Join(err, inUse("channel_ids", channels, "channels sell the property: disconnect them first")); err != nil {
			return err
		}
		return t.booked(s, "")
	},
	reach: func(before, p *hotel.Property) reach {
		if before == nil {
			return reach{}
		}
		moved := !reflect.DeepEqual(derivesFrom(*before), derivesFrom(*p))
		others := before.HorizonDays != p.HorizonDays || before.TimeZone != p.TimeZone // nights than before
		return reach{stock: moved, products: moved, offers: others || !reflect.DeepEqual(before.Taxes, p.Taxes) || !reflect.DeepEqual(before.CutOff, p.CutOff) || !reflect.DeepEqual(before.Policies.Absent, p.Policies.Absent)}
	},
}

// derivesFrom returns the property without what no house value depends on.
func derivesFrom(p hotel.Property) hotel.Property {
	p.Entity = hotel.Entity{}
	p.Name, p.LegalName, p.Country, p.Address, p.Geo, p.Phone, p.Email = "", "", "", hotel.Address{}, nil, "", ""
	p.CheckIn, p.CheckOut, p.ReleaseTime = "", "", ""
	p.StayRecording, p.OverdueHolds, p.MarketSegments, p.Metadata, p.Notifications = "", nil, nil, nil, nil
	return p
}

// CreateProperty stores a new property. Its id may be given; an empty one is
// made. The bool tells that the key of once had its effect before.
func (l *Ledger) CreateProperty(ctx context.Context, by hotel.By, once hotel.Once, p hotel.Property) (hotel.Property, bool, error) {
	if p.ID == "" {
		p.ID = hotel.NewID("prop")
	}
	return properties.create(ctx, l, by, once, p)
}

// ChangeProperty makes a property different.
func (l *Ledger) ChangeProperty(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.Property]) (hotel.Property, bool, error) {
	return properties.change(ctx, l, by, once, id, c)
}

// ArchiveProperty ends a property that no channel and no guest needs any more.
func (l *Ledger) ArchiveProperty(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (hotel.Property, bool, error) {
	return properties.archive(ctx, l, by, once, id, ifRevision)
}

// Properties lists every property, ordered by id.
func (l *Ledger) Properties(ctx context.Context) ([]hotel.Property, error) {
	return readAll[hotel.Property](l.read.ListProperties(ctx))
}

// Property returns one property, or [ErrNotFound].
func (l *Ledger) Property(ctx context.Context, id string) (hotel.Property, error) {
	return readOne[hotel.Property](l.read.GetProperty(ctx, id))
}
