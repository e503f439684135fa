create table watch (
  repository text not null,
  source text not null,
  subject text not null,
  next integer not null,
  forgotten integer not null,
  looked integer not null,
  hurried integer not null default 0,
  rest text not null,
  past integer,
  primary key (repository, source)
) strict;

create table memory (
  repository text not null,
  source text not null,
  subject text not null,
  memory text not null,
  primary key (repository, source)
) strict;

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

create table comment (
  id integer primary key autoincrement,
  repository text not null,
  recheck integer references recheck,
  issue integer,
  marker text not null,
  body text not null,
  attempted integer,
  done integer not null,
  planned integer,
  unique (repository, marker)
) strict;

create table creation (
  id integer primary key,
  repository text not null,
  at integer not null
) strict;
create index creation_at on creation (repository, at);

create table delivery (
  number integer primary key autoincrement,
  id text not null unique,
  repository integer,
  news text not null,
  received integer not null,
  done integer not null,
  installation integer not null default 0
) strict;
create index delivery_waiting on delivery (number) where done = 0;

create table host_rest (
  host text primary key,
  until integer not null,
  status integer not null
) strict;

create table archived_change (
  repository text not null,
  source text not null,
  seen integer not null,
  rest text not null,
  primary key (repository, source, seen)
) strict;

create table message (
  id integer primary key autoincrement,
  repository text not null,
  channel text not null,
  key text not null,
  state text not null,
  next integer not null,
  attempted integer,
  rest text not null,
  unique (repository, channel, key)
) strict;
create index message_waiting on message (repository, next) where state = 'waiting';

create table host_turn (
  host text primary key,
  at integer not null
) strict;

create table robots (
  product text not null,
  origin text not null,
  rules text not null,
  read integer not null,
  etag text,
  modified text,
  primary key (product, origin)
) strict;
create index delivery_of_repository on delivery (repository, installation, number) where done = 0;

create table repository (
  id integer primary key,
  name text not null,
  config text,
  rest text not null,
  next integer not null default 0
) strict;

create table attempt (
  repository text not null,
  source text not null,
  began integer not null,
  died integer not null,
  primary key (repository, source)
) strict;
create index repository_of_name on repository (lower(name));
create index repository_due on repository (next);
create index watch_due on watch (repository, forgotten, next);
create index watch_looked on watch (repository, forgotten, looked);
create index watch_past on watch (repository, past) where past is not null;
create index claim_status on claim (repository, status);

create table roster (
  repository text primary key,
  digest text not null
) strict;
create index recheck_previous on recheck (previous) where previous is not null;
create index firing_of_recheck on firing (recheck) where recheck is not null;
create index answer_in on answer (repository);
create index comment_of_recheck on comment (recheck) where recheck is not null;
