package message

import (
	"errors"
	"slices"
	"strings"
)

// Reply is what a server says to something that it was told.
type Reply struct {
	Failed  bool     // nothing was done
	Notices []Notice // why it failed, or what else there is to say
}

// Notice is one error or warning.
type Notice struct {
	Type     string `xml:"Type,attr"`
	Code     string `xml:"Code,attr,omitempty"`
	RecordID string `xml:"RecordID,attr,omitempty"`
	Status   string `xml:"Status,attr,omitempty"`
	Text     string `xml:",chardata"`
}

// The types and codes that are written or mean something of their own.
const (
	// Advisory is for information.
	Advisory = "11"

	CodeHotel   = "392" // no such hotel
	CodeRoom    = "402" // no such room type
	CodeRate    = "249" // no such rate
	CodeMissing = "321" // something that must be there is not
	CodeInvalid = "320" // a value makes no sense
	CodeDates   = "404" // a span ends before it begins
)

// The statuses by which a server asks for something: a new handshake, or all that there
// is of a kind.
const (
	AskHandshake = "ALPINEBITS_SEND_HANDSHAKE"
	AskFreeRooms = "ALPINEBITS_SEND_FREEROOMS"
	AskRatePlans = "ALPINEBITS_SEND_RATEPLANS"
	AskInventory = "ALPINEBITS_SEND_INVENTORY"
)

// ReadReply reads the answer of that name. What says neither that something was done
// nor that it was not is an error, and so is what says both.
func ReadReply(raw []byte, root string) (Reply, error) {
	reply, _, err := readReply(raw, root)
	return reply, err
}

func readReply(raw []byte, root string) (Reply, document, error) {
	var said struct {
		Success  *unit    `xml:"Success"`
		Errors   []Notice `xml:"Errors>Error"`
		Warnings []Notice `xml:"Warnings>Warning"`
	}
	doc, err := read(raw, root, &said)
	if err != nil {
		return Reply{}, document{}, err
	}
	if (said.Success == nil) == (len(said.Errors) == 0) {
		return Reply{}, document{}, errors.New("the answer says neither success nor error, or both")
	}
	reply := Reply{Failed: said.Success == nil, Notices: said.Warnings}
	if reply.Failed {
		reply.Notices = said.Errors
	}
	return reply, doc, nil
}

// failedType is that of an error of the application.
const failedType = "13"

// Inform makes notices for information.
func Inform(words ...string) (out []Notice) {
	for _, said := range words {
		out = append(out, Notice{Type: Advisory, Text: said})
	}
	return out
}

// WriteSuccess answers that all was done, with what else there is to say.
func WriteSuccess(root string, said ...Notice) []byte {
	type warnings struct {
		Warning []Notice
	}
	out := struct {
		Success  unit
		Warnings *warnings
	}{}
	if len(said) > 0 {
		out.Warnings = &warnings{said}
	}
	return write(root, "1.000", out)
}

// WriteFailure answers that nothing was done.
func WriteFailure(root string, r Refusal) []byte {
	return write(root, "1.000", struct {
		Error Notice `xml:"Errors>Error"`
	}{Notice{Type: failedType, Code: r.Code, Status: r.Asks, Text: r.Why}})
}

// Refused reports whether something was not taken although the answer says success:
// each warning that is not for information says so.
func (r Reply) Refused() bool {
	return !r.Failed && slices.ContainsFunc(r.Notices, func(n Notice) bool { return n.Type != Advisory })
}

// Hopeless reports whether an error says that what was told cannot be taken as it
// is, today or tomorrow.
func (r Reply) Hopeless() bool {
	return r.Failed && slices.ContainsFunc(r.Notices, func(n Notice) bool {
		return slices.Contains([]string{CodeHotel, CodeMissing, CodeInvalid, CodeDates}, n.Code)
	})
}

// Unmapped reports whether an error says that there is no such room or rate.
func (r Reply) Unmapped() bool {
	return r.Failed && slices.ContainsFunc(r.Notices, func(n Notice) bool { return n.Code == CodeRoom || n.Code == CodeRate })
}

// Asks reports whether the server asks for something by that status.
func (r Reply) Asks(status string) bool {
	return slices.ContainsFunc(r.Notices, func(n Notice) bool { return n.Status == status })
}

// Words joins what is said, each with what it asks for.
func (r Reply) Words() string {
	var all []string
	for _, n := range r.Notices {
		said := strings.Join(strings.Fields(n.Text), " ")
		if n.Status != "" {
			said = strings.TrimSpace(n.Status + " " + said)
		}
		if said == "" {
			said = "type " + n.Type + " code " + n.Code
		}
		all = append(all, said)
	}
	return strings.Join(all, "; ")
}
