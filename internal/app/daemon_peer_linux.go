package app

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// peerOf returns the user at the other end, as it was when it connected.
func peerOf(c *net.UnixConn) (uid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var peer *unix.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) { peer, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err := errors.Join(err, asked); err != nil {
		return 0, err
	}
	return int(peer.Uid), nil
}
