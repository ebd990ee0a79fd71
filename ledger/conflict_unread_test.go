package ledger

import (
	"context"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// odd is a message about the booking 1 that cannot be read.
func odd(at time.Time) Receipt {
	return Receipt{ChannelID: "ch", Key: "odd", Ref: "B-1", At: at, Order: hotel.OrderRevisionNumber, Problem: "its event moved is none, says Lovelace", Raw: []byte(`{"guest":"Ada Lovelace","event":"moved"}`)}
}

// TestUnreadMessagesAreAskedAboutUntilTheyAreRead: a message that could not be read is
// asked about once, and no more when it is read, whichever way it comes.
func TestUnreadMessagesAreAskedAboutUntilTheyAreRead(t *testing.T) {
	ctx := context.Background()
	for name, test := range map[string]struct {
		then      func(h *house, said Receipt) Receipt
		by        string // who ends it; "": nobody
		duplicate bool
		unread    int
	}{
		"it comes again and cannot be read":       {then: func(h *house, _ Receipt) Receipt { return odd(h.clock.Now()) }, duplicate: true, unread: 1},
		"it comes again and can be read":          {then: func(_ *house, r Receipt) Receipt { r.Key = "odd"; return r }, by: hotel.ByItself},
		"the booking as it is at that time":       {then: func(h *house, r Receipt) Receipt { r.At = h.clock.Now(); return r }, by: hotel.ByItself, unread: 1},
		"the booking as it was before":            {then: func(h *house, r Receipt) Receipt { r.At = h.clock.Now().Add(-time.Hour); return r }, unread: 1},
		"the booking as it was nobody knows when": {then: func(_ *house, r Receipt) Receipt { r.At = time.Time{}; return r }, unread: 1},
		"some rooms of the booking":               {then: func(h *house, r Receipt) Receipt { r.At, r.Partial = h.clock.Now(), true; return r }, unread: 1},
		"another booking":                         {then: func(h *house, r Receipt) Receipt { r.At, r.Ref = h.clock.Now(), "B-2"; return r }, unread: 1},
		"what nobody has asked to have read":      {then: func(_ *house, r Receipt) Receipt { r.Again = "odd"; return r }, duplicate: true, unread: 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			if got := must(h.Receive(ctx, odd(h.clock.Now())))(t); !got.Unread {
				t.Fatalf("received %+v", got)
			}
			c := h.conflict(t, hotel.ConflictUnread)
			if facts := string(c.Facts); c.Severity != hotel.Critical || strings.Contains(facts, "Lovelace") || !strings.Contains(facts, `"reason":"its event … is none, says …"`) {
				t.Errorf("%s: %s", c.Severity, facts)
			}
			said := oneRoom(h, "1", "booked", channelRoom(h.today+5, h.today+6, "D", true))
			if got := must(h.Receive(ctx, test.then(h, said)))(t); got.Duplicate != test.duplicate {
				t.Errorf("received %+v", got)
			}
			if c = must(h.Conflict(ctx, c.ID))(t); c.DecidedBy != test.by {
				t.Errorf("ended by %q, want %q", c.DecidedBy, test.by)
			}
			if left := must(h.UnreadMessages(ctx, "ch"))(t); len(left) != test.unread {
				t.Errorf("%d messages are unread, want %d", len(left), test.unread)
			}
			h.sound(t)
		})
	}
}

func newestUnread(t *testing.T, h *house) hotel.Conflict {
	t.Helper()
	for _, c := range h.conflicts(t, hotel.ConflictUnread) {
		if c.Status == hotel.ConflictOpen {
			return c
		}
	}
	t.Fatal("nobody is asked about a message")
	return hotel.Conflict{}
}

// TestUnreadMessagesAreReadAgain: what somebody wants read once more is handed out until
// an answer comes, and asked about again when it is the same.
func TestUnreadMessagesAreReadAgain(t *testing.T) {
	h, ctx := newHouse(t), context.Background()
	h.newFarSide(t, 5)
	must(h.Receive(ctx, odd(h.clock.Now())))(t)
	first := h.conflict(t, hotel.ConflictUnread)
	again := func(r Receipt) Received {
		t.Helper()
		asked := h.ActionsAsked()
		h.resolve(t, newestUnread(t, h), hotel.OptionRetry, "")
		select {
		case <-asked:
		default:
			t.Error("nobody is woken")
		}
		list := must(h.MessagesToReread(ctx, "ch"))(t)
		if len(list) != 1 || list[0].Key != "odd" || !strings.Contains(string(list[0].Raw), "Lovelace") {
			t.Fatalf("to be read again: %+v", list)
		}
		r.Again = "odd"
		got := must(h.Receive(ctx, r))(t)
		if left := must(h.MessagesToReread(ctx, "ch"))(t); len(left) != 0 {
			t.Errorf("%d are to be read again after that", len(left))
		}
		return got
	}
	if got := again(odd(h.clock.Now())); !got.Unread || newestUnread(t, h).ID == first.ID {
		t.Errorf("received %+v, and nobody is asked anew", got)
	}
	if got := again(oneRoom(h, "1", "booked", channelRoom(h.today+5, h.today+6, "D", true))); len(got.Reservations) != 1 {
		t.Errorf("received %+v", got)
	}
	if left := must(h.UnreadMessages(ctx, "ch"))(t); len(left) != 0 {
		t.Errorf("%d messages are unread", len(left))
	}
	h.sound(t)
}

