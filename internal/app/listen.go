package app

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

// server is one listener with its handler.
type server struct {
	listener net.Listener
	http     *http.Server
	failed   chan error
}

// stopTime is how long a listener's requests may take to end.
const stopTime = 5 * time.Second

// usualConnections is how many a listener has at most that is not told otherwise.
const usualConnections = 4096

// serve listens at an address, "" for any free port of loopback, and serves
// until stopped, with at most so many connections at a time. What is wrong with them, and
// with answers, goes to complain; nil is the standard logger.
func serve(address string, h http.Handler, most int, complain *log.Logger) (*server, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	l, err := listenAt(address)
	if err != nil {
		return nil, err
	}
	return serveCrowd(l, h, most, complain), nil
}

func listenAt(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", address, err)
	}
	return l, nil
}

// serveCrowd serves on a listener until stopped, with at most so many connections at
// a time.
func serveCrowd(l net.Listener, h http.Handler, most int, complain *log.Logger) *server {
	s := newServer(l, h, complain)
	s.http.ConnState = newCrowd(most).note
	return s.start()
}

// serveWired serves under TLS on a listener as [serveCrowd] does.
func serveWired(l net.Listener, w *wire, h http.Handler, most int, complain *log.Logger) *server {
	s := newServer(w.over(l), h, complain)
	s.http.ConnState = newCrowd(most).note
	return s.start()
}

// serveOn serves on a listener until stopped. connect may put what it knows of a
// new connection into the context of its requests; nil puts nothing.
func serveOn(l net.Listener, h http.Handler, connect func(context.Context, net.Conn) context.Context, complain *log.Logger) *server {
	s := newServer(l, h, complain)
	s.http.ConnContext = connect
	return s.start()
}

func newServer(l net.Listener, h http.Handler, complain *log.Logger) *server {
	return &server{listener: l, failed: make(chan error, 1), http: &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: complain,
	}}
}

// start serves until stopped.
func (s *server) start() *server {
	go func() {
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
		close(s.failed)
	}()
	return s
}

func (s *server) address() string { return s.listener.Addr().String() }
func (s *server) url() string     { return "http://" + s.address() }

// stop lets requests end, for a while, and closes what is left.
func (s *server) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	return errors.Join(err, <-s.failed)
}

// serveNear serves at the address of last time, or anywhere when there was none
// or somebody else has it by now.
func serveNear(address string, h http.Handler, complain *log.Logger) (*server, error) {
	if address != "" {
		if s, err := serve(address, h, usualConnections, complain); err == nil {
			return s, nil
		}
	}
	return serve("", h, usualConnections, complain)
}
