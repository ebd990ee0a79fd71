package ledger

import "errors"

// each does something for all, whatever becomes of one of them: what is ill with one
// property or channel keeps none of those behind it. It returns all that went wrong.
func each[T any](all []T, do func(T) error) error {
	var failed []error
	for _, x := range all {
		if err := do(x); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}
