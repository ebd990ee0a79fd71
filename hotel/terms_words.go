package hotel

// Fields lists the fields of an offer.
var Fields = []Field{
	FieldAvailable, FieldClosed, FieldClosedToArrival, FieldClosedToDeparture,
	FieldMinStayArrival, FieldMinStayThrough, FieldMaxStayArrival, FieldMaxStayThrough, FieldMinAdvance, FieldMaxAdvance, FieldAmount,
}

// String returns the word that the API uses.
func (s StockPer) String() string { return word(s, "", "room", "product") }

// String returns the word that the API uses.
func (s Sellers) String() string { return word(s, "", "one", "many") }

// String returns the word that the API uses.
func (a Acknowledge) String() string { return word(a, "", "queue", "relay", "seller") }

// String returns the word that the API uses.
func (a Adjust) String() string { return word(a, "unknown", "yes", "no", "never") }

func word[N ~uint8](n N, words ...string) string {
	if int(n) < len(words) {
		return words[n]
	}
	return "?"
}

// String returns the word that the API uses.
func (k CarriageKind) String() string { return word(k, "absent", "exact", "coarser") }

// String returns the word that the API uses.
func (l Level) String() string { return word(l, "product", "room", "property") }

// String returns the word that the API uses.
func (o FeedOrder) String() string {
	return word(o, "none", "revision_text", "revision_number", "time", "revision_count")
}
