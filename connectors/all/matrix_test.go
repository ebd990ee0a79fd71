package all

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var update = flag.Bool("update", false, "write the matrix into the document")

const (
	document = "../../docs/connectors.md"
	begin    = "<!-- matrix: written by go test ./connectors/all -update -->\n"
	end      = "<!-- end of the matrix -->\n"
)

// TestMatrixIsCurrent holds the table of capabilities in the document against what the
// connectors declare of their default settings.
func TestMatrixIsCurrent(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := bytes.Cut(text, []byte(begin))
	_, after, ended := bytes.Cut(rest, []byte(end))
	if !found || !ended {
		t.Fatalf("%s has no place for the matrix", document)
	}
	want := string(before) + begin + matrix(t) + end + string(after)
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil { // a document of the repository
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Errorf("the matrix of %s is not current: go test ./connectors/all -update", document)
	}
}

// everything is settings by which a portal of AlpineBits is told all that it may be.
const everything = `{"url":"https://portal.example","user":"u","password":"p","hotel":"H","standard_guests":"DBL=2","occupancy_prices":true,"booking_rules":true}`

// matrix has a row for each capability and a column for each connector.
func matrix(t *testing.T) string {
	t.Helper()
	var names []string
	var all []connectors.Capabilities
	for _, name := range connectors.Names() {
		if name == "process" { // it is what its program says
			continue
		}
		driver, _ := connectors.Lookup(name)
		names, all = append(names, name), append(all, driver.Capabilities())
		if name == "alpinebits" { // whose portals differ in what they take
			full, err := driver.Configure(nil, json.RawMessage(everything))
			if err != nil {
				t.Fatal(err)
			}
			names, all = append(names, name+" with prices and rules"), append(all, full.Capabilities(connectors.Discovered{}))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	row := func(title string, cell func(connectors.Capabilities) string) {
		cells := make([]string, len(all))
		for i, c := range all {
			cells[i] = cell(c)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", title, strings.Join(cells, " | "))
	}
	yes := func(title string, has func(connectors.Capabilities) bool) {
		row(title, func(c connectors.Capabilities) string {
			if has(c) {
				return "yes"
			}
			return ""
		})
	}
	for _, f := range hotel.Fields {
		row("`"+string(f)+"`", func(c connectors.Capabilities) string { return carried(c.Fields[f]) })
	}
	row("one count per", func(c connectors.Capabilities) string { return c.StockPer.String() })
	yes("a price for each number of guests", func(c connectors.Capabilities) bool { return c.Occupancies })
	row("sellers behind it", func(c connectors.Capabilities) string { return c.Sellers.String() })
	row("an acknowledgement is of the", func(c connectors.Capabilities) string { return c.Acknowledges.String() })
	row("lowers its count on a booking, change, cancellation", func(c connectors.Capabilities) string {
		return fmt.Sprintf("%s, %s, %s", c.AdjustsOn.Book, c.AdjustsOn.Modify, c.AdjustsOn.Cancel)
	})
	yes("a request takes effect once at the most", func(c connectors.Capabilities) bool { return c.AtMostOnce })
	row("sells ahead", func(c connectors.Capabilities) string {
		if c.HorizonDays == 0 {
			return ""
		}
		return fmt.Sprintf("%d days", c.HorizonDays)
	})
	row("a request takes effect within", func(c connectors.Capabilities) string { return within(c.Lifetime) })
	yes("is told how many it may sell in all", func(c connectors.Capabilities) bool { return c.TotalLimit })
	yes("turns down older versions", func(c connectors.Capabilities) bool { return c.Versions })
	yes("recognises repeats", func(c connectors.Capabilities) bool { return c.RepeatKey })
	row("its messages are ordered by", func(c connectors.Capabilities) string { return strings.ReplaceAll(c.FeedOrder.String(), "_", " ") })
	row("a sale is listed within", func(c connectors.Capabilities) string {
		if c.SaleSettle == hotel.Never {
			return "never"
		}
		return within(c.SaleSettle)
	})
	yes("says when a booking was made", func(c connectors.Capabilities) bool { return c.BookingTime })
	yes("tells only what of a group changes", func(c connectors.Capabilities) bool { return c.PartialGroups })
	row("can be asked to", func(c connectors.Capabilities) string {
		var kinds []string
		for _, a := range c.Actions {
			kinds = append(kinds, strings.ReplaceAll(string(a.Kind), "_", " "))
		}
		return strings.Join(kinds, ", ")
	})
	yes("comes to read what we publish", func(c connectors.Capabilities) bool { return c.Publishes })
	yes("serves a system of the hotel's own", func(c connectors.Capabilities) bool { return c.Serves })
	yes("can be asked what it shows", func(c connectors.Capabilities) bool { return c.Reads })
	yes("can be asked for its bookings by date", func(c connectors.Capabilities) bool { return c.Lists && c.ListsByDate })
	yes("its bookings are fetched", func(c connectors.Capabilities) bool { return c.Polls })
	yes("it calls us with bookings", func(c connectors.Capabilities) bool { return c.Receives && !c.Hints })
	yes("it calls us with hints", func(c connectors.Capabilities) bool { return c.Hints })
	yes("is asked for all rooms at once", func(c connectors.Capabilities) bool { return c.ReadsWhole })
	yes("reads messages again that it could not read", func(c connectors.Capabilities) bool { return c.Rereads })
	yes("can be asked what is to be mapped", func(c connectors.Capabilities) bool { return c.HasCatalog })
	row("calls", func(c connectors.Capabilities) string { return strings.Join(limits(c.Buckets), "; ") })
	return b.String() + "\n"
}

// within is a time by the settings of the column, "" where nothing is promised.
func within(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return strings.NewReplacer("m0s", "m", "h0m0s", "h").Replace(d.String())
}

func carried(c hotel.Carriage) string {
	if c.As == hotel.Absent {
		return ""
	}
	text := c.As.String()
	if c.Max > 0 {
		text += fmt.Sprintf(", up to %d", c.Max)
	}
	if c.Level != hotel.PerRate {
		text += ", per " + c.Level.String()
	}
	return text
}

func limits(buckets []connectors.Bucket) []string {
	var out []string
	for _, b := range buckets {
		out = append(out, fmt.Sprintf("%s %d in %s", strings.ReplaceAll(b.Operation, "_", " "), b.N, b.Per))
	}
	return out
}
