package api

import (
	"net/http"
	"strings"

	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// applicant is who asks for access and is nobody yet.
var applicant = auth.Who{ClientID: "applicant", Environment: auth.Production, Kind: "applicant", Tier: auth.Standard}

// guardApplicant lets through who asks for access: anybody where the route is public,
// else whoever shows the claim token of a request, or a client as its scopes say. Those
// without a client are limited by address, and count against no hour.
func (s *server) guardApplicant(a access, next http.HandlerFunc) http.HandlerFunc {
	asClient := s.guardClient(a, next)
	return func(w http.ResponseWriter, r *http.Request) {
		claim, claims := claimOf(r)
		if !a.public && !claims {
			asClient(w, r)
			return
		}
		c, who := callOf(r.Context()), applicant
		err := s.applicants.Take(auth.Address(r.RemoteAddr), s.clock.Now())
		if err == nil && !a.public {
			who, err = s.auth.Claimant(r.Context(), claim)
		}
		if err == nil {
			c.caller = desk.Caller{Who: who, RequestID: c.requestID}
			err = checkMedia(a, r)
		}
		if err != nil {
			s.refuse(w, c, err)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, a.bodyLimit())
		client := who.ClientID
		if a.public {
			client += " " + auth.Address(r.RemoteAddr) // strangers are known apart by nothing else
		}
		release, err := s.claimKey(r, c, client)
		if err != nil {
			s.refuse(w, c, err)
			return
		}
		defer release()
		next(w, r)
	}
}

// claimOf returns the claim token that a request shows, if it shows one.
func claimOf(r *http.Request) (string, bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && strings.HasPrefix(token, auth.ClaimPrefix)
}
