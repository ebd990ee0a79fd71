package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCommand is `ostler completion`.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run writes what a shell reads to complete the commands.
func (c completionCommand) Run(k *kong.Context) error {
	write := map[string]func(io.Writer, *kong.Application) error{"bash": writeBash, "zsh": writeZsh, "fish": writeFish}[c.Shell]
	return write(k.Stdout, k.Model)
}

// word is one thing that may be typed behind a command, and what it is.
type word struct{ text, help string }

// words lists what may follow each command, by its path: "" is the program alone.
func words(model *kong.Application) map[string][]word {
	of := map[string][]word{}
	var visit func(n *kong.Node, path string)
	visit = func(n *kong.Node, path string) {
		for _, c := range n.Children {
			if c.Type != kong.CommandNode || c.Hidden {
				continue
			}
			of[path] = append(of[path], word{c.Name, c.Help})
			visit(c, strings.TrimSpace(path+" "+c.Name))
		}
		for _, f := range flagsOf(n) {
			of[path] = append(of[path], word{"--" + f.Name, f.Help})
		}
		for _, a := range n.Positional {
			for _, v := range a.EnumSlice() {
				if v != "" {
					of[path] = append(of[path], word{v, a.Help})
				}
			}
		}
	}
	visit(model.Node, "")
	return of
}

func paths(of map[string][]word) []string {
	list := make([]string, 0, len(of))
	for path := range of {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// writeBash writes a function that finds the command among the words typed so far, and
// offers what may follow it. What is no command or flag is the name of a file.
func writeBash(w io.Writer, model *kong.Application) error {
	var b strings.Builder
	b.WriteString("_ostler() {\n\tlocal path= next word\n\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
		"\t\tcase \"$path/$word\" in\n")
	of := words(model)
	for _, path := range paths(of) {
		if at, last, nested := cutLast(path); nested || path != "" {
			fmt.Fprintf(&b, "\t\t'%s/%s') path='%s' ;;\n", at, last, path)
		}
	}
	b.WriteString("\t\tesac\n\tdone\n\tcase \"$path\" in\n")
	for _, path := range paths(of) {
		var texts []string
		for _, w := range of[path] {
			texts = append(texts, w.text)
		}
		fmt.Fprintf(&b, "\t'%s') next='%s' ;;\n", path, strings.Join(texts, " "))
	}
	b.WriteString("\tesac\n\tmapfile -t COMPREPLY < <(compgen -W \"$next\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n}\ncomplete -o default -F _ostler ostler\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// cutLast splits a path before its last command.
func cutLast(path string) (before, last string, nested bool) {
	if i := strings.LastIndexByte(path, ' '); i >= 0 {
		return path[:i], path[i+1:], true
	}
	return "", path, false
}

// writeZsh has zsh read what bash reads.
func writeZsh(w io.Writer, model *kong.Application) error {
	if _, err := io.WriteString(w, "#compdef ostler\nautoload -U +X bashcompinit && bashcompinit\n"); err != nil {
		return err
	}
	return writeBash(w, model)
}

// writeFish writes one line for each thing that may follow a command.
func writeFish(w io.Writer, model *kong.Application) error {
	var b strings.Builder
	of := words(model)
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(s) + "'"
	}
	for _, path := range paths(of) {
		condition := "__fish_use_subcommand"
		if path != "" {
			condition = ""
			for command := range strings.SplitSeq(path, " ") {
				condition += "__fish_seen_subcommand_from " + command + "; and "
			}
			condition = strings.TrimSuffix(condition, "; and ")
		}
		for _, w := range of[path] {
			if name, isFlag := strings.CutPrefix(w.text, "--"); isFlag {
				fmt.Fprintf(&b, "complete -c ostler -n %s -l %s -d %s\n", quote(condition), name, quote(w.help))
				continue
			}
			fmt.Fprintf(&b, "complete -c ostler -n %s -a %s -d %s\n", quote(condition), w.text, quote(w.help))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
