package hotel

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The limits of a block.
const (
	maxBlockLines  = 100
	maxBlockNights = 4000 // of all lines together
	maxBlockUnits  = 9999
)

// Check says everything that is wrong with a block by itself. Whether the ids in
// it name anything is not looked at.
func (b *Block) Check() error {
	var items []RefusedItem
	add := func(pointer, code, format string, args ...any) {
		items = append(items, Wrong(pointer, code, format, args...))
	}
	if strings.TrimSpace(b.Name) == "" {
		add("/name", "required", "is missing")
	}
	for _, text := range []struct {
		pointer, value string
		most           int
	}{{"/name", b.Name, 200}, {"/contact", b.Contact, 500}, {"/notes", b.Notes, 2000}} {
		if utf8.RuneCountInString(text.value) > text.most {
			add(text.pointer, "length", "has at most %d characters", text.most)
		}
	}
	if b.ReleaseDays != nil && (*b.ReleaseDays < 0 || *b.ReleaseDays > 365) {
		add("/release_days", "max", "must be from 0 to 365")
	}
	if b.ReleaseOn != nil && b.ReleaseDays != nil {
		add("/release_days", "type", "name release_on or release_days, not both; one of them is null")
	}
	if b.RatePlanID != "" && len(b.Amounts) > 0 {
		add("/amounts", "type", "name a rate plan or amounts, not both")
	}
	b.checkLines(add)
	for i, a := range b.Amounts {
		if a.Amount.Minor < 0 {
			add(fmt.Sprintf("/amounts/%d/amount", i), "min", "must not be negative")
		}
	}
	if len(items) == 0 {
		return nil
	}
	r := Refuse("validation_failed", "%s %s", strings.TrimPrefix(items[0].Pointer, "/"), items[0])
	r.Items = items
	return r
}

func (b *Block) checkLines(add func(pointer, code, format string, args ...any)) {
	if len(b.Lines) == 0 || len(b.Lines) > maxBlockLines {
		add("/lines", "length", "takes 1 to %d lines", maxBlockLines)
		return
	}
	nights := 0
	for i, l := range b.Lines {
		at := fmt.Sprintf("/lines/%d", i)
		if l.RoomTypeID == "" {
			add(at+"/room_type_id", "required", "is missing")
		}
		if l.Units < 1 || l.Units > maxBlockUnits {
			add(at+"/units", "min", "must be from 1 to %d", maxBlockUnits)
		}
		if l.DateTo < l.DateFrom {
			add(at+"/date_to", "date_order", "must not be before date_from (%s)", l.DateFrom)
			continue
		}
		nights += int(l.DateTo-l.DateFrom) + 1
		for _, o := range b.Lines[:i] {
			if o.RoomTypeID == l.RoomTypeID && o.DateFrom <= l.DateTo && l.DateFrom <= o.DateTo {
				add(at+"/date_from", "date_order", "another line promises this room type on some of these nights: join the two")
				break
			}
		}
	}
	if nights > maxBlockNights {
		add("/lines", "length", "has %d nights in all lines together; a block has at most %d", nights, maxBlockNights)
	}
}
