package console

import (
	"net/http"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// partnerClient is a client with all that there is to see and do.
type partnerClient struct {
	mistakes
	desk.ClientView
	Use       desk.ClientUse
	Grants    []string           // the properties, in words
	Channel   string             // that it stands for; "": none
	Endpoints []desk.WebhookView // of a client of production
	Lacks     []auth.Scope       // that the user has not: whoever has a secret of the client would have them
	Key       string
	Secret    string // that was just made, shown this once
	Shown     bool   // it was made by the same form before, and is not shown again
}

// MayAdd reports whether the user may give the client a further secret, and there is room
// for one.
func (p partnerClient) MayAdd() bool {
	return len(p.Lacks) == 0 && len(p.Secrets) < auth.MaxSecrets && p.Status != auth.ClientRevoked
}

// Live reports whether the client may call, or may again.
func (p partnerClient) Live() bool { return p.Status != auth.ClientRevoked }

// Called is how many calls of the last [desk.UseDays] there were.
func (p partnerClient) Called() (n int) {
	for _, d := range p.Use.Days {
		n += d.Calls
	}
	return n
}

// Used is how much of its hour the client has used.
func (p partnerClient) Used() int { return p.Use.Quota.Limit - p.Use.Quota.Remaining }

// partnerClient reads the client of an id.
func (v *visit) partnerClient(admin desk.Caller, id string) (p partnerClient, err error) {
	c, ctx := v.c, v.r.Context()
	if p.ClientView, err = c.desk.Client(ctx, admin, id); err != nil {
		return p, err
	}
	if p.Use, err = c.desk.ClientUse(ctx, admin, p.ID); err != nil {
		return p, err
	}
	houses, err := v.houses(admin)
	if err != nil {
		return p, err
	}
	p.Grants, p.Key, p.Lacks = v.granted(p.PropertyIDs, houses), hotel.NewID("form"), (p.Scopes &^ admin.Scopes).List()
	if p.ChannelID != "" && p.Environment == auth.Production {
		ch, err := c.desk.Channel(ctx, admin, p.ChannelID)
		if err != nil {
			return p, err
		}
		p.Channel = ch.Name
	}
	if p.Environment == auth.Production {
		p.Endpoints, err = c.desk.WebhookEndpoints(ctx, admin, p.ID)
	}
	return p, err
}

func (c *Console) clientPage(v *visit, admin desk.Caller) error {
	p, err := v.partnerClient(admin, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	return v.show("partner_client", http.StatusOK, p)
}

// secretDays are after how many days a new secret may end; 0: never.
var secretDays = []int{0, 90, 180, 365, 730}

// SecretDays are those that the form offers.
func (partnerClient) SecretDays() []int { return secretDays }

// addSecret gives a client a further secret, and shows it this once. The page is the
// answer itself: what a redirect led to could not know it.
func (c *Console) addSecret(v *visit, admin desk.Caller, r *reader) error {
	days := r.number("days")
	if days != nil && !slices.Contains(secretDays, *days) {
		r.fault("days", "enum", "%s", v.words.T("partner.no_such_term"))
	}
	if err := r.refusal(); err != nil {
		return err
	}
	admin.Once = v.once()
	id := v.r.PathValue("id")
	_, text, replayed, err := c.desk.AddSecret(v.r.Context(), admin, id, time.Duration(count(days))*24*time.Hour)
	return v.showSecret(admin, id, text, replayed, err)
}

// showSecret shows a client with the secret that was just made, or why none was.
func (v *visit) showSecret(admin desk.Caller, id, text string, replayed bool, err error) error {
	m, wrong := v.mistakesIn(err, v.called(partnerFields))
	if err != nil && !wrong {
		return err
	}
	p, err := v.partnerClient(admin, id)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if p.Secret, p.Shown, p.mistakes = text, replayed, m; wrong {
		status = http.StatusUnprocessableEntity
	}
	return v.show("partner_client", status, p)
}

// dropSecret ends one of a client's secrets.
func (c *Console) dropSecret(v *visit, admin desk.Caller) error {
	id := v.r.PathValue("id")
	if err := c.desk.DropSecret(v.r.Context(), admin, id, v.r.PathValue("secret")); err != nil {
		return err
	}
	return v.toClient(id, "dropped")
}

func (v *visit) toClient(id, done string) error {
	http.Redirect(v.w, v.r, v.path("partners/clients/"+id)+"?done="+done, http.StatusSeeOther)
	return nil
}

// turnClient suspends a client, has it go on, or revokes it.
func (c *Console) turnClient(v *visit, admin desk.Caller, r *reader) error {
	status := auth.ClientStatus(r.text("status"))
	if !slices.Contains([]auth.ClientStatus{auth.ClientActive, auth.ClientSuspended, auth.ClientRevoked}, status) {
		return hotel.Invalid("/status", "enum", "the form does not say what is to be done")
	}
	change := desk.ClientChange{Status: &status, IfRevision: r.revision()}
	if err := r.refusal(); err != nil {
		return err
	}
	id := v.r.PathValue("id")
	if _, _, err := c.desk.ChangeClient(v.r.Context(), admin, id, change); err != nil {
		return err
	}
	return v.toClient(id, "client_"+string(status))
}

// endTokens ends all tokens of a client at once; its secrets get it others.
func (c *Console) endTokens(v *visit, admin desk.Caller) error {
	seen, err := v.seen()
	if err != nil {
		return err
	}
	id := v.r.PathValue("id")
	if _, _, err := c.desk.RevokeTokens(v.r.Context(), admin, id, seen); err != nil {
		return err
	}
	return v.toClient(id, "tokens")
}
