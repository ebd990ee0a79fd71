package notify

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

//go:embed sheet.html
var sheetFile embed.FS

var sheetPage = template.Must(template.ParseFS(sheetFile, "sheet.html"))

// Scribe writes the downtime sheets: who comes, who leaves, who is there and what is free,
// as files that are read when the program is not. They have the names of guests in them.
type Scribe struct {
	Ledger Ledger
	Desk   Desk
	Folder string // below which each property has one
	Clock  hotel.Clock
	Log    *zap.Logger

	wrote map[string]time.Time // by property
}

const (
	sheetNights = 14
	sheetKept   = 48 * time.Hour
	sheetName   = "house" // of the newest; older ones have their time behind it
)

// Run writes them when they are due until ctx ends.
func (s *Scribe) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.Look(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("a downtime sheet is not written; it is tried again in a minute", zap.Error(err))
		}
		timer := time.NewTimer(every)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Look writes the sheets that are due.
func (s *Scribe) Look(ctx context.Context) error {
	properties, err := s.Ledger.Properties(ctx)
	now := s.Clock.Now()
	if s.wrote == nil {
		s.wrote = map[string]time.Time{}
	}
	for _, p := range properties {
		if p.Notifications == nil || p.Notifications.Sheet == nil {
			continue
		}
		due := s.wrote[p.ID].Add(time.Duration(p.Notifications.Sheet.EveryMinutes) * time.Minute)
		if now.Before(due) {
			continue
		}
		if failed := s.write(ctx, &p, now); failed != nil {
			err = errors.Join(err, fmt.Errorf("sheet of %s: %w", p.ID, failed))
			continue
		}
		s.wrote[p.ID] = now
	}
	return err
}

// sheet is what stands in one.
type sheet struct {
	Title, Made string
	Language    string
	Parts       []sheetPart
}

// sheetPart is a table with its heading.
type sheetPart struct {
	Title  string
	None   string // in place of rows when there are none
	Header []string
	Rows   [][]string
}

func (s *Scribe) write(ctx context.Context, p *hotel.Property, now time.Time) error {
	of, err := s.sheet(ctx, p, now)
	if err != nil {
		return err
	}
	folder := filepath.Join(s.Folder, p.Notifications.Sheet.Folder)
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return err
	}
	for _, form := range p.Notifications.Sheet.Formats {
		body, err := of.as(form)
		if err != nil {
			return err
		}
		for _, name := range []string{sheetName, sheetName + "-" + now.In(zone).Format("2006-01-02-1504")} {
			if err := replace(filepath.Join(folder, name+"."+string(form)), body); err != nil {
				return err
			}
		}
	}
	return forget(folder, now.Add(-sheetKept))
}

// replace writes a file whole or not at all.
func replace(path string, body []byte) error {
	next := path + ".next"
	if err := os.WriteFile(next, body, 0o640); err != nil { // the house's people read it
		return err
	}
	return os.Rename(next, path)
}

// forget removes the sheets of before an instant, but for the newest.
func forget(folder string, before time.Time) error {
	old, err := filepath.Glob(filepath.Join(folder, sheetName+"-*"))
	for _, path := range old {
		info, failed := os.Stat(path)
		if failed == nil && info.ModTime().Before(before) {
			failed = os.Remove(path)
		}
		if !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// sheet looks up what stands in it, in the language of the first recipient.
func (s *Scribe) sheet(ctx context.Context, p *hotel.Property, now time.Time) (*sheet, error) {
	language := hotel.NoticeLanguages[0]
	if r := p.Notifications.Recipients; len(r) > 0 {
		language = r[0].Language
	}
	say := wordsOf(language)
	h, err := houseOf(ctx, s.Desk, p)
	if err != nil {
		return nil, err
	}
	rooms, err := s.Desk.RoomTypes(ctx, ourselves, p.ID)
	if err != nil {
		return nil, err
	}
	out := &sheet{Title: say.of("sheet", "hotel", p.Name), Made: say.of("made", "at", say.instant(now, p)), Language: language}
	var people []string
	for _, part := range []struct {
		title string
		list  []hotel.Reservation
	}{{"arrivals_title", h.Arrivals}, {"departures_title", h.Departures}, {"in_house_title", h.InHouse}} {
		t := sheetPart{Title: say.of(part.title), None: say.of("none")}
		for _, column := range []string{"guest", "room", "number", "arrival", "departure", "persons", "confirmation", "notes"} {
			t.Header = append(t.Header, say.of(column))
		}
		for _, r := range part.list {
			t.Rows = append(t.Rows, guestRow(say, rooms, &r))
			people = append(people, r.GuestID)
		}
		out.Parts = append(out.Parts, t)
	}
	free, err := s.free(ctx, p, say, rooms)
	if err != nil {
		return nil, err
	}
	out.Parts = append(out.Parts, free)
	slices.Sort(people)
	return out, s.Desk.Shown(ctx, ourselves, "sheet", slices.Compact(people))
}

func guestRow(say *words, rooms []hotel.RoomType, r *hotel.Reservation) []string {
	room := ""
	for _, of := range rooms {
		if of.ID == cmp.Or(r.RoomTypeID, r.HeldRoom) {
			room = of.Name
		}
	}
	notes := strings.Join(without([]string{r.Requests, r.Notes}, ""), " / ")
	return []string{
		r.Guest.DisplayName(), room, r.RoomNumber, say.date(r.Stay.CheckIn), say.date(r.Stay.CheckOut),
		strconv.Itoa(r.Adults + len(r.ChildrenAges)), r.Confirmation, notes,
	}
}

// free is how many rooms of each type are left on the coming nights.
func (s *Scribe) free(ctx context.Context, p *hotel.Property, say *words, rooms []hotel.RoomType) (sheetPart, error) {
	today := s.Desk.Today(*p)
	t := sheetPart{Title: say.of("free_title"), Header: []string{say.of("night")}}
	inv, err := s.Desk.Inventory(ctx, ourselves, hotel.InventoryQuery{PropertyID: p.ID, Span: hotel.Span{From: today, To: today + sheetNights - 1}})
	if err != nil {
		return t, err
	}
	for _, room := range rooms {
		t.Header = append(t.Header, room.Name)
	}
	for d := today; d < today+sheetNights; d++ {
		row := []string{say.date(d)}
		for _, room := range rooms {
			left := ""
			for _, c := range inv.Cells {
				if c.Date == d && c.RoomTypeID == room.ID {
					left = strconv.Itoa(c.Available)
				}
			}
			row = append(row, left)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// as is the sheet in a form.
func (s *sheet) as(form hotel.SheetFormat) ([]byte, error) {
	var b bytes.Buffer
	if form == hotel.SheetHTML {
		err := sheetPage.Execute(&b, s)
		return b.Bytes(), err
	}
	w := csv.NewWriter(&b)
	lines := [][]string{{s.Title, s.Made}}
	for _, part := range s.Parts {
		lines = append(lines, nil, []string{part.Title}, part.Header)
		lines = append(lines, part.Rows...)
	}
	for _, line := range lines {
		for i, cell := range line {
			line[i] = report.SheetCell(cell)
		}
	}
	err := w.WriteAll(lines)
	return b.Bytes(), err
}
