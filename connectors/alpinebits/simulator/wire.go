package simulator

import (
	"encoding/xml"
	"errors"
	"fmt"
)

const ota = "http://www.opentravel.org/OTA/2003/05"

// stray is what has no place where it stands.
type stray struct {
	Elements   []struct{ XMLName xml.Name } `xml:",any"`
	Attributes []xml.Attr                   `xml:",any,attr"`
}

func (s stray) none() error {
	for _, e := range s.Elements {
		return fmt.Errorf("there is no element %s there", e.XMLName.Local)
	}
	for _, a := range s.Attributes {
		if a.Name.Space == "" && a.Name.Local != "xmlns" {
			return fmt.Errorf("there is no attribute %s there", a.Name.Local)
		}
	}
	return nil
}

// read decodes a message of that name.
func read(raw []byte, root string, into any) error {
	var top struct{ XMLName xml.Name }
	if err := xml.Unmarshal(raw, &top); err != nil {
		return errors.New("the message is no XML")
	}
	if top.XMLName != (xml.Name{Space: ota, Local: root}) {
		return fmt.Errorf("the message is %s, not %s", top.XMLName.Local, root)
	}
	return xml.Unmarshal(raw, into)
}

// reply is an answer without data.
type reply struct {
	XMLName  xml.Name
	Version  string    `xml:"Version,attr"`
	Success  *struct{} `xml:"Success"`
	Errors   *notices  `xml:"Errors"`
	Warnings *notices  `xml:"Warnings"`
	Content  any       // an element of its own name
}

// notices is a list of errors or of warnings.
type notices struct {
	Error, Warning []notice
}

type notice struct {
	Type   string `xml:"Type,attr"`
	Code   string `xml:"Code,attr,omitempty"`
	Status string `xml:"Status,attr,omitempty"`
	Text   string `xml:",chardata"`
}

func success(root string, content any) reply {
	return reply{XMLName: xml.Name{Space: ota, Local: root}, Version: "1.000", Success: &struct{}{}, Content: content}
}

// refused answers success with a warning that says otherwise.
func refused(root, why string) reply {
	r := success(root, nil)
	r.Warnings = &notices{Warning: []notice{{Type: "3", Text: why}}}
	return r
}

// failure answers that nothing was done.
func failure(root, code, why string) reply {
	return reply{
		XMLName: xml.Name{Space: ota, Local: root}, Version: "1.000",
		Errors: &notices{Error: []notice{{Type: "13", Code: code, Text: why}}},
	}
}
