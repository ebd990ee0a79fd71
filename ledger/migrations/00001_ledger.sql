-- +goose Up
-- +goose StatementBegin

-- Conventions. Instants are microseconds since 1970 UTC, nights are days since
-- 1970-01-01 in the property's zone, money is minor units. Ids are made in Go.
-- now() appears nowhere, so the same statements can serve another database.

CREATE TABLE ledger (
    one        INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id         TEXT    NOT NULL,
    epoch      INTEGER NOT NULL CHECK (epoch >= 1), -- raised by every restore
    created_at INTEGER NOT NULL
) STRICT;

-- What the house is made of. Each resource is a document: body holds all of its
-- members as JSON, and what SQL needs of them is computed from it, so that no
-- column can say anything else. A property is always read whole, so references
-- from one body to another are checked by the writer.

CREATE TABLE property (
    id         TEXT    NOT NULL PRIMARY KEY,
    body       TEXT    NOT NULL CHECK (json_valid(body)),
    status     TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'status') STORED CHECK (status IN ('active', 'suspended', 'archived')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision   INTEGER NOT NULL CHECK (revision >= 1),
    CHECK ((body ->> 'name' <> '') IS TRUE),
    CHECK ((length(body ->> 'currency') = 3) IS TRUE),
    CHECK ((length(body ->> 'country') = 2) IS TRUE),
    CHECK ((body ->> 'booking_horizon_days' BETWEEN 1 AND 1095) IS TRUE)
) STRICT;

CREATE TABLE pool (
    id          TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    property_id TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'property_id') STORED REFERENCES property (id),
    code        TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'code') STORED,
    own_of      TEXT    GENERATED ALWAYS AS (body ->> 'own_of') STORED REFERENCES room_type (id) DEFERRABLE INITIALLY DEFERRED,
    status      TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'status') STORED CHECK (status IN ('active', 'archived')),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1),
    UNIQUE (property_id, code),
    CHECK ((body ->> 'total_units' BETWEEN 0 AND 9999) IS TRUE)
) STRICT;

CREATE TABLE room_type (
    id          TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    property_id TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'property_id') STORED REFERENCES property (id),
    code        TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'code') STORED CHECK (code = lower(code)),
    position    INTEGER NOT NULL GENERATED ALWAYS AS (body ->> 'position') STORED,
    status      TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'status') STORED CHECK (status IN ('active', 'archived')),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1),
    UNIQUE (property_id, code),
    CHECK ((json_array_length(body, '$.consumes') BETWEEN 1 AND 8) IS TRUE),
    CHECK ((body ->> 'base_occupancy' BETWEEN 1 AND 20) IS TRUE),
    CHECK ((body ->> 'max_adults' >= 1) IS TRUE),
    CHECK ((body ->> 'max_children' >= 0) IS TRUE),
    CHECK ((body ->> 'max_occupancy' >= body ->> 'base_occupancy') IS TRUE)
) STRICT;

CREATE TABLE rate_plan (
    id          TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    property_id TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'property_id') STORED REFERENCES property (id),
    code        TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'code') STORED,
    position    INTEGER NOT NULL GENERATED ALWAYS AS (body ->> 'position') STORED,
    status      TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'status') STORED CHECK (status IN ('active', 'archived')),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1),
    UNIQUE (property_id, code),
    CHECK ((length(body ->> 'currency') = 3) IS TRUE),
    CHECK ((body ->> 'pricing_model' IN ('per_room', 'per_occupancy')) IS TRUE),
    CHECK ((body ->> 'tax_mode' IN ('inclusive', 'exclusive')) IS TRUE),
    CHECK ((body ->> 'audience' IN ('public', 'restricted')) IS TRUE)
) STRICT;

-- A document, like the parts of the house. What rules do to prices is derived.
CREATE TABLE pricing_rule (
    id          TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    property_id TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'property_id') STORED REFERENCES property (id),
    priority    INTEGER NOT NULL GENERATED ALWAYS AS (body ->> 'priority') STORED CHECK (priority BETWEEN 1 AND 1000),
    enabled     INTEGER NOT NULL GENERATED ALWAYS AS (body ->> 'enabled') STORED CHECK (enabled IN (0, 1)),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1),
    CHECK ((body ->> '$.action.kind' IN ('percent', 'amount', 'set')) IS TRUE)
) STRICT;

CREATE INDEX pricing_rule_by_property ON pricing_rule (property_id, priority, id);

-- Facts by night: everything that was said of one subject on one night, as one
-- JSON value. A subject is the property, a pool, a room type, room_type/rate_plan, where '' means
-- every one, or pricing_rule/room_type; without a row it has its defaults. A large update is in the
-- journal before it is here; whoever reads facts lays such entries over them.
CREATE TABLE fact_night (
    property_id TEXT    NOT NULL REFERENCES property (id),
    sheet       TEXT    NOT NULL CHECK (sheet IN ('house', 'pool', 'room', 'given', 'shown', 'price', 'rule', 'switch')),
    night       INTEGER NOT NULL,
    subject     TEXT    NOT NULL,
    value       TEXT    NOT NULL CHECK (json_valid(value)),
    version     INTEGER NOT NULL, -- journal sequence of the last change
    source      TEXT    NOT NULL,
    updated_at  INTEGER NOT NULL,
    PRIMARY KEY (property_id, sheet, night, subject),
    CHECK (sheet <> 'pool' OR coalesce(value ->> 'total', 0) BETWEEN 0 AND 9999),
    CHECK (sheet <> 'pool' OR (value ->> 'out_of_order' >= 0 AND value ->> 'out_of_inventory' >= 0 AND value ->> 'overbooking_limit' >= 0) IS TRUE),
    CHECK (sheet <> 'house' OR coalesce(value ->> 'house_limit', 0) >= 0),
    CHECK (sheet <> 'room' OR coalesce(value ->> 'sell_limit', 0) >= 0),
    CHECK (sheet <> 'price' OR coalesce(value ->> 'amount', 0) >= 0)
) STRICT, WITHOUT ROWID;

-- One bulk update as it was taken.
CREATE TABLE ari_update (
    id            TEXT    NOT NULL PRIMARY KEY,
    property_id   TEXT    NOT NULL REFERENCES property (id),
    kind          TEXT    NOT NULL CHECK (kind IN ('inventory', 'rates', 'restrictions')),
    first         INTEGER NOT NULL, -- the journal entries that it made: from here to sequence
    sequence      INTEGER NOT NULL,
    followed      INTEGER,          -- the last house value that follows from it; NULL until all are derived
    entries       INTEGER NOT NULL,
    cells_matched INTEGER NOT NULL,
    cells_changed INTEGER NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('syncing', 'completed', 'partial')),
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL, -- when a channel was last found to be done with it
    revision      INTEGER NOT NULL CHECK (revision > 0)
) STRICT;

CREATE INDEX ari_update_by_property ON ari_update (property_id, id);
CREATE INDEX ari_update_syncing ON ari_update (property_id, id) WHERE status = 'syncing';

-- What became of the entries of an update, in their order: a JSON array of how many cells
-- each made others, or of the faults for which it was rejected.
CREATE TABLE ari_update_result (
    update_id TEXT NOT NULL PRIMARY KEY REFERENCES ari_update (id),
    entries   TEXT NOT NULL CHECK (json_type(entries) = 'array')
) STRICT;

-- A channel that has all of an update.
CREATE TABLE ari_update_channel (
    update_id    TEXT    NOT NULL REFERENCES ari_update (id),
    channel_id   TEXT    NOT NULL REFERENCES channel (id),
    done_at      INTEGER NOT NULL,
    rejected     INTEGER NOT NULL CHECK (rejected >= 0), -- cells that it did not take
    held         INTEGER NOT NULL CHECK (held >= 0), -- cells that it was not sent on purpose
    error_code   TEXT    NOT NULL, -- of the last call to it that did not end well, '' for none
    error_detail TEXT    NOT NULL,
    PRIMARY KEY (update_id, channel_id)
) STRICT, WITHOUT ROWID;

