package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"ostler.example/internal/app"
)

// manualCommand is `ostler manual`: the page that packages install as ostler(1).
type manualCommand struct{}

// Run writes the page in the form that man reads.
func (manualCommand) Run(k *kong.Context) error { return writeManual(k.Stdout, k.Model) }

// writeManual writes a page about every command: see man-pages(7) for its form.
func writeManual(w io.Writer, model *kong.Application) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`.TH OSTLER 1 "" "ostler %s" "Ostler"`, app.Version)
	line(".SH NAME\nostler \\- %s", roff(strings.ToLower(strings.TrimSuffix(model.Help, "."))))
	line(".SH SYNOPSIS\n.B ostler\n.I COMMAND\n.RI [ ARGUMENT ]...")
	line(".SH DESCRIPTION\nKeeps the rooms, prices and bookings of hotels in a ledger of its own, serves them to partners, and keeps every channel that sells them equal to it.")
	line("Start with\n.BR \"ostler init\" ,\nor try\n.BR \"ostler demo\" .")
	line(".SH COMMANDS\nEach has\n.BR \\-\\-help .")
	for _, leaf := range model.Leaves(true) {
		line(".SS %s", roff(leaf.Summary()))
		line("%s", roff(leaf.Help))
		if leaf.Detail != "" {
			line(".PP\n%s", roff(leaf.Detail))
		}
		for _, a := range leaf.Positional {
			line(".TP\n.I %s\n%s", roff(strings.Trim(a.Summary(), "<>[]")), roff(a.Help))
		}
		for _, f := range flagsOf(leaf) {
			if f.Name == "help" {
				continue // every command has it
			}
			line(".TP\n.B %s\n%s", roff(f.String()), roff(f.Help))
		}
	}
	line(".SH FILES")
	for _, f := range [][2]string{
		{"/etc/ostler/ostler.toml", "The configuration; every key is explained in it."},
		{"/var/lib/ostler", "The ledger, its backups, and the socket of the commands."},
		{"/usr/share/doc/ostler", "The manual."},
	} {
		line(".TP\n.I %s\n%s", f[0], f[1])
	}
	line(".SH EXIT STATUS\n0 when all is well, 1 when something is not, 80 when a command was not understood.")
	_, err := io.WriteString(w, b.String())
	return err
}

// roff escapes what the formatter would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}

// flagsOf lists the flags of a command that are shown to people, its own and those of
// the commands that it is part of.
func flagsOf(n *kong.Node) (list []*kong.Flag) {
	for _, group := range n.AllFlags(true) {
		list = append(list, group...)
	}
	return list
}
