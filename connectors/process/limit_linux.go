package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// limit bounds the data that a process may have, in bytes, and keeps what it knows
// out of core files. What a language merely reserves does not count. A process that has
// a lower bound keeps it: only root could raise it.
func limit(pid int, data uint64) error {
	var had unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &had); err != nil {
		return err
	}
	data = min(data, had.Max)
	if err := unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: data, Max: data}, nil); err != nil {
		return err
	}
	return unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}

// count adds up the memory of the processes of each group, in bytes: what is their own,
// shared between them or swapped out, but not the files that they have in memory.
func count() (map[int]uint64, error) {
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("look up what runs: nothing is in /proc: %w", err)
	}
	used := map[int]uint64{}
	for _, one := range all {
		stat, err1 := os.ReadFile(one + "/stat")
		status, err2 := os.ReadFile(one + "/status")
		if err1 != nil || err2 != nil {
			continue // it has ended
		}
		if group, ok := groupOf(stat); ok {
			used[group] += memoryOf(status)
		}
	}
	return used, nil
}

// groupOf reads the group of a process from its stat line, in which it is the third
// word behind the name, which stands in parentheses and may hold anything.
func groupOf(stat []byte) (int, bool) {
	words := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(words) < 3 {
		return 0, false
	}
	group, err := strconv.Atoi(string(words[2]))
	return group, err == nil
}

// memoryOf adds up what a process has in its status, in bytes.
func memoryOf(status []byte) uint64 {
	var kib uint64
	for line := range bytes.Lines(status) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch string(name) {
		case "RssAnon", "RssShmem", "VmSwap":
			n, _ := strconv.ParseUint(string(bytes.TrimSuffix(bytes.TrimSpace(value), []byte(" kB"))), 10, 64)
			kib += n
		}
	}
	return kib << 10
}
