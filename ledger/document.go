package ledger

import (
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
)

// document is a resource as it is kept: all its members as JSON, beside what
// every stored resource has.
type document struct {
	ID        string
	Body      string
	CreatedAt int64
	UpdatedAt int64
	Revision  int64
}

// documentRow is any row that is a document.
type documentRow interface {
	~struct {
		ID        string
		Body      string
		CreatedAt int64
		UpdatedAt int64
		Revision  int64
	}
}

// stored is a pointer to a resource that is kept as a document.
type stored[R any] interface {
	*R
	Stored() *hotel.Entity
}

// documentOf writes a resource.
func documentOf[R any, P stored[R]](r *R) (document, error) {
	body, err := json.Marshal(r)
	e := P(r).Stored()
	return document{e.ID, string(body), e.CreatedAt.UnixMicro(), e.UpdatedAt.UnixMicro(), e.Revision}, err
}

// resourceOf returns the resource of a document.
func resourceOf[R any, P stored[R], D documentRow](d D) (R, error) {
	var r R
	doc := document(d)
	if err := json.Unmarshal([]byte(doc.Body), &r); err != nil {
		return r, fmt.Errorf("stored resource %s: %w", doc.ID, err)
	}
	*P(&r).Stored() = entity(doc.ID, doc.CreatedAt, doc.UpdatedAt, doc.Revision)
	return r, nil
}

// readOne is resourceOf behind a query for one row; a row that is missing is
// [ErrNotFound].
func readOne[R any, P stored[R], D documentRow](d D, err error) (R, error) {
	if err != nil {
		var none R
		return none, notFound(err)
	}
	return resourceOf[R, P](d)
}

// readAll is resourceOf behind a query for many rows.
func readAll[R any, P stored[R], D documentRow](rows []D, err error) ([]R, error) {
	if err != nil {
		return nil, err
	}
	list := make([]R, len(rows))
	for i, d := range rows {
		if list[i], err = resourceOf[R, P](d); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func entity(id string, created, updated, revision int64) hotel.Entity {
	return hotel.Entity{ID: id, CreatedAt: instant(created), UpdatedAt: instant(updated), Revision: revision}
}

// entity makes the members of a resource that is stored now.
func (t *tx) entity(id string) hotel.Entity {
	return hotel.Entity{ID: id, CreatedAt: t.now, UpdatedAt: t.now, Revision: 1}
}
