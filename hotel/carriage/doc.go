// Package carriage turns the restrictions of the house into what one channel is
// told, when the channel cannot say all of them or says them more coarsely. What
// it is told never lets a stay through that the house forbids. Among all that it
// could be told it is what turns away the fewest stays that the house allows,
// and how many those are is counted.
//
// A stay is an arrival and a number of nights. Its fate at the far side depends
// on two kinds of statements:
//
//   - those about its arrival: closed to arrival, and lengths read on arrival.
//     They bind no other arrival, so the best can be chosen arrival by arrival:
//     the interval of lengths that keeps the most (arrival.go).
//   - those about a night, closed and lengths read on every night, which bind
//     all stays that touch it. Where the first kind is not enough, the best
//     combination is found by working backwards through the nights and keeping,
//     for each way in which the later nights can be blocked, the best way to
//     get there (blocks.go).
//
// A check-out date is closed where the house closes it and nowhere else: it is
// no means to another end. Stays are counted up to two weeks, or up to the
// longest minimum; longer ones are never sold against the house's word either,
// but do not count when the best is chosen.
//
// The package is arithmetic on its arguments: it does no I/O and reads no clock.
package carriage
