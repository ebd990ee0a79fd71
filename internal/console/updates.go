package console

import (
	"net/http"
	"net/url"

	"ostler.example/hotel"
)

// updateList is what was changed of nights, the newest first.
type updateList struct {
	Lines []updateLine
	Next  string // where the next page is; "": this is the last
}

// updateLine is one bulk update.
type updateLine struct {
	hotel.MadeUpdate
	Who string // "" where nobody knows any more
}

// pageOfUpdates is how many bulk updates are on one page.
const pageOfUpdates = 50

// updates lists what was changed of nights, to be looked at and undone long after.
func (c *Console) updates(v *visit) error {
	list, err := c.desk.LatestUpdates(v.r.Context(), v.caller, v.house.ID, v.r.URL.Query().Get("before"), pageOfUpdates+1)
	if err != nil {
		return err
	}
	by, err := v.doers()
	if err != nil {
		return err
	}
	var l updateList
	if len(list) > pageOfUpdates {
		list = list[:pageOfUpdates]
		l.Next = v.path("calendar/updates") + "?" + url.Values{"before": {list[pageOfUpdates-1].ID}}.Encode()
	}
	for _, u := range list {
		line := updateLine{MadeUpdate: u}
		if u.By.Kind != "" {
			line.Who = by.called(u.By)
		}
		l.Lines = append(l.Lines, line)
	}
	return v.show("updates", http.StatusOK, l)
}
