package console

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/mapping"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// mappingPage joins the products of a far side with ours.
type mappingPage struct {
	desk.ChannelView
	Rows     []mappingRow
	Products []mappingChoice // of ours
	Asked    bool            // the far side could be asked what it sells
	Told     string          // why it could not
	Tried    bool            // Coverage is of what is on the form, and nothing is stored
	Plan     *planView       // what a channel that is live would be told of what is on the form
	Changed  bool            // the plan is another than the one that was looked at
	Coverage []desk.Coverage
	Costs    []mappingCost
	Unsold   bool // a plan that is mapped does not name the channel
	MaySell  bool
	names    map[string]string // of room types and rate plans, by id
	mistakes
}

// mappingRow is a remote product, and what of ours it is sold as.
type mappingRow struct {
	Room, Rate, RoomName, RateName string
	Ours                           string // as [lineOf] has it; "": nothing
	Guests                         int
	Confidence                     mapping.Confidence // of a proposal; "": it is mapped, or nothing is proposed
	Reasons, Doubts                []mapping.Reason
	Typed                          bool // its codes are typed on the form
}

type mappingChoice struct{ Line, Name string }

// mappingCost is a field that the channel cannot be told as it is.
type mappingCost struct {
	Field hotel.Field
	As    string // coarser or absent
	Stays int    // that it turns away for it
}

