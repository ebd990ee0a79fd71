package app

import (
	"golang.org/x/sys/unix"
)

// clockIsKept reports whether the kernel's clock is kept by somebody, as NTP does.
func clockIsKept() bool {
	var t unix.Timex
	_, err := unix.Adjtimex(&t)
	return err != nil || t.Status&unix.STA_UNSYNC == 0
}
