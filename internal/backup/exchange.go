package backup

import "os"

// exchangeByName puts two folders in each other's place, one name after the other.
// What a kill in between leaves has to be put right by hand.
func exchangeByName(a, b string) error {
	aside := a + ".exchanged"
	if err := os.Rename(b, aside); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		return err
	}
	return os.Rename(aside, a)
}
