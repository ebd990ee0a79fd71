package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type propertyBody struct {
	EntityBody
	Name               string `json:"name"`
	TimeZone           string `json:"time_zone" example:"Europe/Berlin"`
	Currency           string `json:"currency" example:"EUR"`
	Country            string `json:"country" example:"DE"`
	CheckInTime        string `json:"check_in_time" example:"15:00"`
	CheckOutTime       string `json:"check_out_time" example:"11:00"`
	DayRollTime        string `json:"day_roll_time" example:"03:00" doc:"When the business date moves on, local time."`
	BusinessDate       string `json:"business_date" format:"date" doc:"The date that the house works on."`
	BookingHorizonDays int    `json:"booking_horizon_days" example:"730"`
	Status             string `json:"status" enum:"active,suspended,archived"`
}

func (s *server) propertyBody(p hotel.Property) propertyBody {
	return propertyBody{
		EntityBody: entityOf(p.Entity), Name: p.Name, TimeZone: p.TimeZone, Currency: string(p.Currency), Country: p.Country,
		CheckInTime: p.CheckIn, CheckOutTime: p.CheckOut, DayRollTime: p.DayRoll,
		BusinessDate: s.desk.Today(p).String(), BookingHorizonDays: p.HorizonDays, Status: string(p.Status),
	}
}

func (s *server) registerProperties() {
	list := huma.Operation{
		OperationID: "list-properties", Method: http.MethodGet, Path: "/properties",
		Summary: "The properties that the client was granted", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.PropertiesRead), func(ctx context.Context, in *struct{ Paging }) (*listOf[propertyBody], error) {
		all, err := s.desk.Properties(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
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
		r := resourceOf(in.IfNoneMatch, p.Revision, s.propertyBody(p))
		// The business date moves without a revision, so it is part of the tag.
		return r.tagged(in.IfNoneMatch, `"r`+itoa(p.Revision)+"-"+r.Body.BusinessDate+`"`), nil
	})
}
