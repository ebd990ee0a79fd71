package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"

	"ostler.example/hotel"
)

// Figures is how things stand. Ages are zero where there is nothing that could be old.
type Figures struct {
	Sequence  int64            // of the journal's newest entry
	Readers   map[string]int64 // entries that each reader of the journal is still to look at
	Conflicts map[string]int   // open ones by kind, every kind named
	Channels  []Channel
	Exposed   map[string]int   // rooms that a property's channels could sell beyond what is free, by property
	Files     map[string]int64 // sizes in bytes: database, log

	Webhooks       int           // deliveries that wait
	WebhookAge     time.Duration // since the oldest of them was made
	Unacknowledged time.Duration // since the oldest booking of the last day came that a client is still to acknowledge
	Backup         time.Duration // since the newest backup
	HasBackup      bool

	Certificates []Certificate
}

// Certificate is what one listener shows of itself.
type Certificate struct {
	Listener string
	Left     time.Duration // until it ends; less than 0: it has ended
	Due      bool          // it should have been renewed by now
}

// Channel is how one channel stands.
type Channel struct {
	ID, Property, Connector, Status string

	Lag     int           // values that it is still to be told
	Unknown int           // those of them whose last call has no known outcome
	Refused int           // values that it refuses
	Held    int           // prices that its guard keeps from being sent
	Behind  time.Duration // since the oldest change that it has not confirmed
	Unread  int           // messages that could not be read
	Pulled  time.Duration // since its bookings were last fetched
	Fetched bool          // they ever were
	Breaker string        // closed, half_open or open; "" while it is not open to be told
	Queued  int           // calls that wait for the limits
	Buckets []Bucket
}

// Bucket is one limit of calls as it stands.
type Bucket struct {
	Operation, Property string
	Limit, Remaining    int
}

// figuresKept is how long figures are shown again rather than read anew, however many
// ask for them.
const figuresKept = 5 * time.Second

// Watch has read called when somebody wants to see how things stand, at most once in
// five seconds. Once only; stop ends it.
func (m *Metrics) Watch(read func(context.Context) (Figures, error)) (stop func()) {
	c := newStanding(read, m.clock, m.log)
	m.registry.MustRegister(c)
	return c.stop
}

// breakerStates are the words for what a breaker does, in the order of their numbers.
var breakerStates = []string{"closed", "half_open", "open"}

// standing is a collector of figures that are read when they are asked for.
type standing struct {
	read  func(context.Context) (Figures, error)
	clock hotel.Clock
	log   *zap.Logger

	mu   sync.Mutex
	last Figures
	at   time.Time // of last; zero: there is none
	err  error
	done bool // nothing is read any more

	up, sequence, readers, conflicts, exposed, files      *prometheus.Desc
	info, status, lag, unknown, refused, held             *prometheus.Desc
	behind, unread, pulled                                *prometheus.Desc
	circuit, queued, limit, remaining                     *prometheus.Desc
	webhooks, webhookAge, unacknowledged, backup, backups *prometheus.Desc
	certificate, certificateDue                           *prometheus.Desc
}

func newStanding(read func(context.Context) (Figures, error), clock hotel.Clock, log *zap.Logger) *standing {
	d := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
	}
	return &standing{
		read: read, clock: clock, log: log,
		up:             d("ledger_up", "1 while the ledger answers; where it is 0, what is read from it is missing."),
		sequence:       d("journal_sequence", "The number of the journal's newest entry."),
		readers:        d("cursor_lag", "Entries of the journal that a reader is still to look at: house (what follows from facts), channel:ID, webhook:ID.", "reader"),
		conflicts:      d("conflicts_open", "Conflicts that nobody has decided.", "kind"),
		exposed:        d("sync_exposed_units", "Rooms that the channels of a property could sell beyond what is free, over all nights; without what a policy of guarded rooms accepts.", "property"),
		files:          d("db_bytes", "Size of the ledger's files: database, log.", "file"),
		info:           d("channel_info", "Always 1; says what a channel is.", "channel", "property", "connector"),
		status:         d("channel_status", "1 for the status that a channel has.", "channel", "status"),
		lag:            d("sync_lag_cells", "Values that a channel is still to be told.", "channel"),
		unknown:        d("sync_unknown_cells", "Values whose last call has no known outcome.", "channel"),
		refused:        d("sync_rejected_cells", "Values that a channel refuses.", "channel"),
		held:           d("sync_held_cells", "Prices that the guard of a channel keeps from being sent.", "channel"),
		behind:         d("sync_stale_seconds", "Age of the oldest change that a channel has not confirmed, the window in which it may sell what is gone; 0: it owes nothing.", "channel"),
		unread:         d("messages_unread", "Messages of a channel that could not be read.", "channel"),
		pulled:         d("bookings_fetched_seconds", "Time since the bookings of a channel were last asked for.", "channel"),
		circuit:        d("circuit_state", "The breaker of a channel's account: 0 closed, 1 half open, 2 open.", "channel"),
		queued:         d("sync_queued_calls", "Calls to a channel that wait for its limits.", "channel"),
		limit:          d("bucket_limit", "Calls that a channel permits in the span of a limit.", "channel", "operation", "property"),
		remaining:      d("bucket_remaining", "Calls that are left of a limit.", "channel", "operation", "property"),
		webhooks:       d("webhook_queue", "Deliveries to clients' webhooks that wait."),
		webhookAge:     d("webhook_oldest_seconds", "Age of the oldest delivery that waits; 0: none does."),
		unacknowledged: d("booking_unacknowledged_seconds", "Age of the oldest booking of the last day that no client has acknowledged though one is to; 0: there is none."),
		backup:         d("backup_age_seconds", "Time since the newest backup was taken."),
		backups:        d("backup_exists", "1 when the folder of backups holds one."),
		certificate:    d("certificate_left_seconds", "Time until the certificate ends that a listener shows; less than 0: it has ended.", "listener"),
		certificateDue: d("certificate_due", "1 when that certificate should have been renewed: two weeks before it ends, or in the last quarter of one that is made for a short time.", "listener"),
	}
}

