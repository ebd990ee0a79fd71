package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// setting is one key of a connector's settings, as its JSON Schema describes it.
type setting struct {
	Key     string // nested ones with dots between
	Type    string // string, integer, boolean, array or object
	Secret  bool
	Default string
	Value   string // as it is filled in
	Kept    bool   // a secret that is set, and stays unless another is typed
	Words   string // what the schema says of it
}

// schema is as much of a JSON Schema as settings are described with.
type schema struct {
	Type        string            `json:"type"`
	Properties  map[string]schema `json:"properties"`
	WriteOnly   bool              `json:"writeOnly"`
	Default     json.RawMessage   `json:"default"`
	Description string            `json:"description"`
}

// settingsOf are the settings that a schema describes, with what they are now.
func settingsOf(raw, shown json.RawMessage) (list []setting, err error) {
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("settings schema: %w", err)
	}
	var now map[string]json.RawMessage
	if len(shown) > 0 {
		if err := json.Unmarshal(shown, &now); err != nil {
			return nil, fmt.Errorf("settings: %w", err)
		}
	}
	return s.list("", now), nil
}

func (s schema) list(in string, now map[string]json.RawMessage) (list []setting) {
	for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[key]
		if p.Type == "object" && len(p.Properties) > 0 {
			var inner map[string]json.RawMessage
			_ = json.Unmarshal(now[key], &inner) // what is no object has no members
			list = append(list, p.list(in+key+".", inner)...)
			continue
		}
		one := setting{Key: in + key, Type: p.Type, Secret: p.WriteOnly, Default: typed(p.Default), Words: p.Description}
		if one.Value = typed(now[key]); one.Secret && one.Value != "" {
			one.Value, one.Kept = "", true
		}
		list = append(list, one)
	}
	return list
}

// typed is a value of the settings as somebody would type it.
func typed(raw json.RawMessage) string {
	var text string
	var list []string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &list) == nil:
		return strings.Join(list, ", ")
	}
	return string(raw)
}

// given are the settings as a form has them: what is empty goes back to its default, and
// a secret that nobody typed stays.
func (r *reader) given(list []setting) map[string]json.RawMessage {
	given := map[string]json.RawMessage{}
	for _, s := range list {
		text := r.text("setting." + s.Key)
		if s.Secret && text == "" {
			continue
		}
		value := json.RawMessage("null")
		var err error
		switch {
		case text == "":
		case s.Type == "integer":
			if _, err = strconv.Atoi(text); err == nil {
				value = json.RawMessage(text)
			}
		case s.Type == "boolean":
			value = json.RawMessage(strconv.FormatBool(text == "true"))
		case s.Type == "array":
			var items []string
			for item := range strings.SplitSeq(text, ",") {
				items = append(items, strings.TrimSpace(item))
			}
			value, err = json.Marshal(items)
		case s.Type == "object":
			if !json.Valid([]byte(text)) {
				err = errors.New("no JSON")
			}
			value = json.RawMessage(text)
		default:
			value, err = json.Marshal(text)
		}
		if err != nil {
			r.fault("setting."+s.Key, "type", "expected %s", s.Type)
			continue
		}
		nest(given, strings.Split(s.Key, "."), value)
	}
	return given
}

// nest puts a value where its key says.
func nest(into map[string]json.RawMessage, key []string, value json.RawMessage) {
	if len(key) == 1 {
		into[key[0]] = value
		return
	}
	inner := map[string]json.RawMessage{}
	_ = json.Unmarshal(into[key[0]], &inner) // made by this function, or not there
	nest(inner, key[1:], value)
	into[key[0]], _ = json.Marshal(inner) // of raw JSON
}

// without drops what is null: a new channel has nothing to go back from.
func without(given map[string]json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for key, value := range given {
		var inner map[string]json.RawMessage
		if string(value) == "null" {
			continue
		}
		if json.Unmarshal(value, &inner) == nil {
			value, _ = json.Marshal(without(inner)) // of raw JSON
		}
		out[key] = value
	}
	return out
}

// connecting is the form that a channel is made or changed with.
type connecting struct {
	form
	Channel    *desk.ChannelView // nil: a new one
	Connectors []hotel.Connector // to choose from, of a new one
	Connector  string            // the chosen one; "": none yet
	Settings   []setting
	mistakes
}

// newChannel asks which connector it is to be, and then for its settings.
func (c *Console) newChannel(v *visit) error {
	f, err := v.connecting(v.r.URL.Query().Get("connector"))
	if err != nil {
		return err
	}
	return v.show("channel_form", http.StatusOK, f)
}

// connecting is the form of a new channel.
func (v *visit) connecting(connector string) (f connecting, err error) {
	if !v.may(auth.ChannelsWrite) {
		return f, hotel.Refuse("insufficient_scope", "your role may not connect channels")
	}
	if f.Connectors, err = v.c.desk.Connectors(v.caller); err != nil {
		return f, err
	}
	for _, k := range f.Connectors {
		if k.Name == connector {
			f.Connector = k.Name
			f.Settings, err = settingsOf(k.Settings, nil)
		}
	}
	return f, err
}

