package process

import "golang.org/x/sys/unix"

// limit bounds the data that a process may have, in bytes, and keeps what it knows
// out of core files. What a language merely reserves does not count.
func limit(pid int, data uint64) error {
	if err := unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: data, Max: data}, nil); err != nil {
		return err
	}
	return unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}
