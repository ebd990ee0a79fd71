package hotel

// ChannelBooking is the content of a channel's message, with codes as the far
// side writes them. Whatever is nil or empty was not mentioned.
type ChannelBooking struct {
	Rooms             []ChannelRoom
	Guest             *Guest
	Total, Commission *Money
}

// ChannelRoom describes a single room in such a booking. Amounts goes by
// night; -1 in Children stands for a child whose age was not given.
type ChannelRoom struct {
	Ref, Room, Rate string
	Stay            Stay
	Adults          int
	Children        []int
	Amounts         []Money
	Guest           *Guest
}
