package api

import (
	"net/url"

	"github.com/danielgtaylor/huma/v2"
)

// repeated finds the parameters of an operation that the query has more than once.
// None takes several: of a list, the values are separated by commas.
func repeated(op *huma.Operation, u *url.URL) []item {
	var items []item
	values := u.Query()
	for _, p := range op.Parameters {
		if p.In == "query" && len(values[p.Name]) > 1 {
			items = append(items, sentTwice(p.Name))
		}
	}
	return items
}

func sentTwice(name string) item {
	return item{Parameter: name, Code: "length", Detail: "must be sent once; the values of a list are separated by commas"}
}

func repeatedParameter(items []item) *problem {
	return &problem{Code: "invalid_parameter", Detail: "A query parameter was sent twice.", Errors: items}
}
