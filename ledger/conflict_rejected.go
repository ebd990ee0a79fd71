package ledger

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// RejectedFacts is what a channel refuses to show.
type RejectedFacts struct {
	Group  string           `json:"group"`
	Since  time.Time        `json:"since"` // when the first of them came to wait; some may have come later
	Nights []RejectedNights `json:"nights"`
}

// RejectedNights is a run of nights that are refused alike.
type RejectedNights struct {
	hotel.Span
	Occupancy int    `json:"occupancy,omitempty"` // of a price; 0: the base price
	Ours      any    `json:"ours"`                // what it refuses
	Wanted    any    `json:"wanted,omitempty"`    // what it is to show in the end, where that is something else: of a night that waits to be opened only what closes was told
	Shown     any    `json:"shown"`               // what it was last known to show; null: nobody knows
	Reason    string `json:"reason"`              // the channel's words
	Sequence  int64  `json:"sequence,omitempty"`  // of the newest journal entry behind ours on these nights; 0: there is none
	Near      any    `json:"nearest,omitempty"`   // of a price: the nearest one that the guard lets pass; null: there is none
}

// mostWords is how many bytes of a channel's reason are kept.
const mostWords = 300

// parking is a reason for which cells wait for another value: how they are stored,
// and the option by which somebody leaves it so.
type parking struct {
	kind  hotel.ConflictKind
	state state
	leave string
	near  map[hotel.Cell]*int64 // the nearest prices that may be sent instead
}

var (
	refusing    = parking{kind: hotel.ConflictRejected, state: rejected, leave: hotel.OptionSkip}
	withholding = parking{kind: hotel.ConflictPriceGuard, state: withheld, leave: hotel.OptionHold}
)

// settledParkings ends the conflicts of a channel about cells that do not wait any
// more, after a call in which some were refused.
func (t *tx) settledParkings(row ledgerdb.Channel, refused []SentCell, reasons map[hotel.Cell]string) error {
	if err := t.parked(refusing, row, refused, reasons); err != nil {
		return err
	}
	return t.parked(withholding, row, nil, nil)
}

// parked raises that cells wait, one conflict for each line and field group, and
// ends those of which no cell does any more. Cells that somebody has decided to
// leave are not told of again while the same is wanted.
func (t *tx) parked(why parking, row ledgerdb.Channel, refused []SentCell, reasons map[hotel.Cell]string) error {
	open, err := t.openConflicts(row.PropertyID, why.kind)
	if err != nil || len(refused)+len(open) == 0 {
		return err
	}
	table, known := t.cellsOf(row), map[string]*hotel.Conflict{}
	fresh := map[string][]hotel.Cell{}
	for _, s := range refused {
		topic := rejectedTopic(row.ID, s.Cell)
		fresh[topic] = append(fresh[topic], s.Cell)
	}
	for i := range open {
		if open[i].ChannelID == row.ID {
			known[open[i].Topic] = &open[i]
			if fresh[open[i].Topic] == nil {
				fresh[open[i].Topic] = []hotel.Cell{}
			}
		}
	}
	var c *comparison
	for _, topic := range sortedKeys(fresh) {
		if c == nil {
			if c, err = t.compare(row, ledgerdb.Delivery{}); err != nil {
				return err
			}
		}
		r := rejection{
			parking: why, c: c, table: table, topic: topic, was: known[topic], since: t.now,
			reasons: map[hotel.Cell]string{}, nearest: map[hotel.Cell]any{}, refused: map[hotel.Cell]any{},
		}
		if r.was != nil {
			r.since = r.was.CreatedAt
		}
		for _, s := range refused {
			if rejectedTopic(row.ID, s.Cell) == topic {
				r.refused[s.Cell] = c.words(s.Cell, &s.Value)
			}
		}
		for _, cell := range fresh[topic] {
			words := reasons[cell]
			r.reasons[cell] = strings.ToValidUTF8(words[:min(len(words), mostWords)], "")
			r.nearest[cell] = c.words(cell, why.near[cell])
		}
		if err := r.follow(fresh[topic]); err != nil {
			return fmt.Errorf("%s of channel %s: %w", why.kind, row.ID, err)
		}
	}
	return nil
}

