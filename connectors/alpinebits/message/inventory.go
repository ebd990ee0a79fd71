package message

import (
	"encoding/xml"
	"strconv"
)

// InventorySet is what a message says of the categories of a hotel, which are all that
// there are.
type InventorySet struct {
	Hotel      Hotel
	Categories []Category
}

// Category is a kind of room, as the hotel describes it.
type Category struct {
	Code               string
	Class              int // of the kinds of accommodation, OpenTravel's list GRI
	Min, Standard, Max int // guests
	Children           *int
	Amenities          []int // OpenTravel's list RMA
	Names              []Text
	Descriptions       []Text
	Rooms              []string // numbers of the single rooms
}

// Text is a text in a language of two letters.
type Text struct{ Language, Text string }

// RoomClass is the kind of a hotel room, in contrast to an apartment.
const RoomClass = 42

type inventoryMessage struct {
	Content *inventoryContent `xml:"HotelDescriptiveContents>HotelDescriptiveContent"`
}

type inventoryContent struct {
	Hotel
	Facilities *facilities `xml:"FacilityInfo"`
	Other      []struct {
		XMLName xml.Name
	} `xml:",any"` // what describes the hotel, which is another action
}

type facilities struct {
	Rooms *struct {
		Room []guestRoom `xml:"GuestRoom"`
	} `xml:"GuestRooms"`
}

// guestRoom is a category, and after it each of its rooms.
type guestRoom struct {
	Code      string      `xml:"Code,attr"`
	Max       string      `xml:"MaxOccupancy,attr,omitempty"`
	Min       string      `xml:"MinOccupancy,attr,omitempty"`
	Children  string      `xml:"MaxChildOccupancy,attr,omitempty"`
	Type      *typeRoom   `xml:"TypeRoom"`
	Amenities *amenities  `xml:"Amenities"`
	Media     *multimedia `xml:"MultimediaDescriptions"`
}

type typeRoom struct {
	Standard string `xml:"StandardOccupancy,attr,omitempty"`
	Class    string `xml:"RoomClassificationCode,attr,omitempty"`
	Room     string `xml:"RoomID,attr,omitempty"`
}

type amenities struct {
	Amenity []amenity `xml:"Amenity"`
}

type amenity struct {
	Code string `xml:"RoomAmenityCode,attr"`
}

type multimedia struct {
	Description []described `xml:"MultimediaDescription"`
}

type described struct {
	Info   string     `xml:"InfoCode,attr"`
	Texts  *textItems `xml:"TextItems"`
	Images *images    `xml:"ImageItems"`
}

type images struct {
	Image []struct {
		Category string `xml:"Category,attr"`
	} `xml:"ImageItem"`
}

type textItems struct {
	Text []text `xml:"TextItem>Description"`
}

type text struct {
	Format   string `xml:"TextFormat,attr"`
	Language string `xml:"Language,attr"`
	Text     string `xml:",chardata"`
}

// What a description is.
const (
	longText = "1"
	pictures = "23"
	name     = "25"
	plain    = "PlainText"
)

// The highest codes that OpenTravel's lists have room for: of accommodation and
// pictures, and of amenities.
const (
	maxClass   = 99
	maxPicture = 99
	maxAmenity = 500
)

// WriteInventory describes categories in place of all that were described before.
func WriteInventory(m InventorySet) []byte {
	type rooms struct {
		Room []guestRoom `xml:"GuestRoom"`
	}
	type content struct {
		Hotel
		Rooms rooms `xml:"FacilityInfo>GuestRooms"`
	}
	out := content{Hotel: m.Hotel}
	for _, c := range m.Categories {
		out.Rooms.Room = append(out.Rooms.Room, c.wire())
		for _, room := range c.Rooms {
			out.Rooms.Room = append(out.Rooms.Room, guestRoom{Code: c.Code, Type: &typeRoom{Room: room}})
		}
	}
	return write("OTA_HotelDescriptiveContentNotifRQ", "8.000", struct {
		Content content `xml:"HotelDescriptiveContents>HotelDescriptiveContent"`
	}{out})
}

func (c Category) wire() guestRoom {
	out := guestRoom{
		Code: c.Code, Min: strconv.Itoa(c.Min), Max: strconv.Itoa(c.Max),
		Type: &typeRoom{Standard: strconv.Itoa(c.Standard), Class: strconv.Itoa(c.Class)},
	}
	if c.Children != nil {
		out.Children = strconv.Itoa(*c.Children)
	}
	for _, code := range c.Amenities {
		if out.Amenities == nil {
			out.Amenities = &amenities{}
		}
		out.Amenities.Amenity = append(out.Amenities.Amenity, amenity{strconv.Itoa(code)})
	}
	for _, of := range []struct {
		info  string
		texts []Text
	}{{name, c.Names}, {longText, c.Descriptions}} {
		if len(of.texts) == 0 {
			continue
		}
		if out.Media == nil {
			out.Media = &multimedia{}
		}
		d := described{Info: of.info, Texts: &textItems{}}
		for _, t := range of.texts {
			d.Texts.Text = append(d.Texts.Text, text{plain, t.Language, t.Text})
		}
		out.Media.Description = append(out.Media.Description, d)
	}
	return out
}

