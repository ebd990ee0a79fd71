// Package testkit holds what the tests of several packages share: a network
// inside the process, far sides on it, and a small hotel. It may be imported
// from tests only, and it checks nothing itself.
package testkit
