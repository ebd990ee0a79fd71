//go:build !linux

package app

// clockIsKept takes the clock for one that is kept: the system does not say.
func clockIsKept() bool { return true }
