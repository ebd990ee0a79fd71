package console

import (
	"net/http"
	"net/url"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// applicant is somebody who asks for access, with what is to be decided.
type applicant struct {
	form
	mistakes
	auth.AccessRequest
	Checks   []auth.Check
	Ready    bool             // no check is pending
	Waits    auth.Environment // whose credentials wait to be claimed; "": none do
	Wants    []string         // the properties, in words
	Next     auth.RequestStep // how it is approved from here; "": it cannot be
	MayEnd   auth.RequestStep // how it is ended from here; "": it has ended
	Scopes   []auth.Scope     // that may be granted
	Withheld []auth.Scope     // that were asked for and are not the user's to grant
	Houses   []pick
	Tiers    []pick
	Channels []pick // that a client of kind ota may stand for
	Clients  []auth.Client
	Key      string
}

// Offers reports whether the form grants terms of production.
func (a applicant) Offers() bool { return a.Next == auth.ApproveProduction }

// applicant reads the request that the address names. Whoever is shown who asks is written
// down.
func (v *visit) applicant(admin desk.Caller) (a applicant, err error) {
	c, ctx := v.c, v.r.Context()
	if a.AccessRequest, err = c.desk.AccessRequest(ctx, admin, v.r.PathValue("id")); err != nil {
		return a, err
	}
	if a.Checks, err = c.desk.Certification(ctx, admin, a.ID); err != nil {
		return a, err
	}
	a.Ready = len(auth.Missing(a.Checks)) == 0
	_, a.Waits = a.Claimable()
	switch a.Status {
	case auth.RequestSubmitted:
		a.Next = auth.ApproveSandbox
	case auth.RequestCertification:
		a.Next = auth.ApproveProduction
	default:
	}
	switch {
	case a.Status == auth.RequestProductionIssued:
		a.MayEnd = auth.RevokeRequest
	case !a.Status.Ended():
		a.MayEnd = auth.RejectRequest
	}
	houses, err := v.houses(admin)
	if err != nil {
		return a, err
	}
	a.Wants = v.granted(a.PropertyIDs, houses)
	for _, terms := range []*auth.Terms{a.Sandbox, a.Production} {
		if terms == nil || terms.ClientID == "" {
			continue
		}
		made, err := c.desk.Client(ctx, admin, terms.ClientID)
		if err != nil {
			return a, err
		}
		a.Clients = append(a.Clients, made.Client)
	}
	if err := a.offer(v, admin, houses); err != nil {
		return a, err
	}
	return a, v.noted(admin, "console.access-request", []string{a.ID})
}

// offer fills in the form with what was asked for, or holds in the sandbox.
func (a *applicant) offer(v *visit, admin desk.Caller, houses map[string]string) (err error) {
	a.form, a.Key = form{url.Values{}}, hotel.NewID("form")
	if a.Next == "" {
		return nil
	}
	may := auth.AllScopes() &^ auth.ScopesOf(auth.AdminClients)
	if a.ClientKind() == auth.KindOTA {
		may &= auth.OTAScopes()
	}
	asked := a.AccessRequest.Scopes
	if a.Offers() {
		may &= admin.Scopes
		asked = a.Sandbox.Scopes
		a.Houses = v.houseChoices(houses)
		a.Values["property"] = a.PropertyIDs
		a.Set("tier", auth.Standard)
		if a.Tiers, err = v.tierChoices(admin); err != nil {
			return err
		}
		if a.ClientKind() == auth.KindOTA {
			a.Channels, err = v.channelChoices(admin, houses)
		}
	}
	a.Scopes, a.Withheld = may.List(), (asked &^ may).List()
	a.tickScopes("scope", asked&may)
	return err
}

func (c *Console) applicantPage(v *visit, admin desk.Caller) error {
	a, err := v.applicant(admin)
	if err != nil {
		return err
	}
	return v.show("partner_request", http.StatusOK, a)
}

// reasoned are the steps that nobody takes without saying why: the other side reads it.
var reasoned = []auth.RequestStep{auth.RejectRequest, auth.RevokeRequest, auth.RequestChanges}

// accessSteps are those that the console takes.
var accessSteps = append([]auth.RequestStep{auth.ApproveSandbox, auth.ApproveProduction, auth.WaiveCheck}, reasoned...)

// decideAccess takes a request the step that a form says.
func (c *Console) decideAccess(v *visit, admin desk.Caller, r *reader) error {
	step := auth.RequestStep(r.text("step"))
	if !slices.Contains(accessSteps, step) {
		return hotel.Invalid("/step", "enum", "the form does not say what is to be done")
	}
	q := desk.AccessDecision{Message: r.text("message"), Check: r.text("check"), IfRevision: r.revision()}
	if q.Message == "" && slices.Contains(reasoned, step) {
		r.fault("message", "required", "%s", v.words.T("partner.why_missing"))
	}
	if step == auth.ApproveSandbox || step == auth.ApproveProduction {
		scopes := r.scopes("scope")
		if q.Scopes = &scopes; scopes == 0 {
			r.fault("scope", "required", "%s", v.words.T("partner.no_scope"))
		}
	}
	if step == auth.ApproveProduction {
		q.PropertyIDs, q.Tier, q.ChannelID = r.Values["property"], r.text("tier"), r.text("channel")
		if len(q.PropertyIDs) == 0 {
			r.fault("property", "required", "%s", v.words.T("partner.no_house"))
		}
	}
	err := r.refusal()
	if err == nil {
		admin.Once = v.once()
		_, _, err = c.desk.DecideAccess(v.r.Context(), admin, v.r.PathValue("id"), step, q)
	}
	if m, ok := v.mistakesIn(err, v.called(partnerFields)); ok {
		a, err := v.applicant(admin)
		if err != nil {
			return err
		}
		a.mistakes = m
		a.form = r.form
		return v.show("partner_request", http.StatusUnprocessableEntity, a)
	}
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("partners/requests/"+v.r.PathValue("id"))+"?done=access_"+string(step), http.StatusSeeOther)
	return nil
}

// accessTones are how the states of access requests are coloured.
var accessTones = map[auth.RequestStatus]string{
	auth.RequestSubmitted: "warn", auth.RequestCertification: "warn", auth.RequestSandboxIssued: "info", auth.RequestProductionIssued: "good",
}

// AccessTone is how the state of an access request is coloured.
func (view) AccessTone(s auth.RequestStatus) string { return accessTones[s] }

// ClientTone is how the state of a client is coloured.
func (view) ClientTone(s auth.ClientStatus) string {
	return map[auth.ClientStatus]string{auth.ClientActive: "good", auth.ClientSuspended: "warn"}[s]
}
