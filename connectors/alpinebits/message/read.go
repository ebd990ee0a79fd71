// Package message reads and writes the XML of AlpineBits HotelData, in the versions
// 2020-10, 2022-10 and 2024-10, whoever is the client. It knows what the messages
// say and nothing of HTTP, channels or the ledger, and does no I/O.
//
// Reading is strict about the form and lenient about the content: a document that
// is too large, too deep, of another namespace or with a document type is refused
// as a whole, while a value that makes no sense spoils only the part that it is in.
package message

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
)

// namespace is that of OpenTravel, in which everything is.
const namespace = "http://www.opentravel.org/OTA/2003/05"

// What one document may cost whoever reads it.
const (
	maxBytes  = 8 << 20
	maxDepth  = 40
	maxTokens = 500_000
)

// span is a part of a document, in bytes.
type span struct{ from, to int64 }

// document is one that has been walked through from end to end.
type document struct {
	raw          []byte
	root         string
	reservations []span
	cards        []payment // what tells how somebody pays, in order and apart
}

// payment is an element that tells how somebody pays. Of a card its type is read, and
// nothing that it could be charged by.
type payment struct {
	span
	card string // CardCode of a card, "" where there is none
}

// open walks through a document and refuses what is no sound XML of the namespace.
func open(raw []byte) (document, error) {
	if len(raw) > maxBytes {
		return document{}, fmt.Errorf("the message is longer than %d bytes", maxBytes)
	}
	w := walk{document: document{raw: raw}, decoder: xml.NewDecoder(bytes.NewReader(raw))}
	for tokens := 0; ; tokens++ {
		if tokens > maxTokens {
			return document{}, fmt.Errorf("the message has more than %d parts", maxTokens)
		}
		at := w.decoder.InputOffset()
		token, err := w.decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return document{}, err
		}
		if err := w.step(token, at); err != nil {
			return document{}, err
		}
	}
	if w.root == "" {
		return document{}, errors.New("the message has no element")
	}
	return w.document, nil
}

// read opens a document and decodes it, if it is one of that name.
func read(raw []byte, root string, into any) (document, error) {
	doc, err := open(raw)
	if err != nil {
		return document{}, err
	}
	if doc.root != root {
		return document{}, fmt.Errorf("the message is %s, not %s", doc.root, root)
	}
	return doc, xml.Unmarshal(raw, into)
}

// walk is where one is in a document.
type walk struct {
	document
	decoder *xml.Decoder
	above   []element
}

// element is one that has not ended.
type element struct {
	name string
	from int64
	card string // its CardCode
}

// paying are the elements that hold numbers of cards and accounts.
var paying = []string{"PaymentCard", "BankAcct"}

// step takes one token in.
func (w *walk) step(token xml.Token, at int64) error {
	switch t := token.(type) {
	case xml.Directive:
		return errors.New("a document type is not accepted")
	case xml.CharData:
		if len(w.above) == 0 && len(bytes.TrimSpace(t)) > 0 {
			return errors.New("there is text outside of the message")
		}
	case xml.StartElement:
		return w.begin(t, at)
	case xml.EndElement:
		ended := w.above[len(w.above)-1]
		w.above = w.above[:len(w.above)-1]
		part := span{ended.from, w.decoder.InputOffset()}
		switch {
		case ended.name == "HotelReservation" && len(w.above) == 2:
			w.reservations = append(w.reservations, part)
		case slices.Contains(paying, ended.name) && !w.within(paying):
			w.cards = append(w.cards, payment{part, ended.card})
		}
	}
	return nil
}

func (w *walk) begin(t xml.StartElement, at int64) error {
	if len(w.above) == 0 {
		if w.root != "" {
			return errors.New("there are two messages in one")
		}
		w.root = t.Name.Local
	}
	if t.Name.Space != namespace {
		return fmt.Errorf("%s is in the namespace %q, not in that of OpenTravel", t.Name.Local, t.Name.Space)
	}
	begun := element{name: t.Name.Local, from: at}
	seen := make(map[string]bool, len(t.Attr))
	for _, a := range t.Attr {
		switch a.Name.Space {
		case "xmlns", "http://www.w3.org/2001/XMLSchema-instance", "http://www.w3.org/XML/1998/namespace":
			continue
		case "":
		default:
			return fmt.Errorf("the attribute %s of %s is in the namespace %q", a.Name.Local, t.Name.Local, a.Name.Space)
		}
		if seen[a.Name.Local] {
			return fmt.Errorf("%s has the attribute %s twice", t.Name.Local, a.Name.Local)
		}
		seen[a.Name.Local] = true
		if a.Name.Local == "CardCode" {
			begun.card = a.Value
		}
	}
	w.above = append(w.above, begun)
	if len(w.above) > maxDepth {
		return fmt.Errorf("the message is deeper than %d elements", maxDepth)
	}
	return nil
}

// within reports whether one of the elements has begun and not ended.
func (w *walk) within(names []string) bool {
	return slices.ContainsFunc(w.above, func(e element) bool { return slices.Contains(names, e.name) })
}

// without returns a part of the document with what tells how somebody pays cut out.
func (d document) without(part span) []byte {
	out := make([]byte, 0, part.to-part.from)
	at := part.from
	for _, card := range d.paysFor(part) {
		out = append(out, d.raw[at:card.from]...)
		at = card.to
	}
	return append(out, d.raw[at:part.to]...)
}

// paysFor lists what tells in a part of the document how somebody pays.
func (d document) paysFor(part span) []payment {
	place := func(at int64) int {
		i, _ := slices.BinarySearchFunc(d.cards, at, func(card payment, at int64) int { return cmp.Compare(card.from, at) })
		return i
	}
	return d.cards[place(part.from):place(part.to)]
}
