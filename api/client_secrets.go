package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type secretInput struct {
	Days int `json:"expires_in_days,omitempty" minimum:"1" maximum:"3650" doc:"After so many days it ends, and its client hears of that before as client.secret_expiring; it does not end if it is left out."`
}

func secretOf(s auth.Secret) secretBody {
	return secretBody{ID: s.ID, CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.CreatedAt), Revision: 1, ExpiresAt: stampOrNull(s.ExpiresAt)}
}

// addSecret gives a client a further secret; at is where its secrets are.
func (s *server) addSecret(ctx context.Context, id, at string, in *secretInput) (*created[newSecretBody], error) {
	var good time.Duration
	if in != nil {
		good = time.Duration(in.Days) * 24 * time.Hour
	}
	secret, text, replayed, err := s.desk.AddSecret(ctx, callerOf(ctx), id, good)
	replay(ctx, replayed)
	if err != nil {
		return nil, err
	}
	shown := secretOf(secret)
	return &created[newSecretBody]{Location: baseOf(ctx) + at + "/" + secret.ID, ETag: plainTag(shown), Cache: "no-store", Body: newSecretBody{shown, text}}, nil
}

// secret answers with one of a client's secrets.
func (s *server) secret(ctx context.Context, id, secret, ifNoneMatch string) (*resource[secretBody], error) {
	one, err := s.desk.Secret(ctx, callerOf(ctx), id, secret)
	if err != nil {
		return nil, err
	}
	return unnumbered(ifNoneMatch, secretOf(one)), nil
}

// dropSecret ends one of a client's secrets, which is the one that If-Match names if it
// names one. A secret never changes, so that it is the same when it is dropped.
func (s *server) dropSecret(ctx context.Context, id, secret, ifMatch string) error {
	ifMatch = strings.TrimSpace(ifMatch)
	if err := s.mustMatch(ifMatch); err != nil {
		return err
	}
	if ifMatch != "" && ifMatch != "*" {
		one, err := s.desk.Secret(ctx, callerOf(ctx), id, secret)
		if err != nil {
			return err
		}
		if ifMatch != plainTag(secretOf(one)) {
			return hotel.Refuse("precondition_failed", "If-Match names no revision of this resource.")
		}
	}
	return s.desk.DropSecret(ctx, callerOf(ctx), id, secret)
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
		return s.addSecret(ctx, in.ID, "/clients/"+in.ID+"/secrets", in.Body)
	})
	get := huma.Operation{
		OperationID: "get-client-secret", Method: http.MethodGet, Path: "/clients/{id}/secrets/{sid}",
		Summary: "One of a client's secrets, by its id", Tags: []string{tagClients},
	}
	register(s, get, administers, func(ctx context.Context, in *struct {
		ID          string `path:"id"`
		Secret      string `path:"sid"`
		IfNoneMatch string `header:"If-None-Match"`
	},
	) (*resource[secretBody], error) {
		return s.secret(ctx, in.ID, in.Secret, in.IfNoneMatch)
	})
	drop := huma.Operation{
		OperationID: "drop-client-secret", Method: http.MethodDelete, Path: "/clients/{id}/secrets/{sid}",
		Summary: "End one of a client's secrets", Tags: []string{tagClients}, DefaultStatus: http.StatusNoContent,
	}
	register(s, drop, administers, func(ctx context.Context, in *struct {
		ID      string `path:"id"`
		Secret  string `path:"sid"`
		IfMatch string `header:"If-Match"`
	},
	) (*struct{}, error) {
		return nil, s.dropSecret(ctx, in.ID, in.Secret, in.IfMatch)
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
	register(s, add, access{of: ofCaller}, func(ctx context.Context, in *struct{ Body *secretInput }) (*created[newSecretBody], error) {
		return s.addSecret(ctx, callerOf(ctx).ClientID, "/client/secrets", in.Body)
	})
	get := huma.Operation{
		OperationID: "get-own-secret", Method: http.MethodGet, Path: "/client/secrets/{sid}",
		Summary: "One of one's own secrets, by its id", Tags: []string{tagClients},
	}
	register(s, get, access{of: ofCaller}, func(ctx context.Context, in *struct {
		Secret      string `path:"sid"`
		IfNoneMatch string `header:"If-None-Match"`
	},
	) (*resource[secretBody], error) {
		return s.secret(ctx, callerOf(ctx).ClientID, in.Secret, in.IfNoneMatch)
	})
	drop := huma.Operation{
		OperationID: "drop-own-secret", Method: http.MethodDelete, Path: "/client/secrets/{sid}",
		Summary: "End one of one's own secrets", Tags: []string{tagClients}, DefaultStatus: http.StatusNoContent,
	}
	register(s, drop, access{of: ofCaller}, func(ctx context.Context, in *struct {
		Secret  string `path:"sid"`
		IfMatch string `header:"If-Match"`
	},
	) (*struct{}, error) {
		return nil, s.dropSecret(ctx, callerOf(ctx).ClientID, in.Secret, in.IfMatch)
	})
}
