package channex

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// mostRemarks is how many warnings in mere words are held against the entries of a call.
// With more of them nothing is known of the call.
const mostRemarks = 50

// remark is a warning in mere words, with the dates that it names, in order.
type remark struct {
	words string
	named []string
	dates []hotel.Date
}

// parseRemark reads a warning that repeats no value.
func (c *conn) parseRemark(raw json.RawMessage) remark {
	var said text
	_ = json.Unmarshal(raw, &said) // what is no text is empty, and names nothing
	r := remark{words: c.words(string(said))}
	for _, word := range strings.FieldsFunc(r.words, func(at rune) bool { return strings.ContainsRune(" \t\n,;\"'`()[]{}", at) }) {
		word = strings.TrimRight(word, ".:!?")
		r.named = append(r.named, word)
		if d, err := hotel.ParseDate(word); err == nil {
			r.dates = append(r.dates, d)
		}
	}
	slices.Sort(r.dates)
	return r
}

// cut returns the first night that was taken of an entry of which the nights before were
// over; false where the words are about something else. Channex names both ends: where
// the entry began, and where it was moved to.
func (r remark) cut() (hotel.Date, bool) {
	if len(r.dates) != 2 || !slices.Contains(r.named, "past") {
		return 0, false
	}
	return r.dates[1], true
}

// about returns the entries that the words can mean: of those that have what they name,
// the room type or rate plan by its id, and each date. None is every one.
func (r remark) about(entries []warning) []warning {
	has := func(e warning) bool {
		if _, cut := r.cut(); cut {
			return e.nights.From == r.dates[0]
		}
		return !slices.ContainsFunc(r.dates, func(d hotel.Date) bool { return !e.nights.Contains(d) })
	}
	named := func(e warning) bool { return slices.Contains(r.named, e.room) || slices.Contains(r.named, e.rate) }
	if slices.ContainsFunc(entries, named) {
		entries = slices.DeleteFunc(slices.Clone(entries), func(e warning) bool { return !named(e) })
	}
	if slices.ContainsFunc(entries, has) {
		entries = slices.DeleteFunc(slices.Clone(entries), func(e warning) bool { return !has(e) })
	}
	return entries
}

// heed puts what the words of remarks leave open into an answer. Nights that are over are
// not taken; whatever else the words can mean is not known. Without entries, or with too
// many remarks, that is the whole call.
func heed(remarks []remark, body []byte, told map[string][]connectors.Key, answer *connectors.Answer) {
	var sent values[json.RawMessage]
	_ = json.Unmarshal(body, &sent) // it is our own
	var entries []warning
	for _, raw := range sent.Values {
		if e, ok := parseWarning(raw); ok {
			entries = append(entries, e)
		}
	}
	if len(remarks) > mostRemarks || len(remarks) > 0 && len(entries) == 0 {
		answer.Rest = connectors.Unknown
		return
	}
	for _, r := range remarks {
		first, cut := r.cut()
		for _, e := range r.about(entries) {
			for _, k := range told[product(e.room, e.rate)] {
				verdict := connectors.Verdict{Outcome: connectors.Unknown, Words: r.words}
				if _, known := answer.Keys[k]; known || !e.names(k) || cut && k.Night >= first {
					continue
				} else if cut {
					verdict.Outcome = connectors.Rejected
				}
				answer.Keys[k] = verdict
			}
		}
	}
}

// doubts are the keys of which an answer did not say what became of them, and whether
// they were read back since. It settles what words leave open: whoever tells a value again
// that was read and not found, and is answered the same, has been refused.
type doubts struct {
	mu   sync.Mutex
	read map[connectors.Key]bool
}

// settle notes the doubts that an answer leaves, and takes those for refused that a
// read-back has found before.
func (d *doubts) settle(a *connectors.Answer, keys []connectors.Key) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.read == nil {
		d.read = map[connectors.Key]bool{}
	}
	for _, k := range keys {
		v, said := a.Keys[k]
		if !said {
			v.Outcome = a.Rest
		}
		switch {
		case v.Outcome != connectors.Unknown:
			delete(d.read, k)
		case !d.read[k]:
			d.read[k] = false
		default:
			v.Outcome = connectors.Rejected
			a.Keys[k] = v
			delete(d.read, k)
		}
	}
}

// shown notes that values were read back.
func (d *doubts) shown(changes []connectors.Change) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range changes {
		if _, doubted := d.read[c.Key]; doubted {
			d.read[c.Key] = true
		}
	}
}
