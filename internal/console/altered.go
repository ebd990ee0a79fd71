package console

import (
	"crypto/sha256"
	"fmt"
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

// undoDraft is what undoing an update would do.
type undoDraft struct {
	hotel.Undoing
	ID      string
	Lines   []draftLine // without what is typed there
	More    int         // lines that there are besides
	Names   map[string]string
	Seen    string // of the lines
	Changed bool   // it would do something else than when it was looked at
}

// undoDraft works out what undoing the update that the address names would do.
func (v *visit) undoDraft() (d undoDraft, err error) {
	u, err := v.askedUpdate()
	if err != nil {
		return d, err
	}
	if _, d.Undoing, err = v.c.desk.RehearseUndo(v.r.Context(), v.caller, u.ID, 0); err != nil {
		return d, err
	}
	f := alterForm{}
	if f.AllRooms, f.AllPlans, err = v.sold(); err != nil {
		return d, err
	}
	d.ID, d.Names = u.ID, f.names()
	seen := sha256.New()
	fmt.Fprintln(seen, d.Opening, d.Oversold)
	for _, l := range d.Undoing.Lines {
		fmt.Fprintln(seen, l)
		d.Lines = append(d.Lines, draftLine{Room: d.Names[l.RoomTypeID], Plan: d.Names[l.RatePlanID], Span: l.Span})
	}
	d.Seen = fmt.Sprintf("%x", seen.Sum(nil))
	d.More = max(0, len(d.Lines)-mostLines)
	d.Lines = d.Lines[:len(d.Lines)-d.More]
	return d, nil
}

// askUndo shows what undoing an update would do.
func (c *Console) askUndo(v *visit) error {
	d, err := v.undoDraft()
	if err != nil {
		return err
	}
	return v.show("undo", http.StatusOK, d)
}

// undo writes back what was there before an update, if that still does what was shown.
// Nothing is written twice: what was undone is no longer the update's.
func (c *Console) undo(v *visit) error {
	d, err := v.undoDraft()
	if err != nil {
		return err
	}
	if d.Changed = d.Seen != v.r.PostFormValue("seen"); d.Changed {
		return v.show("undo", http.StatusConflict, d)
	}
	back, _, err := c.desk.UndoUpdate(v.r.Context(), v.caller, d.ID, 0)
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("calendar/updates/"+back.ID)+"?done=undone", http.StatusSeeOther)
	return nil
}
