package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

// The journal's words for access requests. Who asks, by name and address, is no part
// of it.
const (
	AccessRequested Kind = "access_request.submitted"
	AccessClaimed   Kind = "access_request.claimed"

	accessStep = "access_request." // and the step
)

// accessBody is what the journal keeps of an access request.
type accessBody struct {
	Status     auth.RequestStatus `json:"status"`
	Sandbox    *auth.Terms        `json:"sandbox,omitempty"`
	Production *auth.Terms        `json:"production,omitempty"`
	Waived     []string           `json:"waived,omitempty"`
}

func accessRequestOf(row ledgerdb.AccessRequest) (auth.AccessRequest, error) {
	var r auth.AccessRequest
	if err := json.Unmarshal([]byte(row.Body), &r); err != nil {
		return r, fmt.Errorf("stored access request %s: %w", row.ID, err)
	}
	r.ID, r.Status, r.Revision = row.ID, auth.RequestStatus(row.Status), row.Revision
	r.CreatedAt, r.UpdatedAt = instant(row.CreatedAt), instant(row.UpdatedAt)
	return r, nil
}

// Request returns one access request; ok is false when there is none of that id.
func (l *Ledger) Request(ctx context.Context, id string) (r auth.AccessRequest, ok bool, err error) {
	row, err := l.read.GetAccessRequest(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return auth.AccessRequest{}, false, nil
	}
	if err != nil {
		return auth.AccessRequest{}, false, fmt.Errorf("read access request %s: %w", id, err)
	}
	r, err = accessRequestOf(row)
	return r, err == nil, err
}

// Requests lists the access requests, the newest first.
func (l *Ledger) Requests(ctx context.Context) ([]auth.AccessRequest, error) {
	rows, err := l.read.ListAccessRequests(ctx)
	if err != nil {
		return nil, fmt.Errorf("list access requests: %w", err)
	}
	list := make([]auth.AccessRequest, len(rows))
	for i, row := range rows {
		if list[i], err = accessRequestOf(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// RequestOf returns the id of the access request of that claim; ok is false when there
// is none.
func (l *Ledger) RequestOf(ctx context.Context, claim [32]byte) (id string, ok bool, err error) {
	id, err = l.read.AccessRequestOf(ctx, claim[:])
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return id, err == nil, err
}

// CreateRequest stores a new access request.
func (l *Ledger) CreateRequest(ctx context.Context, by hotel.By, once hotel.Once, r auth.AccessRequest, claim [32]byte) (auth.AccessRequest, bool, error) {
	return l.onRequest(ctx, by, once, func(t *tx) (string, error) {
		body, err := json.Marshal(r)
		if err != nil {
			return "", err
		}
		err = t.q.InsertAccessRequest(t.ctx, ledgerdb.InsertAccessRequestParams{
			ID: r.ID, Status: string(r.Status), ClaimHash: claim[:], Body: string(body), CreatedAt: r.CreatedAt.UnixMicro(),
			UpdatedAt: r.UpdatedAt.UnixMicro(), Revision: r.Revision,
		})
		if err != nil {
			return "", fmt.Errorf("store access request %s: %w", r.ID, err)
		}
		_, err = t.append(entry{kind: AccessRequested, subject: r.ID, body: accessBody{Status: r.Status}})
		return r.ID, err
	})
}

// ChangeRequest stores what edit makes of an access request. Where nothing comes of it
// any more, its clients are revoked.
func (l *Ledger) ChangeRequest(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, step auth.RequestStep, edit func(*auth.AccessRequest) error,
) (auth.AccessRequest, bool, error) {
	return l.onRequest(ctx, by, once, func(t *tx) (string, error) {
		r, err := t.accessRequestAt(id, ifRevision)
		if err != nil {
			return "", err
		}
		if err := edit(&r); err != nil {
			return "", err
		}
		if r.Status.Ended() {
			for _, terms := range []*auth.Terms{r.Sandbox, r.Production} {
				if err := t.endTerms(terms); err != nil {
					return "", err
				}
			}
		}
		return id, t.putRequest(r, Kind(accessStep+string(step)))
	})
}

// endTerms revokes the client that was made of terms, if one was.
func (t *tx) endTerms(terms *auth.Terms) error {
	if terms == nil || terms.ClientID == "" {
		return nil
	}
	c, err := t.client(terms.ClientID)
	if err != nil {
		return err
	}
	c.Status = auth.ClientRevoked
	return t.putClient(c)
}

// ClaimRequest makes a client of the terms that wait, with its first secret; ifRevision
// refuses it at another revision of the request, 0 is any.
func (l *Ledger) ClaimRequest(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64,
	secret func(auth.Environment) [32]byte, client func(auth.AccessRequest, auth.Terms, auth.Environment) (auth.Client, error),
) (auth.Client, bool, error) {
	return l.onClient(ctx, by, once, func(t *tx) (string, error) {
		r, err := t.accessRequestAt(id, ifRevision)
		if err != nil {
			return "", err
		}
		terms, e := r.Claimable()
		if terms == nil {
			refusal := hotel.Refuse("invalid_transition", "no credentials wait to be claimed: they are not issued yet, or were claimed before")
			refusal.Members = map[string]any{"from": r.Status, "to": "claim", "allowed": []string{}}
			return "", refusal
		}
		c, err := client(r, *terms, e)
		if err != nil {
			return "", err
		}
		if err := t.newClient(c, secret(e)); err != nil {
			return "", err
		}
		terms.ClientID = c.ID
		return c.ID, t.putRequest(r, AccessClaimed)
	})
}

// accessRequestAt is the access request, which is refused at another revision than
// ifRevision; 0 is any.
func (t *tx) accessRequestAt(id string, ifRevision int64) (auth.AccessRequest, error) {
	r, err := t.accessRequest(id)
	if err == nil && ifRevision != 0 && ifRevision != r.Revision {
		refusal := hotel.Refuse("precondition_failed", "the access request has been changed meanwhile")
		refusal.Members = map[string]any{"revision": r.Revision}
		err = refusal
	}
	return r, err
}

func (t *tx) accessRequest(id string) (auth.AccessRequest, error) {
	row, err := t.q.GetAccessRequest(t.ctx, id)
	if err != nil {
		return auth.AccessRequest{}, notFound(err)
	}
	return accessRequestOf(row)
}

// putRequest stores an access request as it is now.
func (t *tx) putRequest(r auth.AccessRequest, kind Kind) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	err = t.q.UpdateAccessRequest(t.ctx, ledgerdb.UpdateAccessRequestParams{Status: string(r.Status), Body: string(body), UpdatedAt: t.micros(), ID: r.ID})
	if err != nil {
		return fmt.Errorf("store access request %s: %w", r.ID, err)
	}
	_, err = t.append(entry{kind: kind, subject: r.ID, body: accessBody{r.Status, r.Sandbox, r.Production, r.Waived}})
	return err
}

// onRequest does something about an access request once for a request's key. f returns
// its id.
func (l *Ledger) onRequest(
	ctx context.Context, by hotel.By, once hotel.Once, f func(t *tx) (string, error),
) (auth.AccessRequest, bool, error) {
	return storeUnderKey(ctx, l, by, once, f, (*tx).accessRequest)
}