// mappingPage reads what there is to join.
func (v *visit) mappingPage() (p mappingPage, err error) {
	if !v.may(auth.ChannelsWrite) {
		return p, hotel.Refuse("insufficient_scope", "your role may not map channels")
	}
	if p.ChannelView, err = v.mine(); err != nil {
		return p, err
	}
	rooms, plans, err := v.sold()
	if err != nil {
		return p, err
	}
	p.names = map[string]string{}
	for _, plan := range plans {
		p.names[plan.ID] = plan.Name
	}
	for _, r := range rooms {
		p.names[r.ID] = r.Name
		for _, plan := range plans {
			if slices.Contains(plan.RoomTypeIDs, r.ID) {
				p.Products = append(p.Products, mappingChoice{lineOf(r.ID, plan.ID), r.Name + " · " + plan.Name})
			}
		}
	}
	p.MaySell = v.may(auth.RatesWrite)
	offered, err := v.c.desk.RemoteProducts(v.r.Context(), v.caller, p.ID)
	if refused, ok := v.refusal(err); ok {
		p.Told = refused.Detail
	} else if err != nil {
		return p, err
	}
	p.Asked = err == nil
	for _, o := range offered {
		row := mappingRow{Room: o.Room, Rate: o.Rate, RoomName: o.RoomName, RateName: o.RateName, Doubts: o.Doubts}
		switch {
		case o.Mapped != nil:
			row.Ours, row.Guests = lineOf(o.Mapped.RoomTypeID, o.Mapped.RatePlanID), o.Mapped.Guests
		case o.Proposal != nil:
			row.Ours, row.Confidence, row.Reasons = lineOf(o.Proposal.RoomTypeID, o.Proposal.RatePlanID), o.Proposal.Confidence, o.Proposal.Reasons
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// mapping shows what a channel sells as what, or might.
func (c *Console) mapping(v *visit) error {
	p, err := v.mappingPage()
	if err != nil {
		return err
	}
	m, err := c.desk.Mappings(v.r.Context(), v.caller, p.ID)
	if err != nil {
		return err
	}
	for _, one := range m.Mappings {
		known := slices.ContainsFunc(p.Rows, func(r mappingRow) bool { return r.Room == one.RemoteRoom && r.Rate == one.RemoteRate })
		if !known && !one.Retired {
			p.Rows = append(p.Rows, mappingRow{Room: one.RemoteRoom, Rate: one.RemoteRate, Ours: lineOf(one.RoomTypeID, one.RatePlanID), Guests: one.Guests})
		}
	}
	p.covered(m)
	p.spare()
	return v.show("mapping", http.StatusOK, p)
}

// spare adds rows for codes that the far side has not told.
func (p *mappingPage) spare() {
	if p.Asked {
		return
	}
	for range spareRows + 2 {
		p.Rows = append(p.Rows, mappingRow{Typed: true})
	}
}

// covered notes what is worth a look.
func (p *mappingPage) covered(m desk.Mappings) {
	p.Coverage = m.Coverage
	for _, f := range hotel.Fields {
		carriage, known := m.Fields[f]
		if !known || carriage.As == hotel.Exact {
			continue
		}
		as := "coarser"
		if carriage.As == hotel.Absent {
			as = "absent"
		}
		p.Costs = append(p.Costs, mappingCost{f, as, m.Cost[f]})
	}
	p.Unsold = slices.ContainsFunc(m.Coverage, func(c desk.Coverage) bool { return c.Code == "plan_not_sold_here" })
}

// mappings are those of a form.
func (r *reader) mappings(channel string) (list []hotel.Mapping, rows []mappingRow) {
	for i := range mostMapped {
		if !r.Has(at("map", i, "ours")) {
			break
		}
		row := mappingRow{Room: r.text(at("map", i, "room")), Rate: r.text(at("map", i, "rate")), Ours: r.text(at("map", i, "ours"))}
		row.Guests = count(r.number(at("map", i, "guests")))
		if row.Room == "" && row.Ours == "" {
			continue
		}
		rows = append(rows, row)
		if row.Ours == "" {
			continue
		}
		room, plan, _ := strings.Cut(row.Ours, ".")
		list = append(list, hotel.Mapping{ChannelID: channel, RoomTypeID: room, RatePlanID: plan, RemoteRoom: row.Room, RemoteRate: row.Rate, Guests: row.Guests})
	}
	return list, rows
}

// mostMapped is how many rows the form of a mapping has at most.
const mostMapped = 2000

// setMapping tries the mapping of a form, or stores it.
func (c *Console) setMapping(v *visit) error {
	p, err := v.mappingPage()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	list, rows := r.mappings(p.ID)
	if v.r.PostFormValue("act") == "sell" {
		if err := v.letSell(p.ID, list); err != nil {
			return err
		}
	}
	to := hotel.Remap{Mappings: list, Approval: hotel.Approval{IfRevision: r.revision()}}
	var m desk.Mappings
	stores := v.r.PostFormValue("act") == "save"
	if err = r.refusal(); err == nil && (!stores || p.Live()) {
		m, err = c.desk.TryMappings(v.r.Context(), v.caller, p.ID, to)
	}
	if err == nil && m.Plan != nil {
		err = v.planned(&p, *m.Plan)
		p.Changed = stores && r.Get("plan") != "" && !p.approved(r, &to)
		stores = stores && (to.PlanID != "" || p.Plan == nil)
	}
	if err == nil && stores {
		_, err = c.desk.PutMappings(v.r.Context(), v.caller, p.ID, to)
	}
	faulty, isFaulty := v.mistakesIn(err, v.called(mappingFields))
	why, disagrees := v.disagrees(err)
	status := http.StatusOK
	switch {
	case disagrees:
		p.mistakes, status = mistakes{Problem: why}, http.StatusConflict
	case isFaulty:
		p.mistakes, status = faulty, http.StatusUnprocessableEntity
	case err != nil:
		return err
	case stores:
		http.Redirect(v.w, v.r, v.path("channels/"+p.ID)+"?done=mapped", http.StatusSeeOther)
		return nil
	}
	if p.Changed {
		status = http.StatusConflict
	}
	for i, row := range rows { // what is known of them besides
		at := slices.IndexFunc(p.Rows, func(o mappingRow) bool { return o.Room == row.Room && o.Rate == row.Rate })
		if at < 0 {
			rows[i].Typed = true
			continue
		}
		rows[i].RoomName, rows[i].RateName = p.Rows[at].RoomName, p.Rows[at].RateName
		if p.Rows[at].Ours == row.Ours {
			rows[i].Doubts, rows[i].Confidence, rows[i].Reasons = p.Rows[at].Doubts, p.Rows[at].Confidence, p.Rows[at].Reasons
		}
	}
	p.Rows, p.Tried = rows, true
	p.covered(m)
	p.spare()
	return v.show("mapping", status, p)
}

// planned has the page show what the channel would be told of the form, if it is anything.
func (v *visit) planned(p *mappingPage, plan hotel.ChannelPlan) error {
	if len(plan.Calls)+plan.Refused == 0 {
		return nil
	}
	view, err := v.planView(p.Name, "mapping.raised_words", plan)
	p.Plan = &view
	return err
}

// approved takes over what a form agrees to, if that is the plan as it is now.
func (p *mappingPage) approved(r *reader, to *hotel.Remap) bool {
	if p.Plan == nil || p.Plan.Plan.ID != r.Get("plan") || p.Plan.Seen != r.Get("seen") {
		return false
	}
	to.PlanID, to.AcceptedBy = p.Plan.Plan.ID, r.text("accepted_by")
	if r.Get("accept") != "" {
		to.Accept = p.Plan.Plan.Raises
	}
	return true
}

// letSell names the channel in the plans that are mapped to it.
func (v *visit) letSell(channel string, list []hotel.Mapping) error {
	done := map[string]bool{}
	for _, m := range list {
		if done[m.RatePlanID] || m.RatePlanID == "" {
			continue
		}
		done[m.RatePlanID] = true
		_, _, err := v.c.desk.ChangeRatePlan(v.r.Context(), v.caller, m.RatePlanID, hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
			if p.PropertyID != v.house.ID {
				return hotel.Refuse("not_found", "there is no such rate plan in this house")
			}
			if !slices.Contains(p.SoldBy, channel) {
				p.SoldBy = append(slices.Clone(p.SoldBy), channel)
			}
			return nil
		}})
		if err != nil {
			return fmt.Errorf("let channel %s sell rate plan %s: %w", channel, m.RatePlanID, err)
		}
	}
	return nil
}

// At is the name of a field of a row.
func (mappingPage) At(row int, field string) string { return at("map", row, field) }

// Seen is the revision of the channel that the form is shown at.
func (p mappingPage) Seen() string { return strconv.FormatInt(p.Revision, 10) }
