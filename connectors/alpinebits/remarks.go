package alpinebits

import (
	"cmp"
	"slices"
	"strings"

	"ostler.example/connectors/alpinebits/message"
)

// line is a text on one line.
func line(text string) string { return strings.Join(strings.Fields(text), " ") }

// requestsOf is what the guest wrote, text by text on lines of their own, and what the desk
// should know of who has sold the stay: the number that it has there, and how an agency is
// reached.
func requestsOf(r message.Reservation) string {
	var lines []string
	for _, c := range r.Comments {
		for _, t := range c.Text {
			lines = append(lines, line(t))
		}
	}
	for _, b := range r.Brokers {
		if b.Type == message.InternetBroker && line(b.Value) != "" {
			lines = append(lines, strings.TrimPrefix(line(b.Source)+": "+line(b.Value), ": "))
		}
	}
	if a := agencyOf(r); a != nil && (a.Phone.Number != "" || a.Email != "") {
		parts := []string{line(a.Name), line(a.Phone.Number), line(a.Email)}
		lines = append(lines, strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", "))
	}
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), "\n")
}

// sellerOf is who has sold a stay: an agency, else where on the internet it was sold; "" where
// that was at the portal.
func sellerOf(r message.Reservation) string {
	var broker string
	for _, b := range r.Brokers {
		if b.Type == message.InternetBroker {
			broker = cmp.Or(broker, line(b.Source))
		}
	}
	if a := agencyOf(r); a != nil {
		return cmp.Or(line(a.Name), broker)
	}
	return broker
}

// agencyOf is the travel agency that a reservation has come through, nil where there is none.
func agencyOf(r message.Reservation) *message.Company {
	for i := range r.Profiles {
		if r.Profiles[i].Type == message.TravelAgent {
			return &r.Profiles[i].Company
		}
	}
	return nil
}
