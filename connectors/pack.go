package connectors

import (
	"cmp"
	"slices"
)

// Body writes the body of a call of an operation that says the given entries.
type Body func(operation string, entries []Entry) []byte

// Pack turns changes into calls by what the far side's operations may carry. A call
// is filled before the next is begun, and calls come in the order of their first
// changes. A change that no operation tells is refused.
//
// There are as few calls as the operations allow. Where entries join values or know days
// of the week there may be up to twice as many entries as the fewest. Where the bytes of
// a body are limited, there are the fewest calls of all ways to cut the entries up in
// their order; to look for entries of other sizes that would fill a gap could save less
// than half. An entry that is too large by itself has a call of its own, for the far
// side to refuse.
func Pack(operations []Operation, changes []Change, body Body) (calls []Call, refused []Refusal) {
	told := make([][]Change, len(operations))
	place := make(map[Key]int, len(changes))
	for i, c := range changes {
		at := slices.IndexFunc(operations, func(o Operation) bool { return o.Tells(c.Key.Group) })
		if at < 0 {
			refused = append(refused, Refusal{Change: c, Reason: "there is no operation that tells it"})
			continue
		}
		told[at] = append(told[at], c)
		if _, seen := place[c.Key]; !seen {
			place[c.Key] = i
		}
	}
	for i, o := range operations {
		for _, entries := range o.apart(told[i]) {
			calls = append(calls, o.fill(entries, body)...)
		}
	}
	first := func(c Call) int {
		at := len(changes)
		for _, k := range c.Keys {
			at = min(at, place[k])
		}
		return at
	}
	slices.SortStableFunc(calls, func(a, b Call) int { return cmp.Compare(first(a), first(b)) })
	return calls, refused
}

// apart parts entries that may not share a call.
func (o Operation) apart(changes []Change) [][]Entry {
	var parts [][]Entry
	at := map[Key]int{}
	for _, e := range o.entries(changes) {
		of := o.About.of(Key{Room: e.Room, Rate: e.Rate})
		i, begun := at[of]
		if !begun {
			i = len(parts)
			at[of], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], e)
	}
	return parts
}

// cut returns how many of entries that are too long for one call fit into it, one at the
// least, and its body. Entries are of much the same length, so where the limit falls is
// guessed from what is known: to write bodies of tens of megabytes again and again takes
// longer than to send them. Every other time the middle is tried, whatever their lengths.
func (o Operation) cut(entries []Entry, size int, body Body) (fit int, text []byte) {
	long, shorter := len(entries), 0 // entries that do not fit, and the bytes of those that do
	for guess := true; long-fit > 1; guess = !guess {
		n := (fit + long) / 2
		if guess {
			n = fit + int(int64(long-fit)*int64(o.Bytes-shorter)/int64(size-shorter))
			n = min(max(n, fit+1), long-1)
		}
		if of := body(o.Name, entries[:n]); len(of) <= o.Bytes {
			fit, shorter, text = n, len(of), of
		} else {
			long, size = n, len(of)
		}
	}
	if fit == 0 { // for the far side to refuse
		fit, text = 1, body(o.Name, entries[:1])
	}
	return fit, text
}

// fill puts entries into calls, as many into each as it may carry.
func (o Operation) fill(entries []Entry, body Body) []Call {
	var calls []Call
	for len(entries) > 0 {
		n := len(entries)
		if o.Entries > 0 {
			n = min(n, o.Entries)
		}
		text := body(o.Name, entries[:n])
		if o.Bytes > 0 && len(text) > o.Bytes {
			n, text = o.cut(entries[:n], len(text), body)
		}
		call := Call{Operation: o.Name, Body: text}
		for _, e := range entries[:n] {
			call.Keys = append(call.Keys, e.Keys()...)
		}
		calls, entries = append(calls, call), entries[n:]
	}
	return calls
}
