// Command program is a connector that is a program of its own, for tests: the mock
// connector over the process protocol, one that writes down what another says, or one
// that breaks the rules in the way that its argument names.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	_ "ostler.example/connectors/mock"
	"ostler.example/connectors/process/serve"
	"ostler.example/connectors/process/wire"
)

func main() {
	if driver, serves := connectors.Lookup(os.Args[1]); serves {
		log, err := zap.NewDevelopment()
		if err != nil {
			panic(err)
		}
		if err := serve.Run(context.Background(), serve.Options{Driver: driver, In: os.Stdin, Out: os.Stdout, Log: log}); err != nil {
			log.Fatal("serve", zap.Error(err))
		}
		return
	}
	if os.Args[1] == "takes" {
		mib, _ := strconv.Atoi(os.Args[2])
		kept := bytes.Repeat([]byte{1}, mib<<20)
		time.Sleep(time.Minute)
		runtime.KeepAlive(kept) // else it is given back at once
		return
	}
	if os.Args[1] == "tee" {
		tee(os.Args[2], os.Args[3:])
		return
	}
	rogue(os.Args[1])
}

// tee runs a program and writes down what goes in and out.
func tee(file string, command []string) {
	in, err1 := os.OpenFile(file+".in", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	out, err2 := os.OpenFile(file+".out", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	cmd := exec.Command(command[0], command[1:]...)
	to, err3 := cmd.StdinPipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		panic(err)
	}
	cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, out), os.Stderr
	go func() {
		_, _ = io.Copy(io.MultiWriter(to, in), os.Stdin)
		_ = to.Close()
	}()
	if err := cmd.Run(); err != nil {
		os.Exit(1)
	}
}

const description = `{"protocol":1,"name":"rogue","account":"a","place":"p","capabilities":{"stock_per":"room","sellers":"one","acknowledges":"seller",
"fields":{"available":{"as":"exact"}},"operations":[{"name":"all","groups":["availability"]}],"products":true,"polls":true,"encodes":true,"reads":true,"receives":true}}`

func say(id int64, f wire.Frame) {
	f.ID = id
	line, _ := json.Marshal(f)
	fmt.Println(string(line))
}

// rogue answers open and then does what it is told to.
func rogue(how string) {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if how == "never ends" {
				select {}
			}
			return
		}
		var f wire.Frame
		if err := json.Unmarshal(line, &f); err != nil {
			panic(err)
		}
		switch {
		case f.Call == wire.Open && how == "open":
			os.Exit(3)
		case f.Call == wire.Open:
			say(f.ID, wire.Frame{Result: describe(how, f.Params)})
		case f.Cancel && how == "notes cancels":
			say(f.ID, wire.Frame{Shelf: &wire.Shelf{Number: 9, Put: "n", Body: wire.Blob("cancelled")}})
		case f.Shelved != nil:
			shelved(f)
		case f.Reported != nil:
			reported(f)
		case f.Told != nil:
			heard(how, f)
		case f.Cancel && how == "asks when it is cancelled":
			ask(how, f.ID)
		case f.Call == "":
		default:
			misbehave(how, f)
		}
	}
}

// describe answers open. After its handshake a program knows more of what it can do.
func describe(how string, params json.RawMessage) json.RawMessage {
	said := strings.ReplaceAll(description, "\n", "")
	if how == "handshake" {
		said = strings.Replace(said, `"products":true`, `"products":true,"discovers":true`, 1)
	}
	var p wire.OpenParams
	if err := json.Unmarshal(params, &p); err != nil {
		panic(err)
	}
	if p.Found != nil && p.Found.Version == "7" {
		said = strings.Replace(said, `"products":true`, `"products":true,"horizon_days":700`, 1)
	}
	return json.RawMessage(said)
}

// found is what was on the shelf.
var found string

// shelved goes on after an answer from the shelf: what was put there is looked up, and
// then something is asked that has no meaning.
func shelved(f wire.Frame) {
	switch f.Shelved.Number {
	case 1:
		say(f.ID, wire.Frame{Shelf: &wire.Shelf{Number: 2, Get: "n"}})
	case 2:
		found = string(*f.Shelved.Body)
		say(f.ID, wire.Frame{Shelf: &wire.Shelf{Number: 3, Get: "n", Put: "n"}})
	case 3:
		catalog, _ := json.Marshal(wire.Catalog{Products: []wire.Product{{Room: found, RoomName: f.Shelved.Error}}})
		say(f.ID, wire.Frame{Result: catalog})
	case 9:
		say(f.ID, wire.Frame{Error: &wire.Error{Message: "cancelled"}})
	}
}

// kept is what came of the reports so far.
var kept []wire.Product

