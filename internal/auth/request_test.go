package auth

import (
	"errors"
	"slices"
	"testing"

	"ostler.example/hotel"
)

// Every step from every state, against the table of the contract written out.
func TestRequestSteps(t *testing.T) {
	want := map[RequestStatus]map[RequestStep]RequestStatus{
		RequestSubmitted: {ApproveSandbox: RequestSandboxIssued, RejectRequest: RequestRejected, WithdrawRequest: RequestWithdrawn},
		RequestSandboxIssued: {
			SubmitCertification: RequestCertification, WaiveCheck: RequestSandboxIssued, RejectRequest: RequestRejected, WithdrawRequest: RequestWithdrawn,
		},
		RequestCertification: {
			RequestChanges: RequestSandboxIssued, ApproveProduction: RequestProductionIssued, WaiveCheck: RequestCertification,
			RejectRequest: RequestRejected, WithdrawRequest: RequestWithdrawn,
		},
		RequestProductionIssued: {RevokeRequest: RequestRevoked},
	}
	steps := []RequestStep{
		ApproveSandbox, SubmitCertification, RequestChanges, ApproveProduction, RejectRequest, WithdrawRequest, RevokeRequest, WaiveCheck,
	}
	for _, from := range RequestStatuses {
		for _, step := range steps {
			r := AccessRequest{Status: from}
			err := r.Step(step)
			to, may := want[from][step]
			if !may {
				to = from
			}
			if (err == nil) != may || r.Status != to {
				t.Errorf("%s from %s: %s, %v", step, from, r.Status, err)
			}
			if refusal, ok := errors.AsType[*hotel.Refusal](err); ok {
				allowed := refusal.Members["allowed"].([]RequestStep)
				for _, s := range steps {
					if _, is := want[from][s]; is != slices.Contains(allowed, s) {
						t.Errorf("from %s it is said that %v are allowed", from, allowed)
					}
				}
			}
		}
	}
}
