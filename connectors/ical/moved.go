package ical

import (
	"maps"
	"time"
)

// follow has what is known of a calendar go with its address to where the settings have
// it now: listings are named by their places, and a line that is taken out or moved
// changes those of others. The stays of a calendar that is in the settings no more stay as
// they are, and beside the listing that has its place now, until it is there again. A place
// with an address that is new has the same calendar as before: sites give addresses anew.
func (b *bookings) follow(listings []listing, now time.Time) {
	at, has := map[string]string{}, map[string]string{}
	for _, l := range listings {
		if l.address == "" {
			has[l.name()] = ""
			continue
		}
		address := hashed(l.address)
		has[l.name()] = address
		if _, twice := at[address]; !twice {
			at[address] = l.name()
		}
	}
	was := map[string]bool{}
	for _, s := range b.Sources {
		was[s.Address] = s.Address != ""
	}
	to := map[string]string{} // the names of listings, by those that they had
	sources := maps.Clone(b.Sources)
	for name, s := range b.Sources {
		if s.Address == "" || has[name] == s.Address {
			continue
		}
		place, there := at[s.Address]
		if !there {
			if address, set := has[name]; set && !was[address] {
				continue
			}
			place = roomOf(name) + "-" + s.Address // which no listing of the settings is called
		}
		to[name] = place
		if sources[name].Address == s.Address {
			delete(sources, name)
		}
		sources[place] = s
	}
	b.Sources = sources
	for _, e := range b.Entries {
		name, moved := to[e.Listing]
		if !moved {
			continue
		}
		if roomOf(name) != roomOf(e.Listing) && !e.Gone {
			e.Changed, e.Number = true, b.number(now)
		}
		e.Listing = name
	}
}
