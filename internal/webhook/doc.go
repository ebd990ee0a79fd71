// Package webhook calls the receivers of webhooks. A [Worker] reads the journal for
// every endpoint, by the endpoint's own cursor, and makes deliveries of what its
// client may hear; a [Post] signs a body as Standard Webhooks has it, calls, and
// says what came of it. What was called and when it is called again stands in the
// ledger. The package keeps no facts of its own and writes no event: what an event
// looks like is the API's.
package webhook
