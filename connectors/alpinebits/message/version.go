package message

import "slices"

// Version is an edition of the standard, as it is named on the wire.
type Version string

// The versions that are spoken.
const (
	V2020 Version = "2020-10"
	V2022 Version = "2022-10"
	V2024 Version = "2024-10"
)

// Versions lists the versions, the newest first.
var Versions = []Version{V2024, V2022, V2020}

// Known reports whether the version is spoken here.
func (v Version) Known() bool { return slices.Contains(Versions, v) }
