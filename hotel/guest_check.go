package hotel

import "golang.org/x/text/language"

// The most that is kept of a guest.
const (
	maxPersonName   = 100
	maxLoyalty      = 20
	maxExternalIDs  = 20
	maxPreferences  = 50 // of one kind
	maxPreference   = 500
	maxConsentWords = 200
)

// Check refuses a profile that cannot be, telling everything that is wrong with
// it. What was so before (nil: it is new) is let be: a channel may have said it.
// today is that of its property.
func (p *GuestProfile) Check(before *GuestProfile, today Date) error {
	f := newCheckup()
	if before == nil {
		p.check(f, nil, today)
	} else {
		p.check(f, &before.Guest, today)
	}
	if c := p.Consent; c != nil {
		in := f.in("marketing_consent")
		if c.At.IsZero() {
			in.add("at", "required", "is missing: say when the guest was asked")
		}
		in.name("source", c.Source, maxConsentWords)
	}
	f.count("loyalty", len(p.Loyalty), 0, maxLoyalty)
	for i, l := range p.Loyalty {
		in := f.in("loyalty", i)
		in.name("program", l.Program, maxPersonName)
		in.name("number", l.Number, maxPersonName)
	}
	f.count("external_ids", len(p.ExternalIDs), 0, maxExternalIDs)
	for system, id := range p.ExternalIDs {
		in := f.in("external_ids")
		if len(system) == 0 || len(system) > maxMetadataKey {
			in.add(system, "length", "the name of a system has 1 to %d characters", maxMetadataKey)
		}
		in.name(system, id, maxPersonName)
	}
	f.metadata(p.Metadata)
	p.Preferences.check(f)
	return f.refusal()
}

// Faults tells what is wrong with a guest as a booking names one, which is the
// member at of its body. What was so before (nil: nothing) is let be.
func (g Guest) Faults(before *Guest, today Date, at string) []RefusedItem {
	f := newCheckup()
	f.at = at
	g.check(f, before, today)
	return *f.items
}

func (g Guest) check(f checkup, before *Guest, today Date) {
	if before == nil || before.LastName != g.LastName {
		f.name("last_name", g.LastName, maxPersonName)
	}
	if before != nil {
		texts := g.Texts()
		for i, was := range before.Texts() {
			if *texts[i] == *was {
				*texts[i] = ""
			}
		}
	}
	f.text("first_name", g.FirstName, maxPersonName)
	f.text("title", g.Title, maxPersonName)
	f.text("company", g.Company, maxName)
	f.email("email", g.Email)
	if g.Phone != "" && !phoneForm.MatchString(g.Phone) {
		f.add("phone", "format", "must be a number of E.164, such as +4930123456")
	}
	if _, err := language.Parse(g.Language); g.Language != "" && err != nil {
		f.add("language", "format", "must be a tag of BCP 47, such as de or pt-BR")
	}
	if g.Country != "" {
		f.country("country", g.Country)
	}
	if g.Nationality != "" {
		f.country("nationality", g.Nationality)
	}
	g.Address.check(f.in("address"))
	if g.BirthDate == "" {
		return
	}
	switch born, err := ParseDate(g.BirthDate); {
	case err != nil:
		f.add("date_of_birth", "format", "must be a date, YYYY-MM-DD")
	case born > today:
		f.add("date_of_birth", "max", "must not be after today (%s)", today)
	}
}

func (p *Preferences) check(f checkup) {
	for _, list := range []struct {
		name string
		all  []Preference
	}{{"tags", p.Tags}, {"notes", p.Notes}, {"dietary", p.Dietary}} {
		f.count(list.name, len(list.all), 0, maxPreferences)
		for i := range list.all {
			list.all[i].check(f.in(list.name, i))
		}
	}
	for _, one := range []struct {
		name string
		is   *Preference
	}{{"floor", p.Room.Floor}, {"bed", p.Room.Bed}, {"smoking", p.Room.Smoking}, {"accessible", p.Room.Accessible}} {
		if one.is != nil {
			one.is.check(f.in("room").in(one.name))
		}
	}
}

func (p *Preference) check(f checkup) {
	f.name("value", p.Value, maxPreference)
	oneOf(f, "source", p.Source, SaidByGuest, NotedByStaff, SaidAtBooking, FromOtherSystem)
}
