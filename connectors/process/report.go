package process

import (
	"context"

	"ostler.example/connectors/process/wire"
)

// report has somebody look at what a program reports, without its secrets.
func (r *run) report(ctx context.Context, said *wire.Report) *wire.Reported {
	out := &wire.Reported{Number: said.Number}
	report, err := said.Read()
	if err == nil && r.env.Report != nil { // where nobody can be told there is nothing to keep
		for _, text := range []*string{&report.Code, &report.Of, &report.Reason} {
			*text = r.conceal.Replace(*text)
		}
		err = r.env.Report(ctx, report)
	}
	if err != nil {
		out.Error = r.conceal.Replace(err.Error())
	}
	return out
}
