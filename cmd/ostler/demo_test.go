package main_test

import "testing"

// TestDemo asks one demo for everything that needs no more than nights of its own.
// Its start, and telling three channels everything, is what takes long.
func TestDemo(t *testing.T) {
	t.Parallel()
	d := newDemo(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *demo)
	}{
		{"the sample hotel is on every channel", sampleHotelIsOnEveryChannel},
		{"the first request that anybody sends", firstRequest},
		{"twenty clients want five rooms", raceForLastRooms},
		{"one booking fifty times", samePostFiftyTimes},
		{"a second demo on the same folder", secondDemoRefuses},
		{"a client's way in and out", access},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, d) })
	}
}
