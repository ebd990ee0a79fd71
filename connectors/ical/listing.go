package ical

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// listing is one calendar at the site: one unit of a room.
type listing struct {
	room    string
	number  int    // counts those of the room from 1
	address string // where the site's calendar is read; "": nowhere
}

// name is the listing's in addresses and on the shelf: "double-1".
func (l listing) name() string { return l.room + "-" + strconv.Itoa(l.number) }

// roomOf returns the room of a listing's name.
func roomOf(name string) string {
	return name[:max(0, strings.LastIndexByte(name, '-'))]
}

// roomForm is what the code of a room is made of.
var roomForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$`)

// maxListings bounds the calendars of a channel.
const maxListings = 200

// listingsOf reads the listings of the settings. No mistake tells an address.
func listingsOf(text string) ([]listing, error) {
	var all []listing
	count := map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 || !roomForm.MatchString(words[0]) {
			return nil, fmt.Errorf("line %d: expected the code of a room and an address", n)
		}
		l := listing{room: words[0]}
		if words[1] != "-" {
			u, err := url.Parse(words[1])
			if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
				return nil, fmt.Errorf("line %d: expected an address such as https://channel.example/calendar.ics, or -", n)
			}
			l.address = words[1]
		}
		count[l.room]++
		l.number = count[l.room]
		all = append(all, l)
	}
	switch {
	case lines.Err() != nil || len(all) > maxListings:
		return nil, fmt.Errorf("expected at most %d lines", maxListings)
	case len(all) == 0:
		return nil, errors.New("say at least one room and its calendar")
	}
	return all, nil
}
