// Package board holds what reads need of a property's facts in memory, night by
// night, and answers from it: what is free, what it costs, which restrictions
// hold, what a stay comes to. A board never changes; a change makes a new one
// that shares the nights it did not touch. The package does no I/O and knows no
// channel: what a channel makes of the house's values is computed by its
// neighbours availability and price.
package board
