//go:build linux

package powercut_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ostler.example/internal/testkit/powercut"
)

// What is left of a file, over many cuts at the same moment.
func TestWhatACutLeaves(t *testing.T) {
	create := powercut.Event{Kind: powercut.Create, Name: "a"}
	sync := powercut.Event{Kind: powercut.Sync, Name: "a"}
	write := func(at int64, text string) powercut.Event {
		return powercut.Event{Kind: powercut.Write, Name: "a", At: at, Data: []byte(text)}
	}
	other := func(kind powercut.Kind) powercut.Event { return powercut.Event{Kind: kind, Name: "b"} }
	for name, test := range map[string]struct {
		events []powercut.Event
		want   []string // each is left by some cut, and nothing else; "-": no file
	}{
		"what is durable stays":                   {[]powercut.Event{create, write(0, "one"), sync}, []string{"one"}},
		"what is not may go, and come alone":      {[]powercut.Event{create, write(0, "one"), sync, write(0, "two"), write(3, "!")}, []string{"one", "two", "one!", "two!"}},
		"a hole is empty":                         {[]powercut.Event{create, sync, write(0, "x"), write(2, "y")}, []string{"", "x", "\x00\x00y", "x\x00y"}},
		"a new file may not be there":             {[]powercut.Event{create}, []string{"-", ""}},
		"one that was cut short may be long":      {[]powercut.Event{create, write(0, "one"), sync, {Kind: powercut.Truncate, Name: "a", At: 1}}, []string{"one", "o"}},
		"one that was deleted may be there still": {[]powercut.Event{create, write(0, "one"), sync, {Kind: powercut.Delete, Name: "a"}}, []string{"one", "-"}},
		"but not behind another's first sync": {
			[]powercut.Event{create, write(0, "one"), sync, {Kind: powercut.Delete, Name: "a"}, other(powercut.Create), other(powercut.Sync)}, []string{"-"},
		},
		"nor when the folder was made durable": {[]powercut.Event{create, write(0, "one"), sync, {Kind: powercut.Delete, Name: "a", At: 1}}, []string{"-"}},
	} {
		t.Run(name, func(t *testing.T) {
			disk := powercut.NewDisk()
			for _, e := range test.events {
				disk.Do(e)
			}
			left, dir := map[string]bool{}, t.TempDir()
			for seed := range uint64(200) {
				if err := powercut.Clear(dir); err != nil {
					t.Fatal(err)
				}
				if err := disk.Cut(rand.New(rand.NewPCG(seed, 1)), dir); err != nil {
					t.Fatal(err)
				}
				raw, err := os.ReadFile(filepath.Join(dir, "a"))
				if err != nil {
					raw = []byte("-")
				}
				left[string(raw)] = true
			}
			for _, want := range test.want {
				if !left[want] {
					t.Errorf("%q is never left", want)
				}
				delete(left, want)
			}
			for text := range left {
				t.Errorf("%q was left", text)
			}
		})
	}
}

// A long write is torn between sectors, never within one.
func TestAWriteIsTornBetweenSectors(t *testing.T) {
	disk := powercut.NewDisk()
	data := make([]byte, 2048)
	for i := range data {
		data[i] = byte(1 + i/512)
	}
	for _, e := range []powercut.Event{{Kind: powercut.Create, Name: "a"}, {Kind: powercut.Sync, Name: "a"}, {Kind: powercut.Write, Name: "a", Data: data}} {
		disk.Do(e)
	}
	torn, dir := 0, t.TempDir()
	for seed := range uint64(100) {
		if err := disk.Cut(rand.New(rand.NewPCG(seed, 1)), dir); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(dir, "a"))
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for at := 0; at < len(raw); at += 512 {
			for i := at; i < at+512; i++ {
				if raw[i] != raw[at] || raw[i] != 0 && raw[i] != data[i] {
					t.Fatalf("seed %d: byte %d is %d", seed, i, raw[i])
				}
			}
			if raw[at] != 0 {
				kept++
			}
		}
		if kept > 0 && kept < 4 {
			torn++
		}
	}
	if torn < 10 {
		t.Errorf("only %d of 100 are torn", torn)
	}
}
