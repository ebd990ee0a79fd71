package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ostler.example/internal/auth"
)

// sign returns the signature of a body under a secret, as Standard Webhooks 1.0.0
// has it: HMAC-SHA256 of the id, the instant of the call and the body.
func sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, auth.WebhookSecretPrefix))
	if err != nil {
		return "", fmt.Errorf("read a webhook's secret: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}
