package alpinebits

import (
	"context"
	"slices"
	"strconv"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// inventoryTold is where the categories are on the shelf as the portal was last told.
const inventoryTold = "categories"

// describe tells a portal of its categories when they are others than it was told last,
// so that it knows them before it is told of their rooms. What becomes of it is said for
// information alone: a portal that has its categories takes rooms and prices of them,
// whatever it thinks of a description. What it refuses is told again once it has changed,
// what did not arrive with the next call.
func (c *conn) describe(ctx context.Context, t terms) []message.Notice {
	if c.cfg.Inventory == "" || c.rooms == nil || !slices.Contains(t.features, message.Inventory.Handshake) {
		return nil
	}
	sold, err := c.rooms(ctx)
	if err != nil {
		return []message.Notice{{Type: message.Advisory, Text: "the categories could not be read"}}
	}
	set := message.InventorySet{Hotel: c.property()}
	for _, s := range sold {
		if categoryForm(s.Room) {
			set.Categories = append(set.Categories, c.category(s, slices.Contains(t.features, message.OccupancyChildren)))
		}
	}
	if len(set.Categories) == 0 {
		return nil // an empty inventory takes all categories away
	}
	body := message.WriteInventory(set)
	if known, err := c.told.shelf.Get(ctx, inventoryTold); err != nil || string(known) == string(body) {
		return nil
	}
	said, err := c.ask(ctx, "tell categories", message.Inventory, t, body, message.Described)
	switch {
	case err != nil && connectors.AsError(err).Kind != connectors.Invalid:
		return []message.Notice{{Type: message.Advisory, Text: "the categories could not be told: " + err.Error()}}
	case err != nil:
		said.Notices = []message.Notice{{Text: err.Error()}}
	}
	notices := []message.Notice{{Type: message.Advisory, Text: "the categories are told"}}
	if err != nil || said.Refused() {
		notices[0].Text = "the portal does not take the categories: " + said.Words()
	}
	if err := c.told.shelf.Put(ctx, inventoryTold, body); err != nil {
		notices[0].Text += ", and are told again with the next call"
	}
	return notices
}

// category describes one. The price of a room is for the standard number of guests.
func (c *conn) category(s connectors.SoldRoom, children bool) message.Category {
	of := message.Category{Code: s.Room, Class: message.RoomClass, Max: min(max(1, s.Type.MaxOccupancy), maxGuests)}
	of.Min = min(max(1, s.Type.MinOccupancy), of.Max)
	of.Standard = s.Type.BaseOccupancy
	if s.Type.StandardOccupancy != 0 {
		of.Standard = s.Type.StandardOccupancy
	}
	if n, told := c.cfg.StandardGuests[s.Room]; told {
		of.Standard = n
	}
	of.Standard = min(max(of.Min, of.Standard), of.Max)
	if children {
		n := min(max(0, s.Type.MaxChildren), of.Max)
		of.Children = &n
	}
	for _, code := range s.Type.Amenities {
		if n, err := strconv.Atoi(code); err == nil && n > 0 {
			of.Amenities = append(of.Amenities, n)
		}
	}
	if s.Type.Name != "" {
		of.Names = []message.Text{{Language: c.cfg.Inventory, Text: s.Type.Name}}
	}
	if s.Type.Description != "" {
		of.Descriptions = []message.Text{{Language: c.cfg.Inventory, Text: s.Type.Description}}
	}
	return of
}
