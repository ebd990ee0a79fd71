package hotel

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"
)

// Currency is an ISO 4217 code in capitals.
type Currency string

// Where the digits that are usual in writing, which x/text knows, are fewer than
// the minor unit of ISO 4217.
var exponents = map[Currency]int{
	"AFN": 2, "ALL": 2, "COP": 2, "IDR": 2, "IQD": 3, "IRR": 2, "KPW": 2, "LAK": 2, "LBP": 2, "MGA": 2, "MMK": 2,
	"PKR": 2, "RSD": 2, "SLE": 2, "SOS": 2, "STN": 2, "SYP": 2, "TZS": 2, "UZS": 2, "YER": 2,
}

// Exponent returns how many decimals the currency has: EUR 2, JPY 0, KWD 3.
// Unknown codes have 2.
func (c Currency) Exponent() int {
	if n, ok := exponents[c]; ok {
		return n
	}
	unit, err := currency.ParseISO(string(c))
	if err != nil {
		return 2
	}
	scale, _ := currency.Standard.Rounding(unit)
	return scale
}

// unions are the currencies of ISO 4217 that belong to no single country. Every
// other code that begins with an X stands for metals, units of account, tests, or
// nothing.
var unions = []Currency{"XAF", "XCD", "XCG", "XOF", "XPF"}

// Known reports whether the code is a currency of ISO 4217 in which something can be
// paid: XAU, XTS and XXX are none.
func (c Currency) Known() bool {
	if strings.HasPrefix(string(c), "X") {
		return slices.Contains(unions, c)
	}
	_, err := currency.ParseISO(string(c))
	return err == nil && strings.ToUpper(string(c)) == string(c)
}

// Money is an amount in minor units (cents) of a currency. There is no float
// in it and none may be made from it.
type Money struct {
	Minor    int64
	Currency Currency
}

var (
	amountForm = regexp.MustCompile(`^-?\d{1,12}(\.\d{1,4})?$`) // of what is asked
	storedForm = regexp.MustCompile(`^-?\d{1,19}(\.\d{1,4})?$`) // of any 64 bits of minor units, also in a sum
)

// ParseMoney reads a decimal amount such as "189.00", below 10^12 of its currency. More
// decimals than the currency has are refused, not rounded.
func ParseMoney(amount string, c Currency) (Money, error) { return parseMoney(amount, c, amountForm) }

func parseMoney(amount string, c Currency, form *regexp.Regexp) (Money, error) {
	if !form.MatchString(amount) {
		return Money{}, fmt.Errorf("amount %q is not a decimal number such as 189.00", amount)
	}
	whole, frac, _ := strings.Cut(amount, ".")
	exp := c.Exponent()
	if len(frac) > exp {
		return Money{}, fmt.Errorf("amount %q has more than the %d decimals of %s", amount, exp, c)
	}
	frac += strings.Repeat("0", exp-len(frac))
	minor, err := strconv.ParseInt(whole+frac, 10, 64)
	if err != nil {
		return Money{}, fmt.Errorf("amount %q is out of range", amount)
	}
	return Money{Minor: minor, Currency: c}, nil
}

// Amount returns the decimal form with exactly the currency's decimals.
func (m Money) Amount() string {
	exp := m.Currency.Exponent()
	sign, digits := "", strconv.FormatInt(m.Minor, 10)
	if m.Minor < 0 {
		sign, digits = "-", digits[1:]
	}
	if exp == 0 {
		return sign + digits
	}
	if n := exp + 1 - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	at := len(digits) - exp
	return sign + digits[:at] + "." + digits[at:]
}

// String returns the amount with its currency: "189.00 EUR".
func (m Money) String() string { return m.Amount() + " " + string(m.Currency) }

// IsZero reports whether no money is meant at all: no amount and no currency.
func (m Money) IsZero() bool { return m == Money{} }

// moneyJSON is how money is stored and sent.
type moneyJSON struct {
	Amount   string   `json:"amount"`
	Currency Currency `json:"currency"`
}

// MarshalJSON writes {"amount":"189.00","currency":"EUR"}.
func (m Money) MarshalJSON() ([]byte, error) {
	return json.Marshal(moneyJSON{m.Amount(), m.Currency})
}

// Countable reports whether it is an amount that somebody may ask for: below 10^12 of its
// currency, either way. What a channel sends may be anything.
func (m Money) Countable() bool {
	_, err := ParseMoney(m.Amount(), m.Currency)
	return err == nil
}

// UnmarshalJSON reads whatever MarshalJSON writes, also a sum that nobody may ask for: what
// is stored can be read. There are as many decimals as the currency has or fewer.
func (m *Money) UnmarshalJSON(b []byte) error {
	var v moneyJSON
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("money: %w", err)
	}
	read, err := parseMoney(v.Amount, v.Currency, storedForm)
	if err != nil {
		return err
	}
	*m = read
	return nil
}
