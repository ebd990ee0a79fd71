package backup

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Exchange puts two folders in each other's place. There is no moment at which
// either place is empty, but on file systems that cannot do that.
func Exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return exchangeByName(a, b)
	}
	return err
}
