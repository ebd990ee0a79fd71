// Package app wires the program together: it opens ledgers, starts and stops
// the engine, the API and the listeners in their order, and builds the demo. It
// decides nothing about rooms, prices or channels.
package app
