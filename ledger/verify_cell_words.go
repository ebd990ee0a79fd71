package ledger

import (
	"fmt"

	"ostler.example/hotel"
)

// at is the place of a part of a cell.
func (c *channelCheck) at(part string, cell hotel.Cell) spot {
	what := cell.Group.String()
	if cell.Occupancy > 0 {
		what = fmt.Sprintf("%s for %d", what, cell.Occupancy)
	}
	return c.place(what, part, cell)
}

func (c *channelCheck) place(what, part string, cell hotel.Cell) spot {
	return spot{fmt.Sprintf("%s %s at channel %s", what, part, c.row.ID), cell.Night, c.names[lineKind{cell.Line, cell.Group == hotel.Availability}]}
}

// The parts of a cell, as they are named where they differ.
const (
	partWanted = "wanted"
	partTold   = "to be told"
	partDirty  = "to be sent"
)

func dirtyWord(dirty bool) string {
	if dirty {
		return "something"
	}
	return "no change"
}

func stockedText(rooms int64, closes bool) string {
	if closes {
		return fmt.Sprintf("%d rooms, none while a product is closed", rooms)
	}
	return fmt.Sprintf("%d rooms", rooms)
}

func closuresText(v *int64, tells Tells) string {
	return fmt.Sprintf("%s, of which the channel is told %s", valueText(hotel.Closures, v), map[Tells]string{
		TellsNothing: "nothing", TellsAllButClosed: "all but that it is closed", TellsClosures: "all",
	}[tells])
}

func priceText(v *int64, missing bool) string {
	if missing {
		return "no price, so closed"
	}
	return valueText(hotel.Price, v)
}

// valueText writes the value of a group of fields in words.
func valueText(g hotel.Group, v *int64) string {
	if v == nil {
		return "not carried"
	}
	o := hotel.DecodeOffer(g, *v, "")
	var said any
	switch g {
	case hotel.Availability:
		return fmt.Sprintf("%d rooms", *v)
	case hotel.Price:
		return fmt.Sprintf("%d minor units", *v)
	case hotel.Closures:
		said = o.Closed
	case hotel.Lengths:
		said = o.Lengths
	}
	return textOf(said)
}
