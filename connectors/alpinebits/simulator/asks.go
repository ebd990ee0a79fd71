package simulator

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
)

// asksEvery is how often a portal of that kind asks what rooms cost.
const asksEvery = 5 * time.Minute

// ask asks for prices again and again, until ctx ends.
func (s *Simulator) ask(ctx context.Context) error {
	for {
		if to := s.o.InboundURL(); to != "" {
			if err := s.Fetch(ctx, to); err != nil && ctx.Err() == nil {
				s.o.Log.Info("the hotel's side tells no prices: " + err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(asksEvery):
		}
	}
}

// Fetch asks the hotel's side at the address what rooms cost, where this portal is one that
// asks, and shows what it is answered.
func (s *Simulator) Fetch(ctx context.Context, address string) error {
	if s.o.Preset != asks {
		return nil
	}
	type hotelRef struct {
		Code string `xml:"HotelCode,attr"`
	}
	request, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"http://www.opentravel.org/OTA/2003/05 OTA_HotelRatePlanRQ"`
		Version string   `xml:"Version,attr"`
		Of      hotelRef `xml:"RatePlans>RatePlan>HotelRef"`
	}{Version: "3.000", Of: hotelRef{s.o.Hotel}})
	if err != nil {
		return err
	}
	said, err := s.post(ctx, strings.TrimSuffix(address, "/")+"/", "OTA_HotelRatePlan:BaseRates", request)
	if err != nil {
		return err
	}
	var answer struct {
		Success *struct{} `xml:"Success"`
		Plans   []plan    `xml:"RatePlans>RatePlan"`
	}
	if err := read(said, "OTA_HotelRatePlanRS", &answer); err != nil {
		return err
	}
	if answer.Success == nil {
		return errors.New("the answer says that there are none")
	}
	var changes []connectors.Change
	for _, p := range answer.Plans {
		if p.Kind != "New" || len(p.Rules) > 0 {
			return fmt.Errorf("rate plan %s is none of prices alone", p.Code)
		}
		rates, err := s.kind(newest, p)
		if err != nil {
			return err
		}
		for _, r := range rates {
			of, err := s.rate(p, r)
			if err != nil {
				return err
			}
			changes = append(changes, of...)
		}
	}
	_, err = s.kit.Book.Take(changes, simkit.Receipt{})
	return err
}

// mealsOf names the rate plans of a portal with what is eaten in each.
func mealsOf(products []connectors.RemoteProduct) (plans string) {
	for _, p := range products {
		plans = addTo(plans, p.Rate, "14")
	}
	return plans
}

// guestsOf names its categories with the number of guests of their prices.
func guestsOf(products []connectors.RemoteProduct) (categories string) {
	for _, p := range products {
		categories = addTo(categories, p.Room, fmt.Sprint(standard))
	}
	return categories
}
