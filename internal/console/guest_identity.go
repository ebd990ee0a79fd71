package console

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
)

// guestIdentity is by what a guest is known elsewhere, and whether they may be written to,
// as a form has it.
type guestIdentity struct {
	Consent string // true, false, or "": never asked
	Source  string
	At      string // by the clock of the house; "": now
	Loyalty []identityRow
	IDs     []identityRow
}

// identityRow is a number with whose it is: a programme's or another system's.
type identityRow struct{ Of, Number string }

// identityOf is what is known of a guest, by the clock of a zone.
func identityOf(g hotel.GuestProfile, zone *time.Location) (i guestIdentity) {
	if c := g.Consent; c != nil {
		i.Consent, i.Source, i.At = strconv.FormatBool(c.Granted), c.Source, c.At.In(zone).Format(localMoment)
	}
	for _, l := range g.Loyalty {
		i.Loyalty = append(i.Loyalty, identityRow{l.Program, l.Number})
	}
	for _, system := range slices.Sorted(maps.Keys(g.ExternalIDs)) {
		i.IDs = append(i.IDs, identityRow{system, g.ExternalIDs[system]})
	}
	return i
}

// Spare are rows with one to be filled in besides.
func (guestIdentity) Spare(rows []identityRow) []identityRow {
	return append(slices.Clone(rows), identityRow{})
}

// At is the name of a field of a row.
func (person) At(group string, row int, field string) string { return at(group, row, field) }

// typedIdentity is that of a form; false: it asks for none.
func typedIdentity(form url.Values) (i guestIdentity, asked bool) {
	text := func(name string) string { return strings.TrimSpace(form.Get(name)) }
	rows := func(group, of, number string) (list []identityRow) {
		for n := 0; form.Has(at(group, n, number)); n++ {
			if row := (identityRow{text(at(group, n, of)), text(at(group, n, number))}); row != (identityRow{}) {
				list = append(list, row)
			}
		}
		return list
	}
	return guestIdentity{
		Consent: text("consent"), Source: text("consent_source"), At: text("consent_at"),
		Loyalty: rows("loyalty", "program", "number"), IDs: rows("ids", "system", "id"),
	}, form.Has("consent")
}

// over lays it over a profile. An answer that is another one was given now, unless the
// form says when.
func (i guestIdentity) over(p *hotel.GuestProfile, zone *time.Location, now time.Time) error {
	was := identityOf(*p, zone)
	switch {
	case i.Consent == "":
		p.Consent = nil
	case i.Consent == was.Consent && i.Source == was.Source && cmp.Or(i.At, was.At) == was.At:
	default:
		said := now
		if i.Consent == was.Consent && cmp.Or(i.At, was.At) == was.At {
			said = p.Consent.At // what is shown of it is the minute alone
		} else if i.At != "" && (i.At != was.At || i.Consent == was.Consent) {
			var err error
			if said, err = parseMoment(i.At, zone); err != nil {
				return hotel.Invalid("/marketing_consent/at", "format", "is a date with a time, such as 2026-11-21T09:20")
			}
		}
		p.Consent = &hotel.Consent{Granted: i.Consent == "true", At: said.UTC(), Source: i.Source}
	}
	p.Loyalty = nil
	for _, row := range i.Loyalty {
		p.Loyalty = append(p.Loyalty, hotel.Loyalty{Program: row.Of, Number: row.Number})
	}
	p.ExternalIDs = nil
	for _, row := range i.IDs {
		if row.Of == "" {
			return hotel.Invalid("/external_ids", "required", "name the system that knows the guest as %s", row.Number)
		}
		if _, twice := p.ExternalIDs[row.Of]; twice {
			return hotel.Invalid("/external_ids/"+row.Of, "unique", "is there twice: a system knows a guest by one id")
		}
		if p.ExternalIDs == nil {
			p.ExternalIDs = map[string]string{}
		}
		p.ExternalIDs[row.Of] = row.Number
	}
	return nil
}
