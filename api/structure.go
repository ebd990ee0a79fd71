package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// kindOfResource is a kind of resource that is kept as a document, as it is changed
// over the wire.
type kindOfResource[R, B any] struct {
	name, path string
	tag        string
	scope      auth.Scope
	show       func(context.Context, R) (*resource[B], error)
	change     func(ctx context.Context, c desk.Caller, id string, to hotel.Change[R]) (R, bool, error)
	archive    func(ctx context.Context, c desk.Caller, id string, ifRevision int64) (R, bool, error)
	archived   string // what is not archived, for the document
}

// mergePatchWords say how resources are changed.
const mergePatchWords = "A merge patch (RFC 7396), sent as application/merge-patch+json or application/json: what is left out stays, null clears, a list is replaced as a whole."

// id is the kind as it stands in the names of operations.
func (k kindOfResource[R, B]) id() string { return strings.ReplaceAll(k.name, " ", "-") }

// registerPatch adds the operation that changes a resource.
func registerPatch[R, B any](s *server, k kindOfResource[R, B]) {
	patch := huma.Operation{
		OperationID: "update-" + k.id(), Method: http.MethodPatch, Path: k.path,
		Summary: "Change a " + k.name, Tags: []string{k.tag},
		Description: mergePatchWords,
	}
	register(s, patch, needs(k.scope), func(ctx context.Context, in *struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the resource has another ETag."`
		Body    patched[B]
	},
	) (*resource[B], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		to, err := change[R](in.Body, revision)
		if err != nil {
			return nil, err
		}
		r, replayed, err := k.change(ctx, callerOf(ctx), in.ID, to)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return k.show(ctx, r)
	})
	content := s.api.OpenAPI().Paths[patch.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]
}

// registerChanges adds the operations that change and archive a part of a house.
func registerChanges[R, B any](s *server, k kindOfResource[R, B]) {
	path := k.path
	k.path, k.tag = path+"/{id}", tagStructure
	registerPatch(s, k)
	archive := huma.Operation{
		OperationID: "archive-" + k.id(), Method: http.MethodPost, Path: path + "/{id}/archive",
		Summary: "Archive a " + k.name, Tags: []string{tagStructure}, DefaultStatus: http.StatusOK,
		Description: k.archived + " What is archived is kept and cannot be changed any more. Archiving it again changes nothing.",
	}
	register(s, archive, needs(k.scope), func(ctx context.Context, in *struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the resource has another ETag."`
	},
	) (*resource[B], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		r, replayed, err := k.archive(ctx, callerOf(ctx), in.ID, revision)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return k.show(ctx, r)
	})
}

// madeAt is the reply to a request that made a resource.
func madeAt[B any](ctx context.Context, path string, revision int64, b B) *created[B] {
	return &created[B]{Location: baseOf(ctx) + path, ETag: shownTag(revision, b), Cache: revalidate, Body: b}
}

// OfProperties narrows a list to some properties.
type OfProperties struct {
	PropertyID []string `query:"property_id" doc:"One of several, with commas between them; every granted property when it is left out."`
}

// ofProperties are the parameters of lists that properties alone narrow.
type ofProperties struct {
	Paging
	OfProperties
}

// structureQuery are the parameters of lists of what a house is made of.
type structureQuery struct {
	Paging
	OfProperties
	Status []string `query:"status" enum:"active,archived" doc:"One of several."`
}

// someOf is the map, never null.
func someOf(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
