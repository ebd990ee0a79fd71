package simulator

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"ostler.example/hotel"
)

// PMSOptions say what a pretend PMS is.
type PMSOptions struct {
	URL            string // of the other side, which it calls
	User, Password string // as whom it calls
	Hotel, Version string
	Client         *http.Client
	Rooms          map[string]int // how many there are of each category
}

// PMS is a pretend hotel's own system: a client of the protocol that counts the rooms of a
// house, tells how many it has left, and fetches the reservations that others have sold.
// Its numbers are net: all that it has on its books is taken off them. It is safe for
// concurrent use. A call that fails may have been heard, as any call may.
type PMS struct {
	o PMSOptions

	mu    sync.Mutex
	own   []room            // what its desk has sold
	books map[string]booked // what others have, by the number under which it was told
}

// room is a room on its books, or one that was.
type room struct {
	category string
	stay     hotel.Stay
}

// booked is a reservation as it was fetched last.
type booked struct {
	room
	kind string // of its number, with which it is acknowledged
	off  bool
}

// NewPMS returns one with nothing on its books.
func NewPMS(o PMSOptions) *PMS { return &PMS{o: o, books: map[string]booked{}} }

// Free is how many rooms of a category it has left on a night by its books; fewer than
// none: it owes guests some.
func (p *PMS) Free(category string, night hotel.Date) int {
	free := p.Owned(category, night)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.books {
		if !b.off && b.category == category && b.stay.Contains(night) {
			free--
		}
	}
	return free
}

// Owned is how many it has without what others have sold: all rooms, less those that its own
// desk has sold.
func (p *PMS) Owned(category string, night hotel.Date) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	owned := p.o.Rooms[category]
	for _, r := range p.own {
		if r.category == category && r.stay.Contains(night) {
			owned--
		}
	}
	return owned
}

// Sell sells a room at its own desk, and reports whether there was one by its books.
func (p *PMS) Sell(category string, stay hotel.Stay) bool {
	for night := stay.CheckIn; night < stay.CheckOut; night++ {
		if p.Free(category, night) < 1 {
			return false
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.own = append(p.own, room{category, stay})
	return true
}

// Cancel takes the first of what its desk has sold off the books, and reports whether there
// was anything.
func (p *PMS) Cancel() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.own) == 0 {
		return false
	}
	p.own = slices.Delete(p.own, 0, 1)
	return true
}

// Counts is a message about what is free by its books now, of all categories: changes of
// these nights, or a complete set.
func (p *PMS) Counts(complete bool, nights hotel.Span) []byte {
	type count struct {
		Type  string `xml:"CountType,attr"`
		Count string `xml:"Count,attr"`
	}
	type entry struct {
		Control struct {
			Start    string `xml:"Start,attr"`
			End      string `xml:"End,attr"`
			Category string `xml:"InvTypeCode,attr"`
		} `xml:"StatusApplicationControl"`
		Free *count `xml:"InvCounts>InvCount"` // nil: sold out
	}
	type set struct {
		Type     string `xml:"Type,attr"`
		ID       string `xml:"ID,attr"`
		Instance string `xml:"Instance,attr"`
	}
	var out struct {
		XMLName xml.Name `xml:"http://www.opentravel.org/OTA/2003/05 OTA_HotelInvCountNotifRQ"`
		Version string   `xml:"Version,attr"`
		Set     *set     `xml:"UniqueID"`
		All     struct {
			Hotel   string  `xml:"HotelCode,attr"`
			Entries []entry `xml:"Inventory"`
		} `xml:"Inventories"`
	}
	out.Version, out.All.Hotel = "4", p.o.Hotel
	if complete {
		out.Set = &set{"16", "1", "CompleteSet"}
	}
	for _, category := range slices.Sorted(maps.Keys(p.o.Rooms)) {
		for night := nights.From; night <= nights.To; night++ {
			var e entry
			e.Control.Start, e.Control.End, e.Control.Category = night.String(), night.String(), category
			if free := p.Free(category, night); free > 0 {
				e.Free = &count{"2", strconv.Itoa(free)}
			}
			out.All.Entries = append(out.All.Entries, e)
		}
	}
	raw, _ := xml.Marshal(out) // texts only: nothing that can fail
	return raw
}

// TellCounts sends such a message, of now or of some time ago. It is taken when the answer
// says so without a warning that says otherwise.
func (p *PMS) TellCounts(ctx context.Context, message []byte) error {
	_, err := p.post(ctx, "OTA_HotelInvCountNotif:FreeRooms", roomsAnswer, message)
	return err
}

