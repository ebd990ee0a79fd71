package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

type secretInput struct {
	Days int `json:"expires_in_days,omitempty" minimum:"1" maximum:"3650" doc:"After so many days it ends, and its client hears of that before as client.secret_expiring; it does not end if it is left out."`
}

// addSecret gives a client a further secret.
func (s *server) addSecret(ctx context.Context, id string, in *secretInput) (*created[newSecretBody], error) {
	var good time.Duration
	if in != nil {
		good = time.Duration(in.Days) * 24 * time.Hour
	}
	secret, text, replayed, err := s.desk.AddSecret(ctx, callerOf(ctx), id, good)
	replay(ctx, replayed)
	if err != nil {
		return nil, err
	}
	return &created[newSecretBody]{Cache: "no-store", Body: newSecretBody{secretBody{secret.ID, stamp(secret.CreatedAt), stampOrNull(secret.ExpiresAt)}, text}}, nil
}

func (s *server) registerSecrets() {
	add := huma.Operation{
		OperationID: "add-client-secret", Method: http.MethodPost, Path: "/clients/{id}/secrets",
		Summary: "Give a client a further secret", Tags: []string{tagClients}, DefaultStatus: http.StatusCreated,
		Description: "Two are valid at a time: add one, switch over, drop the old one.",
	}
	register(s, add, administers, func(ctx context.Context, in *struct {
		ID   string `path:"id"`
		Body *secretInput
	},
	) (*created[newSecretBody], error) {
		return s.addSecret(ctx, in.ID, in.Body)
	})
	drop := huma.Operation{
		OperationID: "drop-client-secret", Method: http.MethodDelete, Path: "/clients/{id}/secrets/{sid}",
		Summary: "End one of a client's secrets", Tags: []string{tagClients}, DefaultStatus: http.StatusNoContent,
	}
	register(s, drop, administers, func(ctx context.Context, in *struct {
		ID     string `path:"id"`
		Secret string `path:"sid"`
	},
	) (*struct{}, error) {
		return nil, s.desk.DropSecret(ctx, callerOf(ctx), in.ID, in.Secret)
	})
}

// registerSelf serves what every client may ask and do about itself.
func (s *server) registerSelf() {
	self := huma.Operation{
		OperationID: "get-self", Method: http.MethodGet, Path: "/client", Summary: "The client that asks", Tags: []string{tagClients},
	}
	register(s, self, access{of: ofCaller}, func(ctx context.Context, in *struct {
		IfNoneMatch string `header:"If-None-Match"`
	},
	) (*resource[clientBody], error) {
		v, err := s.desk.Self(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return showing(in.IfNoneMatch, v.Revision, clientOf(v)), nil
	})
	add := huma.Operation{
		OperationID: "add-own-secret", Method: http.MethodPost, Path: "/client/secrets",
		Summary: "Take a further secret", Tags: []string{tagClients}, DefaultStatus: http.StatusCreated,
	}
	register(s, add, access{of: ofCaller}, func(ctx context.Context, in *struct{ Body *secretInput }) (*created[newSecretBody], error) {
		return s.addSecret(ctx, callerOf(ctx).ClientID, in.Body)
	})
	drop := huma.Operation{
		OperationID: "drop-own-secret", Method: http.MethodDelete, Path: "/client/secrets/{sid}",
		Summary: "End one of one's own secrets", Tags: []string{tagClients}, DefaultStatus: http.StatusNoContent,
	}
	register(s, drop, access{of: ofCaller}, func(ctx context.Context, in *struct {
		Secret string `path:"sid"`
	},
	) (*struct{}, error) {
		c := callerOf(ctx)
		return nil, s.desk.DropSecret(ctx, c, c.ClientID, in.Secret)
	})
}