-- House values: what the property sells before any channel is thought of.
-- Derived from the facts above and the reservations; never typed.

CREATE TABLE house_stock (
    property_id  TEXT    NOT NULL,
    night        INTEGER NOT NULL,
    room_type_id TEXT    NOT NULL,
    net          INTEGER NOT NULL,
    available    INTEGER NOT NULL CHECK (available >= 0),
    oversold     INTEGER NOT NULL CHECK (oversold >= 0), -- rooms taken that have no place, or lie beyond the limit of the house
    planned      INTEGER NOT NULL CHECK (planned >= 0),  -- rooms taken that have a place only because overbooking is allowed
    sequence     INTEGER NOT NULL,
    PRIMARY KEY (property_id, night, room_type_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE house_price (
    property_id  TEXT    NOT NULL,
    night        INTEGER NOT NULL,
    room_type_id TEXT    NOT NULL,
    rate_plan_id TEXT    NOT NULL,
    occupancy    INTEGER NOT NULL CHECK (occupancy BETWEEN 0 AND 20),
    amount       INTEGER NOT NULL, -- rounded half-even to minor units
    exact        TEXT    NOT NULL, -- '' when amount is exact
    rounding     TEXT    NOT NULL, -- the last mode set along the chain
    sequence     INTEGER NOT NULL,
    PRIMARY KEY (property_id, night, room_type_id, rate_plan_id, occupancy)
) STRICT, WITHOUT ROWID;

-- closures and lengths in the packed form of hotel.Offer.Encode.
CREATE TABLE house_restriction (
    property_id  TEXT    NOT NULL,
    night        INTEGER NOT NULL,
    room_type_id TEXT    NOT NULL,
    rate_plan_id TEXT    NOT NULL,
    closures     INTEGER NOT NULL,
    lengths      INTEGER NOT NULL,
    sequence     INTEGER NOT NULL,
    PRIMARY KEY (property_id, night, room_type_id, rate_plan_id)
) STRICT, WITHOUT ROWID;

-- Reservations.

-- A person as the house knows them: a document, with the keys that it is found
-- by. Nothing personal of it is ever in the journal, which has of each state of it
-- a seal instead: a hash under a key that goes when the person is forgotten.
CREATE TABLE guest (
    id          TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    property_id TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'property_id') STORED REFERENCES property (id),
    status      TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'status') STORED CHECK (status IN ('active', 'merged', 'anonymized')),
    merged_into TEXT    GENERATED ALWAYS AS (body ->> 'merged_into') STORED REFERENCES guest (id),
    name_key    TEXT    NOT NULL,
    email_key   TEXT    NOT NULL,
    phone_key   TEXT    NOT NULL,
    seal_key    BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1),
    CHECK ((status = 'merged') = (merged_into IS NOT NULL)),
    CHECK (status = 'active' OR name_key || email_key || phone_key = '' AND length(seal_key) = 0)
) STRICT;

CREATE INDEX guest_by_created ON guest (property_id, created_at, id);
CREATE INDEX guest_by_updated ON guest (property_id, updated_at, id);
CREATE INDEX guest_by_name ON guest (property_id, name_key) WHERE name_key <> '';
CREATE INDEX guest_by_email ON guest (property_id, email_key) WHERE email_key <> '';
CREATE INDEX guest_by_phone ON guest (property_id, phone_key) WHERE phone_key <> '';
CREATE INDEX guest_by_merger ON guest (merged_into) WHERE merged_into IS NOT NULL;

-- By which ids other systems know a guest. One id is one guest.
CREATE TABLE guest_external_id (
    property_id TEXT NOT NULL REFERENCES property (id),
    external_id TEXT NOT NULL,
    system      TEXT NOT NULL,
    guest_id    TEXT NOT NULL REFERENCES guest (id),
    PRIMARY KEY (property_id, external_id, system)
) STRICT, WITHOUT ROWID;

CREATE INDEX guest_external_id_by_guest ON guest_external_id (guest_id);

-- Who was shown what is known of which person, by which operation, in which request.
-- Never what it was.
CREATE TABLE personal_access (
    subject    TEXT    NOT NULL, -- the id of a guest, or of an access request
    at         INTEGER NOT NULL,
    request_id TEXT    NOT NULL,
    actor      TEXT    NOT NULL,
    operation  TEXT    NOT NULL,
    PRIMARY KEY (subject, at, request_id, actor, operation)
) STRICT, WITHOUT ROWID;

-- Rooms booked together. A channel's is made with its second room.
CREATE TABLE reservation_group (
    id              TEXT    NOT NULL PRIMARY KEY,
    property_id     TEXT    NOT NULL REFERENCES property (id),
    booker          TEXT    REFERENCES guest (id), -- NULL: the channel named none
    channel_id      TEXT    NOT NULL,
    sub_channel     TEXT    NOT NULL,
    channel_ref     TEXT    NOT NULL,
    reuse           INTEGER NOT NULL CHECK (reuse >= 0), -- how many bookings of the channel had the reference before
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    revision        INTEGER NOT NULL CHECK (revision >= 1)
) STRICT;

CREATE INDEX reservation_group_by_booker ON reservation_group (booker) WHERE booker IS NOT NULL;
CREATE UNIQUE INDEX reservation_group_natural ON reservation_group (property_id, channel_id, channel_ref, sub_channel, reuse) WHERE channel_ref <> '';

-- body is the whole reservation but for its guest and what people wrote about
-- it, which is in words; the other columns repeat what it is looked up by.
CREATE TABLE reservation (
    id              TEXT    NOT NULL PRIMARY KEY,
    confirmation    TEXT    NOT NULL UNIQUE CHECK (length(confirmation) = 10),
    property_id     TEXT    NOT NULL REFERENCES property (id),
    group_id        TEXT    REFERENCES reservation_group (id),
    block_id        TEXT,
    status          TEXT    NOT NULL CHECK (status IN ('enquired', 'requested', 'held', 'waitlisted', 'confirmed',
                        'checked_in', 'checked_out', 'cancelled', 'no_show', 'declined')),
    hold_expires_at INTEGER,
    room_type_id    TEXT    REFERENCES room_type (id),
    rate_plan_id    TEXT    REFERENCES rate_plan (id),
    held_room       TEXT    REFERENCES room_type (id),
    check_in        INTEGER NOT NULL,
    check_out       INTEGER NOT NULL,
    guest_id        TEXT    NOT NULL REFERENCES guest (id),
    channel_id      TEXT    NOT NULL,
    sub_channel     TEXT    NOT NULL,
    channel_ref     TEXT    NOT NULL,
    reuse           INTEGER NOT NULL CHECK (reuse >= 0), -- how many bookings of the channel had the reference before
    room_ref        TEXT    NOT NULL,
    acknowledged    INTEGER NOT NULL CHECK (acknowledged <= revision), -- the newest revision that the PMS has
    asked_until     INTEGER, -- the deadline of what its channel is asked to do with it
    body            TEXT    NOT NULL CHECK (json_valid(body)),
    words           TEXT    NOT NULL CHECK (json_valid(words)),
    sequence        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    CHECK (check_out > check_in),
    CHECK (status <> 'held' OR hold_expires_at IS NOT NULL),
    CHECK (room_type_id IS NOT NULL OR channel_id <> 'direct')
) STRICT;

