package simulator

import (
	"strconv"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// rule restricts stays of a category on some days. What it does not say is free.
type rule struct {
	Context string `xml:"CodeContext,attr"`
	Code    string `xml:"Code,attr"`
	Start   string `xml:"Start,attr"`
	End     string `xml:"End,attr"`
	Lengths []struct {
		Time string `xml:"Time,attr"`
		Unit string `xml:"TimeUnit,attr"`
		Kind string `xml:"MinMaxMessageType,attr"`
	} `xml:"LengthsOfStay>LengthOfStay"`
	Arrival   *week `xml:"DOW_Restrictions>ArrivalDaysOfWeek"`
	Departure *week `xml:"DOW_Restrictions>DepartureDaysOfWeek"`
	Status    *struct {
		Of string `xml:"Restriction,attr"`
		Is string `xml:"Status,attr"`
	} `xml:"RestrictionStatus"`
	stray
}

// week says of each day whether somebody may come, or go.
type week struct {
	Mon  string `xml:"Mon,attr"`
	Tue  string `xml:"Tue,attr"`
	Weds string `xml:"Weds,attr"`
	Thur string `xml:"Thur,attr"`
	Fri  string `xml:"Fri,attr"`
	Sat  string `xml:"Sat,attr"`
	Sun  string `xml:"Sun,attr"`
	stray
}

// shut reports whether nobody may on a day of the week.
func (w *week) shut(day time.Weekday) (bool, error) {
	if w == nil {
		return false, nil
	}
	if err := w.none(); err != nil {
		return false, refuse("320", "%v", err)
	}
	switch [7]string{w.Sun, w.Mon, w.Tue, w.Weds, w.Thur, w.Fri, w.Sat}[day] {
	case "0", "false":
		return true, nil
	case "1", "true":
		return false, nil
	}
	return false, refuse("320", "all days of the week are named, each open or not")
}

// rule reads the restrictions of some days, which are all in force together.
func (s *Simulator) rule(p plan, r rule) ([]connectors.Change, error) {
	if err := r.none(); err != nil {
		return nil, refuse("320", "%v", err)
	}
	if r.Context != "ROOMTYPE" {
		return nil, refuse("320", "booking rules are for categories, not for whole rate plans")
	}
	from, to, err := s.nights(p, r.Code, r.Start, r.End)
	if err != nil {
		return nil, err
	}
	var lengths hotel.LengthLimits
	for _, l := range r.Lengths {
		n, err := strconv.Atoi(l.Time)
		of := map[string]*int{
			"SetMinLOS": &lengths.MinStayArrival, "SetMaxLOS": &lengths.MaxStayArrival,
			"SetForwardMinStay": &lengths.MinStayThrough, "SetForwardMaxStay": &lengths.MaxStayThrough,
		}[l.Kind]
		if err != nil || of == nil || n < 1 || l.Unit != "Day" || *of != 0 {
			return nil, refuse("320", "a length of stay makes no sense, or is told twice")
		}
		*of = n
	}
	closed := false
	if r.Status != nil {
		if r.Status.Of != "Master" || r.Status.Is != "Open" && r.Status.Is != "Close" {
			return nil, refuse("320", "a rule is open or closed")
		}
		closed = r.Status.Is == "Close"
	}
	var changes []connectors.Change
	for night := from; night <= to; night++ {
		of := hotel.Closed{Closed: closed}
		if of.Arrival, err = r.Arrival.shut(night.Weekday()); err != nil {
			return nil, err
		}
		if of.Departure, err = r.Departure.shut(night.Weekday()); err != nil {
			return nil, err
		}
		k := connectors.Key{Room: r.Code, Rate: p.Code, Night: night}
		closures, stays := k, k
		closures.Group, stays.Group = hotel.Closures, hotel.Lengths
		changes = append(changes,
			connectors.Change{Key: closures, Offer: hotel.Offer{Closed: of}},
			connectors.Change{Key: stays, Offer: hotel.Offer{Lengths: lengths}})
	}
	return changes, nil
}