// makeChannel makes the channel of a form, and goes on with setting it up.
func (c *Console) makeChannel(v *visit) error {
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	f, err := v.connecting(r.text("connector"))
	if err != nil {
		return err
	}
	settings, err := json.Marshal(without(r.given(f.Settings)))
	if err != nil {
		return err
	}
	var made desk.ChannelView
	if r.text("name") == "" {
		r.fault("name", "required", "give the channel a name")
	}
	if err = r.refusal(); err == nil {
		made, _, err = c.desk.CreateChannel(v.r.Context(), v.caller, hotel.Channel{
			PropertyID: v.house.ID, Connector: f.Connector, Name: r.text("name"), Schedule: r.text("schedule"), Settings: settings,
		})
	}
	if err != nil {
		return v.showConnecting(f, r, err)
	}
	http.Redirect(v.w, v.r, v.path("channels/"+made.ID)+"?done=connected", http.StatusSeeOther)
	return nil
}

// showConnecting shows the form again with what is wrong in it.
func (v *visit) showConnecting(f connecting, r *reader, err error) error {
	m, ok := v.mistakesIn(err, v.channelLabels())
	if !ok {
		return err
	}
	f.form, f.mistakes = r.form, m
	for i, s := range f.Settings {
		if !s.Secret {
			f.Settings[i].Value = r.text("setting." + s.Key)
		}
	}
	return v.show("channel_form", http.StatusUnprocessableEntity, f)
}

// editChannel asks what is to change of a channel.
func (c *Console) editChannel(v *visit) error {
	f, err := v.editing()
	if err != nil {
		return err
	}
	return v.show("channel_form", http.StatusOK, f)
}

// editing is the form of the channel that the address names.
func (v *visit) editing() (f connecting, err error) {
	channel, err := v.mine()
	if err != nil {
		return f, err
	}
	if f, err = v.connecting(channel.Connector); err != nil {
		return f, err
	}
	f.Channel = &channel
	shown := json.RawMessage(nil)
	if channel.Configured != nil {
		shown = channel.Configured.Shown
	}
	for _, k := range f.Connectors {
		if k.Name == channel.Connector {
			f.Settings, err = settingsOf(k.Settings, shown)
		}
	}
	f.form = form{map[string][]string{}}
	f.set("name", channel.Name)
	f.set("schedule", channel.Schedule)
	f.set("read_back", channel.ReadBack)
	f.setNumber("days", channel.Days)
	f.setNumber("weight", channel.Weight)
	f.setNumber("priority", &channel.Priority)
	f.set("revision", strconv.FormatInt(channel.Revision, 10))
	if m := channel.Markup; m != nil {
		f.set("markup_kind", string(m.Kind))
		f.setDecimal(v.words, "markup", m.Value)
	}
	if m := channel.Commission; m != nil {
		f.setDecimal(v.words, "commission", m.Pct)
	}
	return f, err
}

// saveChannel changes a channel as a form says.
func (c *Console) saveChannel(v *visit) error {
	f, err := v.editing()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	name, readBack, schedule := r.text("name"), r.text("read_back"), cmp.Or(r.text("schedule"), f.Channel.Schedule)
	change := desk.ChannelChange{
		Name: &name, ReadBack: &readBack, Schedule: &schedule, Settings: r.given(f.Settings), Days: r.optional("days"), Weight: r.optional("weight"), Priority: r.number("priority"),
		IfRevision: r.revision(), Terms: func(ch *hotel.Channel) error {
			ch.Markup = nil
			if value := r.decimal("markup"); value != "" {
				ch.Markup = &hotel.Markup{Kind: hotel.AdjustmentKind(r.text("markup_kind")), Value: value}
			}
			switch pct := r.decimal("commission"); {
			case pct == "":
				ch.Commission = nil
			case ch.Commission == nil:
				ch.Commission = &hotel.Commission{Pct: pct, Base: "gross", OnNoShow: true}
			default:
				terms := *ch.Commission
				terms.Pct = pct
				ch.Commission = &terms
			}
			return nil
		},
	}
	if err = r.refusal(); err == nil {
		_, _, err = c.desk.ChangeChannel(v.r.Context(), v.caller, f.Channel.ID, change)
	}
	if err != nil {
		return v.showConnecting(f, r, err)
	}
	http.Redirect(v.w, v.r, v.path("channels/"+f.Channel.ID)+"?done=saved", http.StatusSeeOther)
	return nil
}

// optional is a number that goes back to its default where the field is empty.
func (r *reader) optional(name string) hotel.Optional[int] {
	n := r.number(name)
	if n == nil {
		return hotel.Optional[int]{Set: true, Null: true}
	}
	return hotel.Given(*n)
}