// Describe implements [prometheus.Collector].
func (s *standing) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		s.up, s.sequence, s.readers, s.conflicts, s.exposed, s.files, s.info, s.status, s.lag, s.unknown, s.refused, s.held, s.behind, s.unread, s.pulled,
		s.circuit, s.queued, s.limit, s.remaining, s.webhooks, s.webhookAge, s.unacknowledged, s.backup, s.backups, s.certificate, s.certificateDue,
	} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (s *standing) Collect(ch chan<- prometheus.Metric) {
	f, err := s.figures()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	if err != nil {
		gauge(s.up, 0)
		return
	}
	gauge(s.up, 1)
	gauge(s.sequence, float64(f.Sequence))
	for reader, n := range f.Readers {
		gauge(s.readers, float64(n), reader)
	}
	for kind, n := range f.Conflicts {
		gauge(s.conflicts, float64(n), kind)
	}
	for property, n := range f.Exposed {
		gauge(s.exposed, float64(n), property)
	}
	for file, n := range f.Files {
		gauge(s.files, float64(n), file)
	}
	for i := range f.Channels {
		s.collectChannel(gauge, &f.Channels[i])
	}
	gauge(s.webhooks, float64(f.Webhooks))
	gauge(s.webhookAge, f.WebhookAge.Seconds())
	gauge(s.unacknowledged, f.Unacknowledged.Seconds())
	gauge(s.backups, number(f.HasBackup))
	if f.HasBackup {
		gauge(s.backup, f.Backup.Seconds())
	}
	for _, c := range f.Certificates {
		gauge(s.certificate, c.Left.Seconds(), c.Listener)
		gauge(s.certificateDue, number(c.Due), c.Listener)
	}
}

func (s *standing) collectChannel(gauge func(*prometheus.Desc, float64, ...string), c *Channel) {
	gauge(s.info, 1, c.ID, c.Property, c.Connector)
	gauge(s.status, 1, c.ID, c.Status)
	gauge(s.lag, float64(c.Lag), c.ID)
	gauge(s.unknown, float64(c.Unknown), c.ID)
	gauge(s.refused, float64(c.Refused), c.ID)
	gauge(s.held, float64(c.Held), c.ID)
	gauge(s.behind, c.Behind.Seconds(), c.ID)
	gauge(s.unread, float64(c.Unread), c.ID)
	if c.Fetched {
		gauge(s.pulled, c.Pulled.Seconds(), c.ID)
	}
	for n, word := range breakerStates {
		if c.Breaker == word {
			gauge(s.circuit, float64(n), c.ID)
			gauge(s.queued, float64(c.Queued), c.ID)
		}
	}
	for _, b := range c.Buckets {
		gauge(s.limit, float64(b.Limit), c.ID, b.Operation, b.Property)
		gauge(s.remaining, float64(b.Remaining), c.ID, b.Operation, b.Property)
	}
}

// figures returns how things stand, as of a few seconds ago at most. Of those who ask
// at the same time one reads.
func (s *standing) figures() (Figures, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return Figures{}, context.Canceled
	}
	now := s.clock.Now()
	if age := now.Sub(s.at); !s.at.IsZero() && age >= 0 && age < figuresKept {
		return s.last, s.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	s.last, s.err = s.read(ctx)
	s.at = now
	if s.err != nil {
		s.log.Warn("how things stand could not be read for the metrics", zap.Error(s.err))
	}
	return s.last, s.err
}

// stop waits for what is being read, and lets nothing be read any more.
func (s *standing) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
