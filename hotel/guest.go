package hotel

import (
	"slices"
	"strings"
	"time"
)

// Guest is a person as a booking names them. Of the fields only LastName is
// required of writers through /v1; a channel may withhold any.
type Guest struct {
	FirstName   string  `json:"first_name,omitempty"`
	LastName    string  `json:"last_name,omitempty"`
	Title       string  `json:"title,omitempty"`
	Company     string  `json:"company,omitempty"`
	Email       string  `json:"email,omitempty"`
	Phone       string  `json:"phone,omitempty"`
	Language    string  `json:"language,omitempty"`
	Country     string  `json:"country,omitempty"` // where they live
	Nationality string  `json:"nationality,omitempty"`
	BirthDate   string  `json:"date_of_birth,omitempty"` // YYYY-MM-DD
	Address     Address `json:"address,omitzero"`
}

// DisplayName joins the names for lists.
func (g Guest) DisplayName() string {
	if g.FirstName == "" {
		return g.LastName
	}
	if g.LastName == "" {
		return g.FirstName
	}
	return g.FirstName + " " + g.LastName
}

// Texts lists the members, for whoever looks through all of them.
func (g *Guest) Texts() []*string {
	a := &g.Address
	return []*string{
		&g.FirstName, &g.LastName, &g.Title, &g.Company, &g.Email, &g.Phone, &g.Language, &g.Country, &g.Nationality, &g.BirthDate,
		&a.Line1, &a.Line2, &a.City, &a.Region, &a.PostalCode,
	}
}

// Fill takes over what another account of the same person says and this one does
// not.
func (g *Guest) Fill(from Guest) {
	theirs := from.Texts()
	for i, own := range g.Texts() {
		if *own == "" {
			*own = *theirs[i]
		}
	}
}

// GuestChange is what is to be different about a guest; nil: as it is.
type GuestChange struct {
	FirstName, LastName, Title, Company, Email, Phone, Language, Country, Nationality, BirthDate *string
	Line1, Line2, City, Region, PostalCode                                                       *string // of the address

	Part *ProfilePart // of the profile beside
}

// Texts lists the members, in the order of those of a guest.
func (g *GuestChange) Texts() []*string {
	return []*string{
		g.FirstName, g.LastName, g.Title, g.Company, g.Email, g.Phone, g.Language, g.Country, g.Nationality, g.BirthDate,
		g.Line1, g.Line2, g.City, g.Region, g.PostalCode,
	}
}

// Over returns the guest with the changes.
func (g GuestChange) Over(guest Guest) Guest {
	to := guest.Texts()
	for i, from := range g.Texts() {
		if from != nil {
			*to[i] = *from
		}
	}
	return guest
}

// ProfilePart is what a booking says of its guest's profile, beside who that is. What is
// not set stays as it is.
type ProfilePart struct {
	Further     []Loyalty           // to have besides; one of a program that is there takes its place
	Loyalty     Optional[[]Loyalty] // all of them
	VIP         Optional[bool]
	Consent     Optional[Consent]
	ExternalIDs Optional[map[string]*string] // by system; nil takes one away
	Metadata    Optional[map[string]*string] // likewise by key

	OnlyAdds bool `json:"-"` // whoever says it may not change what is known of a guest already
}

// Over returns the profile with the part.
func (c ProfilePart) Over(p GuestProfile) GuestProfile {
	if c.Loyalty.Set {
		p.Loyalty = slices.Clone(c.Loyalty.Value)
	}
	p.Loyalty = slices.Clone(p.Loyalty)
	for _, l := range c.Further {
		if at := slices.IndexFunc(p.Loyalty, func(was Loyalty) bool { return was.Program == l.Program }); at >= 0 {
			p.Loyalty[at] = l
			continue
		}
		p.Loyalty = append(p.Loyalty, l)
	}
	if c.VIP.Set {
		p.VIP = c.VIP.Value
	}
	if c.Consent.Set {
		p.Consent = nil
		if !c.Consent.Null {
			p.Consent = &c.Consent.Value
		}
	}
	p.ExternalIDs, p.Metadata = Merged(p.ExternalIDs, c.ExternalIDs), Merged(p.Metadata, c.Metadata)
	return p
}

