-- The tables of the store of people in an SQLite file, as the numbered steps made them before Alembic.
-- Never change this file: add a revision.
-- step 1
CREATE TABLE IF NOT EXISTS people (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,
    password TEXT, role TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sessions (
    digest TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    expires TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS tokens (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    label TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
-- step 2
UPDATE people SET name = substr(name, 7) WHERE password IS NULL AND name LIKE 'Guest %';
-- step 3
CREATE INDEX sessions_of_person ON sessions (person, expires);
CREATE INDEX tokens_of_person ON tokens (person);
-- step 4
CREATE TABLE invitations (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, match_id TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, created TEXT NOT NULL);
CREATE INDEX invitations_of_match ON invitations (match_id);
CREATE INDEX invitations_of_person ON invitations (person);
CREATE TABLE invited (
    match_id TEXT NOT NULL, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    invitation TEXT NOT NULL REFERENCES invitations ON DELETE CASCADE,
    PRIMARY KEY (match_id, person, invitation)) WITHOUT ROWID;
CREATE INDEX invited_of_person ON invited (person);
CREATE INDEX invited_of_invitation ON invited (invitation);
-- step 5
CREATE TABLE looks (
    look TEXT NOT NULL, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, made_by TEXT NOT NULL,
    PRIMARY KEY (look, person)) WITHOUT ROWID;
CREATE INDEX looks_of_person ON looks (person, made_by);
-- step 6
ALTER TABLE sessions ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN created TEXT;
ALTER TABLE sessions ADD COLUMN used TEXT;
ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
UPDATE sessions SET id = lower(hex(randomblob(8)));
ALTER TABLE tokens ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read play organise arbitrate admin';
ALTER TABLE tokens ADD COLUMN expires TEXT;
ALTER TABLE tokens ADD COLUMN used TEXT;
-- step 7
ALTER TABLE people ADD COLUMN is_guest INTEGER NOT NULL DEFAULT 0;
UPDATE people SET is_guest = 1 WHERE password IS NULL;
CREATE TABLE passkeys (
    id TEXT PRIMARY KEY, credential TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, domain TEXT NOT NULL, label TEXT NOT NULL,
    public_key TEXT NOT NULL, sign_count INTEGER NOT NULL, created TEXT NOT NULL, used TEXT);
CREATE INDEX passkeys_of_person ON passkeys (person);
CREATE TABLE identities (
    id TEXT PRIMARY KEY, issuer TEXT NOT NULL, subject TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, created TEXT NOT NULL, used TEXT,
    UNIQUE (issuer, subject));
CREATE INDEX identities_of_person ON identities (person);
CREATE TABLE ceremonies (
    digest TEXT PRIMARY KEY, kind TEXT NOT NULL, person TEXT REFERENCES people ON DELETE CASCADE,
    facts TEXT NOT NULL, expires TEXT NOT NULL);
CREATE INDEX ceremonies_of_person ON ceremonies (person);
CREATE INDEX ceremonies_by_end ON ceremonies (expires);
-- step 8
ALTER TABLE people ADD COLUMN preferences TEXT;
-- step 9
CREATE TABLE address_uses (
    day TEXT NOT NULL, hash TEXT NOT NULL, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    PRIMARY KEY (day, hash, person)) WITHOUT ROWID;
CREATE INDEX address_uses_of_person ON address_uses (person);
-- step 10
CREATE TABLE mail_addresses (
    person TEXT PRIMARY KEY REFERENCES people ON DELETE CASCADE, id TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL, state TEXT NOT NULL, language TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE push_subscriptions (
    id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    endpoint TEXT NOT NULL UNIQUE, p256dh TEXT NOT NULL, auth TEXT NOT NULL, agent TEXT NOT NULL,
    language TEXT NOT NULL, created TEXT NOT NULL);
CREATE INDEX push_subscriptions_of_person ON push_subscriptions (person);
CREATE TABLE paces (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, way TEXT NOT NULL, kind TEXT NOT NULL,
    pace TEXT NOT NULL, PRIMARY KEY (person, way, kind)) WITHOUT ROWID;
CREATE TABLE outbox (
    id TEXT PRIMARY KEY, fact TEXT NOT NULL, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    kind TEXT NOT NULL, way TEXT NOT NULL, device TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL,
    number INTEGER NOT NULL, pace TEXT NOT NULL, made_us INTEGER NOT NULL, due_us INTEGER NOT NULL,
    state TEXT NOT NULL, message TEXT NOT NULL, attempt INTEGER NOT NULL, leased_us INTEGER NOT NULL,
    UNIQUE (fact, person, kind, way, device));
CREATE INDEX outbox_by_time ON outbox (state, way, due_us);
CREATE INDEX outbox_of_person ON outbox (person);
CREATE INDEX outbox_by_message ON outbox (message);
CREATE TABLE outbox_ways (
    way TEXT PRIMARY KEY, position INTEGER NOT NULL, failures INTEGER NOT NULL, rests_us INTEGER NOT NULL);
-- step 11
CREATE TABLE messages (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, room TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, words TEXT NOT NULL, phrase TEXT NOT NULL,
    created TEXT NOT NULL, removed TEXT);
CREATE INDEX messages_in_room ON messages (room, rowid);
CREATE INDEX messages_of_person ON messages (person, rowid);
CREATE TABLE mentions (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT,
    message TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, UNIQUE (message, person));
CREATE INDEX mentions_of_person ON mentions (person);
CREATE TABLE boundaries (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    other TEXT NOT NULL REFERENCES people ON DELETE CASCADE, kind TEXT NOT NULL, created TEXT NOT NULL,
    PRIMARY KEY (person, other)) WITHOUT ROWID;
CREATE INDEX boundaries_of_other ON boundaries (other);
CREATE TABLE reports (
    id TEXT PRIMARY KEY, message TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, reason TEXT NOT NULL, event TEXT NOT NULL,
    created TEXT NOT NULL, answered TEXT, UNIQUE (message, person));
CREATE INDEX reports_that_wait ON reports (answered, event);
CREATE INDEX reports_of_person ON reports (person);
-- step 12
CREATE TABLE follows (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    other TEXT NOT NULL REFERENCES people ON DELETE CASCADE, created TEXT NOT NULL,
    PRIMARY KEY (person, other)) WITHOUT ROWID;
CREATE INDEX follows_of_other ON follows (other, person);
CREATE TABLE visible (
    person TEXT PRIMARY KEY REFERENCES people ON DELETE CASCADE, seen TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE challenges (
    match_id TEXT NOT NULL, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    other TEXT NOT NULL REFERENCES people ON DELETE CASCADE, created TEXT NOT NULL,
    PRIMARY KEY (match_id, other)) WITHOUT ROWID;
CREATE INDEX challenges_to_other ON challenges (other, created);
CREATE INDEX challenges_by_person ON challenges (person, created);
-- step 13
CREATE TABLE puzzle_ratings (
    person TEXT PRIMARY KEY REFERENCES people ON DELETE CASCADE, rating INTEGER NOT NULL,
    answered INTEGER NOT NULL, solved INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE puzzle_answers (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, puzzle TEXT NOT NULL, solved INTEGER NOT NULL,
    PRIMARY KEY (person, puzzle)) WITHOUT ROWID;
-- step 14
CREATE TABLE pooled (
    person TEXT PRIMARY KEY REFERENCES people ON DELETE CASCADE, pool TEXT NOT NULL,
    strength INTEGER NOT NULL, own_luck INTEGER NOT NULL, since TEXT NOT NULL,
    kept_until TEXT NOT NULL, match_id TEXT, made TEXT) WITHOUT ROWID;
CREATE INDEX pooled_in ON pooled (pool, match_id, since);
-- step 15
CREATE TABLE local_guests (
    id TEXT PRIMARY KEY, opener TEXT NOT NULL REFERENCES people ON DELETE CASCADE, match_id TEXT NOT NULL,
    name TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX local_guests_of_opener ON local_guests (opener, match_id);
-- step 16
DROP INDEX pooled_in;
-- step 17
CREATE TABLE photos (
    id TEXT PRIMARY KEY, event TEXT NOT NULL, round INTEGER NOT NULL, number INTEGER NOT NULL,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, caption TEXT NOT NULL, seen TEXT NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, small_width INTEGER NOT NULL,
    small_height INTEGER NOT NULL, created TEXT NOT NULL, small BLOB NOT NULL, large BLOB NOT NULL);
CREATE INDEX photos_of_event ON photos (event, created);
CREATE INDEX photos_of_person ON photos (person);