// reports are what a program reports: something sound, something without a name, something
// of an urgency that there is not, and that the first is over.
var reports = []wire.Report{
	{Code: "sync_error", Of: "Locanda Online", Reason: "out of luck, with secret hunter2hunter2", Severity: "critical"},
	{Of: "nothing"},
	{Code: "sync_error", Severity: "loud"},
	{Code: "sync_error", Of: "Locanda Online", Over: true},
}

// reported goes on after the answer to a report with the next one.
func reported(f wire.Frame) {
	kept = append(kept, wire.Product{Room: fmt.Sprint(f.Reported.Number), RoomName: f.Reported.Error})
	if len(kept) < len(reports) {
		next := reports[len(kept)]
		next.Number = int64(len(kept))
		say(f.ID, wire.Frame{Report: &next})
		return
	}
	catalog, _ := json.Marshal(wire.Catalog{Products: kept})
	say(f.ID, wire.Frame{Result: catalog})
}

func misbehave(how string, f wire.Frame) {
	switch how {
	case "crash":
		fmt.Fprintln(os.Stderr, "out of luck, with secret hunter2hunter2")
		os.Exit(7)
	case "crash once":
		if _, err := os.Stat(os.Args[2]); err != nil {
			_ = os.WriteFile(os.Args[2], nil, 0o600)
			os.Exit(7)
		}
	case "hang", "never ends", "notes cancels", "asks when it is cancelled":
		return
	case "asks for what there is not", "asks a thousand times", "asks for much", "asks for nights", "hangs after asking":
		ask(how, f.ID)
		return
	case "asks outside of a call":
		say(99, wire.Frame{House: &wire.House{Number: 1, Get: wire.AskRooms}})
		return
	case "answers and dies":
		say(f.ID, wire.Frame{Result: json.RawMessage(`{"products":[{"room":"DBL"}]}`)})
		os.Exit(7)
	case "large messages":
		for {
			say(f.ID, wire.Frame{Deliver: &wire.Message{Key: "k", Raw: bytes.Repeat([]byte("x"), 12<<20)}})
		}
	case "shelf":
		say(f.ID, wire.Frame{Shelf: &wire.Shelf{Number: 1, Put: "n", Body: wire.Blob("kept")}})
		return
	case "asks too much":
		for i := range int64(100) {
			say(f.ID, wire.Frame{Shelf: &wire.Shelf{Number: i, Get: "slow"}})
		}
		return
	case "handshake":
		if f.Call == wire.Discover {
			say(f.ID, wire.Frame{Result: json.RawMessage(`{"version":"7","features":["gzip"]}`)})
			return
		}
	case "garbage":
		fmt.Println("Listening on port 8080, secret hunter2hunter2")
	case "blank lines":
		for {
			fmt.Println()
		}
	case "flood":
		for {
			fmt.Println(`{"id":99,"result":{}}`)
		}
	case "long line":
		for {
			fmt.Print(strings.Repeat("x", 1<<20))
		}
	case "deliveries":
		for {
			say(f.ID, wire.Frame{Deliver: &wire.Message{Key: "k"}})
		}
	case "memory":
		var kept [][]byte
		for range 4096 {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			kept = append(kept, b)
		}
		fmt.Fprintln(os.Stderr, len(kept))
	case "shared memory":
		shared, err := syscall.Mmap(-1, 0, 192<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_ANON)
		if err != nil {
			panic(err)
		}
		for i := 0; i < len(shared); i += 4096 {
			shared[i] = 1
		}
		time.Sleep(time.Minute)
	case "many children":
		for range 4 {
			child := exec.Command(os.Args[0], "takes", "96")
			_ = child.Start()
		}
		time.Sleep(time.Minute)
	case "closes its output":
		_ = os.Stdout.Close()
		time.Sleep(time.Minute)
	case "chatter":
		for i := range 100_000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
	case "unkept":
		if f.Call == wire.Poll {
			say(f.ID, wire.Frame{Deliver: &wire.Message{Key: "k", Ref: "r"}})
		}
		say(f.ID, wire.Frame{Result: json.RawMessage(`{"next":"9","status":200}`)})
		return
	case "reports":
		say(f.ID, wire.Frame{Report: &reports[0]})
		return
	case "read by many":
		var read wire.Visited
		for range 1001 {
			read.Visits = append(read.Visits, wire.Visit{Name: "a calendar"})
		}
		result, _ := json.Marshal(read)
		say(f.ID, wire.Frame{Result: result})
		return
	case "environment":
		fmt.Fprintln(os.Stderr, strings.Join(append(os.Environ(), os.Args...), " "))
	}
	say(f.ID, wire.Frame{Result: json.RawMessage(`{"products":[{"room":"DBL"}],"calls":[],"shown":[{"room":"DBL","group":"price","from":"2027-01-01","to":"2026-01-01"}]}`)})
}
