package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// clientForm is the form that a client is made or changed with.
type clientForm struct {
	form
	mistakes
	ID       string // "": a new one
	Of       string // its name
	Sandbox  bool
	Scopes   []auth.Scope // that may be granted
	Beyond   []auth.Scope // that it has and the user has not: they stay
	Houses   []pick
	Tiers    []pick
	Channels []pick
	Kinds    []string
}

// clientForm is the form, filled in for a client, or with what a new one usually has.
func (v *visit) clientForm(admin desk.Caller, of *auth.Client) (f clientForm, err error) {
	houses, err := v.houses(admin)
	if err != nil {
		return f, err
	}
	f.form, f.Scopes, f.Houses, f.Kinds = form{url.Values{}}, admin.Scopes.List(), v.houseChoices(houses), auth.Kinds
	if f.Tiers, err = v.tierChoices(admin); err != nil {
		return f, err
	}
	if of == nil {
		f.Set("key", hotel.NewID("form"))
		f.Set("kind", auth.KindEnterprise)
		f.Set("tier", auth.Standard)
		f.Set("property", v.house.ID)
		f.Channels, err = v.channelChoices(admin, houses)
		return f, err
	}
	f.ID, f.Of, f.Sandbox, f.Beyond = of.ID, of.Name, of.Environment == auth.Sandbox, (of.Scopes &^ admin.Scopes).List()
	f.Set("revision", strconv.FormatInt(of.Revision, 10))
	f.Set("name", of.Name)
	f.Set("tier", of.Tier)
	f.setNumber("hourly_limit", of.HourlyLimit)
	f.tickScopes("scope", of.Scopes&admin.Scopes)
	f.Values["property"] = of.PropertyIDs
	f.Set("ip_allowlist", strings.ReplaceAll(auth.Networks(of.IPAllowlist), " ", "\n"))
	return f, nil
}

func (c *Console) newClient(v *visit, admin desk.Caller) error {
	f, err := v.clientForm(admin, nil)
	if err != nil {
		return err
	}
	return v.show("partner_client_form", http.StatusOK, f)
}

func (c *Console) editClient(v *visit, admin desk.Caller) error {
	now, err := c.desk.Client(v.r.Context(), admin, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	f, err := v.clientForm(admin, &now.Client)
	if err != nil {
		return err
	}
	return v.show("partner_client_form", http.StatusOK, f)
}

// client lays what the form says over a client.
func (r *reader) client(v *visit, c *auth.Client) {
	if c.Name = r.text("name"); c.Name == "" {
		r.fault("name", "required", "%s", v.words.T("partner.no_name"))
	}
	c.Tier, c.HourlyLimit, c.PropertyIDs = r.text("tier"), r.number("hourly_limit"), r.Values["property"]
	if len(c.PropertyIDs) == 0 {
		r.fault("property", "required", "%s", v.words.T("partner.no_house"))
	}
	networks, err := auth.ParseNetworks(strings.Fields(r.text("ip_allowlist")))
	if err != nil {
		r.fault("ip_allowlist", "format", "%s", v.words.T("partner.no_network"))
	}
	c.IPAllowlist = networks
}

// makeClient makes the client of a form, and shows its first secret this once.
func (c *Console) makeClient(v *visit, admin desk.Caller, r *reader) error {
	to := auth.Client{Environment: auth.Production, Kind: r.text("kind"), ChannelID: r.text("channel"), Scopes: r.scopes("scope")}
	if r.client(v, &to); to.Scopes == 0 {
		r.fault("scope", "required", "%s", v.words.T("partner.no_scope"))
	}
	var made auth.NewClient
	err := r.refusal()
	if err == nil {
		admin.Once = v.once()
		made, err = c.desk.CreateClient(v.r.Context(), admin, to)
	}
	if err != nil {
		f, formErr := v.clientForm(admin, nil)
		return v.showClientForm(f, r, err, formErr)
	}
	return v.showSecret(admin, made.ID, made.Secret, made.Replayed, nil)
}

// showClientForm shows the form again with what is wrong in it.
func (v *visit) showClientForm(f clientForm, r *reader, err, formErr error) error {
	m, ok := v.mistakesIn(err, v.called(partnerFields))
	if !ok {
		return err
	}
	if formErr != nil {
		return formErr
	}
	f.form, f.mistakes = r.form, m
	return v.show("partner_client_form", http.StatusUnprocessableEntity, f)
}

// saveClient changes a client as a form says. What it leaves as it was is not granted
// anew, which the user may not have to give.
func (c *Console) saveClient(v *visit, admin desk.Caller) error {
	now, err := c.desk.Client(v.r.Context(), admin, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	to := now.Client
	r.client(v, &to)
	to.Scopes = r.scopes("scope") | now.Scopes&^admin.Scopes
	change := desk.ClientChange{Name: &to.Name, Tier: &to.Tier, HourlyLimit: &to.HourlyLimit, Scopes: &to.Scopes, IPAllowlist: &to.IPAllowlist, IfRevision: r.revision()}
	if !slices.Equal(slices.Sorted(slices.Values(to.PropertyIDs)), slices.Sorted(slices.Values(now.PropertyIDs))) {
		change.PropertyIDs = &to.PropertyIDs
	}
	if err = r.refusal(); err == nil {
		_, _, err = c.desk.ChangeClient(v.r.Context(), admin, now.ID, change)
	}
	if err != nil {
		f, formErr := v.clientForm(admin, &now.Client)
		return v.showClientForm(f, r, err, formErr)
	}
	return v.toClient(now.ID, "saved")
}
