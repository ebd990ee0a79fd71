package message

import (
	"bytes"
	"encoding/xml"
)

// write returns a message as it goes out: its name, its version and what is in it.
func write(root, version string, content any) []byte {
	out := bytes.NewBufferString(xml.Header)
	err := xml.NewEncoder(out).EncodeElement(content, xml.StartElement{
		Name: xml.Name{Space: namespace, Local: root},
		Attr: []xml.Attr{{Name: xml.Name{Local: "Version"}, Value: version}},
	})
	if err != nil {
		panic("alpinebits: write " + root + ": " + err.Error()) // a type of this package that cannot be written down
	}
	return out.Bytes()
}

// unit is an element that has nothing in it.
type unit struct{}
