package sync_test

import "testing"

// plant returns the named bug, made anew.
func plant(t *testing.T, name string) bug {
	if made, ok := bugs[name]; ok {
		return made()
	}
	t.Fatalf("there is no bug %q", name)
	return bug{}
}