// Shake shakes hands, and says with what the other side can do.
func (p *PMS) Shake(ctx context.Context) (string, error) {
	offered := `{"versions":[{"version":"` + p.o.Version + `","actions":[{"action":"action_OTA_HotelInvCountNotif","supports":["OTA_HotelInvCountNotif_accept_categories"]},{"action":"action_OTA_Read"}]}]}`
	said, err := p.post(ctx, "OTA_Ping:Handshaking", "OTA_PingRS", message("OTA_PingRQ", struct {
		Echo string `xml:"EchoData"`
	}{offered}))
	return string(said), err
}

// Fetch asks for the reservations that it has not acknowledged, and puts them on its books
// as they are told. It returns their numbers in the order of the answer.
func (p *PMS) Fetch(ctx context.Context) ([]string, error) {
	var request struct {
		Hotel property `xml:"ReadRequests>HotelReadRequest"`
	}
	request.Hotel.Code = p.o.Hotel
	said, err := p.post(ctx, "OTA_Read:GuestRequests", listAnswer, message("OTA_ReadRQ", request))
	if err != nil {
		return nil, err
	}
	var list struct {
		All []reservation `xml:"ReservationsList>HotelReservation"`
	}
	if err := read(said, listAnswer, &list); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var numbers []string
	for _, r := range list.All {
		b := booked{kind: r.ID.Type, off: r.Status == "Cancelled"}
		if !b.off {
			if len(r.Stays) != 1 {
				return nil, fmt.Errorf("reservation %s has %d rooms", r.ID.ID, len(r.Stays))
			}
			from, bad := hotel.ParseDate(r.Stays[0].Span.Start)
			to, worse := hotel.ParseDate(r.Stays[0].Span.End)
			if err := errors.Join(bad, worse); err != nil {
				return nil, err
			}
			b.room = room{r.Stays[0].Category.Code, hotel.Stay{CheckIn: from, CheckOut: to}}
		}
		p.books[r.ID.ID] = b
		numbers = append(numbers, r.ID.ID)
	}
	return numbers, nil
}

// Acknowledge says that reservations are on its books, in whatever order. One that it has
// never fetched is left out.
func (p *PMS) Acknowledge(ctx context.Context, numbers ...string) error {
	type named struct {
		ID uniqueID `xml:"UniqueID"`
	}
	var request struct {
		Success struct{}
		Taken   []named `xml:"NotifDetails>HotelNotifReport>HotelReservations>HotelReservation"`
	}
	p.mu.Lock()
	for _, number := range numbers {
		if b, known := p.books[number]; known {
			request.Taken = append(request.Taken, named{uniqueID{b.kind, number}})
		}
	}
	p.mu.Unlock()
	if len(request.Taken) == 0 {
		return nil
	}
	_, err := p.post(ctx, "OTA_NotifReport:GuestRequests", reportAnswer, message("OTA_NotifReportRQ", request))
	return err
}

// message wraps what is in a message of that name.
func message(root string, content any) []byte {
	var out bytes.Buffer
	_ = xml.NewEncoder(&out).EncodeElement(content, xml.StartElement{ // texts only: nothing that can fail
		Name: xml.Name{Space: ota, Local: root}, Attr: []xml.Attr{{Name: xml.Name{Local: "Version"}, Value: "1.000"}},
	})
	return out.Bytes()
}

// mostSaid is how much is read of an answer.
const mostSaid = 8 << 20

// post makes one call, and reads whether what it asks for was done.
func (p *PMS) post(ctx context.Context, action, answer string, request []byte) ([]byte, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := errors.Join(form.WriteField("action", action), file(form, request), form.Close()); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.o.URL, &body)
	if err != nil {
		return nil, err
	}
	req.SetBasicAuth(p.o.User, p.o.Password)
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("X-AlpineBits-ClientProtocolVersion", p.o.Version)
	req.Header.Set("X-AlpineBits-ClientID", "pms")
	resp, err := p.o.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(resp.Body, mostSaid))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s is answered %d", action, resp.StatusCode)
	}
	var outcome struct {
		Success  *struct{} `xml:"Success"`
		Errors   []notice  `xml:"Errors>Error"`
		Warnings []notice  `xml:"Warnings>Warning"`
	}
	if err := read(said, answer, &outcome); err != nil {
		return nil, err
	}
	for _, n := range append(outcome.Errors, outcome.Warnings...) {
		if outcome.Success == nil || n.Type != "11" {
			return nil, fmt.Errorf("%s is refused: %s %s", action, n.Code, n.Text)
		}
	}
	if outcome.Success == nil {
		return nil, fmt.Errorf("the answer to %s says nothing", action)
	}
	return said, nil
}
