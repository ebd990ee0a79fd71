package hotel

// Seller is who sells rooms to guests, as rate plans name it in sold_by. The zero
// value may sell every plan.
type Seller struct {
	ID      string // of a client or a channel
	Channel bool   // it is a channel, or a client that stands for one
}

// Owns reports whether the seller is the channel that sold a booking of the source: what it
// says of the booking is the channel's word.
func (s Seller) Owns(of Source) bool { return s.Channel && s.ID == of.ChannelID }
