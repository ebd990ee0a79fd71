// Package notify tells people of a house what happens, who watch no screen: by mail or
// by a call to an address, as each property has chosen.
//
// A [Worker] looks once a minute. What happened since then to bookings, and what of the
// things that last has begun, goes on or is over, becomes one message for each
// recipient, so that a storm is one message and not hundreds. Messages stand in the
// ledger until they have arrived; they name what they are about and nobody: guests are
// looked up when a message is written. Once a day there is a digest, and a heartbeat for
// those who only want to know that all is well.
//
// A [Scribe] writes the sheets by which a house works while the program is away.
package notify
