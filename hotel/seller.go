package hotel

// Seller is who sells rooms to guests, as rate plans name it in sold_by. The zero
// value may sell every plan.
type Seller struct {
	ID      string // of a client or a channel
	Channel bool   // it is a channel, or a client that stands for one
}
