package console

import (
	"net/http"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// alterationMade is a bulk update and how far the channels are with it.
type alterationMade struct {
	hotel.AriUpdate
	Names   map[string]string // of the channels
	MayUndo bool
}

// askedUpdate is the bulk update that the address names.
func (v *visit) askedUpdate() (hotel.AriUpdate, error) {
	u, err := v.c.desk.AriUpdate(v.r.Context(), v.caller, v.r.PathValue("id"))
	if err == nil && u.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such update in this house")
	}
	return u, err
}

// madeAlteration shows how far the channels are.
func (c *Console) madeAlteration(v *visit) error {
	u, err := v.askedUpdate()
	if err != nil {
		return err
	}
	names, err := v.sellers()
	if err != nil {
		return err
	}
	needs := auth.RatesWrite
	if u.Kind == "inventory" {
		needs = auth.InventoryWrite
	}
	return v.show("update", http.StatusOK, alterationMade{u, names, v.may(needs)})
}

// undo writes back what was there before an update.
func (c *Console) undo(v *visit) error {
	u, err := v.askedUpdate()
	if err != nil {
		return err
	}
	caller := v.caller
	caller.Once = hotel.Once{Client: "user:" + v.user.ID, Method: http.MethodPost, Path: v.r.URL.Path, Key: "undo"}
	back, _, err := c.desk.UndoUpdate(v.r.Context(), caller, u.ID)
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("calendar/updates/"+back.ID)+"?done=undone", http.StatusSeeOther)
	return nil
}
