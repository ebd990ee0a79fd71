package api

import (
	"context"

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
	Phone       string         `json:"phone,omitempty"`
	Country     string         `json:"country,omitempty"`
	Nationality string         `json:"nationality,omitempty"`
	DateOfBirth string         `json:"date_of_birth,omitempty" format:"date"`
	Address     *hotel.Address `json:"address,omitempty"`
}

// personOf shows a guest as the caller may see one, and notes that it did.
func personOf(ctx context.Context, id string, g hotel.Guest, scopes auth.Scopes) guestBody {
	b := guestBody{ID: id, DisplayName: g.DisplayName(), Language: g.Language}
	if !scopes.Has(auth.GuestsRead) {
		return b
	}
	shows(ctx, id)
	b.FirstName, b.LastName, b.Title, b.Company, b.Email, b.Phone = g.FirstName, g.LastName, g.Title, g.Company, g.Email, g.Phone
	b.Country, b.Nationality, b.DateOfBirth = g.Country, g.Nationality, g.BirthDate
	if g.Address != (hotel.Address{}) {
		b.Address = &g.Address
	}
	return b
}

// guestInput is a guest whom a booking names.
type guestInput struct {
	FirstName   string        `json:"first_name,omitempty" maxLength:"100"`
	LastName    string        `json:"last_name" minLength:"1" maxLength:"100"`
	Title       string        `json:"title,omitempty" maxLength:"100"`
	Company     string        `json:"company,omitempty" maxLength:"200"`
	Email       string        `json:"email,omitempty" format:"email" maxLength:"254"`
	Phone       string        `json:"phone,omitempty" pattern:"^\\+[1-9]\\d{4,14}$" patternDescription:"a number of E.164, such as +4930123456"`
	Language    string        `json:"language,omitempty" pattern:"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$" patternDescription:"a tag of BCP 47"`
	Country     string        `json:"country,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	Nationality string        `json:"nationality,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	BirthDate   string        `json:"date_of_birth,omitempty" format:"date"`
	Address     hotel.Address `json:"address,omitzero"`
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
	Language    optional[string] `json:"language,omitzero" pattern:"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$" patternDescription:"a tag of BCP 47"`
	Country     optional[string] `json:"country,omitzero" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	Nationality optional[string] `json:"nationality,omitzero" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	DateOfBirth optional[string] `json:"date_of_birth,omitzero" format:"date"`

	Address optional[guestAddressPatch] `json:"address,omitzero" doc:"Null takes all of it away."`
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
		FirstName: p.FirstName.orZero(), LastName: p.LastName.pointer(), Title: p.Title.orZero(), Company: p.Company.orZero(),
		Email: p.Email.orZero(), Phone: p.Phone.orZero(), Language: p.Language.orZero(), Country: p.Country.orZero(),
		Nationality: p.Nationality.orZero(), BirthDate: p.DateOfBirth.orZero(),
		Line1: a.Line1.orZero(), Line2: a.Line2.orZero(), City: a.City.orZero(), Region: a.Region.orZero(), PostalCode: a.PostalCode.orZero(),
	}
}
