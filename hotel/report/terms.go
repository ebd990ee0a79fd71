package report

import "ostler.example/hotel"

// NoteCommission takes down what a channel takes, and what single sellers behind it do.
func (b *Books) NoteCommission(c *hotel.Channel) {
	if b.Commissions == nil {
		b.Commissions = map[string]hotel.Commission{}
	}
	if c.Commission != nil {
		b.Commissions[c.ID] = *c.Commission
	}
	for name, of := range c.Sellers {
		if of.Commission != nil {
			b.Commissions[sellerAt(c.ID, name)] = *of.Commission
		}
	}
}

// TermsOf returns what is taken of the bookings of a source: what its seller takes, else
// what its channel does. Nil: nobody said.
func (b *Books) TermsOf(s hotel.Source) *hotel.Commission {
	for _, at := range []string{sellerAt(s.ChannelID, s.SubChannel), s.ChannelID} {
		if terms, told := b.Commissions[at]; told {
			return &terms
		}
	}
	return nil
}

// sellerAt is the key of a seller behind a channel; no id has a slash.
func sellerAt(channel, seller string) string { return channel + "/" + SellerName(seller) }
