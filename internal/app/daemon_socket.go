package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"strconv"
)

// maxSocketPath is the longest path that every system takes for a socket.
const maxSocketPath = 103

// listenSocket listens at a socket for the program's own user and root. A socket
// that an earlier process left there is replaced; whoever calls this holds the
// folder's lock, so none is in use.
func listenSocket(path string) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("listen at %s: a socket's path has at most %d bytes: give data a shorter path", path, maxSocketPath)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("replace socket %s: %w", path, err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", path, err)
	}
	// Until here the folder's mode keeps others out, and afterwards withOperator too.
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("listen at %s: %w", path, err), l.Close())
	}
	return l, nil
}

type operatorKey struct{}

// withOperator notes who is at the other end of a connection, as the system says,
// when it is somebody who may command the daemon.
func withOperator(ctx context.Context, c net.Conn) context.Context {
	s, ok := c.(*net.UnixConn)
	if !ok {
		return ctx
	}
	uid, err := peerOf(s)
	if err != nil || uid != 0 && uid != os.Geteuid() {
		return ctx
	}
	return context.WithValue(ctx, operatorKey{}, userName(uid))
}

// operatorOf returns the user's name; ok is false for a stranger.
func operatorOf(ctx context.Context) (name string, ok bool) {
	name, ok = ctx.Value(operatorKey{}).(string)
	return name, ok
}

func userName(uid int) string {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return "uid-" + strconv.Itoa(uid)
	}
	return u.Username
}
