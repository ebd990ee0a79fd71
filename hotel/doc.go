// Package hotel holds the words of the trade as plain values: nights, stays,
// money, rooms and rates, offers, reservations, and what a channel promises.
// It does no I/O, reads no clock and imports nothing else of Ostler; every
// other package speaks in its types.
package hotel
