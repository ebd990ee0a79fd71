package api

import (
	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// guaranteeBody says what stands for the payment. The card and where it is to be had
// need guests:read.
type guaranteeBody struct {
	Kind       string          `json:"kind,omitempty" enum:"none,card_on_file,deposit,prepaid"`
	Card       *cardBody       `json:"card,omitempty"`
	CardAccess *cardAccessBody `json:"card_access,omitempty" doc:"Where whoever may charge the card gets at it: no number is kept here."`
}

// cardAccessBody says where a card is to be had.
type cardAccessBody struct {
	Kind  string   `json:"kind" enum:"extranet,token,none" doc:"Shown by the channel to the hotel's people, kept by somebody who charges it for its token_ref, or out of reach."`
	URL   string   `json:"url,omitempty" pattern:"^https://" patternDescription:"an https address" maxLength:"2000" example:"https://admin.channel.example/bookings/1"`
	Until *instant `json:"until,omitempty" doc:"When the access ends."`
}

// cardBody is what may be known of a payment card.
type cardBody struct {
	Brand       string   `json:"brand,omitempty" maxLength:"40"`
	Last4       string   `json:"last4,omitempty" pattern:"^\\d{4}$" patternDescription:"the last four digits"`
	ExpMonth    int      `json:"exp_month,omitempty" minimum:"1" maximum:"12"`
	ExpYear     int      `json:"exp_year,omitempty" minimum:"2000" maximum:"2100"`
	TokenRef    string   `json:"token_ref,omitempty" maxLength:"200" doc:"Of whoever keeps the card; never its number."`
	Virtual     bool     `json:"virtual,omitempty"`
	ActiveFrom  *instant `json:"active_from,omitempty"`
	ActiveUntil *instant `json:"active_until,omitempty"`
	Balance     *money   `json:"balance,omitempty"`
	ChargeAt    string   `json:"charge_at,omitempty" format:"date"`
}

func (b *guaranteeBody) readInto(n *hotel.NewReservation) (err error) {
	if b == nil {
		return nil
	}
	n.Guarantee = b.Kind
	n.Card, err = b.Card.read()
	n.CardAccess = b.CardAccess.read()
	return err
}

func guaranteeOf(r hotel.Reservation, scopes auth.Scopes) guaranteeBody {
	b := guaranteeBody{Kind: r.Guarantee}
	if c := r.Card; c != nil && scopes.Has(auth.GuestsRead) {
		b.Card = &cardBody{
			Brand: c.Brand, Last4: c.Last4, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear, TokenRef: c.TokenRef, Virtual: c.Virtual,
			ActiveFrom: instantOrNone(c.ActiveFrom), ActiveUntil: instantOrNone(c.ActiveUntil), Balance: moneyOrNone(c.Balance),
		}
		if c.ChargeAt != nil {
			b.Card.ChargeAt = c.ChargeAt.String()
		}
	}
	if a := r.CardAccess; a != nil && scopes.Has(auth.GuestsRead) {
		b.CardAccess = &cardAccessBody{a.Kind, a.URL, instantOrNone(a.Until)}
	}
	return b
}

func (b *cardBody) read() (*hotel.Card, error) {
	if b == nil {
		return nil, nil
	}
	balance, err := readMoney(b.Balance, "/guarantee/card/balance")
	if err != nil {
		return nil, err
	}
	c := &hotel.Card{
		Brand: b.Brand, Last4: b.Last4, ExpMonth: b.ExpMonth, ExpYear: b.ExpYear, TokenRef: b.TokenRef, Virtual: b.Virtual,
		Balance: balance, ChargeAt: dateOrNone(b.ChargeAt),
	}
	c.ActiveFrom, c.ActiveUntil = b.ActiveFrom.time(), b.ActiveUntil.time()
	return c, nil
}

func (b *cardAccessBody) read() *hotel.CardAccess {
	if b == nil {
		return nil
	}
	return &hotel.CardAccess{Kind: b.Kind, URL: b.URL, Until: b.Until.time()}
}
