package alpinebits

import (
	"context"
	"fmt"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// takeInventory holds the categories of the hotel's own system against our room types.
// Those are made here, with all that hangs on them, so that nothing is written: what
// does not go together is said in the answer, with what to do about it.
func (s served) takeInventory(_ context.Context, v visit) ([]byte, error) {
	set, err := message.ReadInventory(v.request)
	if err != nil {
		return nil, unread(err)
	}
	if err := s.cfg.isFor(v.version, set.Hotel); err != nil {
		return nil, err
	}
	said := []string{"room types are kept at Ostler: nothing of this is written"}
	told := map[string]bool{}
	for _, c := range set.Categories {
		room, err := s.room(v, c.Code)
		if err != nil {
			said = append(said, err.Error())
			continue
		}
		told[room.ID] = true
		if why := unlike(c, room); why != "" {
			said = append(said, fmt.Sprintf("room type %s is for %s: change it here", room.Code, why))
		}
	}
	for _, room := range v.layout.Rooms {
		if !told[room.ID] && room.Given(v.layout.Property) {
			said = append(said, fmt.Sprintf("room type %s has no category", room.Code))
		}
	}
	return message.WriteSuccess(message.Described, message.Inform(said[:min(len(said), mostSaid)]...)...), nil
}

// mostSaid is how many differences one answer names.
const mostSaid = 50

// unlike says in which numbers of guests a room type is another than a category.
func unlike(c message.Category, room hotel.RoomType) string {
	why := ""
	standard := room.StandardOccupancy
	if standard == 0 {
		standard = room.BaseOccupancy
	}
	for _, n := range []struct {
		what        string
		here, there int
	}{
		{"at the least", max(1, room.MinOccupancy), c.Min}, {"as a rule", standard, c.Standard}, {"at the most", room.MaxOccupancy, c.Max},
	} {
		if n.here == n.there {
			continue
		}
		if why != "" {
			why += ", "
		}
		why += fmt.Sprintf("%d guests %s and not %d", n.here, n.what, n.there)
	}
	return why
}
