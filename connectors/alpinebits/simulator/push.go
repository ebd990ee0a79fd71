package simulator

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"ostler.example/connectors/simkit"
)

// pusher sends every reservation to the hotel's side until it is taken.
func (s *Simulator) pusher() simkit.Pusher {
	return simkit.Pusher{Book: s.kit.Book, Log: s.o.Log, Push: func(ctx context.Context, e simkit.Event) error {
		return s.pushOne(ctx, s.event(newest, e))
	}}
}

// PushOldest sends the oldest reservation that waits, once, and reports whether there
// was one. On an error it still waits.
func (s *Simulator) PushOldest(ctx context.Context) (bool, error) { return s.pusher().Oldest(ctx) }

// pushOne sends one reservation once. It is taken when the answer names it.
func (s *Simulator) pushOne(ctx context.Context, of reservation) error {
	to := s.o.InboundURL()
	if to == "" {
		return errors.New("it is not known where to")
	}
	request, err := xml.Marshal(struct {
		XMLName xml.Name      `xml:"http://www.opentravel.org/OTA/2003/05 OTA_HotelResNotifRQ"`
		Version string        `xml:"Version,attr"`
		All     []reservation `xml:"HotelReservations>HotelReservation"`
	}{Version: "1.000", All: []reservation{of}})
	if err != nil {
		return err
	}
	said, err := s.post(ctx, to, "OTA_HotelResNotif:GuestRequests", request)
	if err != nil {
		return err
	}
	return taken(said, of.ID)
}

// post calls the hotel's side and returns what it answers.
func (s *Simulator) post(ctx context.Context, to, action string, request []byte) ([]byte, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := errors.Join(form.WriteField("action", action), file(form, request), form.Close()); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, &body)
	if err != nil {
		return nil, err
	}
	req.SetBasicAuth(portalUser, s.o.Secret)
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("X-AlpineBits-ClientProtocolVersion", newest)
	req.Header.Set("X-AlpineBits-ClientID", "simulator")
	resp, err := s.o.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(resp.Body, maxForm))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("answered %d", resp.StatusCode)
	}
	return said, err
}

// file writes the message as a file, as some portals do.
func file(form *multipart.Writer, request []byte) error {
	part, err := form.CreateFormFile("request", "request.xml")
	if err != nil {
		return err
	}
	_, err = part.Write(append([]byte(xml.Header), request...))
	return err
}

// taken looks for the reservation in the answer.
func taken(said []byte, id uniqueID) error {
	var answer struct {
		Success *struct{} `xml:"Success"`
		Taken   []struct {
			ID uniqueID `xml:"UniqueID"`
		} `xml:"HotelReservations>HotelReservation"`
	}
	if err := read(said, "OTA_HotelResNotifRS", &answer); err != nil {
		return err
	}
	for _, t := range answer.Taken {
		if answer.Success != nil && t.ID == id {
			return nil
		}
	}
	return errors.New("the answer does not say that it is taken")
}
