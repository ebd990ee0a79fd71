package console

import (
	"ostler.example/hotel"
)

// conflictLine is a conflict in a list.
type conflictLine struct {
	hotel.Conflict
	From string // the channel's name; "" for none
}

// conflicts lists conflicts of the house.
func (v *visit) conflicts(f hotel.ConflictFilter) ([]conflictLine, error) {
	f.PropertyID = v.house.ID
	list, err := v.c.desk.Conflicts(v.r.Context(), v.caller, f)
	if err != nil {
		return nil, err
	}
	sellers, err := v.sellers()
	lines := make([]conflictLine, len(list))
	for i, k := range list {
		lines[i] = conflictLine{k, sellers[k.ChannelID]}
	}
	return lines, err
}
