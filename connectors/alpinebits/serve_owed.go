package alpinebits

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// roomsKept is where on the shelf it stands in which epoch of the ledger all was told last
// of a room type, by its id.
const roomsKept = "rooms told whole"

// question is a wish to be told all of a kind.
type question struct {
	Of    string    `json:"of"` // what is missing, and since which epoch
	Times int       `json:"times"`
	At    time.Time `json:"at"` // when it was put last
}

// questionsKept is where the wishes are on the shelf, by their status.
const questionsKept = "asked of the hotel's own system"

// A system that does not do what it is asked for is not asked in each answer, nor for ever.
const (
	questionAgain = 10 * time.Minute
	mostQuestions = 12
)

// asks are the wishes that go with an answer: what was told before is not known here of a
// room type that is new, and of all of them once a backup was restored, since which changes
// alone were told. The epoch stands in the ledger and is raised by a restore, so that what
// is on the shelf, and comes from the backup too, is of an older one.
func (s served) asks(ctx context.Context, v visit) ([]message.Notice, error) {
	missing, err := s.missing(ctx, v)
	if err != nil || len(missing) == 0 {
		return nil, err
	}
	asked, err := fetch[map[string]question](ctx, s.shelf, questionsKept)
	if err != nil {
		return nil, err
	}
	if asked == nil {
		asked = map[string]question{}
	}
	var out []message.Notice
	now := s.clock.Now()
	for _, status := range slices.Sorted(maps.Keys(missing)) {
		q := asked[status]
		if of := fmt.Sprintf("%d %s", v.layout.Epoch, strings.Join(missing[status], " ")); q.Of != of {
			q = question{Of: of}
		}
		if q.Times == mostQuestions || q.Times > 0 && now.Sub(q.At) < questionAgain {
			continue
		}
		q.Times, q.At = q.Times+1, now
		asked[status] = q
		out = append(out, message.Notice{Type: message.Advisory, Status: status, Text: "changes alone are not enough: send all there is"})
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, put(ctx, s.shelf, questionsKept, asked)
}

// missing lists, by the status that asks for it, the room types and plans of which not all
// was told in this epoch. Of a plan that was never told nothing is asked: it may be none of
// that system's.
func (s served) missing(ctx context.Context, v visit) (map[string][]string, error) {
	out := map[string][]string{}
	truth, epoch := v.layout.Property.Truth, v.layout.Epoch
	if truth.Stock == hotel.ByPMS {
		told, err := fetch[map[string]int64](ctx, s.shelf, roomsKept)
		if err != nil {
			return nil, err
		}
		for _, room := range v.layout.Rooms {
			if room.Given(v.layout.Property) && told[room.ID] != epoch {
				out[message.AskFreeRooms] = append(out[message.AskFreeRooms], room.ID)
			}
		}
	}
	if truth.Prices == hotel.ByPMS {
		kept, err := fetch[map[string]planKept](ctx, s.shelf, plansKept)
		if err != nil {
			return nil, err
		}
		for _, code := range slices.Sorted(maps.Keys(kept)) {
			if kept[code].Epoch != epoch {
				out[message.AskRatePlans] = append(out[message.AskRatePlans], code)
			}
		}
	}
	return out, nil
}

// toldWhole notes that all was told of the room types that the far side counts.
func (s served) toldWhole(ctx context.Context, v visit) error {
	told := map[string]int64{}
	for _, room := range v.layout.Rooms {
		if room.Given(v.layout.Property) {
			told[room.ID] = v.layout.Epoch
		}
	}
	return put(ctx, s.shelf, roomsKept, told)
}

// done answers that all was done, with the wishes that there are.
func (s served) done(ctx context.Context, v visit, root string) ([]byte, error) {
	asks, err := s.asks(ctx, v)
	if err != nil {
		return nil, err
	}
	return message.WriteSuccess(root, asks...), nil
}