// Beside returns the profile with what of the part it has no word about yet. Whether a
// guest is a VIP is always said.
func (c ProfilePart) Beside(p GuestProfile) GuestProfile {
	p.Loyalty = slices.Clone(p.Loyalty)
	for _, l := range slices.Concat(c.Loyalty.Value, c.Further) {
		if !slices.ContainsFunc(p.Loyalty, func(was Loyalty) bool { return was.Program == l.Program }) {
			p.Loyalty = append(p.Loyalty, l)
		}
	}
	if p.Consent == nil && c.Consent.Set && !c.Consent.Null {
		p.Consent = &c.Consent.Value
	}
	p.ExternalIDs, p.Metadata = both(p.ExternalIDs, Merged(nil, c.ExternalIDs)), both(p.Metadata, Merged(nil, c.Metadata))
	return p
}

// NameKey is the last name as people are looked up by it.
func (g Guest) NameKey() string { return GuestKey(g.LastName) }

// EmailKey is the address as people are looked up by it.
func (g Guest) EmailKey() string { return GuestKey(g.Email) }

// PhoneKey is the number as people are looked up by it.
func (g Guest) PhoneKey() string { return PhoneKey(g.Phone) }

// GuestKey writes a name or an address as it is looked up: in lower case, without
// blanks around it.
func GuestKey(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// PhoneKey keeps the digits of a number.
func PhoneKey(phone string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, phone)
}

// GuestProfile is what a house knows about one person, however often they come.
type GuestProfile struct {
	Entity     `json:"-"`
	PropertyID string `json:"property_id"`
	Guest
	Loyalty     []Loyalty         `json:"loyalty,omitempty"`
	VIP         bool              `json:"vip,omitempty"`
	Consent     *Consent          `json:"marketing_consent,omitempty"` // nil: never asked
	ExternalIDs map[string]string `json:"external_ids,omitempty"`      // by system
	Preferences Preferences       `json:"preferences,omitzero"`
	Metadata    map[string]string `json:"metadata,omitempty"`
	Status      GuestStatus       `json:"status"`
	MergedInto  string            `json:"merged_into,omitempty"`
	SaidBy      string            `json:"said_by,omitempty"` // the channel from which all of it is; "": somebody here knows the guest
	Stats       GuestStats        `json:"-"`
}

// GuestStatus is whether a profile is still one.
type GuestStatus string

// The statuses.
const (
	GuestActive     GuestStatus = "active"
	GuestMerged     GuestStatus = "merged"     // into another profile, which has everything
	GuestAnonymized GuestStatus = "anonymized" // nothing is left of the person
)

// Loyalty is a guest's number in a programme.
type Loyalty struct {
	Program string `json:"program"`
	Number  string `json:"number"`
}

// Consent is what a guest has said about being written to.
type Consent struct {
	Granted bool      `json:"granted"`
	At      time.Time `json:"at"`
	Source  string    `json:"source"`
}

// Preferences are what a guest likes, each with where that is known from.
type Preferences struct {
	Tags    []Preference    `json:"tags,omitempty"`
	Notes   []Preference    `json:"notes,omitempty"`
	Dietary []Preference    `json:"dietary,omitempty"`
	Room    RoomPreferences `json:"room,omitzero"`
}

// RoomPreferences are what a guest likes about a room; nil: nobody knows.
type RoomPreferences struct {
	Floor      *Preference `json:"floor,omitempty"`
	Bed        *Preference `json:"bed,omitempty"`
	Smoking    *Preference `json:"smoking,omitempty"`
	Accessible *Preference `json:"accessible,omitempty"`
}

// Preference is one thing that a guest likes.
type Preference struct {
	Value  string           `json:"value"`
	Source PreferenceSource `json:"source"`
}

// PreferenceSource is where a preference is known from.
type PreferenceSource string

// The sources.
const (
	SaidByGuest     PreferenceSource = "guest"
	NotedByStaff    PreferenceSource = "staff"
	SaidAtBooking   PreferenceSource = "booking"
	FromOtherSystem PreferenceSource = "system"
)

// GuestStats are what a guest's reservations add up to.
type GuestStats struct {
	Stays         int // begun, or over
	Nights        int // of these
	FirstStay     *Date
	LastStay      *Date // nil: never here
	Cancellations int
	NoShows       int
	Revenue       []Money // what the stays came to with taxes; one for each currency, by its code
}
