package app

import (
	"container/list"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// crowd bounds how many connections a listener has. Where there are as many as may be,
// the one is closed that has kept a place for longest without asking for anything, so
// that whoever opens thousands and says nothing keeps nobody else out; where all are
// being answered, whoever comes is turned away.
type crowd struct {
	most int

	mu     sync.Mutex
	here   map[net.Conn]*list.Element // nil: it is being answered
	silent *list.List                 // of net.Conn, the longest silent first
}

func newCrowd(most int) *crowd {
	return &crowd{most: most, here: map[net.Conn]*list.Element{}, silent: list.New()}
}

// note is told of every change of a connection, as [http.Server.ConnState].
func (c *crowd) note(conn net.Conn, state http.ConnState) {
	tooMany := c.moved(conn, state)
	if secure, ok := tooMany.(*tls.Conn); ok {
		tooMany = secure.NetConn() // a goodbye could wait for whoever does not read
	}
	if tooMany != nil {
		_ = tooMany.Close() // its end is told of too
	}
}

// moved keeps where a connection stands, and returns one that has to go.
func (c *crowd) moved(conn net.Conn, state http.ConnState) net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.here[conn]; at != nil {
		c.silent.Remove(at)
		c.here[conn] = nil
	}
	switch state {
	case http.StateNew, http.StateIdle:
		c.here[conn] = c.silent.PushBack(conn)
	case http.StateActive:
		c.here[conn] = nil
	case http.StateClosed, http.StateHijacked:
		delete(c.here, conn)
	}
	if state != http.StateNew || len(c.here) <= c.most {
		return nil
	}
	first := c.silent.Front()
	c.silent.Remove(first)
	gone := first.Value.(net.Conn)
	delete(c.here, gone)
	return gone
}
