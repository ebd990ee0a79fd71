package channex

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// secret are the members of a booking that tell of a card or of how to charge it.
// What an agency sent by itself may have it anywhere.
var secret = []string{"guarantee", "raw_message", "payment_instruction"}

// ofDeposit is what of a deposit is kept: how much it was, and not how it was charged.
var ofDeposit = []string{"amount", "currency"}

// withoutCards returns a revision as it came but for what tells of cards, also of
// masked ones and of what stands for one. What is no JSON is not kept.
func withoutCards(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var said any
	if err := d.Decode(&said); err != nil {
		return nil
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(cleared(said)) // of what was decoded: nothing that can fail
	return bytes.TrimSpace(out.Bytes())
}

// cleared returns a value without the members that tell of cards.
func cleared(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if tellsOfCard(strings.ToLower(name)) {
				delete(v, name)
				continue
			}
			if strings.EqualFold(name, "deposits") {
				v[name] = amountsOf(member)
				continue
			}
			v[name] = cleared(member)
		}
	case []any:
		for i := range v {
			v[i] = cleared(v[i])
		}
	}
	return v
}

// amountsOf returns deposits with nothing but their amounts.
func amountsOf(deposits any) []any {
	list, _ := deposits.([]any)
	out := []any{}
	for _, d := range list {
		kept := map[string]any{}
		said, _ := d.(map[string]any)
		for _, name := range ofDeposit {
			switch said[name].(type) {
			case string, json.Number:
				kept[name] = said[name]
			}
		}
		out = append(out, kept)
	}
	return out
}

func tellsOfCard(name string) bool {
	return slices.Contains(secret, name) || strings.Contains(name, "card") || strings.Contains(name, "cvv") || strings.Contains(name, "cvc") ||
		strings.Contains(name, "token") || strings.HasPrefix(name, "stripe")
}
