package notify

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"ostler.example/hotel"
)

// Signer calls an address and signs what it sends, as webhooks are.
type Signer interface {
	Signed(ctx context.Context, url, secret, id string, body []byte) hotel.WebhookOutcome
}

// Bell calls addresses with a secret of the operator's.
type Bell struct {
	Signer Signer
	Secret func() (string, error)
}

// Call sends a body to an address. Any answer but one of the 200s is an error.
func (b *Bell) Call(ctx context.Context, url, id string, body []byte) error {
	secret, err := b.Secret()
	if err != nil {
		return fmt.Errorf("secret that calls are signed with: %w", err)
	}
	switch o := b.Signer.Signed(ctx, url, secret, id, body); {
	case o.Error != "":
		return errors.New(o.Error)
	case o.Status < http.StatusOK || o.Status >= http.StatusMultipleChoices:
		return fmt.Errorf("the address answers %d", o.Status)
	}
	return nil
}
