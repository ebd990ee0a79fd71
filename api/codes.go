package api

import "net/http"

const (
	codeInvalid = "validation_failed"
	codeClient  = "invalid_client"
)

// codeInfo explains one problem code.
type codeInfo struct {
	status  int
	title   string
	meaning string
	uri     string // its type, where another document than ours defines it
}

// codes are the codes of problems. They are stable: a code is never renamed nor
// given another status.
var codes = map[string]codeInfo{
	"malformed_json":       {http.StatusBadRequest, "Malformed JSON", "The body is empty, is no JSON, names a member twice, or goes on behind its end.", ""},
	"unknown_parameter":    {http.StatusBadRequest, "Unknown query parameter", "The address has a query parameter that the operation does not know. It is refused because a mistyped name would change the meaning of the question.", ""},
	"invalid_parameter":    {http.StatusBadRequest, "Invalid parameter", "A query parameter or a header has a value that it cannot have.", ""},
	"ambiguous_parameters": {http.StatusBadRequest, "Ambiguous parameters", "The same field was sent in the query and in the body with different values, or two parameters say the same thing in ways of which only one can be meant.", ""},
	"cursor_invalid":       {http.StatusBadRequest, "Invalid cursor", "The cursor is none that this server made. Begin the list again.", ""},
	"cursor_mismatch":      {http.StatusBadRequest, "Cursor of another list", "The cursor belongs to a list with other filters. Send the filters that it was made with, or begin again.", ""},
	"invalid_request":      {http.StatusBadRequest, "Invalid request", "The token was sent more than once, or in a place where it must not be.", ""},

	"missing_token": {http.StatusUnauthorized, "Access token missing", "Ask /oauth/token for an access token and send it as Authorization: Bearer.", ""},
	codeClient:      {http.StatusUnauthorized, "Client not known", "The client id is unknown, or its secret is wrong. The routes below /oauth answer it in the form of RFC 6749.", ""},
	"invalid_token": {http.StatusUnauthorized, "Access token not valid", "The token is unknown, expired or revoked. Ask for another.", ""},

	"guest_merged": {http.StatusPermanentRedirect, "Part of another profile", "The profile was merged into another, which has everything; Location and merged_into name it.", ""},
	"anonymized":   {http.StatusGone, "Forgotten", "The person was forgotten; nothing is left of them.", ""},

	"insufficient_scope":    {http.StatusForbidden, "Scope missing", "The token lacks the scope that the operation needs; WWW-Authenticate names it.", ""},
	"client_suspended":      {http.StatusForbidden, "Client suspended", "The operator has suspended the client.", ""},
	"environment_forbidden": {http.StatusForbidden, "Wrong environment", "The token belongs to the other environment.", ""},

	"not_found":          {http.StatusNotFound, "Not found", "There is nothing at this address, or nothing that the client was granted.", ""},
	"property_not_found": {http.StatusNotFound, "Property not found", "There is no such property, or the client was not granted it.", ""},
	"method_not_allowed": {http.StatusMethodNotAllowed, "Method not allowed", "The address does not take the method; Allow lists those it takes.", ""},
	"not_acceptable":     {http.StatusNotAcceptable, "Not acceptable", "Answers are application/json, which the Accept header rules out.", ""},
	"request_timeout":    {http.StatusRequestTimeout, "Request timeout", "The body did not arrive in time.", ""},

	"as_of_expired": {http.StatusGone, "As of expired", "The journal is no longer kept that far back; earliest is the oldest instant that can be answered for.", ""},

	"body_too_large":         {http.StatusRequestEntityTooLarge, "Body too large", "The body, or what it asks for, is larger than one request may be. Send it in parts.", ""},
	"uri_too_long":           {http.StatusRequestURITooLong, "Address too long", "The address is longer than the server reads.", ""},
	"unsupported_media_type": {http.StatusUnsupportedMediaType, "Unsupported media type", "A body must be sent as application/json; a PATCH also as application/merge-patch+json.", ""},

	"not_available":               {http.StatusConflict, "Not available", "No room can be sold for at least one night; nights lists them, and reason says why: full, house_limit, sell_limit, closed, block, or dealt (on sale at a channel, and being taken back).", ""},
	"restriction_violated":        {http.StatusConflict, "Restriction violated", "A restriction forbids the stay; restrictions lists which.", ""},
	"price_changed":               {http.StatusConflict, "Price changed", "The total is another than the expected one; current_total tells it.", ""},
	"invalid_transition":          {http.StatusConflict, "Not possible in this status", "Its status does not allow the change; allowed lists what it allows.", ""},
	"duplicate_reservation":       {http.StatusConflict, "Duplicate reservation", "The booking is stored already, as existing_id.", ""},
	"duplicate_code":              {http.StatusConflict, "Duplicate code", "Something else has the code.", ""},
	"owned_by_pms":                {http.StatusConflict, "Owned by the PMS", "The property has given what was to be written to its PMS, which alone may write it.", ""},
	"version_conflict":            {http.StatusConflict, "Version conflict", "A cell has another version than the expected one.", ""},
	"nothing_to_undo":             {http.StatusConflict, "Nothing to undo", "Nothing of the update is left to be taken back: its nights are over, or were written again since.", ""},
	"conflict_already_resolved":   {http.StatusConflict, "Settled already", "The conflict was settled by another option.", ""},
	"idempotency_in_progress":     {http.StatusConflict, "Still running", "A request with the same Idempotency-Key is still running. Repeat it after Retry-After.", ""},
	"resource_in_use":             {http.StatusConflict, "In use", "Something else needs it.", ""},
	"business_date_closed":        {http.StatusConflict, "Night is over", "The change touches nights before the business date.", ""},
	"plan_outdated":               {http.StatusConflict, "Plan outdated", "The channel would be told something else by now. Look at its plan again.", ""},
	"raises_need_confirmation":    {http.StatusConflict, "Raises need confirmation", "The channel would show more rooms than it does now; raises lists the nights. Send exactly these as accept_raises.", ""},
	"unchecked_need_confirmation": {http.StatusConflict, "Not everything can be checked", "The channel cannot be asked for all that it has sold, or not for what was fetched from it once; unchecked lists which. See to it that those bookings are stored, then send exactly these as accept_unchecked.", ""},
	"closing_unacknowledged":      {http.StatusConflict, "Closing not acknowledged", "The channel may still show rooms, or may have sold rooms of guarded pools that it was dealt before it was closed; rooms_at_risk tells how many, undrained on how many nights of its counters nobody knows yet, and GET /channels/{id}/cells from date_from to date_to which (exposure). Repeat it in a moment, or force it.", ""},
	"audit_running":               {http.StatusConflict, "Audit under way", "A backup was restored, and it is not known yet what every channel of the property has sold since; channels lists those that are asked. Repeat it when they are audited, or disconnect by force the one that cannot be reached.", ""},
	"channel_unable":              {http.StatusConflict, "Not taken there", "The far side does not take what the channel's settings tell it, as its last test found; fields lists what. Change the settings, or test it again where the far side has changed.", ""},
	"channel_in_shadow":           {http.StatusConflict, "Channel in shadow", "The channel is looked at beside whoever runs it, and told nothing. It goes live by its plan.", ""},
	"channel_not_active":          {http.StatusConflict, "Channel not active", "The channel is told nothing, or receives nothing, in its present status.", ""},
	"channel_action_open":         {http.StatusConflict, "Asked for something else", "The channel of the booking is asked for another action, and has not answered; action and deadline say which and how long. Wait for it, or withdraw it when the conflict cancel_asked is raised.", ""},
	"channel_owned":               {http.StatusConflict, "Owned by its channel", "The booking belongs to the channel that sold it, which cannot be asked for this; instructions says what to do there. Then send it again with done_at_channel.", ""},

	"version_retired": {http.StatusGone, "Retired", "The route was announced to go, and is gone; GET /changelog says what takes its place.", ""},

	"cursor_expired": {http.StatusGone, "Not in the feed", "What follows that place in the journal has left the window of the feed, was lost when a backup was restored, or the place is in another journal, such as that of a sandbox before it was reset. Begin without after, and read again what you keep a copy of.", ""},

	"precondition_failed":    {http.StatusPreconditionFailed, "Changed meanwhile", "The resource has another revision than If-Match names; ETag tells the present one.", ""},
	"precondition_required":  {http.StatusPreconditionRequired, "If-Match missing", "This installation takes a change only with the ETag that its sender has seen, as If-Match.", ""},
	codeInvalid:              {http.StatusUnprocessableEntity, "Request validation failed", "The request is understood and cannot be meant so; errors lists what is wrong.", ""},
	"idempotency_key_reused": {http.StatusUnprocessableEntity, "Idempotency-Key used before", "The key was used for a request with another body or query. Use a new key for a new request.", ""},
	"rate_limit_exceeded":    {http.StatusTooManyRequests, "Too many requests", "The hourly limit is used up, or something was tried too often. Repeat after Retry-After.", "https://iana.org/assignments/http-problem-types#quota-exceeded"},

	"internal_error":          {http.StatusInternalServerError, "Internal error", "The fault is ours. Name the request id when you report it.", ""},
	"not_implemented":         {http.StatusNotImplemented, "Not implemented", "This installation cannot do that.", ""},
	"channel_error":           {http.StatusBadGateway, "Channel error", "The external channel could not be asked, or refused; detail has its words.", ""},
	"channel_timeout":         {http.StatusGatewayTimeout, "Channel timeout", "The external channel did not answer in time.", ""},
	"temporarily_unavailable": {http.StatusServiceUnavailable, "Temporarily unavailable", "The server cannot answer now, or cannot say whether it stored what was sent. Repeat after Retry-After, with the same Idempotency-Key.", "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"},
}

