package simulator

import (
	"errors"
	"maps"
	"slices"
	"strconv"
)

type inventoryMessage struct {
	Contents struct {
		Content []struct {
			Code       string `xml:"HotelCode,attr"`
			Name       string `xml:"HotelName,attr"`
			Facilities *struct {
				Rooms *struct {
					Room []guestRoom `xml:"GuestRoom"`
					stray
				} `xml:"GuestRooms"`
				stray
			} `xml:"FacilityInfo"`
			stray
		} `xml:"HotelDescriptiveContent"`
		stray
	} `xml:"HotelDescriptiveContents"`
}

type guestRoom struct {
	Code     string `xml:"Code,attr"`
	Min      string `xml:"MinOccupancy,attr"`
	Max      string `xml:"MaxOccupancy,attr"`
	Children string `xml:"MaxChildOccupancy,attr"`
	Type     *struct {
		Standard string `xml:"StandardOccupancy,attr"`
		Class    string `xml:"RoomClassificationCode,attr"`
		Room     string `xml:"RoomID,attr"`
		Kind     string `xml:"RoomType,attr"`
		Size     string `xml:"Size,attr"`
		stray
	} `xml:"TypeRoom"`
	Amenities []struct {
		Code string `xml:"RoomAmenityCode,attr"`
		stray
	} `xml:"Amenities>Amenity"`
	Media []media `xml:"MultimediaDescriptions>MultimediaDescription"`
	stray
}

type media struct {
	Info  string `xml:"InfoCode,attr"`
	Texts []struct {
		Format   string `xml:"TextFormat,attr"`
		Language string `xml:"Language,attr"`
		Text     string `xml:",chardata"`
	} `xml:"TextItems>TextItem>Description"`
	Images []struct {
		Category string `xml:"Category,attr"`
	} `xml:"ImageItems>ImageItem"`
}

// Category is what this portal knows of a category beside its code.
type Category struct {
	Min, Standard, Max int
	Children           int    // the most; -1: nobody has said
	Name               string // in whatever language comes first
	Rooms              []string
}

// Described returns the categories as they were described last.
func (s *Simulator) Described() map[string]Category {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.described)
}

const inventoryAnswer = "OTA_HotelDescriptiveContentNotifRS"

// inventory takes descriptions of categories in place of all that it had.
func (s *Simulator) inventory(c call) any {
	var q inventoryMessage
	if err := read(c.request, "OTA_HotelDescriptiveContentNotifRQ", &q); err != nil {
		return failure(inventoryAnswer, "320", err.Error())
	}
	described, err := s.categories(c.version, q)
	if bad := (refusal{}); errors.As(err, &bad) {
		return failure(inventoryAnswer, bad.code, bad.why)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.described = described
	answer := success(inventoryAnswer, nil)
	s.took(askCategories, answer)
	return answer
}

// categories reads a message by the rules of the standard.
func (s *Simulator) categories(version string, q inventoryMessage) (map[string]Category, error) {
	if len(q.Contents.Content) != 1 {
		return nil, refuse("321", "the message is about one hotel")
	}
	of := q.Contents.Content[0]
	switch {
	case of.Code == "" && (version == newest || of.Name == ""):
		return nil, refuse("321", "the code of the hotel is missing")
	case of.Code != "" && of.Code != s.o.Hotel:
		return nil, refuse("392", "there is no hotel of that code")
	case of.Facilities == nil || of.Facilities.Rooms == nil:
		return nil, refuse("321", "there are no rooms in it")
	}
	if err := errors.Join(q.Contents.none(), of.none(), of.Facilities.none(), of.Facilities.Rooms.none()); err != nil {
		return nil, refuse("320", "%v", err)
	}
	all := map[string]Category{}
	for _, r := range of.Facilities.Rooms.Room {
		if err := r.none(); err != nil {
			return nil, refuse("320", "%v", err)
		}
		category, known := all[r.Code]
		var err error
		if known {
			category.Rooms, err = r.room(category.Rooms)
		} else {
			category, err = r.category()
		}
		if err != nil {
			return nil, err
		}
		all[r.Code] = category
	}
	return all, nil
}

// room adds a single room to those of its category.
func (r guestRoom) room(others []string) ([]string, error) {
	if r.Type == nil || r.Type.Room == "" || r.Min+r.Max+r.Children+r.Type.Standard != "" || slices.Contains(others, r.Type.Room) {
		return nil, refuse("320", "a category stands there twice, or one of its rooms is none")
	}
	return append(others, r.Type.Room), nil
}

func (r guestRoom) category() (Category, error) {
	c := Category{Children: -1}
	if r.Code == "" || len(r.Code) > 8 || r.Type == nil || r.Type.Room != "" {
		return c, refuse("321", "a category has a code and a type, and stands before its rooms")
	}
	numbers := []int{}
	for _, text := range []string{r.Min, r.Type.Standard, r.Max, r.Type.Class} {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 99 {
			return c, refuse("320", "category %s has a number of guests or a class that is none", r.Code)
		}
		numbers = append(numbers, n)
	}
	if c.Min, c.Standard, c.Max = numbers[0], numbers[1], numbers[2]; c.Min > c.Standard || c.Standard > c.Max {
		return c, refuse("320", "the numbers of guests of category %s do not go together", r.Code)
	}
	if r.Children != "" {
		n, err := strconv.Atoi(r.Children)
		if err != nil || n < 0 || n > c.Max {
			return c, refuse("320", "category %s has more children than guests", r.Code)
		}
		c.Children = n
	}
	for _, a := range r.Amenities {
		if n, err := strconv.Atoi(a.Code); err != nil || n < 1 || n > 500 {
			return c, refuse("320", "there is no amenity %q", a.Code)
		}
	}
	for _, m := range r.Media {
		if err := m.sound(); err != nil {
			return c, err
		}
		if m.Info == "25" {
			c.Name = m.Texts[0].Text
		}
	}
	return c, nil
}

// sound checks texts and pictures.
func (m media) sound() error {
	seen := map[string]bool{}
	for _, t := range m.Texts {
		if t.Text == "" || seen[t.Language+t.Format] {
			return refuse("320", "a text is empty, or stands there twice")
		}
		seen[t.Language+t.Format] = true
	}
	for _, i := range m.Images {
		if n, err := strconv.Atoi(i.Category); err != nil || n < 1 || n > 99 {
			return refuse("320", "there is no kind %q of pictures", i.Category)
		}
	}
	switch m.Info {
	case "25", "1":
		if len(m.Texts) > 0 {
			return nil
		}
	case "23":
		if len(m.Images) > 0 {
			return nil
		}
	}
	return refuse("321", "a description has no kind, or nothing in it")
}
