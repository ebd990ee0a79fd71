package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"go.uber.org/zap"

	"ostler.example/internal/app"
)

// simulateCommand is `ostler simulate`.
type simulateCommand struct {
	Connector string        `arg:"" help:"Whose far side; ostler connector list shows who has one."`
	Preset    string        `help:"Which kind of far side; the first one by default."`
	Listen    string        `default:"127.0.0.1:9090" help:"Where it listens, HOST:PORT; port 0 takes any free one."`
	Data      string        `help:"Folder for its book; without one it forgets all when it ends."`
	Hotel     string        `default:"hotel_123" help:"The property's code at the far side."`
	Secret    string        `env:"OSTLER_SIMULATE_SECRET" default:"a pretend secret" help:"What both sides know. Pretend channels only."`
	Inbound   string        `help:"URL below which its messages are pushed to Ostler: http://HOST:PORT/inbound/CHANNEL_ID."`
	Latency   time.Duration `default:"0s" help:"How long its answers take, such as 800ms; what they are about is done at once."`
	Speed     float64       `default:"0" help:"How busy its guests are: 1 is about a booking every two seconds, 0 makes them stand still."`
}

// Run serves until it is interrupted.
func (c simulateCommand) Run(ctx context.Context) error {
	log, err := newLog("stderr", zap.InfoLevel)
	if err != nil {
		return err
	}
	s, err := app.StartSimulator(app.SimulatorOptions{
		Connector: c.Connector, Preset: c.Preset, Listen: c.Listen, Dir: c.Data, Hotel: c.Hotel, Secret: c.Secret, Inbound: c.Inbound, Latency: c.Latency, Speed: c.Speed, Log: log,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%s listens at %s; look inside with GET %s/_sim/state\n", c.Connector, s.URL, s.URL)
	<-ctx.Done()
	return s.Stop()
}
