package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/BurntSushi/toml"
)

type channelAdd struct {
	toDaemon
	Property  string            `required:"" placeholder:"ID" help:"The property that it sells."`
	Connector string            `required:"" placeholder:"NAME" help:"Which connector, such as mock."`
	Name      string            `placeholder:"TEXT" help:"What people call it; the connector's name by default."`
	Settings  string            `placeholder:"FILE" help:"A TOML file with its settings."`
	Schedule  string            `placeholder:"CRON" help:"When its bookings are fetched, such as @every 60s."`
	Set       map[string]string `placeholder:"KEY=VALUE" mapsep:"none" help:"One setting; may be repeated. A member of an object is KEY.MEMBER; a value that begins with { or [ is JSON. A secret is named as secret:NAME."`
}

// Run makes a channel.
func (c channelAdd) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	schema, err := settingsSchema(ctx, d, c.Connector)
	if err != nil {
		return err
	}
	settings, err := c.settings(schema)
	if err != nil {
		return err
	}
	body := map[string]any{"property_id": c.Property, "connector": c.Connector, "name": c.Name, "settings": settings}
	if c.Name == "" {
		body["name"] = c.Connector
	}
	if c.Schedule != "" {
		body["sync"] = map[string]any{"reservations_schedule": c.Schedule}
	}
	ch, err := d.post(ctx, "/channels", body)
	if err != nil {
		return err
	}
	id := ch.text("id")
	if err := d.print(ch, func(w *tabwriter.Writer) { fmt.Fprintf(w, "made channel %s, a draft\n", id) }); err != nil || d.raw {
		return err
	}
	if err := tryChannel(ctx, d, id); err != nil {
		fmt.Fprintf(screened{os.Stderr}, "its far side cannot be asked yet: %v\nput that right, then: ostler channel test %s\n", err, id)
	}
	return nil
}

// settingsSchema returns the properties of a connector's settings.
func settingsSchema(ctx context.Context, d *daemon, connector string) (object, error) {
	all, err := d.all(ctx, "/connectors")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range all {
		if c.text("name") == connector {
			return c.in("settings_schema").in("properties"), nil
		}
		names = append(names, c.text("name"))
	}
	return nil, fmt.Errorf("there is no connector %q; there is: %s", connector, strings.Join(names, ", "))
}

// settings reads the file, if any, and lays the single settings over it.
func (c channelAdd) settings(schema object) (map[string]any, error) {
	settings := map[string]any{}
	if c.Settings != "" {
		if _, err := toml.DecodeFile(c.Settings, &settings); err != nil {
			return nil, fmt.Errorf("read settings: %w", err)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.Set)) {
		if err := put(settings, schema, strings.Split(path, "."), c.Set[path]); err != nil {
			return nil, fmt.Errorf("--set %s: %w", path, err)
		}
	}
	return settings, onlyNamedSecrets(settings, schema)
}

// put sets one setting in the type that the schema says; an unknown one is left
// to the daemon to refuse.
func put(settings map[string]any, schema object, path []string, text string) error {
	at := schema.in(path[0])
	if len(path) > 1 {
		if of := at.text("type"); of != "" && of != "object" {
			return fmt.Errorf("%s is of type %s and has no members", path[0], of)
		}
		inner, ok := settings[path[0]].(map[string]any)
		switch {
		case ok:
		case settings[path[0]] != nil:
			return fmt.Errorf("%s has the value %v already, which has no members", path[0], settings[path[0]])
		default:
			inner = map[string]any{}
			settings[path[0]] = inner
		}
		return put(inner, at.in("properties"), path[1:], text)
	}
	value, err := valueOf(at.text("type"), text)
	if err != nil {
		return err
	}
	settings[path[0]] = value
	return nil
}

// valueOf reads a value of a type of JSON Schema. Where the schema says nothing, what
// begins like an object or a list is one, and everything else a text.
func valueOf(kind, text string) (any, error) {
	written := strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
	switch {
	case kind == "integer":
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("expected a whole number, not %q", text)
		}
		return n, nil
	case kind == "boolean":
		is, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("expected true or false, not %q", text)
		}
		return is, nil
	case kind == "array" && !written:
		return strings.Split(text, ","), nil
	case kind == "object" && !written:
		return nil, errors.New(`expected an object, written as {"member":"value"} or member by member as KEY.MEMBER=VALUE`)
	case kind == "number", (kind == "" || kind == "array" || kind == "object") && written:
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			return nil, fmt.Errorf("expected JSON: %w", err)
		}
		if _, list := value.([]any); list != (kind == "array") && (kind == "array" || kind == "object") {
			return nil, fmt.Errorf("expected an %s", kind)
		}
		return value, nil
	}
	return text, nil
}

// onlyNamedSecrets refuses a secret that stands in a file or on a command line.
func onlyNamedSecrets(settings map[string]any, schema object) error {
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		at, inner := schema.in(key), map[string]any(nil)
		switch value := settings[key].(type) {
		case map[string]any:
			inner = value
		case string:
			if at["writeOnly"] == true && !strings.HasPrefix(value, "secret:") {
				return errors.New(key + " is a secret, which belongs neither on a command line nor in a file of settings: " +
					"put it into a file of its own, name that in [secrets] of the configuration, and write " + key + "=secret:NAME")
			}
		}
		of := at.in("properties")
		if at["writeOnly"] == true { // each of its members is a secret
			of = object{}
			for name := range inner {
				of[name] = map[string]any{"writeOnly": true}
			}
		}
		if err := onlyNamedSecrets(inner, of); err != nil {
			return err
		}
	}
	return nil
}
