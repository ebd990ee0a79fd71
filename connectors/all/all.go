// Package all registers every connector and every simulator that is shipped. It
// holds nothing else, and only the program's main package imports it.
package all

import (
	_ "ostler.example/connectors/alpinebits"           // portals that speak AlpineBits HotelData
	_ "ostler.example/connectors/alpinebits/simulator" // and a pretend one
	_ "ostler.example/connectors/channex"              // Channex
	_ "ostler.example/connectors/channex/simulator"    // and a pretend one
	_ "ostler.example/connectors/ical"                 // sites that know calendars alone
	_ "ostler.example/connectors/ical/simulator"       // and a pretend one
	_ "ostler.example/connectors/mock"                 // the pretend channel's driver
	_ "ostler.example/connectors/mock/simulator"       // and the pretend channel
	_ "ostler.example/connectors/process"              // connectors that are programs of their own
)
