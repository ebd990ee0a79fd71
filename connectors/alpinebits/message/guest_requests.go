package message

import "time"

// WriteRead asks for the reservations that have not been acknowledged, or for all
// that came up after an instant, if one is given.
func WriteRead(h Hotel, since time.Time) []byte {
	type criteria struct {
		Start string `xml:"Start,attr"`
	}
	type request struct {
		Hotel
		Criteria *criteria `xml:"SelectionCriteria"`
	}
	q := request{Hotel: h}
	if !since.IsZero() {
		q.Criteria = &criteria{since.UTC().Format(time.RFC3339)}
	}
	return write("OTA_ReadRQ", "1.001", struct {
		Request request `xml:"ReadRequests>HotelReadRequest"`
	}{q})
}

// ReadRead reads such a question: of which hotel, and since when, or the zero instant.
func ReadRead(raw []byte) (h Hotel, since time.Time, err error) {
	var q struct {
		Request *struct {
			Hotel
			Criteria *struct {
				Start string `xml:"Start,attr"`
			} `xml:"SelectionCriteria"`
		} `xml:"ReadRequests>HotelReadRequest"`
	}
	if _, err := read(raw, "OTA_ReadRQ", &q); err != nil {
		return Hotel{}, time.Time{}, err
	}
	if q.Request == nil {
		return Hotel{}, time.Time{}, refuse(CodeMissing, "it does not say of which hotel")
	}
	if q.Request.Criteria != nil {
		for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
			if since, err = time.Parse(form, q.Request.Criteria.Start); err == nil {
				return q.Request.Hotel, since, nil
			}
		}
		return Hotel{}, time.Time{}, refuse(CodeDates, "the instant %q cannot be read", q.Request.Criteria.Start)
	}
	return q.Request.Hotel, time.Time{}, nil
}

// ReadReservations reads the answer to such a question.
func ReadReservations(raw []byte) (Reply, []Reservation, error) {
	reply, doc, err := readReply(raw, Retrieved)
	if err != nil {
		return Reply{}, nil, err
	}
	return reply, doc.reservationsOf(), nil
}

// ReadPushed reads the reservations that a portal sends by itself.
func ReadPushed(raw []byte) ([]Reservation, error) {
	doc, err := read(raw, "OTA_HotelResNotifRQ", &unit{})
	if err != nil {
		return nil, err
	}
	return doc.reservationsOf(), nil
}

// acknowledged is the number of a reservation that has been taken.
type acknowledged struct {
	ID UniqueID `xml:"UniqueID"`
}

func numbers(ids []UniqueID) []acknowledged {
	var all []acknowledged
	for _, id := range ids {
		all = append(all, acknowledged{id})
	}
	return all
}

// WriteAcknowledgement tells which reservations have been taken.
func WriteAcknowledgement(taken []UniqueID) []byte {
	return write("OTA_NotifReportRQ", "1.000", struct {
		Success unit
		Taken   []acknowledged `xml:"NotifDetails>HotelNotifReport>HotelReservations>HotelReservation"`
	}{Taken: numbers(taken)})
}

// ReadAcknowledgement reads which reservations have been taken, and about which somebody
// says that they could not be.
func ReadAcknowledgement(raw []byte) (taken []UniqueID, refused []Notice, err error) {
	var q struct {
		Success  *unit          `xml:"Success"`
		Warnings []Notice       `xml:"Warnings>Warning"`
		Taken    []acknowledged `xml:"NotifDetails>HotelNotifReport>HotelReservations>HotelReservation"`
	}
	if _, err := read(raw, "OTA_NotifReportRQ", &q); err != nil {
		return nil, nil, err
	}
	if q.Success == nil {
		return nil, nil, refuse(CodeMissing, "an acknowledgement says success")
	}
	for _, t := range q.Taken {
		taken = append(taken, t.ID)
	}
	return taken, q.Warnings, nil
}

// The names of the answers.
const (
	Answered     = "OTA_HotelInvCountNotifRS"           // to counts
	Priced       = "OTA_HotelRatePlanNotifRS"           // to rate plans
	Described    = "OTA_HotelDescriptiveContentNotifRS" // to categories
	BaseRated    = "OTA_HotelRatePlanRS"                // to a question about rates
	Acknowledged = "OTA_NotifReportRS"                  // to an acknowledgement
	Received     = "OTA_HotelResNotifRS"                // to reservations that were pushed
	Retrieved    = "OTA_ResRetrieveRS"                  // to a question about reservations
)

const pushVersion = "1.000"

// WriteReceived answers that all the reservations have been taken. There is no answer
// of this kind, in the oldest version, that says that none has.
func WriteReceived(taken []UniqueID) []byte {
	return write(Received, pushVersion, struct {
		Success unit
		Taken   []acknowledged `xml:"HotelReservations>HotelReservation"`
	}{Taken: numbers(taken)})
}
