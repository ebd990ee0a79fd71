// Package stay knows what can become of a reservation: its ten statuses and the
// steps between them, which nights it holds a room, where it stands on a
// business date, what time does to it by itself, and what a channel's message
// still changes once the guest has moved on. It does no I/O and knows no clock.
package stay
