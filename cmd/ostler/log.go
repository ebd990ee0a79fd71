package main

import (
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// newLog writes one JSON object a line to path, "stderr" among them.
func newLog(path string, level zapcore.Level) (*zap.Logger, error) {
	c := zap.NewProductionConfig()
	c.Level = zap.NewAtomicLevelAt(level)
	c.OutputPaths, c.ErrorOutputPaths = []string{path}, []string{"stderr"}
	c.EncoderConfig.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	c.DisableStacktrace, c.DisableCaller, c.Sampling = true, true, nil
	return c.Build()
}
