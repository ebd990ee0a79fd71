package webhook

import (
	"testing"
	"time"
)

const vectorSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// The vector was made with two independent libraries of Standard Webhooks.
func TestSignatureIsThatOfTheStandard(t *testing.T) {
	body := []byte(`{"type":"webhook.ping","timestamp":"2026-11-21T00:00:00Z","data":{}}`)
	got, err := sign(vectorSecret, "evt_01TEST", time.Unix(1795219200, 0), body)
	if want := "v1,CS06OMsOl+a27PIx8ws3khQAd/COG53P/jDGUo2xqmM="; err != nil || got != want {
		t.Errorf("signed %s, want %s, %v", got, want, err)
	}
	if _, err := sign("whsec_no base64", "evt_1", time.Unix(0, 0), body); err == nil {
		t.Error("a secret that is none signs")
	}
}
