package api

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// guestBody shows what may be read without the scope guests:read; the members
// that can be left out need it.
type guestBody struct {
	ID          string         `json:"id"`
	DisplayName string         `json:"display_name"`
	Language    string         `json:"language"`
	FirstName   string         `json:"first_name,omitempty"`
	LastName    string         `json:"last_name,omitempty"`
	Title       string         `json:"title,omitempty"`
	Company     string         `json:"company,omitempty"`
	Email       string         `json:"email,omitempty"`
	EmailKind   string         `json:"email_kind,omitempty" enum:"own,relay" doc:"relay is an alias that a channel made up; it never tells two guests to be one."`
	Phone       string         `json:"phone,omitempty"`
	Country     string         `json:"country,omitempty"`
	Nationality string         `json:"nationality,omitempty"`
	DateOfBirth string         `json:"date_of_birth,omitempty" format:"date"`
	Address     *hotel.Address `json:"address,omitempty"`

	Profile *guestProfileBody `json:"profile,omitempty" doc:"With include=guest: what the guest's profile says beside."`
}

// guestProfileBody is what is known of the guest of a booking, whatever they booked.
type guestProfileBody struct {
	Loyalty     []loyaltyBody     `json:"loyalty"`
	VIP         bool              `json:"vip"`
	Consent     *consentBody      `json:"marketing_consent" doc:"Null: the guest was never asked."`
	ExternalIDs map[string]string `json:"external_ids"`
	Metadata    map[string]string `json:"metadata"`
}

// personOf shows a guest as the caller may see one, and notes that it did.
func personOf(ctx context.Context, id string, g hotel.Guest, scopes auth.Scopes) guestBody {
	b := guestBody{ID: id, DisplayName: g.DisplayName(), Language: g.Language}
	if !scopes.Has(auth.GuestsRead) {
		return b
	}
	shows(ctx, id)
	b.FirstName, b.LastName, b.Title, b.Company, b.Email, b.Phone = g.FirstName, g.LastName, g.Title, g.Company, g.Email, g.Phone
	b.EmailKind = emailKind(g.Email)
	b.Country, b.Nationality, b.DateOfBirth = g.Country, g.Nationality, g.BirthDate
	if g.Address != (hotel.Address{}) {
		b.Address = &g.Address
	}
	return b
}

// NamedGuest is a guest whom a booking names.
type NamedGuest struct {
	FirstName   string        `json:"first_name,omitempty" maxLength:"100"`
	LastName    string        `json:"last_name" minLength:"1" maxLength:"100"`
	Title       string        `json:"title,omitempty" maxLength:"100"`
	Company     string        `json:"company,omitempty" maxLength:"200"`
	Email       string        `json:"email,omitempty" format:"email" maxLength:"254"`
	Phone       string        `json:"phone,omitempty" pattern:"^\\+[1-9]\\d{4,14}$" patternDescription:"a number of E.164, such as +4930123456"`
	Language    string        `json:"language,omitempty" example:"en-GB" doc:"BCP 47."`
	Country     string        `json:"country,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	Nationality string        `json:"nationality,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	BirthDate   string        `json:"date_of_birth,omitempty" format:"date"`
	Address     hotel.Address `json:"address,omitzero"`
}

// bookedGuest is a guest whom a booking names, with what their profile is to say.
type bookedGuest struct {
	NamedGuest
	Loyalty     []loyaltyBody     `json:"loyalty,omitempty" maxItems:"20" doc:"Added to those of a guest who is known; one of the same program takes its place, with the scope guests:write."`
	VIP         *bool             `json:"vip,omitempty" doc:"Of a guest who is known it counts with the scope guests:write alone."`
	Consent     *consentInput     `json:"marketing_consent,omitempty" doc:"Takes the place of what a guest who is known has said with the scope guests:write alone."`
	ExternalIDs map[string]string `json:"external_ids,omitempty" maxProperties:"20" doc:"Ids of the guest in other systems, by system, added to those that are known. One takes the place of another with the scope guests:write alone."`
	Metadata    map[string]string `json:"metadata,omitempty" maxProperties:"20" doc:"Of the guest's profile; added to what is there. A value takes the place of another with the scope guests:write alone."`
}

type consentInput struct {
	Granted bool      `json:"granted"`
	At      time.Time `json:"at"`
	Source  string    `json:"source" minLength:"1" maxLength:"200" example:"check-in form"`
}

func loyaltyOf(all []loyaltyBody) []hotel.Loyalty {
	out := make([]hotel.Loyalty, len(all))
	for i, l := range all {
		out[i] = hotel.Loyalty(l)
	}
	return out
}

// added are members that are laid over those that are there.
func added(all map[string]string) hotel.Optional[map[string]*string] {
	out := hotel.Optional[map[string]*string]{Set: len(all) > 0, Value: map[string]*string{}}
	for k, v := range all {
		out.Value[k] = &v
	}
	return out
}

