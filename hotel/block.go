package hotel

// Block is rooms promised before anybody is named: to a group, a tour operator
// or a channel with an allotment.
type Block struct {
	Entity      `json:"-"`
	PropertyID  string        `json:"property_id"`
	Name        string        `json:"name"`
	Contact     string        `json:"contact,omitempty"`
	Notes       string        `json:"notes,omitempty"`
	BlockStatus BlockStatus   `json:"status"`
	Deducts     *bool         `json:"deducts,omitempty"` // nil: definite ones do
	Lines       []BlockLine   `json:"lines"`
	RatePlanID  string        `json:"rate_plan_id,omitempty"`
	Amounts     []BlockAmount `json:"amounts,omitempty"`
	ReleaseOn   *Date         `json:"release_on,omitempty"`   // the whole block, at that date's midnight
	ReleaseDays *int          `json:"release_days,omitempty"` // so many days before each night
	ChannelID   string        `json:"channel_id,omitempty"`   // set for a contracted allotment
}

// BlockStatus is where a block stands.
type BlockStatus string

// The statuses of a block.
const (
	Tentative BlockStatus = "tentative"
	Definite  BlockStatus = "definite"
	Released  BlockStatus = "released"
)

// BlockLine promises units of a room type over some nights, both inclusive.
type BlockLine struct {
	RoomTypeID string `json:"room_type_id"`
	DateFrom   Date   `json:"date_from"`
	DateTo     Date   `json:"date_to"`
	Units      int    `json:"units"`
}

// BlockAmount is the agreed price of a room type's night.
type BlockAmount struct {
	RoomTypeID string `json:"room_type_id"`
	Amount     Money  `json:"amount"`
}

// TakesRooms reports whether the block takes rooms from what is free.
func (b Block) TakesRooms() bool {
	switch {
	case b.BlockStatus == Released:
		return false
	case b.Deducts != nil:
		return *b.Deducts
	}
	return b.BlockStatus == Definite
}
