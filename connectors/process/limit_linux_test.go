package process

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// A limit that is there already is kept, since nobody but root may raise it.
func TestLowerLimitIsKept(t *testing.T) {
	t.Parallel()
	sleep := exec.Command("/bin/sleep", "60")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = sleep.Process.Kill()
		_ = sleep.Wait()
	}()
	const low = 100 << 20
	for _, data := range []uint64{low, 1 << 30} {
		if err := limit(sleep.Process.Pid, data); err != nil {
			t.Fatal(err)
		}
	}
	var has unix.Rlimit
	if err := unix.Prlimit(sleep.Process.Pid, unix.RLIMIT_DATA, nil, &has); err != nil || has.Max != low {
		t.Errorf("the limit is %d, %v, want %d", has.Max, err, low)
	}
}

// A process's group is found whatever its name is.
func TestGroupOf(t *testing.T) {
	for stat, want := range map[string]int{
		"7 (sh) S 1 42 42 0":              42,
		"7 (a) b) ) R 9) S 1 43 42 0":     43,
		"7 (sh) S":                        0,
		"":                                0,
		"7 (sh) S 1 many 42 0 -1 4194304": 0,
	} {
		if got, ok := groupOf([]byte(stat)); got != want || ok != (want > 0) {
			t.Errorf("%q is of group %d, %t, want %d", stat, got, ok, want)
		}
	}
}

func TestMemoryOf(t *testing.T) {
	status := "Name:\tx\nVmRSS:\t  999 kB\nRssAnon:\t  100 kB\nRssFile:\t 50 kB\nRssShmem:\t 20 kB\nVmSwap:\t 3 kB\n"
	if got := memoryOf([]byte(status)); got != 123<<10 {
		t.Errorf("it has %d bytes, want %d", got, 123<<10)
	}
}