// ReadInventory reads what somebody says of categories. A message that says something
// that makes no sense is refused as a whole, with a [Refusal].
func ReadInventory(raw []byte) (InventorySet, error) {
	var q inventoryMessage
	if _, err := read(raw, "OTA_HotelDescriptiveContentNotifRQ", &q); err != nil {
		return InventorySet{}, err
	}
	if q.Content == nil {
		return InventorySet{}, refuse(CodeMissing, "it does not say of which hotel")
	}
	out := InventorySet{Hotel: q.Content.Hotel}
	switch of := q.Content; {
	case len(of.Other) > 0:
		return out, refuse(CodeInvalid, "%s is no part of an inventory of rooms", of.Other[0].XMLName.Local)
	case of.Facilities == nil || of.Facilities.Rooms == nil:
		return out, refuse(CodeMissing, "there are no rooms in it")
	}
	at := map[string]int{}
	for _, r := range q.Content.Facilities.Rooms.Room {
		if n := len([]rune(r.Code)); n < 1 || n > 8 {
			return out, refuse(CodeInvalid, "the code of a category has 1 to 8 characters, not %d", n)
		}
		place, known := at[r.Code]
		if known {
			room, err := r.single()
			if err != nil {
				return out, err
			}
			out.Categories[place].Rooms = append(out.Categories[place].Rooms, room)
			continue
		}
		c, err := r.category()
		if err != nil {
			return out, err
		}
		at[r.Code] = len(out.Categories)
		out.Categories = append(out.Categories, c)
	}
	return out, nil
}

// single reads a room of a category that stands before it.
func (r guestRoom) single() (string, error) {
	switch {
	case r.Type == nil || r.Type.Room == "":
		return "", refuse(CodeMissing, "a room of category %q has no RoomID", r.Code)
	case r.Min != "" || r.Max != "" || r.Children != "" || r.Type.Standard != "" || r.Type.Class != "":
		return "", refuse(CodeInvalid, "room %q has a number of guests or a class of its own, which its category %q has", r.Type.Room, r.Code)
	}
	return r.Type.Room, nil
}

func (r guestRoom) category() (c Category, err error) {
	c.Code = r.Code
	if r.Type == nil {
		return c, refuse(CodeMissing, "category %q has no TypeRoom", r.Code)
	}
	for _, of := range []struct {
		what, text string
		most       int
		to         *int
	}{
		{"MinOccupancy", r.Min, maxOccupancy, &c.Min},
		{"StandardOccupancy", r.Type.Standard, maxOccupancy, &c.Standard},
		{"MaxOccupancy", r.Max, maxOccupancy, &c.Max},
		{"RoomClassificationCode", r.Type.Class, maxClass, &c.Class},
	} {
		if of.text == "" {
			return c, refuse(CodeMissing, "category %q has no %s", r.Code, of.what)
		}
		if *of.to, err = strconv.Atoi(of.text); err != nil || *of.to < 1 || *of.to > of.most {
			return c, refuse(CodeInvalid, "category %q has the %s %q, which is none", r.Code, of.what, of.text)
		}
	}
	if r.Children != "" {
		n, err := strconv.Atoi(r.Children)
		if err != nil || n < 0 || n > c.Max {
			return c, refuse(CodeInvalid, "category %q has room for %q children and for %d guests", r.Code, r.Children, c.Max)
		}
		c.Children = &n
	}
	switch {
	case r.Type.Room != "":
		return c, refuse(CodeMissing, "room %q stands there before its category %q", r.Type.Room, r.Code)
	case c.Min > c.Standard || c.Standard > c.Max:
		return c, refuse(CodeInvalid, "category %q is for %d guests, between %d and %d", r.Code, c.Standard, c.Min, c.Max)
	}
	if r.Amenities != nil {
		for _, a := range r.Amenities.Amenity {
			code, err := strconv.Atoi(a.Code)
			if err != nil || code < 1 || code > maxAmenity {
				return c, refuse(CodeInvalid, "there is no amenity of the code %q", a.Code)
			}
			c.Amenities = append(c.Amenities, code)
		}
	}
	if r.Media != nil {
		err = c.describe(r.Media.Description)
	}
	return c, err
}

// describe reads names and descriptions. Pictures are passed by.
func (c *Category) describe(all []described) error {
	for _, d := range all {
		switch d.Info {
		case name, longText:
			texts, err := d.texts(c.Code)
			if err != nil {
				return err
			}
			if d.Info == name {
				c.Names = append(c.Names, texts...)
			} else {
				c.Descriptions = append(c.Descriptions, texts...)
			}
		case pictures:
			if d.Images == nil {
				return refuse(CodeMissing, "a description of category %q has no picture", c.Code)
			}
			for _, i := range d.Images.Image {
				if code, err := strconv.Atoi(i.Category); err != nil || code < 1 || code > maxPicture {
					return refuse(CodeInvalid, "there is no category of pictures of the code %q", i.Category)
				}
			}
		default:
			return refuse(CodeInvalid, "a description of category %q has the InfoCode %q, not one of 25, 1 and 23", c.Code, d.Info)
		}
	}
	return nil
}

// texts are those that are plain, one of each language.
func (d described) texts(category string) ([]Text, error) {
	if d.Texts == nil || len(d.Texts.Text) == 0 {
		return nil, refuse(CodeMissing, "a description of category %q has no text", category)
	}
	var texts []Text
	seen := map[[2]string]bool{}
	for _, t := range d.Texts.Text {
		of := [2]string{t.Language, t.Format}
		if seen[of] {
			return nil, refuse(CodeInvalid, "a description of category %q stands there twice in %s", category, t.Language)
		}
		if seen[of] = true; t.Format == plain {
			texts = append(texts, Text{t.Language, t.Text})
		}
	}
	return texts, nil
}
