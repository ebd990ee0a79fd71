package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// addSecret gives a client a further secret.
func (s *server) addSecret(ctx context.Context, id string) (*created[newSecretBody], error) {
	secret, text, replayed, err := s.desk.AddSecret(ctx, callerOf(ctx), id)
	replay(ctx, replayed)
	if err != nil {
		return nil, err
	}
	return &created[newSecretBody]{Cache: "no-store", Body: newSecretBody{secretBody{secret.ID, stamp(secret.CreatedAt)}, text}}, nil
}

func (s *server) registerSecrets() {
	add := huma.Operation{
		OperationID: "add-client-secret", Method: http.MethodPost, Path: "/clients/{id}/secrets",
		Summary: "Give a client a further secret", Tags: []string{tagClients}, DefaultStatus: http.StatusCreated,
		Description: "Two are valid at a time: add one, switch over, drop the old one.",
	}
	register(s, add, administers, func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*created[newSecretBody], error) {
		return s.addSecret(ctx, in.ID)
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
		return resourceOf(in.IfNoneMatch, v.Revision, clientOf(v)), nil
	})
	add := huma.Operation{
		OperationID: "add-own-secret", Method: http.MethodPost, Path: "/client/secrets",
		Summary: "Take a further secret", Tags: []string{tagClients}, DefaultStatus: http.StatusCreated,
	}
	register(s, add, access{of: ofCaller}, func(ctx context.Context, _ *struct{}) (*created[newSecretBody], error) {
		return s.addSecret(ctx, callerOf(ctx).ClientID)
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
