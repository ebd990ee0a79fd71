package connectortest

import (
	"encoding/json"
	"slices"
)

// Programs is the connector that runs programs which are connectors.
const Programs = "process"

// ByProgram returns the harness of a program that takes the connector's place at the
// same far side: it gets the connector's settings, of those the secrets apart. The
// command is the program's full path and its arguments.
func (h Harness) ByProgram(command ...string) Harness {
	start := h.Start
	return Harness{
		Driver: Programs, StandIn: true,
		Start: func(t T) FarSide {
			far := start(t)
			far.Defaults = map[string]any{"programs": map[string]any{"tried": map[string]any{"command": command}}}
			far.Settings = toldProgram(t, far)
			return far
		},
		Skip: map[string]string{"ExampleDecodes": "the example of settings names a program that is not installed"},
	}
}

// toldProgram splits settings into what a program is told and its secrets.
func toldProgram(t T, far FarSide) json.RawMessage {
	var own map[string]any
	if err := json.Unmarshal(far.Settings, &own); err != nil {
		t.Fatalf("the settings are no object: %v", err)
	}
	secrets := map[string]any{}
	for name, value := range own {
		if text, ok := value.(string); ok && slices.Contains(far.Secrets, text) {
			secrets[name] = text
			delete(own, name)
		}
	}
	raw, err := json.Marshal(map[string]any{"program": "tried", "settings": own, "secrets": secrets})
	if err != nil {
		t.Fatalf("write the settings: %v", err)
	}
	return raw
}
