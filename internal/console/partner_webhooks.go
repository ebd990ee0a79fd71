package console

import (
	"net/http"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// hook is an endpoint of a client with its deliveries.
type hook struct {
	mistakes
	desk.WebhookView
	Client     auth.Client
	Status     hotel.WebhookDeliveryStatus // of the deliveries that are listed; "": all
	Deliveries []hotel.WebhookDelivery
	Next       string // where older ones are; "": these are the last
	Since      string // from when the past would be told again
	Key        string
}

// a page of deliveries has so many.
const pageOfDeliveries = 50

// deliveryStatuses are those that the list can be held to.
var deliveryStatuses = []hotel.WebhookDeliveryStatus{"", hotel.WebhookDead, hotel.WebhookPending, hotel.WebhookDelivered}

// Statuses are those that the list can be held to.
func (hook) Statuses() []hotel.WebhookDeliveryStatus { return deliveryStatuses }

// Rate is how many of the calls of the last day went well, in hundredths of a per cent.
func (h hook) Rate() int64 { return int64(*h.SuccessRate*10000 + .5) }

// Disabled reports whether we call the endpoint no more.
func (h hook) Disabled() bool { return h.WebhookView.Status == hotel.WebhookDisabled }

// hook reads the endpoint that an id names.
func (v *visit) hook(admin desk.Caller, id string) (h hook, err error) {
	c, ctx := v.c, v.r.Context()
	if h.WebhookView, err = c.desk.WebhookEndpoint(ctx, admin, id); err != nil {
		return h, err
	}
	of, err := c.desk.Client(ctx, admin, h.ClientID)
	if err != nil {
		return h, err
	}
	h.Client, h.Key = of.Client, hotel.NewID("form")
	h.Since = c.clock.Now().Add(-24 * time.Hour).In(v.house.Zone()).Format(localMoment)
	q := v.r.URL.Query()
	f := hotel.WebhookDeliveryFilter{EndpointID: h.ID, Before: q.Get("before"), Limit: pageOfDeliveries + 1}
	if h.Status = hotel.WebhookDeliveryStatus(q.Get("status")); !slices.Contains(deliveryStatuses, h.Status) {
		h.Status = ""
	}
	if h.Status != "" {
		f.Statuses = []hotel.WebhookDeliveryStatus{h.Status}
	}
	if h.Deliveries, err = c.desk.WebhookDeliveries(ctx, admin, f); err != nil {
		return h, err
	}
	if len(h.Deliveries) > pageOfDeliveries {
		h.Deliveries = h.Deliveries[:pageOfDeliveries]
		h.Next = "?status=" + string(h.Status) + "&before=" + h.Deliveries[pageOfDeliveries-1].ID
	}
	return h, nil
}

func (c *Console) hookPage(v *visit, admin desk.Caller) error {
	h, err := v.hook(admin, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	return v.show("partner_webhook", http.StatusOK, h)
}

// actOnHook tests an endpoint, has it told the past again, or switches it.
func (c *Console) actOnHook(v *visit, admin desk.Caller, r *reader) error {
	id, act, ctx := v.r.PathValue("id"), r.text("act"), v.r.Context()
	admin.Once = v.once()
	to := v.path("partners/webhooks/"+id) + "?done=hook_" + act
	var err error
	switch act {
	case "test":
		var sent hotel.WebhookDelivery
		if sent, _, err = c.desk.TestWebhook(ctx, admin, id, desk.WebhookPing, nil); err == nil {
			to = v.path("partners/deliveries/"+sent.ID) + "?done=hook_test"
		}
	case "replay":
		q := desk.ReplayQuery{Since: r.instant("since", v.house.Zone()), OnlyFailed: r.Get("only_failed") != ""}
		if err = r.refusal(); err == nil {
			_, _, err = c.desk.ReplayWebhooks(ctx, admin, id, q)
		}
	case "enable":
		_, _, err = c.desk.EnableWebhookEndpoint(ctx, admin, id, r.revision())
	case "disable":
		off := hotel.WebhookDisabled
		_, _, err = c.desk.ChangeWebhookEndpoint(ctx, admin, id, desk.WebhookChange{Status: &off, IfRevision: r.revision()})
	default:
		return hotel.Invalid("/act", "enum", "the form does not say what is to be done")
	}
	if m, ok := v.mistakesIn(err, v.called(partnerFields)); ok {
		h, err := v.hook(admin, id)
		if err != nil {
			return err
		}
		h.mistakes = m
		return v.show("partner_webhook", http.StatusUnprocessableEntity, h)
	}
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

// delivery is one delivery with its calls.
type delivery struct {
	hotel.WebhookDelivery
	Endpoint desk.WebhookView
	Key      string
}

func (c *Console) deliveryPage(v *visit, admin desk.Caller) error {
	d := delivery{Key: hotel.NewID("form")}
	var err error
	if d.WebhookDelivery, err = c.desk.WebhookDelivery(v.r.Context(), admin, v.r.PathValue("id")); err != nil {
		return err
	}
	if d.Endpoint, err = c.desk.WebhookEndpoint(v.r.Context(), admin, d.EndpointID); err != nil {
		return err
	}
	return v.show("partner_delivery", http.StatusOK, d)
}

// retryDelivery has a delivery sent again at once.
func (c *Console) retryDelivery(v *visit, admin desk.Caller) error {
	if _, err := readForm(v.r); err != nil {
		return err
	}
	admin.Once = v.once()
	id := v.r.PathValue("id")
	if _, _, err := c.desk.RetryWebhook(v.r.Context(), admin, id); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("partners/deliveries/"+id)+"?done=hook_retry", http.StatusSeeOther)
	return nil
}

// DeliveryTone is how the state of a delivery is coloured.
func (view) DeliveryTone(s hotel.WebhookDeliveryStatus) string {
	return map[hotel.WebhookDeliveryStatus]string{hotel.WebhookDelivered: "good", hotel.WebhookPending: "info", hotel.WebhookDead: "bad"}[s]
}

// HookTone is how the state of an endpoint is coloured.
func (view) HookTone(s hotel.WebhookStatus) string {
	return map[hotel.WebhookStatus]string{hotel.WebhookEnabled: "good", hotel.WebhookPaused: "warn", hotel.WebhookDisabled: "bad"}[s]
}
