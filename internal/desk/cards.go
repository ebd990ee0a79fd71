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
	maskPart(n.Profile)
	mask(&n.Source.Reference, &n.Source.RoomRef, &n.Source.SubChannel, &n.RoomNumber)
	maskExtras(n.Extras)
	maskTags(n.Tags)
	maskWords(&n.Words)
	return cmp.Or(checkGuarantee(n.Card), checkCardAccess(n.CardAccess))
}

func rowWithoutCards(row *hotel.ImportRow) error {
	if c := row.Cancel; c != nil {
		mask(&c.Reason, &c.Note)
	}
	return withoutCards(&row.NewReservation)
}

func changeWithoutCards(c *hotel.ReservationChange) error {
	maskGiven(c.RoomNumber, c.Notes, c.Requests)
	if g := c.Guest; g != nil {
		maskGiven(g.Texts()...)
		maskPart(g.Part)
	}
	if c.Extras != nil {
		maskExtras(*c.Extras)
	}
	if c.Tags != nil {
		maskTags(*c.Tags)
	}
	maskChanged(c.Metadata.Value)
	maskChanged(c.Invoice.Value)
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

// maskGiven leaves out what is nil.
func maskGiven(texts ...*string) {
	for _, text := range texts {
		if text != nil {
			mask(text)
		}
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
	maskMembers(w.Metadata)
}

// maskProfile leaves the numbers of loyalty programs, which are numbers of cards.
func maskProfile(p *hotel.GuestProfile) {
	maskGuest(&p.Guest)
	maskLoyalty(p.Loyalty)
	if p.Consent != nil {
		mask(&p.Consent.Source)
	}
	for _, list := range [][]hotel.Preference{p.Preferences.Tags, p.Preferences.Notes, p.Preferences.Dietary} {
		for i := range list {
			mask(&list[i].Value)
		}
	}
	maskMembers(p.ExternalIDs)
	maskMembers(p.Metadata)
}

// maskPart does with what a booking says of a profile as is done with the profile.
func maskPart(p *hotel.ProfilePart) {
	if p == nil {
		return
	}
	maskLoyalty(p.Further)
	maskLoyalty(p.Loyalty.Value)
	mask(&p.Consent.Value.Source)
	maskChanged(p.ExternalIDs.Value)
	maskChanged(p.Metadata.Value)
}

func maskLoyalty(all []hotel.Loyalty) {
	for i := range all {
		mask(&all[i].Program)
	}
}

func maskMembers(members map[string]string) {
	for k, v := range members {
		mask(&v)
		members[k] = v
	}
}

func maskChanged(members map[string]*string) {
	for _, text := range members {
		maskGiven(text)
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
