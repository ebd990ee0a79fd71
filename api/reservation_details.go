package api

import (
	"fmt"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// extraBody is something sold with the room.
type extraBody struct {
	Code      string     `json:"code" minLength:"1" maxLength:"40"`
	Name      string     `json:"name,omitempty" maxLength:"100"`
	DateFrom  hotel.Date `json:"date_from" format:"date" doc:"Inclusive, as date_to: so many on each date."`
	DateTo    hotel.Date `json:"date_to" format:"date"`
	Quantity  int        `json:"quantity" minimum:"1" maximum:"999"`
	UnitPrice money      `json:"unit_price"`
}

func extrasOf(list []hotel.Extra) []extraBody {
	out := make([]extraBody, len(list))
	for i, e := range list {
		out[i] = extraBody{e.Code, e.Name, e.DateFrom, e.DateTo, e.Quantity, moneyOf(e.UnitPrice)}
	}
	return out
}

func readExtras(list []extraBody) ([]hotel.Extra, error) {
	var out []hotel.Extra
	for i, e := range list {
		price, err := e.UnitPrice.read(fmt.Sprintf("/extras/%d/unit_price", i))
		if err != nil {
			return nil, err
		}
		out = append(out, hotel.Extra{Code: e.Code, Name: e.Name, DateFrom: e.DateFrom, DateTo: e.DateTo, Quantity: e.Quantity, UnitPrice: price})
	}
	return out, nil
}

// nightInput is the price that somebody sets for a night.
type nightInput struct {
	Date       hotel.Date `json:"date" format:"date"`
	RoomTypeID string     `json:"room_type_id,omitempty" doc:"As it is: a guest is moved by the room_type_id of the reservation."`
	RatePlanID string     `json:"rate_plan_id,omitempty" doc:"As it is."`
	Amount     money      `json:"amount"`
	Override   bool       `json:"override" enum:"true" doc:"A price is set by hand or not at all; needs reservations:override."`
}

func readNights(list []nightInput) ([]hotel.NightAmount, error) {
	var out []hotel.NightAmount
	for i, n := range list {
		at := fmt.Sprintf("/nightly/%d/amount", i)
		amount, err := n.Amount.read(at)
		if err != nil {
			return nil, err
		}
		if amount.Minor < 0 {
			return nil, hotel.Invalid(at, "min", "must not be negative")
		}
		out = append(out, hotel.NightAmount{Date: n.Date, RoomTypeID: n.RoomTypeID, RatePlanID: n.RatePlanID, Amount: amount})
	}
	return out, nil
}

// invoiceBody is who pays, as it is to stand on the bill. It needs guests:read.
type invoiceBody struct {
	Name       string `json:"name,omitempty" maxLength:"200"`
	Company    string `json:"company,omitempty" maxLength:"200"`
	TaxID      string `json:"tax_id,omitempty" maxLength:"40"`
	Email      string `json:"email,omitempty" format:"email" maxLength:"254"`
	Country    string `json:"country,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	Line1      string `json:"line1,omitempty" maxLength:"200"`
	Line2      string `json:"line2,omitempty" maxLength:"200"`
	City       string `json:"city,omitempty" maxLength:"100"`
	Region     string `json:"region,omitempty" maxLength:"100"`
	PostalCode string `json:"postal_code,omitempty" maxLength:"20"`
}

func invoiceOf(i *hotel.Invoice, scopes auth.Scopes) *invoiceBody {
	if i == nil || !scopes.Has(auth.GuestsRead) {
		return nil
	}
	return &invoiceBody{i.Name, i.Company, i.TaxID, i.Email, i.Country, i.Line1, i.Line2, i.City, i.Region, i.PostalCode}
}

func (b *invoiceBody) read() *hotel.Invoice {
	if b == nil {
		return nil
	}
	return &hotel.Invoice{
		Name: b.Name, Company: b.Company, TaxID: b.TaxID, Email: b.Email, Country: b.Country,
		Address: hotel.Address{Line1: b.Line1, Line2: b.Line2, City: b.City, Region: b.Region, PostalCode: b.PostalCode},
	}
}