// itemCodes are the codes of the items of validation_failed.
var itemCodes = map[string]string{
	"required":                  "The member is missing.",
	"type":                      "The value is of the wrong JSON type.",
	"format":                    "The value does not have the form of its kind.",
	"enum":                      "The value is none of those that the member takes.",
	"min":                       "The number is too small.",
	"max":                       "The number is too large.",
	"length":                    "The text or list is too short or too long.",
	"pattern":                   "The text does not have the required form.",
	"unknown_field":             "The member is not known.",
	"read_only":                 "The server sets the member.",
	"date_order":                "One date must not come before, or with, the other.",
	"date_in_past":              "The date lies before the business date.",
	"date_horizon":              "The date lies beyond the booking horizon.",
	"stay_too_long":             "The stay has too many nights.",
	"unknown_room_type":         "The property has no such room type.",
	"unknown_rate_plan":         "The property has no such rate plan, or it is not sold by the client.",
	"unknown_group":             "The property has no such group of the same source.",
	"unknown_pool":              "The property has no such pool.",
	"pool_owned":                "The fact belongs to a pool that the room type shares; write it through the pool.",
	"unknown_option":            "The option is not known.",
	"currency_mismatch":         "The amount is in another currency than the rate plan's.",
	"amount_precision":          "The amount has more decimals than its currency.",
	"occupancy_exceeded":        "The room is too small for the party.",
	"restriction_contradiction": "A minimum lies above its maximum.",
	"ambiguous_mapping":         "The product is mapped already.",
	"not_exact":                 "No value of the field makes the channel show just that.",
	"locked":                    "Somebody holds the night.",
}
