package config

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"filippo.io/age"
)

// reader takes one value of the file over. Its error says what was expected and
// does not quote the value, which may be a secret in the wrong place.
type reader func(value any) error

// text is a reader of a text.
func text(into *string, check func(string) error) reader {
	return func(value any) error {
		s, ok := value.(string)
		if !ok {
			return errors.New("expected a text in quotes")
		}
		if err := check(s); err != nil {
			return err
		}
		*into = s
		return nil
	}
}

func folder(into *string) reader { return text(into, checkFolder) }

func checkFolder(s string) error {
	if !filepath.IsAbs(s) || filepath.Clean(s) == "/" || strings.ContainsFunc(s, unicode.IsControl) || !utf8.ValidString(s) {
		return errors.New("expected the full path of a folder, such as /var/lib/ostler")
	}
	return nil
}

// checkNoFolder takes no folder as well.
func checkNoFolder(s string) error {
	if s == "" {
		return nil
	}
	return checkFolder(s)
}

// checkHost takes the name or address of a machine, or none.
func checkHost(s string) error {
	if strings.ContainsAny(s, ":/ ") && !validAddr(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return errors.New("expected the name of a machine, such as smtp.hotel.example; the port has a key of its own")
	}
	return nil
}

func validAddr(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

func anyText(string) error { return nil }

// checkSecretName takes the name of an entry of [secrets], or none.
func checkSecretName(s string) error {
	if s != "" && !plainName.MatchString(s) {
		return errors.New("expected the name of an entry of [secrets]; never the secret itself")
	}
	return nil
}

// checkMail takes an address of mail, or none.
func checkMail(s string) error {
	if s == "" {
		return nil
	}
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
		return errors.New("expected an address of mail, such as ostler@hotel.example, and no name beside it")
	}
	return nil
}

// recipients is a reader of a list of public keys of age.
func recipients(into *[]string) reader {
	wrong := errors.New(`expected a list of public keys of age, such as ["age1..."]; make a pair with age-keygen, and keep the secret one elsewhere`)
	return func(value any) error {
		list, ok := value.([]any)
		if !ok {
			return wrong
		}
		var read []string
		for _, v := range list {
			s, _ := v.(string)
			if _, err := age.ParseRecipients(strings.NewReader(s)); err != nil {
				return wrong
			}
			read = append(read, strings.TrimSpace(s))
		}
		*into = read
		return nil
	}
}

// origin is a reader of an address without a path; "" is none.
func origin(into *string) reader {
	return text(into, func(s string) error {
		if s == "" {
			return nil
		}
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Scheme+"://"+u.Host != s {
			return errors.New("expected the scheme and the host only, such as https://hotel.example; leave out the path and what follows it")
		}
		return nil
	})
}

// address is a reader of HOST:PORT.
func address(into *string) reader { return text(into, checkAddress) }

// noAddress is a reader of HOST:PORT; "" is none.
func noAddress(into *string) reader {
	return text(into, func(s string) error {
		if s == "" {
			return nil
		}
		return checkAddress(s)
	})
}

func checkAddress(s string) error {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return errors.New("expected HOST:PORT, such as 127.0.0.1:8080")
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" && host != "localhost" {
		return errors.New("expected an IP address before the colon, such as 127.0.0.1, or nothing for every address of the machine")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errors.New("expected a port between 0 and 65535 behind the colon")
	}
	return nil
}

// networks is a reader of a list of networks.
func networks(into *[]netip.Prefix) reader {
	return func(value any) error {
		list, ok := value.([]any)
		if !ok {
			return errors.New(`expected a list of networks, such as ["127.0.0.1/32", "10.0.0.0/8"]`)
		}
		var read []netip.Prefix
		for _, v := range list {
			s, _ := v.(string)
			n, err := netip.ParsePrefix(s)
			if at, single := netip.ParseAddr(s); err != nil && single == nil {
				n, err = netip.PrefixFrom(at, at.BitLen()), nil
			}
			if err != nil {
				return errors.New(`expected a list of networks, such as ["127.0.0.1/32", "10.0.0.0/8"]`)
			}
			read = append(read, n.Masked())
		}
		*into = read
		return nil
	}
}

func oneOf(into *string, allowed ...string) reader {
	return text(into, func(s string) error {
		if !slices.Contains(allowed, s) {
			return fmt.Errorf("expected one of: %s", strings.Join(allowed, ", "))
		}
		return nil
	})
}

func boolean(into *bool) reader {
	return func(value any) error {
		b, ok := value.(bool)
		if !ok {
			return errors.New("expected true or false, without quotes")
		}
		*into = b
		return nil
	}
}

// number is a reader of a whole number from least to most, both included.
func number(into *int, least, most int) reader {
	return func(value any) error {
		n, ok := value.(int64)
		if !ok || n < int64(least) || n > int64(most) {
			return fmt.Errorf("expected a whole number between %d and %d", least, most)
		}
		*into = int(n)
		return nil
	}
}

// duration is a reader of a time such as "10s", from least to most, both
// included.
func duration(into *time.Duration, least, most time.Duration) reader {
	return func(value any) error {
		s, _ := value.(string)
		d, err := time.ParseDuration(s)
		if err != nil || d < least || d > most {
			return fmt.Errorf("expected a time between %s and %s in quotes, such as \"%s\"", short(least), short(most), short(most))
		}
		*into = d
		return nil
	}
}

// The fewest and the most months that can be kept.
const (
	fewestMonths = 2
	mostMonths   = 1200
)

// months is a reader of a time such as "25 months"; "forever" is 0.
func months(into *int) reader {
	return func(value any) error {
		s, _ := value.(string)
		if s == "forever" {
			*into = 0
			return nil
		}
		number, unit, _ := strings.Cut(s, " ")
		n, err := strconv.Atoi(number)
		if err != nil || unit != "months" || n < fewestMonths || n > mostMonths {
			return fmt.Errorf("expected \"%d months\" or more, or \"forever\"", fewestMonths)
		}
		*into = n
		return nil
	}
}

// short writes 1m instead of 1m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// mostRequests is more than a machine can serve in an hour.
const mostRequests = 1_000_000_000

func tier(c *Config, name string) reader {
	return func(value any) error {
		if !plainName.MatchString(name) {
			return errors.New("the name of a tier is made of lower-case letters, digits and underscores")
		}
		var n int
		if err := number(&n, 1, mostRequests)(value); err != nil {
			return err
		}
		c.RateLimits.Tiers[name] = n
		return nil
	}
}
