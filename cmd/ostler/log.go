package main

import (
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// newLog writes one JSON object a line to path, "stderr" among them. Failures that go on are
// [folded].
func newLog(path string, level zapcore.Level) (*zap.Logger, error) {
	return newAdjustableLog(path, "json", zap.NewAtomicLevelAt(level))
}

// newAdjustableLog is newLog in one of two formats, json and console, at a level
// that may change.
func newAdjustableLog(path, format string, level zap.AtomicLevel) (*zap.Logger, error) {
	c := zap.NewProductionConfig()
	c.Level, c.Encoding = level, format
	c.OutputPaths, c.ErrorOutputPaths = []string{path}, []string{"stderr"}
	c.EncoderConfig.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	c.DisableStacktrace, c.DisableCaller, c.Sampling = true, true, nil
	return c.Build(zap.WrapCore(foldRepeats))
}