// profile is what the guest's profile is to say, nil for nothing.
func (g *bookedGuest) profile() *hotel.ProfilePart {
	part := hotel.ProfilePart{Further: loyaltyOf(g.Loyalty), ExternalIDs: added(g.ExternalIDs), Metadata: added(g.Metadata)}
	if g.VIP != nil {
		part.VIP = hotel.Given(*g.VIP)
	}
	if g.Consent != nil {
		part.Consent = hotel.Given(hotel.Consent(*g.Consent))
	}
	if len(part.Further) == 0 && !part.VIP.Set && !part.Consent.Set && !part.ExternalIDs.Set && !part.Metadata.Set {
		return nil
	}
	return &part
}

// guestPatch is what is to be different about the guest of a booking, and so about
// the guest's profile.
type guestPatch struct {
	FirstName   optional[string] `json:"first_name,omitzero" maxLength:"100"`
	LastName    optional[string] `json:"last_name,omitzero" minLength:"1" maxLength:"100"`
	Title       optional[string] `json:"title,omitzero" maxLength:"100"`
	Company     optional[string] `json:"company,omitzero" maxLength:"200"`
	Email       optional[string] `json:"email,omitzero" format:"email" maxLength:"254"`
	Phone       optional[string] `json:"phone,omitzero" pattern:"^\\+[1-9]\\d{4,14}$" patternDescription:"a number of E.164, such as +4930123456"`
	Language    optional[string] `json:"language,omitzero" example:"en-GB" doc:"BCP 47."`
	Country     optional[string] `json:"country,omitzero" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	Nationality optional[string] `json:"nationality,omitzero" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	DateOfBirth optional[string] `json:"date_of_birth,omitzero" format:"date"`

	Address optional[guestAddressPatch] `json:"address,omitzero" doc:"Null takes all of it away."`

	Loyalty     optional[[]loyaltyBody]      `json:"loyalty,omitzero" maxItems:"20" doc:"All of them. Without the scope guests:write they are added to those that are known."`
	VIP         optional[bool]               `json:"vip,omitzero" doc:"Changed with the scope guests:write alone."`
	Consent     optional[consentInput]       `json:"marketing_consent,omitzero" doc:"Taken whole. Without the scope guests:write it counts where the guest was never asked."`
	ExternalIDs optional[map[string]*string] `json:"external_ids,omitzero" doc:"A system that is null is removed. Without the scope guests:write those of other systems are added, and nothing else."`
	Metadata    optional[map[string]*string] `json:"metadata,omitzero" doc:"Of the guest's profile. A key that is null is removed. Without the scope guests:write other keys are added, and nothing else."`
}

// profile is what is to be different about the profile beside who the guest is, nil for
// nothing.
func (p *guestPatch) profile() *hotel.ProfilePart {
	if !p.Loyalty.Set && !p.VIP.Set && !p.Consent.Set && !p.ExternalIDs.Set && !p.Metadata.Set {
		return nil
	}
	c := p.Consent
	return &hotel.ProfilePart{
		Loyalty: hotel.Optional[[]hotel.Loyalty]{Set: p.Loyalty.Set, Value: loyaltyOf(p.Loyalty.Value)}, VIP: p.VIP.Optional,
		Consent:     hotel.Optional[hotel.Consent]{Set: c.Set, Null: c.Null, Value: hotel.Consent(c.Value)},
		ExternalIDs: p.ExternalIDs.Optional, Metadata: p.Metadata.Optional,
	}
}

// guestAddressPatch is what is to be different about an address.
type guestAddressPatch struct {
	Line1      optional[string] `json:"line1,omitzero"`
	Line2      optional[string] `json:"line2,omitzero"`
	City       optional[string] `json:"city,omitzero"`
	Region     optional[string] `json:"region,omitzero"`
	PostalCode optional[string] `json:"postal_code,omitzero"`
}

func (p *guestPatch) read() *hotel.GuestChange {
	if p == nil {
		return nil
	}
	a := p.Address.Value
	if p.Address.Null {
		gone := optional[string]{hotel.Optional[string]{Set: true, Null: true}}
		a = guestAddressPatch{gone, gone, gone, gone, gone}
	}
	return &hotel.GuestChange{
		Part:      p.profile(),
		FirstName: p.FirstName.orZero(), LastName: p.LastName.pointer(), Title: p.Title.orZero(), Company: p.Company.orZero(),
		Email: p.Email.orZero(), Phone: p.Phone.orZero(), Language: p.Language.orZero(), Country: p.Country.orZero(),
		Nationality: p.Nationality.orZero(), BirthDate: p.DateOfBirth.orZero(),
		Line1: a.Line1.orZero(), Line2: a.Line2.orZero(), City: a.City.orZero(), Region: a.Region.orZero(), PostalCode: a.PostalCode.orZero(),
	}
}
