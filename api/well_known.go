package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"ostler.example/internal/auth"
)

const (
	wellKnownServer   = "/.well-known/oauth-authorization-server"
	wellKnownResource = "/.well-known/oauth-protected-resource" + prefix
)

// resourceMetadata is the address of the document that a 401 points to.
func resourceMetadata(base string) string {
	return strings.TrimSuffix(base, prefix) + wellKnownResource
}

// serverMetadata describes the authorization server (RFC 8414).
type serverMetadata struct {
	Issuer                 string   `json:"issuer"`
	TokenEndpoint          string   `json:"token_endpoint"`
	RevocationEndpoint     string   `json:"revocation_endpoint"`
	IntrospectionEndpoint  string   `json:"introspection_endpoint"`
	ScopesSupported        []string `json:"scopes_supported"`
	ResponseTypesSupported []string `json:"response_types_supported"`
	GrantTypesSupported    []string `json:"grant_types_supported"`
	TokenAuthMethods       []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuthMethods  []string `json:"revocation_endpoint_auth_methods_supported"`
	IntrospectAuthMethods  []string `json:"introspection_endpoint_auth_methods_supported"`
	ServiceDocumentation   string   `json:"service_documentation"`
}

// protectedResource describes the API to OAuth clients (RFC 9728).
type protectedResource struct {
	Resource               string   `json:"resource"`
	AuthorizationServers   []string `json:"authorization_servers"`
	ScopesSupported        []string `json:"scopes_supported"`
	BearerMethodsSupported []string `json:"bearer_methods_supported"`
	ResourceName           string   `json:"resource_name"`
	ResourceDocumentation  string   `json:"resource_documentation"`
}

// registerWellKnown serves the two metadata documents. They lie outside /v1,
// where the RFCs want them, and are not in the OpenAPI document.
func (s *server) registerWellKnown() {
	scopes := strings.Fields((auth.AllScopes() &^ auth.ScopesOf(auth.AdminClients)).String())
	methods := []string{"client_secret_basic", "client_secret_post"}
	s.keep(wellKnownServer, serverMetadata{
		Issuer:                 s.origin,
		TokenEndpoint:          s.base() + "/oauth/token",
		RevocationEndpoint:     s.base() + "/oauth/revoke",
		IntrospectionEndpoint:  s.base() + "/oauth/introspect",
		ScopesSupported:        scopes,
		ResponseTypesSupported: []string{}, // there is no authorization endpoint
		GrantTypesSupported:    []string{grantClientCredentials},
		TokenAuthMethods:       methods,
		RevocationAuthMethods:  methods,
		IntrospectAuthMethods:  methods,
		ServiceDocumentation:   s.origin + docsPath,
	})
	s.keep(wellKnownResource, protectedResource{
		Resource:               s.base(),
		AuthorizationServers:   []string{s.origin},
		ScopesSupported:        scopes,
		BearerMethodsSupported: []string{"header"},
		ResourceName:           "Ostler",
		ResourceDocumentation:  s.origin + docsPath,
	})
}

// keep serves a document that never changes while the program runs.
func (s *server) keep(path string, document any) {
	b, err := json.Marshal(document)
	if err != nil {
		panic("api: " + path + " cannot be written: " + err.Error())
	}
	s.route(http.MethodGet, path, access{public: true}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaJSON)
		w.Header().Set("Cache-Control", publicCache)
		_, _ = w.Write(b) // whoever asked has gone
	})
}
