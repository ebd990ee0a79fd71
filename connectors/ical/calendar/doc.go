// Package calendar reads and writes iCalendar (RFC 5545) as booking sites use it:
// which nights of one listing are taken. It does no I/O and knows no clock.
//
// A library takes content lines apart; what they mean here is this package's: a
// calendar counts only whole, an event that makes no sense is left out alone, dates
// are civil dates that never pass through an instant, and an event is a
// reservation only where it says so.
package calendar
