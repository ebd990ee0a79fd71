//go:build race

package race

// On says that it runs.
const On = true
