package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

func (s *server) registerProperties() {
	s.registerPropertyReads()
	create := huma.Operation{
		OperationID: "create-property", Method: http.MethodPost, Path: "/properties",
		Summary: "Make a property", Tags: []string{tagStructure}, DefaultStatus: http.StatusCreated,
		Description: "For a client that was granted every property, or this one by its id.",
	}
	register(s, create, needs(auth.PropertiesWrite), func(ctx context.Context, in *struct{ Body written[propertyBody] }) (*created[propertyBody], error) {
		p, err := read[hotel.Property](in.Body, "id")
		if err != nil {
			return nil, err
		}
		var named struct{ ID string }
		if err := decode(in.Body.raw, &named); err != nil {
			return nil, err
		}
		p.ID = named.ID
		p, replayed, err := s.desk.CreateProperty(ctx, callerOf(ctx), p)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/properties/"+p.ID, p.Revision, s.propertyBody(p)), nil
	})
	show := func(_ context.Context, p hotel.Property) (*resource[propertyBody], error) {
		return resourceOf("", p.Revision, s.propertyBody(p)), nil
	}
	registerChanges(s, kindOfResource[hotel.Property, propertyBody]{
		name: "property", path: "/properties", scope: auth.PropertiesWrite, show: show,
		change: s.desk.ChangeProperty, archive: s.desk.ArchiveProperty,
		archived: "A property with reservations to come or channels stays.",
	})
}

func (s *server) registerPropertyReads() {
	list := huma.Operation{
		OperationID: "list-properties", Method: http.MethodGet, Path: "/properties",
		Summary: "The properties that the client was granted", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.PropertiesRead), func(ctx context.Context, in *struct {
		Paging
		Status []string `query:"status" enum:"active,suspended,archived" doc:"One of several."`
	},
	) (*listOf[propertyBody], error) {
		all, err := s.desk.Properties(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		all = withStatus(all, in.Status, func(p hotel.Property) hotel.Status { return p.Status })
		return pageOf(ctx, s, in.Paging, all, func(p hotel.Property) position { return position{id: p.ID} }, s.propertyBody)
	})
	get := huma.Operation{
		OperationID: "get-property", Method: http.MethodGet, Path: "/properties/{id}",
		Summary: "One property", Tags: []string{tagStructure},
	}
	register(s, get, needs(auth.PropertiesRead), func(ctx context.Context, in *byID) (*resource[propertyBody], error) {
		p, err := s.desk.Property(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, p.Revision, s.propertyBody(p)), nil
	})
}
