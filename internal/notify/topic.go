package notify

import (
	"strings"
	"time"

	"ostler.example/hotel"
)

// What lasts and concerns every property is about a topic, whose text names it in the
// ledger and to addresses that are called: what it is, and its parts, such as
// "certificate api 2026-12-05". Mail says it in words.
const (
	topicSecret      = "secret"
	topicCertificate = "certificate"

	// BackupTopic is that of backups.
	BackupTopic = "backup"
)

// SecretTopic is that of a secret of a client's that ends.
func SecretTopic(id, client, name string, ends time.Time) string {
	return strings.Join([]string{topicSecret, id, client, hotel.DateIn(ends, time.UTC).String(), name}, " ")
}

// CertificateTopic is that of a certificate that a listener shows, and that ends.
func CertificateTopic(listener string, ends time.Time) string {
	return strings.Join([]string{topicCertificate, listener, hotel.DateIn(ends, time.UTC).String()}, " ")
}

// unnamed is a topic, or what else something is about, without what may be called
// otherwise tomorrow and is the same.
func unnamed(text string) string {
	if of := strings.SplitN(text, " ", topicParts); of[0] == topicSecret && len(of) == topicParts {
		return strings.Join(of[:topicParts-1], " ")
	}
	return text
}

// topicParts is how many parts the topic of a secret has. The last, a name, may have spaces.
const topicParts = 5

// topic says in words what something of a topic is about.
func (w *words) topic(text string) string {
	of := strings.SplitN(text, " ", topicParts)
	if of[0] == topicSecret && len(of) == topicParts-1 {
		of = append(of, of[2]) // no name is kept with it
	}
	switch {
	case of[0] == topicSecret && len(of) == topicParts:
		return w.of("secret", "id", of[1], "client", of[2], "date", w.written(of[3]), "name", of[4])
	case of[0] == topicCertificate && len(of) == 3:
		return w.of("certificate", "listener", of[1], "date", w.written(of[2]))
	}
	return text
}

// written is a date that was written down, as the language writes it.
func (w *words) written(text string) string {
	d, err := hotel.ParseDate(text)
	if err != nil {
		return text
	}
	return w.date(d)
}