func rejectedTopic(channel string, c hotel.Cell) string {
	return fmt.Sprintf("%s/%d/%d", channel, c.Line, c.Group)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// rejection is what waits of one line and field group.
type rejection struct {
	parking
	c       *comparison
	table   *cellTable
	topic   string
	was     *hotel.Conflict // the open one; nil: there is none
	since   time.Time       // when it was opened
	reasons map[hotel.Cell]string
	nearest map[hotel.Cell]any
	refused map[hotel.Cell]any // what was told, or was to be
}

// mostTopics is how many conflicts about a line and group are looked through for what
// was decided about a cell.
const mostTopics = 50

// follow raises the cells that are refused by now, or ends the conflict about them.
func (r *rejection) follow(fresh []hotel.Cell) error {
	t, cells := r.c.t, fresh
	if r.was != nil {
		before, err := rejectedBefore(r.was)
		if err != nil {
			return err
		}
		for _, cell := range cellsOfConflict(r.was) {
			if _, again := r.reasons[cell]; again {
				r.keepWords(cell, before[cell])
			} else {
				cells, r.reasons[cell], r.nearest[cell] = append(cells, cell), before[cell].Reason, before[cell].Near
				r.refused[cell] = before[cell].Ours
			}
		}
	} else {
		left, err := r.decided(r.leave)
		if err != nil {
			return err
		}
		cells = slices.DeleteFunc(slices.Clone(cells), func(cell hotel.Cell) bool {
			_, is := left(cell)
			return is
		})
	}
	if err := r.table.load(cells); err != nil {
		return err
	}
	if len(fresh) == 0 {
		if err := r.followProbe(cells); err != nil {
			return err
		}
	}
	cells = slices.DeleteFunc(cells, func(cell hotel.Cell) bool {
		g := r.table.cells.at(cell)
		return g == nil || g.want == nil || g.state != r.state && !r.probed(cell)
	})
	switch {
	case len(cells) > 0:
		return t.raise(r.conflict(cells))
	case r.was != nil && !r.again():
		return t.over(r.was)
	}
	return nil
}

// keepWords has a value that is refused once more keep the words with which it was first:
// some channels put a number of the call in theirs, and nothing has changed.
func (r *rejection) keepWords(cell hotel.Cell, before RejectedNights) {
	if r.kind == hotel.ConflictRejected && reflect.DeepEqual(asRead(r.refused[cell]), asRead(before.Ours)) {
		r.reasons[cell] = before.Reason
	}
}

// again reports whether cells of the open conflict are on their way once more, so
// that nobody knows yet.
func (r *rejection) again() bool {
	return slices.ContainsFunc(cellsOfConflict(r.was), func(cell hotel.Cell) bool {
		g := r.table.cells.at(cell)
		return g != nil && g.sendable() || g != nil && g.state == inFlight
	})
}

// decided finds the cells for which an option was taken when they last waited, and
// that are still wanted to show the same, with what was known of them then. What was
// decided about other nights of the line since changes nothing of that.
func (r *rejection) decided(option string) (func(hotel.Cell) (RejectedNights, bool), error) {
	t := r.c.t
	list, err := readAll[hotel.Conflict](t.q.ConflictsOfTopic(t.ctx, ledgerdb.ConflictsOfTopicParams{
		PropertyID: r.c.row.PropertyID, Kind: string(r.kind), Topic: r.topic, AtMost: mostTopics,
	}))
	if err != nil {
		return nil, err
	}
	before, taken, cells := map[hotel.Cell]RejectedNights{}, map[hotel.Cell]bool{}, []hotel.Cell{}
	for i := range list {
		nights, err := rejectedBefore(&list[i])
		if err != nil {
			return nil, err
		}
		by := list[i].Resolution
		for cell, n := range nights {
			if _, newer := before[cell]; !newer {
				before[cell], taken[cell] = n, by != nil && by.Option == option
				cells = append(cells, cell)
			}
		}
	}
	if err := r.table.load(cells); err != nil {
		return nil, err
	}
	return func(cell hotel.Cell) (RejectedNights, bool) {
		was, g := before[cell], r.table.cells.at(cell)
		wanted := was.Wanted
		if wanted == nil {
			wanted = was.Ours
		}
		return was, taken[cell] && g != nil && g.want != nil &&
			(alikeInWords(r.c.words(cell, g.want), wanted) || alikeInWords(r.c.words(cell, g.house()), wanted))
	}, nil
}

// asRead is a value as it is read back from facts.
func asRead(v any) (read any) {
	text, err := json.Marshal(v)
	if err != nil || json.Unmarshal(text, &read) != nil {
		return nil
	}
	return read
}

// alikeInWords compares a value with one that was read back from facts.
func alikeInWords(now, was any) bool {
	text, err := json.Marshal(now)
	var read any
	return err == nil && json.Unmarshal(text, &read) == nil && reflect.DeepEqual(read, was)
}

func rejectedBefore(c *hotel.Conflict) (map[hotel.Cell]RejectedNights, error) {
	var facts RejectedFacts
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return nil, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	before := map[hotel.Cell]RejectedNights{}
	for _, cell := range cellsOfConflict(c) {
		for _, n := range facts.Nights {
			if n.Occupancy == cell.Occupancy && cell.Night >= n.From && cell.Night <= n.To {
				before[cell] = n
			}
		}
	}
	return before, nil
}

// conflict describes the refused cells. What a channel refuses is critical: it sells
// what it should not, or nothing where it should. So is what is withheld where the
// channel may go on selling what it should not.
func (r *rejection) conflict(cells []hotel.Cell) hotel.Conflict {
	slices.SortFunc(cells, compareCells)
	cells = slices.Compact(cells)
	row, first := r.c.row, cells[0]
	facts := RejectedFacts{Group: first.Group.String(), Since: r.since}
	k := hotel.Conflict{
		PropertyID: row.PropertyID, ChannelID: row.ID, Kind: r.kind, Topic: r.topic, Severity: hotel.Warning,
		Cells: runsOfCells(cells),
	}
	for i, cell := range cells {
		g := r.table.cells.at(cell)
		if r.kind == hotel.ConflictRejected || g.opens(cell.Group) {
			k.Severity = hotel.Critical
		}
		n := RejectedNights{
			Span: hotel.Span{From: cell.Night, To: cell.Night}, Occupancy: cell.Occupancy, Ours: r.c.words(cell, g.want),
			Shown: r.c.words(cell, g.known()), Reason: r.reasons[cell], Sequence: g.behind(), Near: r.nearest[cell],
		}
		if told := r.refused[cell]; cell.Group == hotel.Closures && told != nil && !reflect.DeepEqual(asRead(told), asRead(n.Ours)) {
			n.Ours, n.Wanted = told, n.Ours
		}
		if last := len(facts.Nights) - 1; last >= 0 && cells[i-1].Occupancy == cell.Occupancy && cells[i-1].Night+1 == cell.Night && alike(facts.Nights[last], n) {
			facts.Nights[last].To, facts.Nights[last].Sequence = cell.Night, max(facts.Nights[last].Sequence, n.Sequence)
			continue
		}
		facts.Nights = append(facts.Nights, n)
	}
	k.Subject = r.c.subject(first)
	for _, c := range cells {
		k.Subject.Date = min(k.Subject.Date, c.Night)
	}
	k.Facts, _ = json.Marshal(facts) // plain values
	return k
}

func alike(a, b RejectedNights) bool {
	a.Span, b.Span, a.Sequence, b.Sequence = hotel.Span{}, hotel.Span{}, 0, 0
	return fmt.Sprint(a) == fmt.Sprint(b)
}

// opens reports whether the channel may show more, or less closed, than it is
// wanted to.
func (g *group) opens(of hotel.Group) bool {
	switch of {
	case hotel.Availability:
		return g.may == nil || *g.want < *g.may
	case hotel.Closures:
		return g.known() == nil && *g.want != 0 || g.known() != nil && *g.want&^*g.known() != 0
	case hotel.Lengths, hotel.Price: // a night whose price was refused is closed
	}
	return false
}