// TestAReasonSaysNothingOfAnybody: whatever a parser quotes stays out of a reason.
func TestAReasonSaysNothingOfAnybody(t *testing.T) {
	for _, test := range []struct{ problem, raw, want string }{
		{`message m1: room 1: "Ada \"L" is no date`, `{"id":"m1","rooms":[{"check_in":"Ada \"L"}]}`, `message …: room 1: … is no date`},
		{`strconv.Atoi: parsing "ada`, `{}`, `strconv.Atoi: parsing …`},
		{`json: cannot unmarshal string into field check_in`, `{"check_in": "12"}`, `json: cannot unmarshal string into field check_in`},
		{`card 4111111111111111 of a@example.com`, `<x/>`, `card … of ….com`},
		{`Müller has no age`, "<name>M\\u00fcller</name>", `… has no age`},
		{`guest Ada: no end tag GivenName`, `<GivenName>Ada`, `guest …: no end tag GivenName`},
	} {
		if got := reasonWithoutWords(test.problem, []byte(test.raw)); got != test.want {
			t.Errorf("%s: %q, want %q", test.problem, got, test.want)
		}
	}
}

// FuzzReason: no value of a message of JSON is in a reason that repeats it.
func FuzzReason(f *testing.F) {
	f.Add("Lovelace")
	f.Add("4111 1111 1111 1111")
	f.Add("it's \"odd\"")
	f.Fuzz(func(t *testing.T, value string) {
		for _, w := range wording.FindAllString(strings.ToLower(value), -1) {
			got := reasonWithoutWords("cannot read "+value, []byte(`{"name": [7, `+w+`]}`))
			for _, left := range wording.FindAllString(strings.ToLower(strings.TrimPrefix(got, "cannot read ")), -1) {
				if left == w {
					t.Errorf("%q is in %q", w, got)
				}
			}
		}
	})
}

// TestUnreadMessageUnderAReferenceUsedAgain: the booking that begins under a reference may
// be what nobody could read. No word of the one before puts that aside, and forgetting the
// guest of that one does not empty it.
func TestUnreadMessageUnderAReferenceUsedAgain(t *testing.T) {
	h, ctx := newHouse(t), context.Background()
	h.newFarSide(t, 5)
	was := first(h, h.today+3, 2)
	r := must(h.Receive(ctx, was))(t).Reservations[0]
	gone := was
	gone.Key, gone.Event, gone.Revision, gone.At = "gone", "cancelled", "2", was.At.Add(20*time.Minute)
	unread := odd(was.At.Add(2 * time.Hour))
	unread.Ref, unread.Revision = "B7", "1"
	must(h.Receive(ctx, unread))(t)
	if c := newestUnread(t, h); c.Severity != hotel.Warning || c.Subject.ID != r.ID {
		t.Errorf("beside a booking that lives it is %s, about %+v", c.Severity, c.Subject)
	}
	must(h.Receive(ctx, gone))(t)
	if newestUnread(t, h); len(must(h.UnreadMessages(ctx, "ch"))(t)) != 1 {
		t.Error("the end of the booking before put the message of the next one aside")
	}
	later := unread
	later.Key, later.At = "later", was.At.Add(3*time.Hour)
	must(h.Receive(ctx, later))(t)
	for _, c := range h.conflicts(t, hotel.ConflictUnread) {
		if facts := must(unreadFactsOf(&c))(t); facts.Message == "later" && c.Severity != hotel.Critical {
			t.Errorf("under the reference of a booking that is over it is %s: nothing is held for who comes", c.Severity)
		}
	}
	must(h.forget(r.GuestID))(t)
	for _, m := range must(h.UnreadMessages(ctx, "ch"))(t) {
		if len(m.Raw) == 0 {
			t.Errorf("message %s was emptied with the guest of another booking", m.Key)
		}
	}
	h.sound(t)
}
