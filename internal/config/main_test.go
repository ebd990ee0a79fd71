package config_test

import (
	"flag"

	_ "ostler.example/connectors/all"
)

var update = flag.Bool("update", false, "write what the tests expect")
