package report

import "strings"

// SheetCell returns a text as it stands in a table for spreadsheets: what others have
// typed, such as the name of a guest, is not to be taken for a formula. It is not for
// numbers, whose sign is theirs.
func SheetCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
