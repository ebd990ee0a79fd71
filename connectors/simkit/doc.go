// Package simkit is what simulators of far sides share: the book of what is
// shown and sold, durable before anything is answered; the guests who buy from
// it; the planted faults; and the routes under /_sim/ by which anybody can look
// inside, play the guest or make the far side fail. It knows no channel's
// protocol: each simulator puts its own on top.
package simkit