-- The natural key: one room of a channel's booking is one reservation.
CREATE UNIQUE INDEX reservation_natural ON reservation (property_id, channel_id, channel_ref, room_ref, sub_channel, reuse) WHERE channel_ref <> '';
CREATE INDEX reservation_by_created ON reservation (property_id, created_at, id);
CREATE INDEX reservation_by_updated ON reservation (property_id, updated_at, id);
CREATE INDEX reservation_by_check_in ON reservation (property_id, check_in, id);
CREATE INDEX reservation_by_check_out ON reservation (property_id, check_out);
CREATE INDEX reservation_by_group ON reservation (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX reservation_by_block ON reservation (block_id) WHERE block_id IS NOT NULL;
CREATE INDEX reservation_unmapped ON reservation (property_id, channel_id) WHERE rate_plan_id IS NULL;
CREATE INDEX reservation_by_guest ON reservation (guest_id);
CREATE INDEX reservation_unacknowledged ON reservation (property_id, updated_at, id) WHERE acknowledged < revision;
CREATE INDEX reservation_asked ON reservation (channel_id, asked_until) WHERE asked_until IS NOT NULL;
-- What time does to a reservation by itself.
CREATE INDEX reservation_expiring ON reservation (hold_expires_at) WHERE status IN ('enquired', 'requested', 'held');
CREATE INDEX reservation_arriving ON reservation (property_id, check_in) WHERE status = 'confirmed';
CREATE INDEX reservation_in_house ON reservation (property_id, check_out) WHERE status = 'checked_in';
CREATE INDEX reservation_waiting ON reservation (property_id, created_at, id) WHERE status = 'waitlisted';

CREATE TABLE reservation_tag (
    property_id    TEXT NOT NULL,
    tag            TEXT NOT NULL,
    reservation_id TEXT NOT NULL REFERENCES reservation (id),
    PRIMARY KEY (property_id, tag, reservation_id)
) STRICT, WITHOUT ROWID;

-- The guest and the words of a reservation from one of its revisions on, until
-- the next row.
CREATE TABLE guest_snapshot (
    reservation_id TEXT    NOT NULL REFERENCES reservation (id),
    revision       INTEGER NOT NULL,
    guest_id       TEXT    NOT NULL REFERENCES guest (id),
    body           TEXT    NOT NULL CHECK (json_valid(body)),
    PRIMARY KEY (reservation_id, revision)
) STRICT, WITHOUT ROWID;

CREATE INDEX guest_snapshot_by_guest ON guest_snapshot (guest_id);

-- A revision is the journal entry that tells it, and the snapshot that goes with
-- it.
CREATE TABLE reservation_revision (
    reservation_id TEXT    NOT NULL REFERENCES reservation (id),
    revision       INTEGER NOT NULL,
    sequence       INTEGER NOT NULL,
    snapshot       INTEGER NOT NULL, -- revision of the guest snapshot
    PRIMARY KEY (reservation_id, revision),
    FOREIGN KEY (reservation_id, snapshot) REFERENCES guest_snapshot (reservation_id, revision)
) STRICT, WITHOUT ROWID;

-- One row for each room and night that is taken now. Sold rooms are counted
-- here and nowhere else.
CREATE TABLE reservation_night (
    property_id    TEXT    NOT NULL REFERENCES property (id),
    night          INTEGER NOT NULL,
    room_type_id   TEXT    NOT NULL REFERENCES room_type (id),
    reservation_id TEXT    NOT NULL REFERENCES reservation (id),
    block_id       TEXT, -- the block that it was picked up from
    held           INTEGER NOT NULL CHECK (held IN (0, 1)), -- somebody has yet to decide
    PRIMARY KEY (property_id, night, room_type_id, reservation_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX reservation_night_by_reservation ON reservation_night (reservation_id);
-- Rooms taken of types whose free rooms another system counts, and when it
-- acknowledged them; 0: not yet. A row stays when the room is given back, until the
-- system acknowledges that too.
CREATE TABLE foreign_night (
    property_id    TEXT    NOT NULL REFERENCES property (id),
    night          INTEGER NOT NULL,
    room_type_id   TEXT    NOT NULL REFERENCES room_type (id),
    reservation_id TEXT    NOT NULL REFERENCES reservation (id),
    acknowledged   INTEGER NOT NULL CHECK (acknowledged >= 0), -- journal sequence
    PRIMARY KEY (property_id, night, room_type_id, reservation_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX foreign_night_by_reservation ON foreign_night (reservation_id);

CREATE INDEX reservation_night_by_block ON reservation_night (block_id, room_type_id, night) WHERE block_id IS NOT NULL;

-- How many rooms of the house were taken for a night on a day, less those given
-- back: the pickup that pricing rules look at. The day is the property's date.
CREATE TABLE pickup_night (
    property_id TEXT    NOT NULL REFERENCES property (id),
    night       INTEGER NOT NULL,
    day         INTEGER NOT NULL,
    rooms       INTEGER NOT NULL,
    PRIMARY KEY (property_id, night, day)
) STRICT, WITHOUT ROWID;

-- Rooms promised before anybody is named; a document like the parts of a house.
CREATE TABLE block (
    id          TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    property_id TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'property_id') STORED REFERENCES property (id),
    status      TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'status') STORED CHECK (status IN ('tentative', 'definite', 'released')),
    channel_id  TEXT    GENERATED ALWAYS AS (body ->> 'channel_id') STORED,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1),
    CHECK ((json_array_length(body, '$.lines') >= 1) IS TRUE)
) STRICT;

CREATE INDEX block_by_property ON block (property_id, id);

-- The nights that blocks still promise. What reservations have picked up is
-- counted in reservation_night.
CREATE TABLE block_night (
    property_id  TEXT    NOT NULL REFERENCES property (id),
    night        INTEGER NOT NULL,
    room_type_id TEXT    NOT NULL REFERENCES room_type (id),
    block_id     TEXT    NOT NULL REFERENCES block (id),
    units        INTEGER NOT NULL CHECK (units >= 1),
    deducts      INTEGER NOT NULL CHECK (deducts IN (0, 1)),
    channel_id   TEXT    NOT NULL, -- of a contracted allotment, else ''
    releases_on  INTEGER, -- the date at whose midnight it goes back; NULL: never by itself
    PRIMARY KEY (property_id, night, room_type_id, block_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX block_night_allotted ON block_night (property_id) WHERE channel_id <> '';

CREATE INDEX block_night_by_block ON block_night (block_id);
CREATE INDEX block_night_releasing ON block_night (property_id, releases_on) WHERE releases_on IS NOT NULL;

-- Channels.

CREATE TABLE channel (
    id          TEXT    NOT NULL PRIMARY KEY,
    property_id TEXT    NOT NULL REFERENCES property (id),
    status      TEXT    NOT NULL CHECK (status IN ('draft', 'testing', 'active', 'paused', 'disconnected')),
    account     TEXT    NOT NULL,
    settings    TEXT    NOT NULL, -- JSON; may hold secrets
    body        TEXT    NOT NULL, -- JSON, everything else that was said of it
    opening     INTEGER CHECK (opening >= 0), -- rooms that a counter shows which was never told; NULL: not known
    unproven    INTEGER NOT NULL CHECK (unproven IN (0, 1)), -- a backup was restored: its word that it is closed proves nothing
    poll_cursor TEXT    NOT NULL,
    polled_at   INTEGER,          -- last pull that ended well
    read_at     INTEGER,          -- when the last read-back of everything began that ended well, or everything was last told again
    stale_since INTEGER,          -- since when it was told of as out of date; NULL: it is not
    error_since INTEGER,          -- since when it was told of as in error; NULL: it is not
    silent_since INTEGER,         -- when its last message came, while it is told of as silent; NULL: it is not
    retry_at    INTEGER,          -- when closings that it refuses are told again; NULL: it refuses nothing
    version     INTEGER NOT NULL, -- of the newest call; rises with every call
    terms       TEXT    NOT NULL, -- JSON, what its connector promised when it was last opened; '' before
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1)
) STRICT;
CREATE INDEX channel_property ON channel (property_id, id);

-- A counter: one number that the far side lowers by itself. remote_rate is ''
-- where it keeps one count for the room.
CREATE TABLE counter (
    id           INTEGER NOT NULL PRIMARY KEY,
    channel_id   TEXT    NOT NULL REFERENCES channel (id),
    remote_room  TEXT    NOT NULL,
    remote_rate  TEXT    NOT NULL,
    room_type_id TEXT    NOT NULL REFERENCES room_type (id),
    retired      INTEGER NOT NULL CHECK (retired IN (0, 1)), -- nothing is sold under the code any more; it is kept closed
    UNIQUE (channel_id, remote_room, remote_rate)
) STRICT;

CREATE TABLE mapping (
    id           INTEGER NOT NULL PRIMARY KEY,
    channel_id   TEXT    NOT NULL REFERENCES channel (id),
    remote_room  TEXT    NOT NULL,
    remote_rate  TEXT    NOT NULL,
    room_type_id TEXT    NOT NULL REFERENCES room_type (id),
    rate_plan_id TEXT    NOT NULL REFERENCES rate_plan (id),
    guests       INTEGER NOT NULL CHECK (guests >= 0), -- whom its price is for; 0: the room type's base occupancy
    retired      INTEGER NOT NULL CHECK (retired IN (0, 1)), -- nothing is sold under the code any more; it is kept closed
    UNIQUE (channel_id, remote_room, remote_rate)
) STRICT;

-- Cells: what each channel is wanted to show and what it last confirmed. want
-- is NULL where the channel does not carry the group, held is NULL where nothing
-- is known. want_seq is the oldest journal entry behind want that the channel has
-- not confirmed, want_entry the newest behind it, held_seq where the journal stood when held was stored to be sent.
-- state: 0 settled, 1 in flight, 2 unknown, 3 rejected, 4 withheld, 5 seen, 6 left.
-- shown is what the channel showed when it was last asked, shown_at when it was.
-- dirty: want differs from something that the channel may hold now, and may be
-- sent. It is written by code and tested against that definition.

CREATE TABLE stock_cell (
    channel_id TEXT    NOT NULL REFERENCES channel (id),
    line       INTEGER NOT NULL REFERENCES counter (id),
    seller     TEXT    NOT NULL, -- '' unless the channel takes a share for each seller
    night      INTEGER NOT NULL,
    told       INTEGER NOT NULL CHECK (told >= 0), -- rooms to show while nothing is closed
    closes     INTEGER NOT NULL CHECK (closes IN (0, 1)), -- the far side has no other word for closed than 0
    want       INTEGER NOT NULL CHECK (want IN (told, 0)),
    want_seq   INTEGER NOT NULL,
    want_entry INTEGER NOT NULL, -- of a guarded counter that of its newest order
    held       INTEGER CHECK (held >= 0),
    held_seq   INTEGER,
    held_at    INTEGER, -- when it was confirmed
    may        INTEGER CHECK (may >= 0), -- the most it may show: held, or a value sent since whose outcome is open
    before     INTEGER CHECK (before >= 0), -- what it showed before a pause closed it
    own_seq    INTEGER NOT NULL, -- newest entry by which the channel may have moved the count itself
    shown      INTEGER CHECK (shown >= 0),
    shown_at   INTEGER,
    state      INTEGER NOT NULL CHECK (state BETWEEN 0 AND 6),
    guarded    INTEGER NOT NULL CHECK (guarded IN (0, 1)), -- it is told what it is ordered, and want is the most that may be
    ordered    INTEGER CHECK (ordered >= 0),
    dirty      INTEGER NOT NULL CHECK (dirty IN (0, 1)),
    PRIMARY KEY (channel_id, line, seller, night)
) STRICT, WITHOUT ROWID;

CREATE INDEX stock_cell_dirty ON stock_cell (channel_id, night) WHERE dirty;
CREATE INDEX stock_cell_unknown ON stock_cell (channel_id, night) WHERE state = 2;
CREATE INDEX stock_cell_rejected ON stock_cell (channel_id) WHERE state = 3;
CREATE INDEX stock_cell_held ON stock_cell (channel_id) WHERE state = 4;

-- A party of a guarded pool: a counter on a night on which rooms are granted
-- before they are shown. See package hotel/exposure for what the columns mean.
CREATE TABLE party (
    property_id  TEXT    NOT NULL,
    night        INTEGER NOT NULL,
    line         INTEGER NOT NULL REFERENCES counter (id),
    channel_id   TEXT    NOT NULL REFERENCES channel (id),
    room_type_id TEXT    NOT NULL REFERENCES room_type (id),
    account      INTEGER CHECK (account >= 0), -- NULL: nobody knows
    raised       INTEGER NOT NULL CHECK (raised IN (0, 1)),
    paid         INTEGER NOT NULL CHECK (paid >= 0),
    raise_last   INTEGER,
    doing        TEXT    NOT NULL CHECK (doing IN ('', 'setting', 'set', 'closing', 'closed', 'drained', 'counting', 'counted')),
    value        INTEGER NOT NULL CHECK (value >= 0),
    clean        INTEGER NOT NULL CHECK (clean IN (0, 1)),
    back         INTEGER NOT NULL CHECK (back >= 0),
    since        INTEGER,
    read         INTEGER NOT NULL,
    seen         INTEGER NOT NULL, -- when it was last known to show just what its account has for it; 0: never
    at_risk      INTEGER NOT NULL CHECK (at_risk >= 0), -- rooms that it may sell beyond its account, as a policy accepts or somebody has raised its count
    PRIMARY KEY (property_id, night, line)
) STRICT, WITHOUT ROWID;

CREATE INDEX party_by_channel ON party (channel_id, night);
CREATE INDEX party_listed ON party (channel_id, read) WHERE read <> 0;
CREATE INDEX party_seen ON party (channel_id, seen) WHERE account > 0;
CREATE INDEX party_setting ON party (channel_id, raise_last) WHERE doing = 'setting';
CREATE INDEX party_unlisted ON party (channel_id, night) WHERE doing IN ('closed', 'counted');
CREATE INDEX party_unsure ON party (channel_id, since) WHERE doing = 'set' AND back > 0;
CREATE INDEX party_waiting ON party (property_id, night) WHERE doing = 'closed' AND NOT clean;

-- Nights whose rooms are still to be dealt anew.
CREATE TABLE deal_due (
    property_id TEXT    NOT NULL,
    night       INTEGER NOT NULL,
    PRIMARY KEY (property_id, night)
) STRICT, WITHOUT ROWID;

-- Room types that are guarded on a night only because they were: more than the last
-- units of a pool are free again, but not many more, and since when.
CREATE TABLE calm (
    property_id  TEXT    NOT NULL,
    night        INTEGER NOT NULL,
    room_type_id TEXT    NOT NULL,
    since        INTEGER NOT NULL,
    PRIMARY KEY (property_id, night, room_type_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX calm_since ON calm (since);

-- How many rooms more than there are channels may sell that somebody has decided to leave
-- so: it never rises by itself, so that what is gone besides, or anew, is told.
CREATE TABLE overgranted_left (
    property_id  TEXT    NOT NULL,
    night        INTEGER NOT NULL,
    room_type_id TEXT    NOT NULL,
    rooms        INTEGER NOT NULL,
    PRIMARY KEY (property_id, night, room_type_id)
) STRICT, WITHOUT ROWID;

-- What each counter has sold, by what its channel has told: a guest who was moved
-- or whose stay somebody here has ended stays in it until the channel takes it back.
CREATE TABLE counted (
    property_id    TEXT    NOT NULL,
    night          INTEGER NOT NULL,
    channel_id     TEXT    NOT NULL REFERENCES channel (id),
    remote_room    TEXT    NOT NULL,
    remote_rate    TEXT    NOT NULL,
    reservation_id TEXT    NOT NULL REFERENCES reservation (id),
    doubtful       INTEGER NOT NULL CHECK (doubtful IN (0, 1)), -- the channel may have sold it: somebody is asked whether it counts
    PRIMARY KEY (property_id, night, channel_id, remote_room, remote_rate, reservation_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX counted_by_reservation ON counted (reservation_id);

CREATE TABLE price_cell (
    channel_id       TEXT    NOT NULL REFERENCES channel (id),
    line             INTEGER NOT NULL REFERENCES mapping (id),
    night            INTEGER NOT NULL,
    closures_told    INTEGER,          -- what restrictions say; NULL: not worked out yet
    tells            INTEGER NOT NULL CHECK (tells BETWEEN 0 AND 2), -- of closures: 0 nothing, 1 all but closed, 2 all
    waits            INTEGER NOT NULL CHECK (waits BETWEEN 0 AND 2), -- for a price: 1 that the channel confirms, 2 at all
    amiss            INTEGER NOT NULL, -- numbers of guests, as bits, whose price is refused, or shown though there is none any more
    cut_at           INTEGER,          -- since when it is closed because the channel may show more rooms than it is to; NULL: it is not for that
    closures_want    INTEGER,          -- what restrictions say, and closed while the night waits or is cut
    closures_asked   INTEGER,          -- what it would be, where some of what the channel shows is left standing; NULL: just that
    closures_want_seq INTEGER,
    closures_want_entry INTEGER,
    closures_held    INTEGER,
    closures_held_seq INTEGER,
    closures_shown   INTEGER,
    closures_state   INTEGER NOT NULL CHECK (closures_state BETWEEN 0 AND 6),
    lengths_want     INTEGER,
    lengths_asked    INTEGER,          -- like closures_asked
    lengths_want_seq INTEGER,
    lengths_want_entry INTEGER,
    lengths_held     INTEGER,
    lengths_held_seq INTEGER,
    lengths_shown    INTEGER,
    lengths_state    INTEGER NOT NULL CHECK (lengths_state IN (0, 1, 2, 3, 5, 6)),
    price_want       INTEGER,
    price_asked      INTEGER,          -- what the house asks for, where somebody has capped it to price_want; NULL: price_want is the house's
    price_want_seq   INTEGER,
    price_want_entry INTEGER,
    price_held       INTEGER,
    price_held_seq   INTEGER,
    price_shown      INTEGER,
    price_state      INTEGER NOT NULL CHECK (price_state BETWEEN 0 AND 6),
    shown_at         INTEGER,
    dirty            INTEGER NOT NULL CHECK (dirty IN (0, 1)),
    PRIMARY KEY (channel_id, line, night)
) STRICT, WITHOUT ROWID;

CREATE INDEX price_cell_dirty ON price_cell (channel_id, night) WHERE dirty;
CREATE INDEX price_cell_rejected ON price_cell (channel_id) WHERE closures_state = 3 OR lengths_state = 3 OR price_state = 3;
CREATE INDEX price_cell_unpriced ON price_cell (channel_id, line, night) WHERE waits = 2;
CREATE INDEX price_cell_cut ON price_cell (channel_id, night) WHERE cut_at IS NOT NULL;
CREATE INDEX price_cell_left ON price_cell (channel_id, night) WHERE closures_asked IS NOT NULL OR closures_state = 6;
CREATE INDEX price_cell_held ON price_cell (channel_id) WHERE closures_state = 4 OR price_state = 4;

-- Prices of further occupancies, where the channel takes one for each.
CREATE TABLE occupancy_cell (
    channel_id TEXT    NOT NULL REFERENCES channel (id),
    line       INTEGER NOT NULL REFERENCES mapping (id),
    night      INTEGER NOT NULL,
    occupancy  INTEGER NOT NULL CHECK (occupancy BETWEEN 1 AND 20),
    want       INTEGER,
    asked      INTEGER, -- like price_asked
    want_seq   INTEGER,
    want_entry INTEGER,
    held       INTEGER,
    held_seq   INTEGER,
    shown      INTEGER,
    shown_at   INTEGER,
    state      INTEGER NOT NULL CHECK (state BETWEEN 0 AND 6),
    dirty      INTEGER NOT NULL CHECK (dirty IN (0, 1)),
    PRIMARY KEY (channel_id, line, night, occupancy)
) STRICT, WITHOUT ROWID;

CREATE INDEX occupancy_cell_dirty ON occupancy_cell (channel_id, night) WHERE dirty;
CREATE INDEX occupancy_cell_rejected ON occupancy_cell (channel_id) WHERE state = 3;
CREATE INDEX occupancy_cell_held ON occupancy_cell (channel_id) WHERE state = 4;

-- What a channel showed instead of what it was told, and how often that was put
-- right lately.
CREATE TABLE drift (
    channel_id TEXT    NOT NULL REFERENCES channel (id),
    line       INTEGER NOT NULL,
    grp        INTEGER NOT NULL, -- as hotel.Group counts
    occupancy  INTEGER NOT NULL,
    night      INTEGER NOT NULL,
    verdict    TEXT    NOT NULL,
    shown      INTEGER NOT NULL,
    before     INTEGER,          -- what was shown before this was first shown; NULL: it was never asked
    again      INTEGER NOT NULL CHECK (again >= 0),
    first_at   INTEGER NOT NULL, -- when this was first shown
    last_at    INTEGER NOT NULL,
    PRIMARY KEY (channel_id, line, grp, occupancy, night)
) STRICT, WITHOUT ROWID;

CREATE INDEX drift_by_age ON drift (last_at);

-- What the policies did not settle, or settled and want seen; a document like the
-- parts of a house. Of one topic there is one open conflict at the most.
CREATE TABLE conflict (
    id          TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    property_id TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'property_id') STORED REFERENCES property (id),
    channel_id  TEXT    GENERATED ALWAYS AS (body ->> 'channel_id') STORED,
    kind        TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'kind') STORED,
    topic       TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'topic') STORED,
    status      TEXT    NOT NULL GENERATED ALWAYS AS (body ->> 'status') STORED CHECK (status IN ('open', 'resolved')),
    deadline    TEXT    GENERATED ALWAYS AS (body ->> 'deadline') STORED,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision >= 1)
) STRICT;

CREATE UNIQUE INDEX conflict_open ON conflict (property_id, kind, topic) WHERE status = 'open';
CREATE INDEX conflict_waiting ON conflict (id) WHERE status = 'open' AND deadline IS NOT NULL;
CREATE INDEX conflict_by_topic ON conflict (property_id, kind, topic, id);
CREATE INDEX conflict_by_property ON conflict (property_id, id);

-- How far a change of facts or settings goes at a channel, while it is worked out,
-- and while somebody has to decide whether it is meant.
CREATE TABLE spread (
    channel_id TEXT    NOT NULL REFERENCES channel (id),
    change     TEXT    NOT NULL, -- an update's id, else the sequence of its journal entry
    sequence   INTEGER NOT NULL, -- of a journal entry by which it was made
    until      INTEGER,          -- nothing behind this entry follows from it; NULL: not known yet
    state      TEXT    NOT NULL CHECK (state IN ('counting', 'held', 'undone')),
    stock      TEXT    NOT NULL, -- JSON, nights of counters on which it raises
    rates      TEXT    NOT NULL, -- JSON, nights of mappings on which it opens or reprices
    sample     TEXT    NOT NULL, -- JSON, a few of the cells
    PRIMARY KEY (channel_id, change)
) STRICT, WITHOUT ROWID;

-- One call to a channel, stored before it is sent.
CREATE TABLE delivery (
    id          TEXT    NOT NULL PRIMARY KEY,
    channel_id  TEXT    NOT NULL REFERENCES channel (id),
    account     TEXT    NOT NULL,
    property_id TEXT    NOT NULL,
    kind        TEXT    NOT NULL CHECK (kind IN ('push', 'pull', 'list', 'read', 'ask', 'act')),
    operation   TEXT    NOT NULL,
    lane        INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    repeats     TEXT    NOT NULL, -- the first call that says the same under one repeat key, or the action that is asked for; '': it is told anew
    sequence    INTEGER NOT NULL, -- journal position when it was stored
    state       TEXT    NOT NULL CHECK (state IN ('open', 'applied', 'partial', 'rejected', 'unknown', 'not_sent')),
    sent_at     INTEGER NOT NULL,
    answered_at INTEGER,
    cells       TEXT    NOT NULL, -- JSON runs with their values
    refused     TEXT    NOT NULL, -- JSON runs of what was rejected, with the far side's words
    unclear     TEXT    NOT NULL, -- JSON runs of what has no outcome, of a call that has one
    http_status INTEGER NOT NULL, -- of the last answer; 0: there was none, or not by HTTP
    reference   TEXT    NOT NULL, -- the far side's own
    excerpt     TEXT    NOT NULL,
    error       TEXT    NOT NULL,
    CHECK ((state = 'open') = (answered_at IS NULL))
) STRICT;

CREATE INDEX delivery_open ON delivery (channel_id) WHERE state = 'open';
CREATE INDEX delivery_sent ON delivery (account, sent_at);
CREATE INDEX delivery_by_channel ON delivery (channel_id, sent_at);
CREATE UNIQUE INDEX delivery_by_version ON delivery (channel_id, version);
-- The newest call of each kind that went well, and that went wrong: behind days without a
-- network there are thousands of either.
CREATE INDEX delivery_well ON delivery (channel_id, kind, sent_at) WHERE state = 'applied';
CREATE INDEX delivery_wrong ON delivery (channel_id, kind, sent_at) WHERE state IN ('unknown', 'not_sent', 'rejected', 'partial');

-- How each channel account stands with its far side: what a restart must not
-- forget of pauses that were asked for and of an open breaker.
CREATE TABLE standing (
    account    TEXT    NOT NULL PRIMARY KEY,
    turn       INTEGER NOT NULL, -- rises with every change, so that an older one is told from a newer
    failures   INTEGER NOT NULL CHECK (failures >= 0),
    limited    INTEGER NOT NULL CHECK (limited >= 0),
    held_until INTEGER,          -- the far side asked for a pause until then
    cause      TEXT    NOT NULL CHECK (cause IN ('', 'failing', 'denied')), -- why its breaker is not closed
    since      INTEGER,          -- when it opened
    probe_at   INTEGER,          -- when one call may go to see
    words      TEXT    NOT NULL, -- what went wrong
    CHECK ((cause = '') = (since IS NULL)),
    CHECK ((cause = '') = (probe_at IS NULL))
) STRICT, WITHOUT ROWID;

-- Faults of a channel's connector that have not been made good since, of each part
-- of its work the newest.
CREATE TABLE flag (
    channel_id TEXT    NOT NULL REFERENCES channel (id),
    part       TEXT    NOT NULL CHECK (part IN ('push', 'pull', 'list', 'read', 'ask', 'act', 'receive', 'hint')),
    fault      TEXT    NOT NULL,
    words      TEXT    NOT NULL,
    since      INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    times      INTEGER NOT NULL CHECK (times >= 1),
    PRIMARY KEY (channel_id, part)
) STRICT, WITHOUT ROWID;

-- Which calls carried nights of a line: of a counter where stock is 1, else of a
-- mapping. It finds what was sent last without reading every call.
CREATE TABLE carried (
    channel_id TEXT    NOT NULL REFERENCES channel (id),
    stock      INTEGER NOT NULL CHECK (stock IN (0, 1)),
    line       INTEGER NOT NULL,
    month      INTEGER NOT NULL, -- year * 12 + month - 1
    version    INTEGER NOT NULL, -- of the call, which may have been removed
    PRIMARY KEY (channel_id, stock, line, month, version)
) STRICT, WITHOUT ROWID;

-- What came in: every message as received, card data removed, once each.
CREATE TABLE message (
    channel_id  TEXT    NOT NULL REFERENCES channel (id),
    key         TEXT    NOT NULL,
    ref         TEXT    NOT NULL,
    reuse       INTEGER NOT NULL CHECK (reuse >= 0), -- which of the bookings that had the reference it is about
    ordering    TEXT    NOT NULL, -- the far side's revision token
    event       TEXT    NOT NULL CHECK (event IN ('booked', 'modified', 'cancelled', '')),
    at          INTEGER,          -- when the far side says it happened
    received_at INTEGER NOT NULL,
    outcome     TEXT    NOT NULL CHECK (outcome IN ('applied', 'ignored', 'waiting', 'unread', 'again', 'dismissed')),
    problem     TEXT    NOT NULL, -- why it could not be read
    first_sequence INTEGER NOT NULL, -- the first entry that followed from it
    sequence    INTEGER NOT NULL, -- the last one
    raw         BLOB    NOT NULL,
    content     TEXT,             -- what it says, while somebody is asked whether it counts, or the booking may still begin that it is about; it names the guest
    CHECK (first_sequence <= sequence),
    CHECK (content IS NULL OR outcome IN ('waiting', 'ignored')),
    CHECK ((outcome IN ('unread', 'again', 'dismissed')) = (problem <> '')),
    CHECK (event <> '' OR problem <> ''),
    PRIMARY KEY (channel_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_by_booking ON message (ref);
CREATE INDEX message_by_arrival ON message (channel_id, received_at);
CREATE INDEX message_unread ON message (channel_id, outcome) WHERE problem <> '';

CREATE TABLE sync_run (
    id            TEXT    NOT NULL PRIMARY KEY,
    channel_id    TEXT    NOT NULL REFERENCES channel (id),
    kind          TEXT    NOT NULL CHECK (kind IN ('ari_full', 'ari_delta', 'reservations', 'read_back')),
    status        TEXT    NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed')),
    first_night   INTEGER, -- NULL: it is about every night
    last_night    INTEGER,
    sequence_from INTEGER NOT NULL, -- where the journal stood when it was asked for
    sequence_to   INTEGER NOT NULL, -- and when it ended; 0 before
    planned       INTEGER NOT NULL,
    sent          INTEGER NOT NULL,
    calls         INTEGER NOT NULL,
    acknowledged  INTEGER NOT NULL,
    unknown       INTEGER NOT NULL,
    rejected      INTEGER NOT NULL,
    last_error    TEXT    NOT NULL,
    started_at    INTEGER NOT NULL,
    ended_at      INTEGER,
    updated_at    INTEGER NOT NULL,
    revision      INTEGER NOT NULL CHECK (revision > 0),
    CHECK ((status IN ('queued', 'running')) = (ended_at IS NULL)),
    CHECK ((first_night IS NULL) = (last_night IS NULL))
) STRICT;
CREATE INDEX sync_run_by_channel ON sync_run (channel_id, id);
CREATE INDEX sync_run_running ON sync_run (id) WHERE status IN ('queued', 'running');

-- What a channel's connector keeps for itself.
CREATE TABLE shelf (
    channel_id TEXT NOT NULL REFERENCES channel (id),
    name       TEXT NOT NULL,
    body       BLOB NOT NULL,
    PRIMARY KEY (channel_id, name)
) STRICT, WITHOUT ROWID;

-- The newest thing known of a channel's booking; also of one whose
-- cancellation came before it did. A reference that is used again when its booking is
-- over is that of another one, which counts from 0 how many had it before.
CREATE TABLE channel_booking (
    channel_id TEXT    NOT NULL REFERENCES channel (id),
    ref        TEXT    NOT NULL,
    reuse      INTEGER NOT NULL CHECK (reuse >= 0),
    ordering   TEXT    NOT NULL,
    at         INTEGER,
    event      TEXT    NOT NULL CHECK (event IN ('booked', 'modified', 'cancelled')),
    group_id   TEXT,
    PRIMARY KEY (channel_id, ref, reuse)
) STRICT, WITHOUT ROWID;

-- Rows of imports by what they said, so that a file can be imported again.
CREATE TABLE imported_row (
    property_id    TEXT NOT NULL REFERENCES property (id),
    key            BLOB NOT NULL CHECK (length(key) = 32),
    reservation_id TEXT NOT NULL REFERENCES reservation (id),
    PRIMARY KEY (property_id, key)
) STRICT, WITHOUT ROWID;

-- What an earlier system sold of nights that are over, in sum. Every version stays, for
-- what was known then; the newest counts. '' is not told apart, and a revenue that is
-- NULL was not told.
CREATE TABLE past_sales (
    property_id  TEXT    NOT NULL REFERENCES property (id),
    night        INTEGER NOT NULL,
    room_type_id TEXT    NOT NULL,
    channel_id   TEXT    NOT NULL,
    seller       TEXT    NOT NULL,
    sequence     INTEGER NOT NULL CHECK (sequence >= 1), -- of the entry that says so
    rooms        INTEGER NOT NULL CHECK (rooms >= 0),
    revenue      INTEGER,
    currency     TEXT,
    PRIMARY KEY (property_id, night, room_type_id, channel_id, seller, sequence),
    CHECK ((revenue IS NULL) = (currency IS NULL))
) STRICT, WITHOUT ROWID;

-- The journal: everything that happened, in one order, chained by hash per
-- property (those of no property under '').
CREATE TABLE journal (
    sequence    INTEGER NOT NULL PRIMARY KEY CHECK (sequence >= 1),
    id          TEXT    NOT NULL UNIQUE,
    at          INTEGER NOT NULL,
    property_id TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    actor       TEXT    NOT NULL, -- kind:id
    request_id  TEXT    NOT NULL,
    offers      INTEGER NOT NULL CHECK (offers IN (0, 1)), -- it touches what channels are to show
    body        TEXT    NOT NULL, -- JSON
    hash        BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE INDEX journal_by_property ON journal (property_id, sequence);
CREATE INDEX journal_offers ON journal (property_id, sequence) WHERE offers;

-- Where the chain of a property was cut: of the entries up to there those are
-- kept that still counted then.
CREATE TABLE journal_cut (
    property_id TEXT    NOT NULL PRIMARY KEY,
    sequence    INTEGER NOT NULL CHECK (sequence >= 1),
    earliest    INTEGER NOT NULL, -- the oldest instant that can still be looked at
    hash        BLOB    NOT NULL CHECK (length(hash) = 32) -- of the entry at sequence
) STRICT;

-- Finds the newest entry for a night before any point.
CREATE TABLE touch (
    kind     TEXT    NOT NULL,
    subject  TEXT    NOT NULL,
    month    INTEGER NOT NULL, -- year * 12 + month - 1
    sequence INTEGER NOT NULL, -- the entry may have been cut
    PRIMARY KEY (kind, subject, month, sequence)
) STRICT, WITHOUT ROWID;

-- Where each reader stands: everything up to sequence is read, and of the next
-- entry the first so many cells.
CREATE TABLE cursor (
    reader   TEXT    NOT NULL PRIMARY KEY,
    sequence INTEGER NOT NULL CHECK (sequence >= 0),
    position INTEGER NOT NULL CHECK (position >= 0)
) STRICT;

-- Requests that may come twice. The row is written in the transaction of its
-- effect; it names the resource and holds no body.
CREATE TABLE idempotency (
    client_id   TEXT    NOT NULL,
    method      TEXT    NOT NULL,
    path        TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    resource_id TEXT    NOT NULL, -- '' when it was refused
    refusal     TEXT    NOT NULL, -- JSON of the refusal, '' when it was done
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (client_id, method, path, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_expires ON idempotency (expires_at);

-- Who may call. These live in the production ledger only.

CREATE TABLE client (
    id           TEXT    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL,
    environment  TEXT    NOT NULL CHECK (environment IN ('production', 'sandbox')),
    kind         TEXT    NOT NULL,
    sandbox_id   TEXT, -- of a client of the sandbox: which one it lives in
    channel_id   TEXT, -- of kind ota: the channel that it stands for, in the ledger of its environment
    tier         TEXT    NOT NULL,
    hourly_limit INTEGER CHECK (hourly_limit >= 0), -- in place of the tier's; 0: none
    scopes       TEXT    NOT NULL, -- space separated
    property_ids TEXT    NOT NULL, -- space separated, * for all
    ip_allowlist TEXT    NOT NULL, -- networks, space separated; '' for anywhere
    status       TEXT    NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    revision     INTEGER NOT NULL CHECK (revision >= 1),
    CHECK ((environment = 'sandbox') = (sandbox_id IS NOT NULL))
) STRICT;

-- How a sandbox differs from a new one. Its own ledger is another file.
CREATE TABLE sandbox (
    id         TEXT    NOT NULL PRIMARY KEY,
    generation INTEGER NOT NULL CHECK (generation >= 1), -- one more with every reset
    ahead      INTEGER NOT NULL CHECK (ahead >= 0) -- of its clock before the real one, in microseconds
) STRICT, WITHOUT ROWID;

CREATE TABLE client_secret (
    id         TEXT    NOT NULL PRIMARY KEY,
    client_id  TEXT    NOT NULL REFERENCES client (id),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER, -- NULL: never
    warned     INTEGER NOT NULL -- how many days before its end its client was last told of that; 0: not yet
) STRICT;

CREATE INDEX client_secret_by_client ON client_secret (client_id);
CREATE INDEX client_secret_expires ON client_secret (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE token (
    hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    client_id  TEXT    NOT NULL REFERENCES client (id),
    scopes     TEXT    NOT NULL,
    issued_at  INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX token_expires ON token (expires_at);
CREATE INDEX token_by_client ON token (client_id);

-- People who sign in to the console.
CREATE TABLE console_user (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    roles      TEXT    NOT NULL, -- JSON: role by property, * for all
    password   TEXT    NOT NULL, -- its hash; '' for none
    disabled   INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE console_session (
    id         TEXT    NOT NULL PRIMARY KEY,
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
    user_id    TEXT    NOT NULL REFERENCES console_user (id),
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    address    TEXT    NOT NULL,
    agent      TEXT    NOT NULL
) STRICT;

CREATE INDEX console_session_of ON console_session (user_id, created_at);

-- Links by which somebody signs in once.
CREATE TABLE console_link (
    hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id    TEXT    NOT NULL REFERENCES console_user (id),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX console_link_of ON console_link (user_id);

-- Who asks for access, and what its tests in the sandbox have shown.

CREATE TABLE access_request (
    id         TEXT    NOT NULL PRIMARY KEY,
    status     TEXT    NOT NULL CHECK (status IN (
        'submitted', 'sandbox_issued', 'certification_submitted', 'production_issued', 'rejected', 'withdrawn', 'revoked'
    )),
    claim_hash BLOB    NOT NULL UNIQUE CHECK (length(claim_hash) = 32), -- of what whoever asked proves itself with
    body       TEXT    NOT NULL, -- JSON
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision   INTEGER NOT NULL CHECK (revision >= 1)
) STRICT;

CREATE TABLE sandbox_traffic (
    client_id TEXT    NOT NULL REFERENCES client (id),
    day       INTEGER NOT NULL, -- since 1970, UTC
    operation TEXT    NOT NULL,
    status    INTEGER NOT NULL,
    marks     INTEGER NOT NULL, -- 1: with an idempotency key, 2: conditional, 4: too early
    calls     INTEGER NOT NULL CHECK (calls > 0),
    PRIMARY KEY (client_id, day, operation, status, marks)
) STRICT, WITHOUT ROWID;

CREATE TABLE answer_tally (
    client_id TEXT    NOT NULL REFERENCES client (id),
    day       INTEGER NOT NULL, -- since 1970, UTC
    status    INTEGER NOT NULL, -- of HTTP
    took      INTEGER NOT NULL, -- as hotel.Took counts
    answers   INTEGER NOT NULL CHECK (answers > 0),
    PRIMARY KEY (client_id, day, status, took)
) STRICT, WITHOUT ROWID;

CREATE TABLE work_tally (
    property_id TEXT    NOT NULL, -- '' of webhooks
    day         INTEGER NOT NULL, -- since 1970, UTC
    channel_id  TEXT    NOT NULL, -- '' of webhooks
    client_id   TEXT    NOT NULL, -- '' of all but webhooks
    work        TEXT    NOT NULL,
    took        INTEGER NOT NULL, -- as hotel.Took counts; 0 where that is not counted
    times       INTEGER NOT NULL CHECK (times > 0),
    PRIMARY KEY (property_id, day, channel_id, client_id, work, took)
) STRICT, WITHOUT ROWID;

CREATE TABLE rate_window (
    client_id TEXT    NOT NULL PRIMARY KEY REFERENCES client (id),
    opened_at INTEGER NOT NULL,
    used      INTEGER NOT NULL CHECK (used >= 0)
) STRICT;

-- Webhooks. What is delivered stands in the journal: a delivery names entries and
-- holds no body.

CREATE TABLE webhook_endpoint (
    id            TEXT    NOT NULL PRIMARY KEY,
    client_id     TEXT    NOT NULL, -- of a sandbox's endpoint in the ledger of production, which keeps all clients
    body          TEXT    NOT NULL CHECK (json_valid(body)), -- what its client says of it
    headers       BLOB,                                      -- sealed; NULL for none
    status        TEXT    NOT NULL CHECK (status IN ('enabled', 'paused', 'disabled')),
    reason        TEXT    NOT NULL, -- why it is disabled
    position      INTEGER NOT NULL CHECK (position >= 0), -- everything up to here was turned into deliveries
    slow          INTEGER NOT NULL CHECK (slow IN (0, 1)), -- one call at a time until one goes well
    failing_since INTEGER,
    last_success  INTEGER,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    revision      INTEGER NOT NULL CHECK (revision >= 1),
    CHECK ((status = 'disabled') = (reason <> ''))
) STRICT;

CREATE INDEX webhook_endpoint_by_client ON webhook_endpoint (client_id, id);

-- What deliveries are signed with, sealed; two of an endpoint while one takes the
-- other's place.
CREATE TABLE webhook_secret (
    id          TEXT    NOT NULL PRIMARY KEY,
    endpoint_id TEXT    NOT NULL REFERENCES webhook_endpoint (id),
    sealed      BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER -- NULL: of the present one
) STRICT;

CREATE INDEX webhook_secret_by_endpoint ON webhook_secret (endpoint_id, id);

-- A part of the journal that an endpoint is to hear again.
CREATE TABLE webhook_replay (
    endpoint_id TEXT    NOT NULL PRIMARY KEY REFERENCES webhook_endpoint (id),
    position    INTEGER NOT NULL CHECK (position >= 0), -- everything up to here was looked at
    through     INTEGER NOT NULL CHECK (through > position),
    event_types TEXT    NOT NULL CHECK (json_valid(event_types)),
    only_failed INTEGER NOT NULL CHECK (only_failed IN (0, 1))
) STRICT;

-- One event on its way to an endpoint, which may have been deleted: what is left of
-- such is removed bit by bit. A test has sequence 0.
CREATE TABLE webhook_delivery (
    id          TEXT    NOT NULL PRIMARY KEY,
    endpoint_id TEXT    NOT NULL,
    event_id    TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    property_id TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    first       INTEGER NOT NULL, -- the entries of this kind and subject from here to sequence are told as one
    sequence    INTEGER NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('pending', 'delivered', 'dead')),
    tries       INTEGER NOT NULL CHECK (tries BETWEEN 0 AND 10), -- of its schedule, counted before a byte is sent
    next_at     INTEGER NOT NULL, -- of the next try while it is pending
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    revision    INTEGER NOT NULL CHECK (revision > 0),
    CHECK (first <= sequence)
) STRICT;

CREATE UNIQUE INDEX webhook_delivery_event ON webhook_delivery (endpoint_id, event_id);
CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery (endpoint_id, id);
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, next_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_open ON webhook_delivery (endpoint_id, kind, property_id, subject) WHERE status = 'pending' AND tries = 0;

CREATE TABLE webhook_attempt (
    id          TEXT    NOT NULL PRIMARY KEY,
    delivery_id TEXT    NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
    endpoint_id TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    duration_us INTEGER NOT NULL,
    http_status INTEGER NOT NULL, -- 0: there was no answer
    error       TEXT    NOT NULL,
    excerpt     TEXT    NOT NULL  -- of the answer; nothing in it repeats what was sent of people
) STRICT;

CREATE INDEX webhook_attempt_by_delivery ON webhook_attempt (delivery_id, id);
CREATE INDEX webhook_attempt_by_endpoint ON webhook_attempt (endpoint_id, at);

-- How far the people of a property have been told what happens.
CREATE TABLE notice_state (
    property_id TEXT    NOT NULL PRIMARY KEY REFERENCES property (id),
    through     INTEGER NOT NULL CHECK (through >= 0), -- the journal was looked at up to here
    day         INTEGER NOT NULL                       -- of the last digest; 0: there was none
) STRICT, WITHOUT ROWID;

-- What lasts and people have been told of.
CREATE TABLE notice (
    property_id TEXT    NOT NULL REFERENCES property (id),
    cause       TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    since       INTEGER NOT NULL,
    told        INTEGER NOT NULL,
    PRIMARY KEY (property_id, cause)
) STRICT, WITHOUT ROWID;

-- Messages that have to reach somebody yet. They name what they are about, and nobody.
CREATE TABLE notice_mail (
    id          TEXT    NOT NULL PRIMARY KEY,
    property_id TEXT    NOT NULL REFERENCES property (id),
    recipient   TEXT    NOT NULL,
    form        TEXT    NOT NULL CHECK (form IN ('events', 'digest', 'heartbeat')),
    day         INTEGER NOT NULL,
    items       TEXT    NOT NULL CHECK (json_valid(items)),
    created_at  INTEGER NOT NULL,
    next_at     INTEGER NOT NULL,
    attempts    INTEGER NOT NULL CHECK (attempts >= 0)
) STRICT;

CREATE INDEX notice_mail_due ON notice_mail (next_at);

-- Which revision of a booking nobody has acknowledged was told of last.
CREATE TABLE reminder (
    reservation_id TEXT    NOT NULL PRIMARY KEY REFERENCES reservation (id),
    revision       INTEGER NOT NULL CHECK (revision >= 1)
) STRICT, WITHOUT ROWID;
-- +goose StatementEnd
