-- looked: when the last look began. hurried: when one was asked for that no look has answered; else 0.
create table watch (
  repository text not null,
  source text not null,
  subject text not null,
  next integer not null,
  forgotten integer not null,
  looked integer not null,
  hurried integer not null default 0,
  rest text not null,
  primary key (repository, source)
) strict;
create index watch_due on watch (repository, next);

-- Apart from watch: an unchanged look rewrites the watch, and must not rewrite the texts.
create table memory (
  repository text not null,
  source text not null,
  subject text not null,
  memory text not null,
  primary key (repository, source)
) strict;

-- body: decompressed by us, compressed again with Brotli.
create table snapshot (
  id integer primary key,
  repository text not null,
  source text not null,
  at integer not null,
  hash text not null,
  reader integer not null,
  url text not null,
  status integer not null,
  headers text not null,
  body blob not null
) strict;
create index snapshot_of_source on snapshot (repository, source, at);

create table look (
  id integer primary key,
  repository text not null,
  source text not null,
  at integer not null,
  outcome text not null,
  rest text not null
) strict;
create index look_at_source on look (repository, source, at);

create table claim (
  repository text not null,
  claim text not null,
  status text not null,
  rest text not null,
  primary key (repository, claim)
) strict;

create table event_sighting (
  repository text not null,
  key text not null,
  source text not null,
  product text,
  seen integer not null,
  baseline integer not null,
  event text not null,
  primary key (repository, key, source)
) strict;
create index event_in_source on event_sighting (repository, source);
create index event_of_product on event_sighting (repository, product) where product is not null;

-- autoincrement: the number of a recheck or firing never means another one later.
-- titled: the title with which the issue's creation was sent. written: a digest of the body that was written last, and
-- tells: the hidden line in it. refused: that GitHub does not let us write, as JSON. verdict: one person's word on the
-- whole, as JSON. said: the number of the last comment that was obeyed. gone: 1 where its issue is not there any more.
-- pull: the pull request of its answers, as JSON.
create table recheck (
  id integer primary key autoincrement,
  repository text not null,
  "trigger" text not null,
  state text not null,
  marker text not null,
  issue integer,
  attempted integer,
  titled text,
  opened integer not null,
  closed integer,
  written text,
  tells text,
  refused text,
  previous integer references recheck,
  snoozed text,
  verdict text,
  said integer,
  gone integer,
  pull text,
  unique (repository, marker)
) strict;

-- told: the weight with which it last joined a recheck.
create table firing (
  id integer primary key autoincrement,
  repository text not null,
  "trigger" text not null,
  key text not null,
  weight text not null,
  seen integer not null,
  fired integer not null,
  event text not null,
  recheck integer references recheck,
  told text,
  joined integer,
  unique (repository, "trigger", key)
) strict;
create index firing_of_event on firing (repository, key);

-- digest: SHA-256 of the change and the part, so that one change seen twice is one piece of evidence.
create table evidence (
  id integer primary key,
  repository text not null,
  firing integer not null references firing,
  source text not null,
  digest text not null,
  seen integer not null,
  rest text not null,
  unique (firing, source, digest)
) strict;
create index evidence_in_source on evidence (repository, source, seen);

-- comment: the number of the comment that gave it. pull: of the pull request that took it along when it was closed
-- unmerged.
create table answer (
  id integer primary key autoincrement,
  repository text not null,
  recheck integer not null references recheck,
  rating text not null,
  verdict text not null,
  level text,
  because text,
  "by" text not null,
  at integer not null,
  settled integer,
  comment integer,
  pull integer
) strict;
create index answer_of_recheck on answer (recheck);

-- On the issue of a recheck, or on another issue or pull request of ours: its number is in issue, then.
create table comment (
  id integer primary key autoincrement,
  repository text not null,
  recheck integer references recheck,
  issue integer,
  marker text not null,
  body text not null,
  attempted integer,
  done integer not null,
  unique (repository, marker)
) strict;

create table creation (
  id integer primary key,
  repository text not null,
  at integer not null
) strict;
create index creation_at on creation (repository, at);

-- id: GitHub's own, which outlives names. config: the texts, apart from what changes often.
create table repository (
  id integer primary key,
  name text not null unique,
  config text,
  rest text not null
) strict;

-- Worked off in the order of number. A delivery that is done stays for a while, to know it when it is sent again.
create table delivery (
  number integer primary key autoincrement,
  id text not null unique,
  repository integer,
  news text not null,
  received integer not null,
  done integer not null
) strict;
create index delivery_waiting on delivery (number) where done = 0;

-- Hosts that asked to be left alone, until when and by which status: they are, by all repositories.
create table host_rest (
  host text primary key,
  until integer not null,
  status integer not null
) strict;
