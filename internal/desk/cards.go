package desk

import (
	"cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/card"
)

// withoutCards masks card numbers that somebody typed where words belong, and
// refuses them where a card is spoken of: there a number is no slip, and its
// sender has to learn to keep it.
func withoutCards(n *hotel.NewReservation) error {
	maskGuest(&n.Guest)
	mask(&n.Source.Reference, &n.Source.RoomRef, &n.Source.SubChannel, &n.RoomNumber)
	maskExtras(n.Extras)
	maskTags(n.Tags)
	maskWords(&n.Words)
	return cmp.Or(checkGuarantee(n.Card), checkCardAccess(n.CardAccess))
}

func changeWithoutCards(c *hotel.ReservationChange) error {
	for _, text := range []*string{c.RoomNumber, c.Notes, c.Requests} {
		if text != nil {
			mask(text)
		}
	}
	if g := c.Guest; g != nil {
		for _, text := range g.Texts() {
			if text != nil {
				mask(text)
			}
		}
	}
	if c.Extras != nil {
		maskExtras(*c.Extras)
	}
	if c.Tags != nil {
		maskTags(*c.Tags)
	}
	for _, members := range []map[string]*string{c.Metadata.Value, c.Invoice.Value} {
		for _, text := range members {
			if text != nil {
				mask(text)
			}
		}
	}
	return cmp.Or(checkGuarantee(&c.Card.Value), checkCardAccess(&c.CardAccess.Value))
}

func checkGuarantee(c *hotel.Card) error {
	if c == nil {
		return nil
	}
	for name, text := range map[string]string{"brand": c.Brand, "last4": c.Last4, "token_ref": c.TokenRef} {
		if card.In(text) {
			return hotel.Invalid("/guarantee/card/"+name, "pattern", "looks like a card number, which is never kept here: send a token of whoever keeps it")
		}
	}
	return nil
}

func checkCardAccess(a *hotel.CardAccess) error {
	if a != nil && card.In(a.URL) {
		return hotel.Invalid("/guarantee/card_access/url", "pattern", "has what looks like a card number, which is never kept here")
	}
	return nil
}

func mask(texts ...*string) {
	for _, text := range texts {
		*text = string(card.Mask([]byte(*text)))
	}
}

func maskGuest(g *hotel.Guest) {
	mask(g.Texts()...)
}

func maskWords(w *hotel.Words) {
	mask(&w.Notes, &w.Requests)
	if i := w.Invoice; i != nil {
		mask(&i.Name, &i.Company, &i.TaxID, &i.Email, &i.Country, &i.Line1, &i.Line2, &i.City, &i.Region, &i.PostalCode)
	}
	for k, v := range w.Metadata {
		mask(&v)
		w.Metadata[k] = v
	}
}

func maskExtras(extras []hotel.Extra) {
	for i := range extras {
		mask(&extras[i].Code, &extras[i].Name)
	}
}

func maskTags(tags []string) {
	for i := range tags {
		mask(&tags[i])
	}
}
