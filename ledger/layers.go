package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// FactRuns is the body of a [StockChanged], [GivenChanged], [ShownChanged],
// [PricesChanged], [RestrictionsChanged] or [SwitchesChanged] entry: what is written of its subject from then on,
// complete for each night that is named.
type FactRuns struct {
	Sheet    string                       `json:"sheet"`     // one of sheets
	UpdateID string                       `json:"update_id"` // "": no update made it
	Source   string                       `json:"source"`
	Ranges   []hotel.Run[json.RawMessage] `json:"ranges"`
}

// factKinds are the kinds of entries that say facts.
var factKinds = []Kind{StockChanged, GivenChanged, ShownChanged, PricesChanged, RestrictionsChanged, SwitchesChanged}

// layer is an entry that says facts which need not be in the table yet.
type layer struct {
	sequence int64
	at       int64 // microseconds
	subject  string
	sheet    sheet
	source   string
	runs     []hotel.Run[json.RawMessage] // ascending
}

// layerOf returns nil for an entry that says no facts.
func layerOf(e Entry) (*layer, error) {
	if !slices.Contains(factKinds, e.Kind) {
		return nil, nil
	}
	body, err := decode[FactRuns](e)
	if err != nil {
		return nil, err
	}
	return &layer{e.Sequence, e.At.UnixMicro(), e.Subject, sheet(body.Sheet), body.Source, body.Ranges}, nil
}

// within returns the runs that touch the span.
func (l *layer) within(span hotel.Span) []hotel.Run[json.RawMessage] {
	first := sort.Search(len(l.runs), func(i int) bool { return l.runs[i].To >= span.From })
	last := sort.Search(len(l.runs), func(i int) bool { return l.runs[i].From > span.To })
	return l.runs[first:max(first, last)]
}

// layers keeps the layers that lie over the tables, so that their entries are
// not read again with every look at the facts. What is missing here is read from
// the journal: which layers there are is for the tables to say.
type layers struct {
	mu sync.RWMutex
	by map[int64]*layer // by sequence; nil for an entry that says no facts
}

func (c *layers) get(sequence int64) (*layer, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	l, ok := c.by[sequence]
	return l, ok
}

func (c *layers) put(list map[int64]*layer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[int64]*layer{}
	}
	maps.Copy(c.by, list)
}

func (c *layers) drop(from, to int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for s := from; s <= to; s++ {
		delete(c.by, s)
	}
}

// facts looks which layers lie over a property's tables in the state of the
// ledger that q reads.
func (l *Ledger) facts(ctx context.Context, q *ledgerdb.Queries, property string) (facts, error) {
	f := facts{q: q, property: property}
	var err error
	if f.stock, err = l.dueLayers(ctx, q, property, dueStock); err != nil {
		return f, err
	}
	f.prices, err = l.dueLayers(ctx, q, property, duePrices)
	return f, err
}

func (l *Ledger) dueLayers(ctx context.Context, q *ledgerdb.Queries, property string, of dueKind) ([]*layer, error) {
	rows, err := listDue(ctx, q, property, of)
	if err != nil {
		return nil, err
	}
	var list []*layer
	for _, d := range rows {
		for s := d.sequence; s <= d.last; s++ {
			lay, known := l.layers.get(s)
			if !known {
				row, err := q.GetEntry(ctx, s)
				if err != nil {
					return nil, fmt.Errorf("read journal entry %d: %w", s, err)
				}
				if lay, err = layerOf(entryOf(row)); err != nil {
					return nil, err
				}
			}
			if lay != nil {
				list = append(list, lay)
			}
		}
	}
	return list, nil
}

// recall reads the layers of every property into memory, at start.
func (l *Ledger) recall(ctx context.Context) error {
	return l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		properties, err := q.ListProperties(ctx)
		if err != nil {
			return fmt.Errorf("list properties: %w", err)
		}
		for _, p := range properties {
			f, err := l.facts(ctx, q, p.ID)
			if err != nil {
				return err
			}
			found := map[int64]*layer{}
			for _, lay := range slices.Concat(f.stock, f.prices) {
				found[lay.sequence] = lay
			}
			l.layers.put(found)
		}
		return nil
	})
}
