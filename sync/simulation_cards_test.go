package sync_test

import (
	"bytes"
	"net/http"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest"
)

// cardNumber is what some guests give as their name. It must not get anywhere: into no
// file of the ledger, no line of the log, no call to a channel and no answer to one.
const cardNumber = "4111111111111111"

// leaks looks for it in what goes somewhere.
func (w *world) leaks(where string, what []byte) {
	if bytes.Contains(what, []byte(cardNumber)) {
		w.wrong(12, "%s has a card number in it", where)
	}
}

// engineLog is where the engine logs to.
func engineLog(t *testing.T) *zap.Logger {
	if *simLog {
		return zaptest.NewLogger(t)
	}
	return zap.NewNop()
}

// engineLog is that of a world: every line is looked through, whoever reads it.
func (w *world) engineLog() *zap.Logger {
	lines := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewDevelopmentEncoderConfig()), logged{w}, zapcore.DebugLevel)
	return zap.New(zapcore.NewTee(lines, engineLog(w.t).Core()))
}

// logged takes the lines of the log.
type logged struct{ w *world }

var _ zapcore.WriteSyncer = logged{}

// Write implements [zapcore.WriteSyncer].
func (l logged) Write(line []byte) (int, error) {
	l.w.leaks("a line of the log", line)
	return len(line), nil
}

// Sync implements [zapcore.WriteSyncer].
func (logged) Sync() error { return nil }

// answers is the hotel's door, at which all that it answers is looked through.
func (w *world) answers(door http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { door.ServeHTTP(answered{rw, w}, r) })
}

// answered takes the answer to a message.
type answered struct {
	http.ResponseWriter
	w *world
}

// Write implements [http.ResponseWriter].
func (a answered) Write(body []byte) (int, error) {
	a.w.leaks("the answer to a message", body)
	return a.ResponseWriter.Write(body)
}

// Unwrap is for [http.ResponseController].
func (a answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }
