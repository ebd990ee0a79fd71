package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// sheet names a kind of facts by night.
type sheet string

const (
	houseSheet sheet = "house" // houseFact, by property
	poolSheet  sheet = "pool"  // poolFact, by pool
	roomSheet  sheet = "room"  // roomFact, by room type
	givenSheet sheet = "given" // givenFact, by room type; apart, for its version says what it counts
	shownSheet sheet = "shown" // board.Shown, by room type
	priceSheet sheet = "price" // priceFact, by product
	ruleSheet  sheet = "rule"  // hotel.Restriction, by product; a part that is '' means every one

	switchSheet sheet = "switch" // price.Switch, by pricing_rule/room_type; the engine's own
)

// sheets are all there are.
var sheets = []sheet{houseSheet, poolSheet, roomSheet, givenSheet, shownSheet, priceSheet, ruleSheet, switchSheet}

// stock reports whether the facts decide how many rooms there are to sell, to
// everybody or to a channel.
func (s sheet) stock() bool { return s != priceSheet && s != ruleSheet && s != switchSheet }

// kind is that of the entries by which the facts change.
func (s sheet) kind() Kind {
	switch s {
	case houseSheet, poolSheet, roomSheet:
		return StockChanged
	case givenSheet:
		return GivenChanged
	case shownSheet:
		return ShownChanged
	case priceSheet:
		return PricesChanged
	case switchSheet:
		return SwitchesChanged
	case ruleSheet:
	}
	return RestrictionsChanged
}

// houseFact is what can be written of the whole property on one night.
type houseFact struct {
	Limit *int `json:"house_limit"` // nil: none
}

// poolFact is what can be written of a pool on one night.
type poolFact struct {
	Total          *int `json:"total"` // nil: the pool's total_units
	OutOfOrder     int  `json:"out_of_order"`
	OutOfInventory int  `json:"out_of_inventory"`
	Overbooking    int  `json:"overbooking_limit"`
}

// roomFact is what can be written of a room type on one night.
type roomFact struct {
	SellLimit *int        `json:"sell_limit"` // nil: none
	Closed    bool        `json:"closed"`
	Lock      *hotel.Lock `json:"lock,omitempty"`
}

// givenFact is what the system that counts the rooms of a type says of one night.
type givenFact struct {
	Net   *int `json:"given"` // nil: nothing, which counts as no room
	Times int  `json:"times"` // it was said; the same number said again counts other bookings
}

// priceFact is what can be written of a product's price on one night: the prices that
// count.
type priceFact struct {
	prices
	Lock   *hotel.Lock     `json:"lock,omitempty"`
	Locker string          `json:"locker,omitempty"` // the mark of the source that set the lock
	By     string          `json:"by,omitempty"`     // the mark of the source whose amount counts; "": a client's
	Since  int64           `json:"since,omitempty"`  // the entry that said it; 0: the one that has this fact
	Said   map[string]word `json:"said,omitempty"`   // by the mark of each source; nil when By has said all of it, and nobody else anything
	Stands *standing       `json:"stands,omitempty"` // since which entry this counts; nil: the one that has this fact
}

// factKey names what is written about one subject on one night.
type factKey struct {
	night   hotel.Date
	subject string
}

// fact is what stands written there. It must not be changed: equal values of
// several nights share what they point to.
type fact[V any] struct {
	factKey
	V       V
	version int64
	source  string
	at      int64 // microseconds
}

// facts reads facts as one state of the ledger has them: those in the table, and
// over them what the journal says that has not reached the table yet. A night
// that was written several times has its newest version.
type facts struct {
	q        *ledgerdb.Queries
	property string
	stock    []*layer
	prices   []*layer
	past     *past // nil: as it is now; else the layers are all there is
}

// readFacts returns the facts of a sheet from the first to the last night,
// inclusive.
func readFacts[V any](ctx context.Context, f facts, of sheet, first, last hotel.Date) ([]fact[V], error) {
	read := reading[V]{values: map[string]V{}}
	if f.past == nil {
		rows, err := f.q.FactNights(ctx, ledgerdb.FactNightsParams{PropertyID: f.property, Sheet: string(of), First: int64(first), Last: int64(last)})
		if err != nil {
			return nil, fmt.Errorf("read %s facts of %s: %w", of, f.property, err)
		}
		for _, r := range rows {
			if err := read.row(r); err != nil {
				return nil, err
			}
		}
	}
	return read.under(f.layersOf(of), of, hotel.Span{From: first, To: last}, func(string) bool { return true })
}

// readFactsOf is readFacts for the subjects from low on and before high.
func readFactsOf[V any](ctx context.Context, f facts, of sheet, first, last hotel.Date, low, high string) ([]fact[V], error) {
	nights := make([]hotel.Date, 0, last-first+1)
	for d := first; d <= last; d++ {
		nights = append(nights, d)
	}
	rows, err := f.q.FactNightsOf(ctx, ledgerdb.FactNightsOfParams{
		PropertyID: f.property, Sheet: string(of), Nights: nightList(nights), Low: low, High: high,
	})
	if err != nil {
		return nil, fmt.Errorf("read %s facts of %s: %w", of, f.property, err)
	}
	read := reading[V]{values: map[string]V{}}
	for _, r := range rows {
		if err := read.row(ledgerdb.FactNightsRow(r)); err != nil {
			return nil, err
		}
	}
	return read.under(f.layersOf(of), of, hotel.Span{From: first, To: last}, func(subject string) bool { return subject >= low && subject < high })
}

func (f facts) layersOf(of sheet) []*layer {
	if of.stock() {
		return f.stock
	}
	return f.prices
}

// reading collects facts. Values are read once for each text.
type reading[V any] struct {
	list   []fact[V]
	values map[string]V
}

func (r *reading[V]) value(text string) (V, error) {
	v, ok := r.values[text]
	if ok {
		return v, nil
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return v, fmt.Errorf("stored fact %s: %w", text, err)
	}
	r.values[text] = v
	return v, nil
}

func (r *reading[V]) row(row ledgerdb.FactNightsRow) error {
	v, err := r.value(row.Value)
	if err != nil {
		return err
	}
	r.list = append(r.list, fact[V]{factKey{hotel.Date(row.Night), row.Subject}, v, row.Version, row.Source, row.UpdatedAt})
	return nil
}

// under lays what the layers say of the span over what was read.
func (r *reading[V]) under(layers []*layer, of sheet, span hotel.Span, wanted func(subject string) bool) ([]fact[V], error) {
	var at map[factKey]int
	for _, l := range layers {
		if l.sheet != of || !wanted(l.subject) {
			continue
		}
		if at == nil {
			at = make(map[factKey]int, len(r.list))
			for i := range r.list {
				at[r.list[i].factKey] = i
			}
		}
		for _, run := range l.within(span) {
			v, err := r.value(string(run.Value))
			if err != nil {
				return nil, err
			}
			for d := max(run.From, span.From); d <= min(run.To, span.To); d++ {
				laid := fact[V]{factKey{d, l.subject}, v, l.sequence, l.source, l.at}
				i, known := at[laid.factKey]
				switch {
				case !known:
					at[laid.factKey] = len(r.list)
					r.list = append(r.list, laid)
				case r.list[i].version < laid.version:
					r.list[i] = laid
				}
			}
		}
	}
	return r.list, nil
}

// nightList writes nights as the JSON list that statements take.
func nightList(nights []hotel.Date) string {
	days := make([]int32, len(nights))
	for i, d := range nights {
		days[i] = int32(d)
	}
	text, _ := json.Marshal(days) // numbers can be written
	return string(text)
}
