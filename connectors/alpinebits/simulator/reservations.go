package simulator

import (
	"encoding/xml"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
)

const listAnswer = "OTA_ResRetrieveRS"

// reservations answers with what has not been acknowledged, or with the latest word
// on each booking of which something was said since an instant.
func (s *Simulator) reservations(c call) any {
	var q struct {
		Request struct {
			Code  string `xml:"HotelCode,attr"`
			Since *struct {
				Start string `xml:"Start,attr"`
			} `xml:"SelectionCriteria"`
		} `xml:"ReadRequests>HotelReadRequest"`
	}
	if err := read(c.request, "OTA_ReadRQ", &q); err != nil {
		return failure(listAnswer, "320", err.Error())
	}
	if q.Request.Code != s.o.Hotel {
		return failure(listAnswer, "392", "there is no hotel of that code")
	}
	list := struct {
		XMLName     xml.Name      `xml:"ReservationsList"`
		Reservation []reservation `xml:"HotelReservation"`
	}{}
	if q.Request.Since == nil {
		list.Reservation = s.waiting(c.version)
		return success(listAnswer, list)
	}
	since, err := time.Parse(time.RFC3339, q.Request.Since.Start)
	if err != nil {
		return failure(listAnswer, "320", "the instant cannot be read")
	}
	for _, b := range s.kit.Book.Bookings() {
		if b.At.After(since) {
			list.Reservation = append(list.Reservation, s.tell(c.version, kindOf(b), b))
		}
	}
	return success(listAnswer, list)
}

// kindOf is the latest event of a booking.
func kindOf(b simkit.Booking) connectors.EventKind {
	switch {
	case b.Status == simkit.Cancelled:
		return connectors.Cancelled
	case b.Revision > 1:
		return connectors.Modified
	}
	return connectors.Booked
}

// waiting is what has not been acknowledged.
func (s *Simulator) waiting(version string) []reservation {
	var all []reservation
	for _, e := range s.kit.Book.Events(0, 1<<20) {
		all = append(all, s.event(version, e))
		s.mu.Lock()
		s.told = max(s.told, e.Seq)
		s.mu.Unlock()
	}
	return all
}

// event tells of an event, in a way that nobody can read where that fault is planted.
func (s *Simulator) event(version string, e simkit.Event) reservation {
	r := s.tell(version, e.Kind, e.Booking)
	if s.kit.Faults.Garbles(e.Seq) {
		r.Status = "Waitlisted"
	}
	return r
}

const reportAnswer = "OTA_NotifReportRS"

// acknowledge takes reservations off the list of what waits. One of which more has
// been said than was read keeps the rest.
func (s *Simulator) acknowledge(c call) any {
	var q struct {
		Success *struct{} `xml:"Success"`
		Taken   []struct {
			ID uniqueID `xml:"UniqueID"`
		} `xml:"NotifDetails>HotelNotifReport>HotelReservations>HotelReservation"`
	}
	if err := read(c.request, "OTA_NotifReportRQ", &q); err != nil {
		return failure(reportAnswer, "320", err.Error())
	}
	if q.Success == nil {
		return failure(reportAnswer, "321", "an acknowledgement says success")
	}
	var taken []int64
	s.mu.Lock()
	told := s.told
	s.mu.Unlock()
	for _, e := range s.kit.Book.Events(0, 1<<20) {
		for _, t := range q.Taken {
			if e.Seq <= told && t.ID.ID == e.Booking.Reference && t.ID.Type == typeOf(e.Kind) {
				taken = append(taken, e.Seq)
			}
		}
	}
	if err := s.kit.Book.Acknowledge(taken...); err != nil {
		return failure(reportAnswer, "448", err.Error())
	}
	return success(reportAnswer, nil)
}
