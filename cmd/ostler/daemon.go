package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"

	"ostler.example/internal/client"
	"ostler.example/internal/config"
)

// toDaemon are the flags of every command that asks the running daemon.
type toDaemon struct {
	configFile
	JSON bool `name:"json" help:"Print what the daemon answered, as JSON."`
}

// daemon is the running daemon, as a command asks it.
type daemon struct {
	*client.Client
	settings config.Config
	raw      bool
	out      io.Writer
}

// reach returns the daemon of the configuration. It connects at the first
// question.
func (t toDaemon) reach() (*daemon, error) {
	settings, err := config.Load(t.Config)
	if err != nil {
		return nil, err
	}
	return &daemon{client.New(settings.Data), settings, t.JSON, screened{os.Stdout}}, nil
}

// object is a resource as the daemon answered it.
type object map[string]any

func (o object) text(member string) string {
	switch v := o[member].(type) {
	case nil:
		return ""
	case string:
		return onOneLine(v)
	default:
		return onOneLine(fmt.Sprint(v))
	}
}

func (o object) number(member string) int {
	n, _ := o[member].(float64)
	return int(n)
}

// words is a list of words, with spaces between them.
func (o object) words(member string) string {
	list, _ := o[member].([]any)
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = onOneLine(fmt.Sprint(v))
	}
	return strings.Join(words, " ")
}

func (o object) list(member string) []object { return objects(o[member]) }

func (o object) in(member string) object {
	m, _ := o[member].(map[string]any)
	return m
}

func objects(v any) []object {
	list, _ := v.([]any)
	var out []object
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// all reads every page of a list.
func (d *daemon) all(ctx context.Context, path string) ([]object, error) {
	return client.All[object](ctx, d.Client, path)
}

// post sends a request and returns the resource that is answered.
func (d *daemon) post(ctx context.Context, path string, body any) (object, error) {
	var got object
	return got, d.Do(ctx, http.MethodPost, path, body, &got)
}

// print writes what was answered as JSON where that was asked for; else words
// writes it for people.
func (d *daemon) print(answer any, words func(w *tabwriter.Writer)) error {
	if d.raw {
		e := json.NewEncoder(d.out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(answer)
	}
	w := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', 0)
	words(w)
	return w.Flush()
}

// dash stands for what is not there.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
