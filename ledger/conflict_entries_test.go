package ledger

import (
	"encoding/json"
	"testing"
	"time"

	"ostler.example/hotel"
)

// entryKind is the kind of the journal entry that has a sequence.
func (h *house) entryKind(t *testing.T, sequence int64) Kind {
	t.Helper()
	return Kind(must(h.read.GetEntry(t.Context(), sequence))(t).Kind)
}

// seenSince is what the facts of a conflict say of when it was, and by which entries.
type seenSince struct {
	Since    time.Time `json:"since"`
	Sequence int64     `json:"sequence"`
	Nights   []struct {
		Sequence int64 `json:"sequence"`
	} `json:"nights"`
}

func seenOf(t *testing.T, c hotel.Conflict) (s seenSince) {
	t.Helper()
	if err := json.Unmarshal(c.Facts, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// What the house wants beside what is shown, refused or kept back is explained by the
// entry that it follows from.
func TestFactsNameTheEntryBehindOurs(t *testing.T) {
	check := func(t *testing.T, h *house, c hotel.Conflict, since time.Time) {
		t.Helper()
		s := seenOf(t, c)
		if !s.Since.Equal(since) || len(s.Nights) != 1 || h.entryKind(t, s.Nights[0].Sequence) != PricesChanged {
			t.Errorf("%s: %s, by %s, want since %s by a price", c.Kind, c.Facts, h.entryKind(t, s.Nights[0].Sequence), since)
		}
	}
	t.Run("drift", func(t *testing.T) {
		b := newInbox(t)
		b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.AskOwner}))
		must(b.setPrice(b.double, b.flex, b.today+3, b.today+3, 777))(t)
		b.live(t)
		must(b.setPrice(b.double, b.flex, b.today+3, b.today+3, 888))(t)
		b.f.catchUp(t)
		b.f.beginRead(t)
		b.f.endRead(t)
		at := b.clock.Now().Add(time.Millisecond) // when it was asked
		b.seesEdited(t, b.today+3, map[hotel.Group]int64{hotel.Price: 12100})
		check(t, b.house, b.open(t, hotel.ConflictDrift), at)
	})
	t.Run("refused", func(t *testing.T) {
		h, f := refusingSide(t)
		h.priceTwin(t, 3, 4, 12345)
		at := h.clock.Now()
		f.refuse(t, hotel.Price)
		h.clock.move(time.Hour)
		h.priceTwin(t, 5, 5, 12346)
		f.refuse(t, hotel.Price)
		c := h.conflict(t, hotel.ConflictRejected)
		s := seenOf(t, c)
		if !s.Since.Equal(at) || len(s.Nights) != 2 || s.Nights[0].Sequence >= s.Nights[1].Sequence || h.entryKind(t, s.Nights[1].Sequence) != PricesChanged {
			t.Errorf("%s, want since %s by two prices", c.Facts, at)
		}
	})
	t.Run("kept back", func(t *testing.T) {
		b := newInbox(t)
		b.live(t)
		night := b.today + 3
		must(b.setPrice(b.double, b.flex, night, night, 777))(t)
		for b.f.derive(t) {
		}
		at := b.clock.Now()
		cell := hotel.Cell{Line: b.f.mappings[0].Line, Group: hotel.Price, Night: night}
		must(b.Hold(t.Context(), b.f.id, 0, []HeldPrice{{SentCell: SentCell{Cell: cell, Value: 777}, Reason: "below_floor", By: "floor 50.00"}}))(t)
		check(t, b.house, b.open(t, hotel.ConflictPriceGuard), at)
	})
	t.Run("a channel out of date", func(t *testing.T) {
		f, cell := told(t)
		f.short(t, cell.Night)
		c := f.h.look(t)[0]
		if s := seenOf(t, c); f.h.entryKind(t, s.Sequence) != InventoryUpdated {
			t.Errorf("%s, by %s", c.Facts, f.h.entryKind(t, s.Sequence))
		}
	})
	t.Run("granted rooms that are gone", func(t *testing.T) {
		h, _, night := dealtOut(t)
		before := must(h.Sequence(t.Context()))(t)
		must2(h.UpdateInventory(t.Context(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
			RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}}, OutOfOrder: hotel.Given(1),
		}}}))(t)
		h.deriveAll(t)
		list := h.exposures(t)
		if len(list) != 1 {
			t.Fatalf("told %+v", list)
		}
		if kind := h.entryKind(t, list[0].Sequence); list[0].Sequence <= before || kind != InventoryUpdated {
			t.Errorf("%+v, which is %s", list[0], kind)
		}
	})
}
