//go:build race

package testkit

// Raced says that the race detector runs, which takes several times as long: what
// is played over and over to see that it is the same is played a few times then.
const Raced = true
