package ledger

import (
	"context"
	cmdline "flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = cmdline.Bool("update", false, "write schema.sql anew")

// TestSchemaIsWhatTheMigrationsMake keeps schema.sql, the whole schema in one
// place for people to read, equal to all migrations.
func TestSchemaIsWhatTheMigrationsMake(t *testing.T) {
	h := newHouse(t)
	rows, err := h.readDB.QueryContext(context.Background(), `
		SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'goose%' AND tbl_name NOT LIKE 'sqlite%'
		ORDER BY tbl_name, type DESC, name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got := "-- The schema that all migrations make, written by `make generate`.\n"
	for rows.Next() {
		var sql string
		if err := rows.Scan(&sql); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(sql, "CREATE TABLE") {
			got += "\n"
		}
		got += sql + ";\n"
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.sql", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := must(os.ReadFile("schema.sql"))(t)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("run `make generate`: schema.sql is not what the migrations make (-schema.sql +migrations):\n%s", diff)
	}
}

func TestEveryTableIsStrict(t *testing.T) {
	h := newHouse(t)
	var loose string
	err := h.readDB.QueryRowContext(context.Background(), `
		SELECT COALESCE(group_concat(name), '') FROM pragma_table_list
		WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%'`).Scan(&loose)
	if err != nil {
		t.Fatal(err)
	}
	if loose != "" {
		t.Errorf("tables that are not STRICT: %s", loose)
	}
}
