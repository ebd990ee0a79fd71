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

// Guest is a person as a booking names them. Of the fields only LastName is
// required of writers through /v1; a channel may withhold any.
type Guest struct {
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
	Email     string `json:"email,omitempty"`
	Phone     string `json:"phone,omitempty"`
	Language  string `json:"language,omitempty"`
	Country   string `json:"country,omitempty"`
}

// DisplayName joins the names for lists.
func (g Guest) DisplayName() string {
	if g.FirstName == "" {
		return g.LastName
	}
	if g.LastName == "" {
		return g.FirstName
	}
	return g.FirstName + " " + g.LastName
}
