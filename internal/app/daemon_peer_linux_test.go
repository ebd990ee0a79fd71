package app

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"ostler.example/internal/testkit"
)

// nobody is a user who is neither root nor the daemon's.
const nobody = 65534

// dialAs connects to a socket as another user: a thread of its own has become that one, and
// ends with the connection made.
func dialAs(uid uintptr, path string) (c net.Conn, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // and never unlocked: nobody else gets this thread
		if _, _, refused := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), uid, ^uintptr(0)); refused != 0 {
			err = refused
			return
		}
		c, err = net.Dial("unix", path)
	}()
	<-ended
	return c, err
}

// TestAnotherUserIsNoOperator: the socket's mode keeps others out, and where it does not,
// the system says who they are.
func TestAnotherUserIsNoOperator(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("skipped: only root may become somebody else")
	}
	dir := testkit.Folder(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "admin.sock")
	l, err := listenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if c, err := dialAs(nobody, path); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("another user reaches the socket: %v, %v", c, err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[uintptr]bool{nobody: false, 0: true} {
		theirs, err := dialAs(uid, path)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := operatorOf(withOperator(t.Context(), ours)); ok != want {
			t.Errorf("user %d is %q, operator %v", uid, name, ok)
		}
		_ = errors.Join(theirs.Close(), ours.Close())
	}
}
