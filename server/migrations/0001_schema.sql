-- The schema of version 0.1.0: each table with its indexes, triggers and policy beside it, grouped as server/src is.
-- Until 0.1.0 is released, changes are made here, in their place. Later migrations only go forward and leave this file alone.

-- Substring search by index. A trusted extension: the owner of the database may create it.
create extension if not exists pg_trgm;


-- Functions for any resource

create function in_scope(organization_id bigint) returns boolean
  language sql stable parallel safe
  return array_position(array[organization_id::text, '*'], current_setting('dokima.organization', true)) is not null;
comment on function in_scope is
  'Whether the transaction may see rows of this organization: it names the organization in dokima.organization. "*" is the service itself: authentication and background work. The planner expects "is not null" to hold for nearly all rows, and "=" or "in" for 0.5 %.';

create procedure own_rows_only(owned regclass, organization text default 'organization_id')
  language plpgsql
  as $$
begin
  execute format('alter table %s enable row level security, force row level security', owned);
  execute format('create policy own_organization on %s using (in_scope(%I))', owned, organization);
end $$;
comment on procedure own_rows_only is
  'Shows a transaction only the rows of its organization, even to the owner of the table. Every table with such rows needs it.';

create function iso_time(moment timestamptz) returns text
  language sql stable parallel safe
  return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
comment on function iso_time is 'A time as the API writes it: ISO 8601, UTC, milliseconds.';

create function dated_now(id uuid) returns uuid
  language sql stable parallel safe
  return (lpad(to_hex(floor(extract(epoch from now()) * 1000)::bigint), 12, '0') || substr(replace(id::text, '-', ''), 13))::uuid;
comment on function dated_now is 'A UUID v7 with the time of the transaction: rows that are listed by their ids come from processes with different clocks.';

create function minute_of(moment timestamptz) returns timestamptz
  language sql
  immutable parallel safe
  return date_bin('1 minute', moment, '1970-01-01T00:00:00Z');
comment on function minute_of is 'The whole minute of a time. date_trunc would ask for the time zone.';

create function path_text(value json, path text[]) returns text
  language plpgsql
  immutable
  as $$
begin
  return value #>> path;
exception when untranslatable_character or invalid_text_representation then
  return null;
end $$;
comment on function path_text is
  'The value at a path of a JSON document, as text. Also null when the value holds what text cannot: a NUL or half a surrogate pair.';

create function field_text(object json, field text) returns text
  language plpgsql immutable
  as $$
begin
  return object ->> field;
exception when untranslatable_character or invalid_text_representation then
  return null;
end $$;
comment on function field_text is
  'A field of a JSON object as text. Also null when the object holds what text cannot: a NUL or half a surrogate pair.';

create function comparable_json(value json) returns jsonb
  language plpgsql immutable
  as $$
begin
  return value::jsonb;
exception when data_exception or program_limit_exceeded then
  return to_jsonb(value::text);
end $$;
comment on function comparable_json is
  'A JSON value in a form to compare by: jsonb ignores the order of keys and the notation of numbers. Its text if jsonb cannot hold it, as with \u0000 or numbers beyond numeric.';

create function json_hash(value json) returns bigint
  language sql immutable parallel safe
  as $$ select case when value::text !~ '^\s*[{]\s*[}]\s*$' then hashtextextended(value::text, 0) & 4503599627370495 end $$;
comment on function json_hash is
  'Hash of a JSON text in 52 bits, which are exact in a double; null for an empty object. The probability that two of 100,000 different texts have the same hash is one in a million.';

create function json_sha256(value json) returns bytea
  language sql immutable parallel safe
  as $$ select sha256(convert_to(value::text, 'UTF8')) $$;
comment on function json_sha256 is 'SHA-256 of a JSON text as it was sent.';


-- Changes: what clients and chores follow

create table change (
  organization_id bigint not null,
  project_id bigint,
  run_id bigint,
  n integer,
  resource text,
  xact xid8 not null default pg_current_xact_id(),
  noted_at timestamptz not null default clock_timestamp(),
  check ((run_id is null) <> (resource is null)),
  check (project_id is not null or resource is not null)
);
comment on table change is
  'What was written in the last minutes, for clients that follow a project or an organization. Each statement adds its own rows in its transaction, so that writers never wait for each other. A reader keeps its snapshot and next asks for the rows that the snapshot did not show, because commits do not follow the order of any number.';
comment on column change.project_id is
  'Null: a resource of the organization. No foreign key: checking it would lock the project in each write.';
comment on column change.n is 'Null: the run itself, or too many of its records to name them.';
comment on column change.resource is 'Kind of the resource that was written, such as metrics; null for runs and records.';
-- A reader asks by snapshot; a time does not show when a row was committed.
create index change_project on change (project_id, xact);
call own_rows_only('change');

-- The functions below are for triggers: for each row where people write a row at a time, for each statement where programs write many.
-- Each joins the parent, so rows that are deleted together with their parent are not noted.

create function note_organization_resource() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, resource)
  select id, tg_argv[0] from organization where id = coalesce(new.organization_id, old.organization_id);
  return null;
end $$;
comment on function note_organization_resource is 'Notes that a resource of an organization changed.';

create function note_resource() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, resource)
  select organization_id, id, tg_argv[0] from project where id = coalesce(new.project_id, old.project_id);
  return null;
end $$;
comment on function note_resource is 'Notes that a resource of a project changed.';

create function note_testcases() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, resource)
  select distinct testset.organization_id, testset.project_id, 'testsets'
  from (select distinct testset_id from changed) touched join testset on testset.id = touched.testset_id;
  if tg_op = 'DELETE' then
    update idempotency_key set body = null from (select distinct testset_id from changed) touched
    where idempotency_key.testset_id = touched.testset_id;
  end if;
  return null;
end $$;
comment on function note_testcases is
  'Notes that testcases changed, as a change of their testset, and erases the stored answers of a testset that lost some.';

create function note_run() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id)
  select project.organization_id, project.id, coalesce(new.id, old.id)
  from project where project.id = coalesce(new.project_id, old.project_id);
  return null;
end $$;
comment on function note_run is 'Notes that a run changed.';

create function note_records() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id, n)
  select distinct run.organization_id, run.project_id, run.id,
    case when count(*) over (partition by run.id) <= 20 then touched.n end
  from (select distinct run_id, n from changed) touched join run on run.id = touched.run_id;
  return null;
end $$;
comment on function note_records is 'Notes that something about records changed; up to 20 of a run by their numbers.';

create function note_record() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id, n)
  select organization_id, project_id, id, coalesce(new.n, old.n) from run where id = coalesce(new.run_id, old.run_id);
  if tg_op = 'DELETE' then
    update idempotency_key set body = null where organization_id = old.organization_id and resource_id = old.id::text;
  end if;
  return null;
end $$;
comment on function note_record is
  'Notes that an annotation or a reply changed, as a change of its record, and erases the stored answer about a deleted one.';

create function note_run_fact() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id)
  select organization_id, project_id, id from run where id = coalesce(new.run_id, old.run_id);
  return null;
end $$;
comment on function note_run_fact is 'Notes that a fact of a run changed.';

create function note_changed_scores() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id, n)
  select distinct run.organization_id, run.project_id, run.id,
    case when count(*) over (partition by run.id) <= 20 then touched.n end
  from (
    select run_id, n from after_change where state <> 'pending'
    union
    select run_id, n from before_change where state <> 'pending') touched
  join run on run.id = touched.run_id;
  return null;
end $$;
comment on function note_changed_scores is
  'Notes the records of changed scores, as note_records does, except scores that stay pending, for example after a failed attempt.';

create function note_changed_executions() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id)
  select distinct run.organization_id, run.project_id, run.id
  from (
    select run_id from after_change where state <> 'pending'
    union
    select run_id from before_change where state <> 'pending') touched
  join run on run.id = touched.run_id;
  return null;
end $$;
comment on function note_changed_executions is 'Notes the runs of executions that ended or are retried. Executions that stay pending are left out: a worker took them.';

create table change_reader (
  name text primary key,
  snapshot text not null,
  holds boolean not null default false
);
comment on table change_reader is
  'How far a background job has read the changes of all organizations: it still has to read those that its snapshot does not show.';
comment on column change_reader.holds is 'Whether changes are kept until it has read them, at most a day.';


-- Accounts

create table organization (
  id bigint generated always as identity primary key,
  name text not null,
  judge_model text,
  report_links boolean not null default false,
  vault_of bigint unique references organization on delete cascade,
  created_at timestamptz not null default now()
);
comment on table organization is 'Everything else belongs to one organization. No organization sees rows of another.';
comment on column organization.vault_of is
  'The organization whose sealed testcases this one holds, and the runs over them. A vault has no members and no keys, so no request reads it; null for an organization of people.';
comment on column organization.judge_model is 'The evalModelName of AI metrics that name none; null for DOKIMA_JUDGE_MODEL.';
comment on column organization.report_links is 'Whether members may make links that show a report without an account, and whether such links work.';
call own_rows_only('organization', 'id');

create table member (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  name text not null,
  email text not null,
  role text not null check (role in ('admin', 'member', 'annotator', 'viewer')),
  password_hash text,
  sso_subject text,
  external_id text,
  directory json,
  active boolean not null default true,
  email_unconfirmed boolean not null default false,
  sign_in_changed_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table member is 'A person in an organization. A person in several organizations has a member in each.';
comment on column member.password_hash is 'scrypt with its salt and cost; null until the member has used a sign-in link.';
comment on column member.sso_subject is
  'Issuer and subject of the single sign-on account; null until it signs in. Another account with the same e-mail address is then refused.';
comment on column member.external_id is 'Id of the member in the directory that provisions the organization.';
comment on column member.directory is
  'userName, givenName and familyName of the member in the directory. Null for a member whom no directory provisions.';
comment on column member.active is 'False: deactivated by the directory. An inactive member has no access.';
comment on column member.email_unconfirmed is
  'True: the member chose the address behind a sign-in link, and is no admin. Mails to it need its confirmation, as to any other address.';
comment on column member.sign_in_changed_at is
  'When the password was set or the member deactivated. An older sign-in cannot switch to this member.';
create unique index member_email on member (organization_id, lower(email));
create index member_sign_in on member (lower(email));
create index member_sso on member (sso_subject) where sso_subject is not null;
create index member_user_name on member (organization_id, lower(directory ->> 'userName')) where directory is not null;
create index member_external_id on member (organization_id, external_id) where external_id is not null;
create trigger member_noted after insert or update or delete on member
  for each row execute function note_organization_resource('members');
call own_rows_only('member');

create table sign_in (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  member_id uuid not null references member on delete cascade,
  hash bytea not null unique,
  proven_member_ids uuid[] not null,
  invited_member_ids uuid[] not null default '{}',
  sso_subject text,
  sso_session text,
  signed_in_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
comment on table sign_in is 'A member who is signed in, in one browser. Programs use an api_key.';
comment on column sign_in.hash is 'SHA-256 of the token. The token itself is not stored.';
comment on column sign_in.proven_member_ids is
  'The members that the person proved to be at sign-in, by password or by a verified e-mail address: the sign-in can switch to their organizations.';
comment on column sign_in.invited_member_ids is
  'Members with the person''s verified e-mail address in organizations that the person has not joined with single sign-on yet.';
comment on column sign_in.sso_subject is
  'Account of single sign-on that the person signed in with; null with a password.';
comment on column sign_in.sso_session is
  'The session at the provider of single sign-on (sid), if it names one: its end ends this one.';
comment on column sign_in.signed_in_at is
  'When the person proved who they are. Switching the organization keeps it. The settings say how long after it the session ends.';
comment on column sign_in.last_used_at is 'When the person last used it, to the minute.';
create index sign_in_member on sign_in (member_id);
create index sign_in_organization on sign_in (organization_id);
create index sign_in_sso on sign_in (sso_subject) where sso_subject is not null;
create index sign_in_sso_session on sign_in (sso_session) where sso_session is not null;
call own_rows_only('sign_in');

create table sign_in_link (
  hash bytea primary key,
  organization_id bigint not null references organization on delete cascade,
  member_id uuid not null references member on delete cascade,
  by_operator boolean not null default false,
  sso_subject text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table sign_in_link is
  'A link that lets its holder choose the member''s password: at the first start, for an invitation, for a forgotten password. Or the question to a person with single sign-on whether they enter the organization.';
comment on column sign_in_link.sso_subject is
  'Account of single sign-on whose owner the link asks. Its redemption binds the member to the account, without a password.';
comment on column sign_in_link.hash is 'SHA-256 of the token. The token itself is not stored.';
comment on column sign_in_link.by_operator is 'Whether the operator made it: such a link also works where single sign-on is required.';
create index sign_in_link_member on sign_in_link (member_id);
create index sign_in_link_organization on sign_in_link (organization_id);
call own_rows_only('sign_in_link');

create table api_key (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  member_id uuid not null references member on delete cascade,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  access text not null check (access in ('full', 'read')),
  default_project_id bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
comment on table api_key is 'A key of a member, for programs.';
comment on column api_key.prefix is 'The first characters of the key, so that people can tell keys apart.';
comment on column api_key.hash is 'SHA-256 of the key. The key itself is not stored.';
comment on column api_key.default_project_id is 'Project of traces that name none.';
create index api_key_organization on api_key (organization_id);
create index api_key_member on api_key (member_id);
create index api_key_default_project on api_key (default_project_id) where default_project_id is not null;
call own_rows_only('api_key');

create table scim_token (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on table scim_token is 'A token with which a directory provisions the members of the organization.';
comment on column scim_token.hash is 'SHA-256 of the token. The token itself is not stored.';
create index scim_token_organization on scim_token (organization_id);
call own_rows_only('scim_token');

create table member_group (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table member_group is 'A group of the directory. DOKIMA_GROUP_ROLES says which role its members get.';
create unique index member_group_name on member_group (organization_id, lower(name));
call own_rows_only('member_group');

create table member_group_member (
  group_id uuid not null references member_group on delete cascade,
  member_id uuid not null references member on delete cascade,
  organization_id bigint not null,
  primary key (group_id, member_id)
);
comment on table member_group_member is 'Which members are in which group.';
create index member_group_member_member on member_group_member (member_id);
call own_rows_only('member_group_member');

create table audit_event (
  id uuid primary key,
  organization_id bigint not null,
  at timestamptz(3) not null,
  operation text not null,
  resource text not null,
  resource_id text,
  project_id bigint,
  member_id uuid,
  key_id uuid,
  sign_in_id uuid,
  address text,
  failed boolean not null default false,
  details json,
  before json,
  after json,
  salt bytea,
  before_hash bytea,
  after_hash bytea,
  place bigint check (place > 0),
  hash bytea,
  check ((place is null) = (hash is null))
);
comment on table audit_event is
  'One write or sign-in, written in its transaction. No foreign keys: the log outlives what it names, and checking them would lock the organization in each write.';
comment on column audit_event.id is 'UUID v7: entries are listed by it.';
comment on column audit_event.resource is 'Group of the operation in the API''s document, such as Metrics.';
comment on column audit_event.details is 'Number of the rows that a bulk write changed, with the first and last id. Never the rows.';
comment on column audit_event.before is
  'The resource before the write, as is after behind it. Both are erased when a project, run, testset or attachment is deleted; the chain has their hashes.';
comment on column audit_event.salt is
  'Random bytes in front of the hashed texts. Erased with them: without the salt, no text can be guessed by its hash.';
comment on column audit_event.before_hash is 'SHA-256 of salt and before. after_hash is the same of after.';
comment on column audit_event.place is 'Place in the organization''s chain; null until the chain has taken the entry, seconds after its commit.';
comment on column audit_event.hash is 'SHA-256 of the previous entry''s hash and of audit_content of this one.';
create index audit_event_time on audit_event (organization_id, id);
create unique index audit_event_place on audit_event (organization_id, place) where place is not null;
create index audit_event_texts on audit_event (organization_id, resource, resource_id) where salt is not null;
create index audit_event_project_texts on audit_event (project_id) where salt is not null;
create index audit_event_decisions on audit_event (project_id, id) where operation = 'createDecision' and salt is not null;
create index audit_event_unchained on audit_event (organization_id, id) where place is null;
call own_rows_only('audit_event');

create function audit_content(e audit_event) returns text
  language sql stable parallel safe
  return json_build_array(e.id, e.organization_id::text, iso_time(e.at), e.operation, e.resource, e.resource_id,
    e.project_id::text, e.member_id, e.key_id, e.sign_in_id, e.address, e.failed, e.details::text,
    encode(e.before_hash, 'hex'), encode(e.after_hash, 'hex'))::text;
comment on function audit_content is
  'The content of an entry that the chain protects: a JSON array of its columns, in the order of the table, with hashes in place of before and after.';

create function audit_text_holds(content json, salt bytea, hash bytea) returns boolean
  language sql immutable parallel safe
  return content is null and (hash is null or salt is null)
    or content is not null and sha256(salt || convert_to(content::text, 'UTF8')) is not distinct from hash;
comment on function audit_text_holds is 'Whether the text of an entry is the one that was hashed, or was erased with its salt.';

create function erase_audit_texts(of_resource text, organizations bigint[], ids text[]) returns void
  language sql
  as $$
  update audit_event set before = null, after = null, salt = null
  from unnest(organizations, ids) as gone (organization_id, id)
  where audit_event.organization_id = gone.organization_id and audit_event.resource = of_resource
    and audit_event.resource_id = gone.id and audit_event.salt is not null
$$;
comment on function erase_audit_texts is 'Erases what the audit log says about deleted resources. The entries and their hashes stay.';

create table audit_chain (
  organization_id bigint primary key references organization on delete cascade,
  place bigint not null default 0,
  hash bytea not null default ''
);
comment on table audit_chain is 'The last entry of each organization''s chain: without it, the removal of the last entries would not be noticed.';
call own_rows_only('audit_chain');

create function delete_audit_events() returns trigger
  language plpgsql
  as $$
begin
  delete from audit_event using gone where audit_event.organization_id = gone.id;
  return null;
end $$;
comment on function delete_audit_events is 'Deletes the audit log of deleted organizations, in place of a foreign key.';
create trigger organization_deleted after delete on organization
  referencing old table as gone for each statement execute function delete_audit_events();


-- Evaluation: projects

create table project (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organization on delete cascade,
  name text,
  description text,
  restricted boolean not null default false,
  import_key text,
  created_at timestamptz not null default now()
);
comment on table project is 'Holds testsets, metrics, systems, runs and traces.';
comment on column project.restricted is 'Whether only the project''s members and the organization''s admins see it.';
comment on column project.import_key is
  'The archive that the project was imported from, so that the same archive makes no second project; null for all others.';
create index project_organization on project (organization_id, id);
create index project_restricted on project (organization_id) where restricted;
create unique index project_import_key on project (organization_id, import_key) where import_key is not null;
alter table api_key add foreign key (default_project_id) references project on delete set null;
create trigger project_noted after insert or update or delete on project
  for each row execute function note_organization_resource('projects');
call own_rows_only('project');

create table deletion (
  organization_id bigint not null references organization on delete cascade,
  root text not null check (root in ('project', 'run', 'testset')),
  id bigint not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, root, id)
);
comment on table deletion is
  'Projects, runs and testsets that are being deleted in slices. They are hidden, and a start of the service continues.';
comment on column deletion.id is 'No foreign key: of one of three tables.';
call own_rows_only('deletion');

create table project_settings (
  project_id bigint primary key references project on delete cascade,
  organization_id bigint not null,
  trace_days integer check (trace_days between 1 and 36500),
  record_days integer check (record_days between 1 and 36500),
  masking json,
  search_index boolean
);
comment on table project_settings is 'How long a project keeps its traces and records, what it masks, and whether its records are indexed for search. Without a row, nothing is set.';
comment on column project_settings.search_index is 'Whether the texts and fields of records are indexed for search; null: not yet, the first search sets it.';
create index project_settings_indexed on project_settings (project_id) where search_index;
comment on column project_settings.trace_days is 'Days after which traces are deleted; null: never.';
comment on column project_settings.record_days is 'Days after which records are deleted; null: never.';
comment on column project_settings.masking is 'Rules by which personal data is replaced before anything is stored; null: none.';
call own_rows_only('project_settings');

create table project_member (
  project_id bigint not null references project on delete cascade,
  member_id uuid not null references member on delete cascade,
  organization_id bigint not null,
  role text not null check (role in ('admin', 'member', 'annotator', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (project_id, member_id)
);
comment on table project_member is
  'The role that a project gives to a member. In a restricted project it is their only role, in others it adds to the one of the organization.';
create index project_member_member on project_member (member_id, project_id);
create trigger project_member_noted after insert or update or delete on project_member
  for each row execute function note_resource('access');
call own_rows_only('project_member');

create table saved_view (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  member_id uuid not null references member on delete cascade,
  name text not null,
  shared boolean not null,
  search text not null,
  display json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table saved_view is 'A named search of a project''s records, for its owner or for everyone in the project.';
comment on column saved_view.display is 'Free-form: how a page shows what was found, such as its columns.';
create index saved_view_project on saved_view (project_id, id);
create index saved_view_member on saved_view (member_id);
create trigger saved_view_noted after insert or update or delete on saved_view
  for each row execute function note_resource('views');
call own_rows_only('saved_view');

create table report_link (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  project_id bigint not null references project on delete cascade,
  member_id uuid not null references member on delete cascade,
  hash bytea not null unique,
  name text not null,
  run_ids bigint[] not null,
  comparison json not null,
  num_uses integer not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table report_link is 'A link that shows the comparison of runs without an account.';
comment on column report_link.member_id is 'Who made it. It works only while they may read the project.';
comment on column report_link.hash is 'SHA-256 of the token. The token itself is not stored.';
comment on column report_link.run_ids is 'All runs of the comparison. If one is deleted, so is the link. No foreign key: it is an array.';
comment on column report_link.comparison is 'What is compared, and how: parameters of the comparison of runs.';
create index report_link_project on report_link (project_id);
create index report_link_member on report_link (member_id);
create index report_link_organization on report_link (organization_id);
call own_rows_only('report_link');


-- Evaluation: testsets, metrics and systems

create table testset (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  description text not null,
  json_schema json not null,
  input_fields text[] not null,
  expected_fields text[] not null,
  metadata_fields text[] not null,
  grouping_field text,
  last_testcase_n integer not null default 0,
  last_fresh_n integer not null default 0,
  edition integer not null default 0,
  split_rules json not null default '[]',
  created_by uuid,
  created_at timestamptz not null default now()
);
comment on table testset is 'Testcases of one JSON Schema.';
comment on column testset.edition is
  'Counts the writes of its testcases. A snapshot is the testset at one of its editions.';
comment on column testset.grouping_field is
  'Field by which testcases belong together, such as a document or a conversation. Intervals then rest on the groups.';
comment on column testset.split_rules is 'SplitRule of the API: which split a new testcase gets. The first that fits decides.';
comment on column testset.created_by is 'No foreign key: a testset outlives the member. Null if the service created it.';
create index testset_project on testset (project_id, id);
create function forget_testsets() returns trigger
  language plpgsql
  as $$
begin
  perform erase_audit_texts('Testsets', array_agg(organization_id), array_agg(id::text)) from gone;
  update idempotency_key set body = null from gone where idempotency_key.testset_id = gone.id;
  return null;
end $$;
comment on function forget_testsets is 'Erases what the audit log and stored answers say about deleted testsets.';
create trigger testset_deleted after delete on testset
  referencing old table as gone for each statement execute function forget_testsets();
create trigger testset_noted after insert or update or delete on testset
  for each row execute function note_resource('testsets');
call own_rows_only('testset');

create table testcase (
  organization_id bigint not null,
  testset_id bigint not null references testset on delete cascade,
  n integer not null,
  revision integer not null default 1,
  last_revision integer not null default 1,
  json_data json not null,
  hash bytea generated always as (json_sha256(json_data)) stored,
  validation_errors json,
  split text,
  tags text[] not null default '{}',
  edition integer not null default 0,
  data_edition integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (testset_id, n)
);
comment on table testcase is 'The input of a system and, if it is known, the expected answer.';
comment on column testcase.last_revision is
  'The highest revision that it had: a restored testcase has an older one, and its next change a new one.';
comment on column testcase.split is 'Part of the testset, such as dev or test, that a run can ask for.';
comment on column testcase.edition is 'Edition of the testset that wrote this row.';
comment on column testcase.data_edition is 'Edition that wrote json_data: a new split or tag copies no text.';
-- No trigger for new ones: each changes last_testcase_n of its testset.
create trigger testcase_changed_noted after update on testcase
  referencing new table as changed for each statement execute function note_testcases();
create trigger testcase_deleted_noted after delete on testcase
  referencing old table as changed for each statement execute function note_testcases();
call own_rows_only('testcase');

create table testcase_past (
  organization_id bigint not null,
  testset_id bigint not null references testset on delete cascade,
  n integer not null,
  edition integer not null,
  until_edition integer not null,
  data_edition integer not null,
  revision integer not null,
  last_revision integer not null,
  json_data json,
  hash bytea not null,
  validation_errors json,
  split text,
  tags text[] not null default '{}',
  created_at timestamptz not null,
  primary key (testset_id, n, edition)
);
comment on table testcase_past is
  'What a testcase was from one edition of its testset until another, if a snapshot may have it. Snapshots copy nothing: a change or deletion of a testcase moves the old row here.';
comment on column testcase_past.json_data is
  'Null if only split or tags changed: the row of the same data_edition, here or in testcase, has it.';
call own_rows_only('testcase_past');

create table testset_snapshot (
  organization_id bigint not null,
  testset_id bigint not null references testset on delete cascade,
  n integer not null,
  edition integer not null,
  hash bytea not null,
  num_testcases integer not null,
  num_added integer not null,
  num_changed integer not null,
  num_removed integer not null,
  num_erased integer not null default 0,
  name text not null default '',
  made_by text not null check (made_by in ('member', 'run', 'restore')),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (testset_id, n),
  unique (testset_id, edition)
);
comment on table testset_snapshot is
  'A testset as it was at one edition: its testcases are the rows of testcase and testcase_past that were current then.';
comment on column testset_snapshot.num_added is 'With num_changed and num_removed: testcases that differ from the snapshot before.';
comment on column testset_snapshot.num_erased is 'Testcases of it whose texts were erased. Its hash stays.';
comment on column testset_snapshot.made_by is 'member: a member asked for it. run: a run started. restore: an older one was about to be restored.';
comment on column testset_snapshot.created_by is 'No foreign key: a snapshot outlives the member. Null for a run of the service.';
create trigger testset_snapshot_made_noted after insert on testset_snapshot
  referencing new table as changed for each statement execute function note_testcases();
create trigger testset_snapshot_changed_noted after update on testset_snapshot
  referencing new table as changed for each statement execute function note_testcases();
call own_rows_only('testset_snapshot');

create table fresh_testcase (
  organization_id bigint not null,
  testset_id bigint not null references testset on delete cascade,
  n integer not null,
  json_data json,
  validation_errors json,
  inclusion_probability double precision check (inclusion_probability > 0 and inclusion_probability <= 1),
  origin_run_id bigint,
  origin_n integer,
  run_id bigint,
  testcase_n integer,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (testset_id, n),
  check ((run_id is null) = (testcase_n is null) and (json_data is null) = (testcase_n is not null))
);
comment on table fresh_testcase is
  'Testcases that no run has seen. A run that asks for fresh ones takes the first that wait: they become testcases, and are fresh for this run alone.';
comment on column fresh_testcase.json_data is 'Null once a run took it: the testcase testcase_n has it.';
comment on column fresh_testcase.inclusion_probability is 'Chance with which it was drawn from the traffic; null if it was added by a person or a program.';
comment on column fresh_testcase.origin_run_id is 'With origin_n: the record that it was made of. No foreign keys: it outlives the record, its run and its member.';
create index fresh_testcase_run on fresh_testcase (run_id) where run_id is not null;
create trigger fresh_testcase_added_noted after insert on fresh_testcase
  referencing new table as changed for each statement execute function note_testcases();
create trigger fresh_testcase_deleted_noted after delete on fresh_testcase
  referencing old table as changed for each statement execute function note_testcases();
call own_rows_only('fresh_testcase');

create table look (
  organization_id bigint not null,
  testset_id bigint not null references testset on delete cascade,
  n integer not null,
  run_id bigint not null,
  baseline_run_id bigint,
  metric_config_id uuid not null,
  hash bytea,
  split text,
  kind text not null check (kind in ('gate', 'compare', 'summary', 'report', 'mcp', 'ask', 'evaluate')),
  member_id uuid,
  verdict text check (verdict in ('better', 'worse', 'cannot tell')),
  outcome text check (outcome in ('pass', 'worse', 'inconclusive', 'incomplete')),
  level double precision,
  at timestamptz not null default now(),
  unique nulls not distinct (run_id, baseline_run_id, metric_config_id)
);
comment on table look is
  'Verdicts about a testset that left the service: a row for each pair of runs and metric configuration. Asking again about the same answers is no further look.';
comment on column look.n is 'Number of the look within the testset: rows of one run that were asked for together share it.';
comment on column look.run_id is 'The newer run. No foreign keys: a look outlives its runs, metrics and member.';
comment on column look.baseline_run_id is 'The run that it was compared with; null for a summary of a new version.';
comment on column look.hash is 'Hash of the snapshot with which the run began; null without one.';
comment on column look.member_id is 'Who asked first; null for a reader of a shared report.';
comment on column look.outcome is 'Outcome of the gate, if a gate with a ledger asked.';
comment on column look.level is 'The part of its level that the ledger of that gate gave.';
create index look_testset on look (testset_id, n);
call own_rows_only('look');

create table seal (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  testset_id bigint not null references testset on delete cascade,
  split text not null,
  source json not null,
  num_testcases integer not null,
  num_seen integer not null,
  baseline_version_id uuid not null,
  metrics json not null,
  alpha double precision not null check (alpha > 0 and alpha < 1),
  max_looks integer not null check (max_looks > 0),
  margin double precision not null check (margin >= 0),
  state text not null default 'sealed' check (state in ('sealed', 'opening', 'opened')),
  vault_id bigint not null,
  vault_project_id bigint not null,
  vault_testset_id bigint not null,
  vault_system_id uuid not null,
  vault_baseline_run_id bigint,
  opened_project_id bigint,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  opened_at timestamptz
);
comment on table seal is
  'A sealed split of a testset. Its testcases and the runs over them are rows of the vault of the organization until it opens.';
comment on column seal.split is 'The split that its testcases get when it opens.';
comment on column seal.source is 'How its testcases were chosen, as SealSource of the API.';
comment on column seal.num_seen is 'Testcases of it that records had when it was sealed.';
comment on column seal.metrics is
  'Its metrics: id and name, the copy in the vault, and by the Ladder the figure that answers give and the run that it rests on.';
comment on column seal.alpha is 'Chance that any of its looks errs, at most: look t is tested at its part of the ledger.';
comment on column seal.vault_id is 'Organization of the rows in the vault. No foreign keys: row-level security hides them from this one.';
comment on column seal.baseline_version_id is 'No foreign key: the vault has a copy. created_by outlives its member.';
comment on column seal.opened_project_id is 'Project with the runs, once it is open; null if there was no look.';
create index seal_testset on seal (testset_id, id);
create index seal_project on seal (project_id);
create index seal_opening on seal (id) where state = 'opening';
create function delete_vaults() returns trigger
  language plpgsql
  as $$
declare
  tenant text := current_setting('dokima.organization', true);
begin
  perform set_config('dokima.organization', '*', true);
  delete from project using gone where project.id = gone.vault_project_id and project.organization_id = gone.vault_id;
  perform set_config('dokima.organization', tenant, true);
  return null;
end $$;
comment on function delete_vaults is 'Deletes what the vault has of deleted seals.';
create trigger seal_deleted after delete on seal
  referencing old table as gone for each statement execute function delete_vaults();
create trigger seal_noted after insert or update or delete on seal
  for each row execute function note_resource('testsets');
call own_rows_only('seal');

create table sealed_look (
  organization_id bigint not null,
  seal_id uuid not null references seal on delete cascade,
  n integer not null,
  system_version_id uuid not null,
  level double precision not null,
  vault_run_id bigint not null,
  answer text check (answer in ('pass', 'worse', 'not enough')),
  reason text,
  metrics json,
  member_id uuid not null,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  primary key (seal_id, n),
  unique (seal_id, system_version_id),
  check ((answer is null) = (answered_at is null))
);
comment on table sealed_look is 'Looks at sealed splits. A version that is asked about again has its former answer.';
comment on column sealed_look.system_version_id is 'No foreign keys: the vault has a copy, and a look outlives its member.';
comment on column sealed_look.metrics is 'The answer by metric, as SealedLook of the API; null until it is answered.';
create index sealed_look_open on sealed_look (seal_id) where answer is null;
call own_rows_only('sealed_look');

create table metric (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  description text,
  current_config_id uuid not null,
  reviewers smallint not null default 1 check (reviewers between 1 and 9),
  review_rule text not null default 'latest' check (review_rule in ('latest', 'majority')),
  created_by uuid,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
comment on table metric is 'A criterion by which records are scored. A deleted metric stays: its configurations say what produced each score.';
comment on column metric.reviewers is
  'Number of people who score each record of a human metric. Not part of the configuration: it does not change what a score means.';
comment on column metric.review_rule is 'How the score of a record follows from theirs.';
comment on column metric.created_by is 'No foreign key: a metric outlives the member. Null if the service created it.';
create index metric_project on metric (project_id, id);
create trigger metric_noted after insert or update or delete on metric
  for each row execute function note_resource('metrics');
call own_rows_only('metric');

create table metric_config (
  id uuid primary key,
  organization_id bigint not null,
  metric_id bigint not null references metric on delete cascade,
  eval_type text not null check (eval_type in ('ai', 'human', 'heuristic')),
  output_type text not null check (output_type in ('int', 'float', 'boolean', 'category')),
  guidelines text not null,
  prompt_template text,
  eval_model_name text,
  temperature double precision,
  jury_models text[] not null default '{}' check (cardinality(jury_models) <= 8),
  judge_repeats smallint not null default 1 check (judge_repeats between 1 and 9),
  passing_threshold double precision,
  lane text check (lane in ('code', 'judge')),
  span_search text,
  criteria json,
  labels json,
  created_at timestamptz not null default now(),
  check (criteria is null or (output_type = 'float' and eval_type <> 'heuristic' and span_search is null)),
  check ((eval_type = 'ai') = (prompt_template is not null and eval_model_name is not null and temperature is not null)),
  check ((output_type = 'category') = (labels is not null)),
  check (labels is null or span_search is null),
  check ((output_type in ('boolean', 'category')) = (passing_threshold is null))
);
comment on table metric_config is 'One version of a metric. Never changed: each score names the version that produced it.';
comment on column metric_config.jury_models is 'Models that judge beside eval_model_name. The score is the majority or the median of all.';
comment on column metric_config.lane is
  'Who makes its scores: code in the sandbox, or a judge (a model). Null: people, or clients that upload them.';
comment on column metric_config.span_search is
  'Which spans of a record it scores, as MetricSpans in the API. Null: it scores records.';
comment on column metric_config.criteria is
  'Criteria that get a verdict each, as Criteria in the API. The verdicts are in the score. Null: a metric without criteria.';
comment on column metric_config.labels is
  'Labels that a category gives, as Labels in the API. The value of a score is 1 for a label that passes, plus its place in 1/1024. Null: no category.';
create index metric_config_metric on metric_config (metric_id);
create index metric_config_spans on metric_config (metric_id) where span_search is not null;
alter table metric add foreign key (current_config_id) references metric_config deferrable initially deferred;
call own_rows_only('metric_config');

create table judge_people (
  metric_id bigint primary key references metric on delete cascade,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  people_metric_id bigint not null references metric on delete cascade,
  check (metric_id <> people_metric_id)
);
comment on table judge_people is
  'The human metric whose scores are the truth about a judge, as a person named it. Both belong to one project. Reads ignore a deleted one.';
create index judge_people_project on judge_people (project_id, metric_id);
create index judge_people_people on judge_people (people_metric_id);
create trigger judge_people_noted after insert or update or delete on judge_people
  for each row execute function note_resource('metrics');
call own_rows_only('judge_people');

create table metric_group (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  description text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table metric_group is 'A named set of metrics of a project.';
create index metric_group_project on metric_group (project_id, id);
create trigger metric_group_noted after insert or update or delete on metric_group
  for each row execute function note_resource('metric-groups');
call own_rows_only('metric_group');

create table metric_group_metric (
  organization_id bigint not null,
  metric_group_id bigint not null references metric_group on delete cascade,
  position integer not null,
  metric_id bigint not null references metric on delete cascade,
  primary key (metric_group_id, position),
  unique (metric_group_id, metric_id)
);
comment on table metric_group_metric is 'The metrics of a group. A deleted metric stays here, and reads leave it out.';
create index metric_group_metric_metric on metric_group_metric (metric_id);
call own_rows_only('metric_group_metric');

create table system (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  description text not null,
  production_version_id uuid not null,
  protected_labels text[] not null default '{}',
  created_by uuid,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
comment on table system is 'A system under test.';
comment on column system.protected_labels is 'Labels that only admins of the project move or remove, production among them.';
comment on column system.created_by is 'No foreign key: a system outlives the member. Null if the service created it.';
create unique index system_name on system (project_id, name) where deleted_at is null;
create index system_project on system (project_id, created_at, id);
call own_rows_only('system');

create table system_version (
  id uuid primary key,
  organization_id bigint not null,
  system_id uuid not null references system on delete cascade,
  name text not null,
  config json not null,
  config_hash bigint not null generated always as (jsonb_hash_extended(comparable_json(config), 0)) stored,
  note text not null default '',
  created_at timestamptz not null default now()
);
comment on table system_version is 'One configuration of a system. Never changed.';
comment on column system_version.config_hash is
  'Finds the versions of an equal configuration. Not an index expression: row-level security would keep the index from being used.';
comment on column system_version.note is 'Why the version was made.';
create index system_version_config on system_version (system_id, config_hash);
alter table system add foreign key (production_version_id) references system_version deferrable initially deferred;
call own_rows_only('system_version');

create table system_label (
  organization_id bigint not null,
  system_id uuid not null references system on delete cascade,
  name text not null,
  system_version_id uuid not null references system_version on delete cascade,
  updated_at timestamptz not null default now(),
  primary key (system_id, name)
);
comment on table system_label is
  'A name that points to a version of a system. production is system.production_version_id, and latest is the newest version: neither has a row.';
create index system_label_version on system_label (system_version_id);
call own_rows_only('system_label');


-- Evaluation: runs and records

create table run_tally (
  organization_id bigint not null,
  run_id bigint not null,
  metric_config_id uuid,
  state text,
  n integer not null
);
comment on table run_tally is
  'How many records a run has (no configuration, no state), and how many scores of each configuration in each state. A count is the sum over the rows: each statement that writes records or scores adds its differences in its transaction, so that writers never wait for each other.';
comment on column run_tally.run_id is
  'No foreign key: checking it would lock the run in a different order than its deletion does.';
-- A count of the records and scores took 3.5 s for a page of 20 runs of 10,000 records.
create index run_tally_run on run_tally (run_id);
call own_rows_only('run_tally');

create table record_tally (
  organization_id bigint not null,
  project_id bigint not null,
  minute timestamptz not null,
  n integer not null,
  fresh boolean not null default true
);
comment on table record_tally is
  'How many records of a project were created in each minute: the sum over the rows, as in run_tally.';
comment on column record_tally.project_id is
  'No foreign key: checking it would lock the project in each write.';
comment on column record_tally.fresh is
  'Whether it is not yet added to the other rows of its minute: compaction reads these rows and not the whole table.';
-- Counting ten million records of a project over time by the records themselves took 17 s.
create index record_tally_minute on record_tally (project_id, minute) include (n, organization_id);
create index record_tally_fresh on record_tally (project_id, minute) where fresh;
call own_rows_only('record_tally');

create function tally_records() returns trigger
  language plpgsql
  as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  with runs as (
    select run.organization_id, run.project_id, run.id, sign * count(*) as n
    from changed join run on run.id = changed.run_id
    group by run.id),
  tallied as (
    insert into run_tally (organization_id, run_id, n) select organization_id, id, n from runs),
  noted as (
    insert into change (organization_id, project_id, run_id) select organization_id, project_id, id from runs)
  insert into record_tally (organization_id, project_id, minute, n)
  select changed.organization_id, changed.project_id, minute_of(changed.created_at), sign * count(*)
  from changed join project on project.id = changed.project_id
  group by changed.organization_id, changed.project_id, minute_of(changed.created_at);
  return null;
end $$;
comment on function tally_records is
  'Counts inserted and deleted records, by run and by minute, and notes their runs. The joins leave out those of a deleted run or project.';

create function tally_moved_record() returns trigger
  language plpgsql
  as $$
begin
  -- The hours of both times are counted again.
  if date_trunc('hour', old.created_at, 'UTC') <> date_trunc('hour', new.created_at, 'UTC') then
    insert into change (organization_id, project_id, run_id, n)
    values (new.organization_id, new.project_id, new.run_id, null), (new.organization_id, new.project_id, new.run_id, new.n);
  end if;
  insert into record_tally (organization_id, project_id, minute, n)
  values (old.organization_id, old.project_id, minute_of(old.created_at), -1),
    (new.organization_id, new.project_id, minute_of(new.created_at), 1);
  return null;
end $$;
comment on function tally_moved_record is 'Moves the count of a record to another minute, and notes it if the hour changes.';

create function tally_deleted_scores() returns trigger
  language plpgsql
  as $$
begin
  insert into run_tally (organization_id, run_id, metric_config_id, state, n)
  select changed.organization_id, changed.run_id, changed.metric_config_id, changed.state, -count(*)
  from changed join run on run.id = changed.run_id
  group by changed.organization_id, changed.run_id, changed.metric_config_id, changed.state;
  return null;
end $$;
comment on function tally_deleted_scores is 'Counts deleted scores. The join leaves out those of a deleted run.';

create function tally_added_scores() returns trigger
  language plpgsql
  as $$
begin
  with added as (
    select run.organization_id, run.project_id, changed.run_id, changed.n, changed.metric_config_id, changed.state
    from changed join run on run.id = changed.run_id),
  tallied as (
    insert into run_tally (organization_id, run_id, metric_config_id, state, n)
    select organization_id, run_id, metric_config_id, state, count(*)
    from added group by organization_id, run_id, metric_config_id, state)
  insert into change (organization_id, project_id, run_id, n)
  select distinct organization_id, project_id, run_id, case when count(*) over (partition by run_id) <= 20 then n end
  from (select distinct organization_id, project_id, run_id, n from added where state <> 'pending') touched;
  return null;
end $$;
comment on function tally_added_scores is
  'Counts new scores, and notes their records as note_records does, except pending scores: these come with their record.';

create function tally_changed_scores() returns trigger
  language plpgsql
  as $$
begin
  insert into run_tally (organization_id, run_id, metric_config_id, state, n)
  select organization_id, run_id, metric_config_id, state, sum(n)
  from (
    select organization_id, run_id, metric_config_id, state, 1 as n from after_change
    union all
    select organization_id, run_id, metric_config_id, state, -1 from before_change) changed
  group by organization_id, run_id, metric_config_id, state
  having sum(n) <> 0;
  return null;
end $$;
comment on function tally_changed_scores is 'Counts scores whose state changed.';

create function compact_record_tallies(most integer) returns integer
  language sql
  as $$
  with next as materialized (
    select project_id, minute from record_tally where fresh group by project_id, minute limit most),
  gone as (
    delete from record_tally using next
    where record_tally.project_id = next.project_id and record_tally.minute = next.minute
    returning record_tally.organization_id, record_tally.project_id, record_tally.minute, record_tally.n),
  added as (
    insert into record_tally (organization_id, project_id, minute, n, fresh)
    select organization_id, project_id, minute, sum(n), false
    from gone
    group by organization_id, project_id, minute
    having sum(n) <> 0)
  select count(*)::integer from next;
$$;
comment on function compact_record_tallies is 'Compacts the counts of up to `most` minutes with new rows and returns the number of these minutes.';

create function delete_rows_of_runs() returns trigger
  language plpgsql
  as $$
begin
  delete from run_tally using gone where run_tally.run_id = gone.id;
  perform erase_audit_texts('Runs', array_agg(organization_id), array_agg(id::text)) from gone;
  update idempotency_key set body = null from gone where idempotency_key.run_id = gone.id;
  delete from report_link link using gone where link.project_id = gone.project_id and gone.id = any(link.run_ids);
  return null;
end $$;
comment on function delete_rows_of_runs is
  'Deletes the counts of deleted runs and the links to their reports, and erases what the audit log and stored answers say about them.';

create function delete_rows_of_project() returns trigger
  language plpgsql
  as $$
begin
  delete from change using gone where change.project_id = gone.id;
  delete from record_tally using gone where record_tally.project_id = gone.id;
  update audit_event set before = null, after = null, salt = null
  from gone where audit_event.project_id = gone.id and audit_event.salt is not null;
  update idempotency_key set body = null from gone where idempotency_key.project_id = gone.id;
  return null;
end $$;
comment on function delete_rows_of_project is
  'Deletes the changes and counts of deleted projects, which have no foreign key, and erases what the audit log and stored answers say about the projects and all in them.';
create trigger project_deleted after delete on project
  referencing old table as gone for each statement execute function delete_rows_of_project();

create table run (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  kind text not null default 'evaluation' check (kind in ('evaluation', 'traces', 'trial')),
  testset_id bigint,
  snapshot_n integer,
  split text,
  system_version_id uuid references system_version,
  num_expected_records integer,
  last_record_n integer not null default 0,
  name text not null default '',
  tags text[] not null default '{}',
  origin text,
  notes text not null default '',
  created_at timestamptz not null default now()
);
comment on table run is 'Records that belong together and are scored together.';
comment on column run.kind is
  'evaluation: records that clients sent or the service made with a system. traces: the traces of a day. trial: copies of records on which a judge is tried, which say nothing about a system.';
comment on column run.testset_id is 'No foreign key: a run outlives its testset.';
comment on column run.snapshot_n is 'Snapshot of the testset when the run started.';
comment on column run.split is 'The part of the testset that the run is about; null for all of it.';
comment on column run.origin is 'Origin of the run, under the name by which its creator finds it: the tool and id of an import.';
comment on column run.name is 'Empty without its own name; the API then makes a title.';
create index run_project on run (project_id, id);
create index run_origin on run (project_id, origin) where origin is not null;
create index run_system_version on run (system_version_id) where system_version_id is not null;
create trigger run_deleted after delete on run
  referencing old table as gone for each statement execute function delete_rows_of_runs();
-- Only changes by people: last_record_n changes with each record.
create trigger run_noted after insert or update of notes, name, tags or delete on run
  for each row execute function note_run();
call own_rows_only('run');

create table run_mark (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null references run on delete cascade,
  mark text not null,
  created_at timestamptz not null default now(),
  primary key (run_id, mark)
);
comment on table run_mark is
  'Marks of runs. The newest run with a mark is the baseline of later runs, and is not purged.';
create index run_mark_project on run_mark (project_id, mark, run_id);
create trigger run_mark_noted after insert or delete on run_mark for each row execute function note_run_fact();
call own_rows_only('run_mark');

create table run_verdict (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null references run on delete cascade,
  gate text not null,
  outcome text not null check (outcome in ('pass', 'worse', 'inconclusive', 'incomplete')),
  baseline_run_id bigint,
  against text,
  reason text,
  decided_at timestamptz not null default now(),
  primary key (run_id, gate)
);
comment on table run_verdict is 'The newest verdict of each gate about a run. A gate is named by the file with its rules.';
comment on column run_verdict.baseline_run_id is 'No foreign key: a verdict outlives the run that it compared with.';
comment on column run_verdict.against is 'The runs that it compared with, in words.';
comment on column run_verdict.reason is 'The first rule that did not pass.';
create index run_verdict_project on run_verdict (project_id, gate, outcome, run_id);
create trigger run_verdict_noted after insert or update or delete on run_verdict
  for each row execute function note_run_fact();
call own_rows_only('run_verdict');

create function compact_run_tallies(most integer) returns void
  language sql
  as $$
  with many as (
    select run_id from run_tally group by run_id
    having count(*) > most or not exists (select from run where run.id = run_tally.run_id)),
  gone as (
    delete from run_tally using many where run_tally.run_id = many.run_id
    returning run_tally.organization_id, run_tally.run_id, run_tally.metric_config_id, run_tally.state, run_tally.n)
  insert into run_tally (organization_id, run_id, metric_config_id, state, n)
  select organization_id, run_id, metric_config_id, state, sum(n)
  from gone
  where exists (select from run where run.id = gone.run_id)
  group by organization_id, run_id, metric_config_id, state
  having sum(n) <> 0;
$$;
comment on function compact_run_tallies is 'Compacts the counts of each run that has more than `most` rows.';

create table run_metric (
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  position integer not null,
  metric_id bigint not null references metric on delete cascade,
  metric_config_id uuid not null references metric_config on delete cascade,
  sampled boolean not null default false,
  primary key (run_id, position),
  unique (run_id, metric_id)
);
comment on table run_metric is 'The metrics of a run, each with the configuration that was current when the metric was added.';
comment on column run_metric.sampled is
  'Whether the metric scores only the records that monitors draw, as in runs of traces.';
create index run_metric_metric on run_metric (metric_id);
call own_rows_only('run_metric');

create table record (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null references run on delete cascade,
  n integer not null,
  testset_id bigint,
  testcase_n integer,
  testcase_revision integer,
  inputs json not null,
  inputs_hash bigint generated always as (json_hash(inputs)) stored,
  expected json not null,
  outputs json not null,
  otel_link_id text,
  session_id text,
  origin_run_id bigint,
  origin_n integer,
  created_at timestamptz not null default now(),
  primary key (run_id, n)
);
comment on table record is
  'One case with the answer of a system. (testset_id, testcase_n, testcase_revision) is its testcase, which it outlives.';
comment on column record.created_at is
  'For a record of traces, when the first of them began, if that is earlier: it is counted on the day on which it happened.';
comment on column record.inputs_hash is 'Testcases with the same inputs are one group of the statistics; null without inputs.';
comment on column record.origin_run_id is 'With origin_n: the record that was copied into this one. No foreign key: it would cost each new record a look-up. A trigger on record deletes the copies.';
create unique index record_otel_link on record (run_id, otel_link_id) where otel_link_id is not null;
-- A trace knows its project and its link, not the run.
create index record_project_link on record (project_id, otel_link_id) where otel_link_id is not null;
-- Includes organization_id, so that counting a project's records reads the index alone: row-level security tests it for each row.
create index record_newest on record (project_id, created_at, run_id, n) include (organization_id);
create index record_session on record (project_id, session_id) where session_id is not null;
create index record_testcase on record (testset_id, testcase_n) where testset_id is not null;
create index record_origin on record (origin_run_id, origin_n) where origin_run_id is not null;
create trigger record_added after insert on record
  referencing new table as changed for each statement execute function tally_records();
create trigger record_deleted after delete on record
  referencing old table as changed for each statement execute function tally_records();
create trigger record_moved_tallied after update of created_at on record
  for each row when (old.created_at <> new.created_at) execute function tally_moved_record();
call own_rows_only('record');

create table record_text (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null,
  n integer not null,
  shape bigint,
  indexed boolean not null generated always as (shape is not null) stored,
  content text not null,
  primary key (run_id, n)
);
comment on table record_text is
  'The searched text of a record: the text of its inputs, expected and outputs in lower case. See search-text.ts.';
comment on column record_text.run_id is
  'With n, the record. No foreign key: it would cost each new record a look-up. A trigger on record deletes its text.';
comment on column record_text.indexed is
  'Whether the text, the numbers and the shape of the record are in their indexes. That is done in the background, and only for projects that are searched: finding the trigrams of a text takes as long as everything else about its record.';
comment on column record_text.shape is
  'The fields of the record: a row of record_shape. 0 if they cannot be known, null until the record is indexed.';
create index record_text_trigrams on record_text using gin (content gin_trgm_ops) where indexed;
-- Not "where indexed": the planner would take it for a search in texts, and read every text of the project.
create index record_text_shape on record_text (project_id, shape) where shape is not null;
create index record_text_waiting on record_text (project_id) where not indexed;
alter table record_text enable row level security, force row level security;
-- The policy repeats the search of find_text. Beside a policy, PostgreSQL takes an index only for conditions whose operators are
-- leakproof, and no search in texts is; a condition of the policy itself may use any index.
create policy own_organization on record_text
  using (in_scope(organization_id) and content ~ coalesce(current_setting('dokima.pattern', true), ''))
  with check (in_scope(organization_id));

create table record_number (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null,
  n integer not null,
  field text not null,
  value double precision not null
);
comment on table record_number is
  'Numbers in the fields of a record, for searches. Written in the background with the record''s text; see index-texts.ts.';
comment on column record_number.run_id is
  'With n, the record. No foreign key: it would cost each new record a look-up. A trigger on record deletes its numbers.';
comment on column record_number.field is
  'Path of the field, such as outputs.count, at most 200 characters. Empty: the record may have any number in any field.';
create index record_number_value on record_number (project_id, field, value, run_id, n);
create index record_number_record on record_number (run_id, n);
call own_rows_only('record_number');

create table record_quote (
  metric_config_id uuid not null references metric_config on delete cascade,
  run_id bigint not null,
  n integer not null,
  quote text not null,
  organization_id bigint not null,
  primary key (metric_config_id, run_id, n, quote)
);
comment on table record_quote is 'What the guidelines of a configuration quote from a record: it is erased there with the record.';
create index record_quote_record on record_quote (run_id, n);
call own_rows_only('record_quote');

create function inherit_quotes() returns trigger
  language plpgsql
  as $$
begin
  insert into record_quote (metric_config_id, run_id, n, quote, organization_id)
  select distinct new.id, quoted.run_id, quoted.n, quoted.quote, new.organization_id
  from metric_config earlier join record_quote quoted on quoted.metric_config_id = earlier.id
  where earlier.metric_id = new.metric_id and position(quoted.quote in new.guidelines) > 0;
  return null;
end $$;
comment on function inherit_quotes is 'Notes that a new configuration has quotes of an earlier one, such as guidelines that a person edited.';
create trigger metric_config_quotes after insert on metric_config
  for each row execute function inherit_quotes();

create function erase_quotes(runs bigint[], numbers integer[]) returns void
  language plpgsql
  as $$
declare
  quoted record;
begin
  for quoted in
    delete from record_quote using unnest(runs, numbers) as gone (run_id, n)
    where record_quote.run_id = gone.run_id and record_quote.n = gone.n
    returning record_quote.*
  loop
    update metric_config set guidelines = replace(guidelines, quoted.quote, '(deleted with its record)')
    where id = quoted.metric_config_id;
    -- As the answers and entries write it, in JSON.
    update idempotency_key set body = null
    where organization_id = quoted.organization_id and body is not null
      and position(trim(both '"' from to_json(quoted.quote)::text) in body) > 0;
    perform erase_audit_texts('Metrics', array_agg(organization_id), array_agg(metric_id::text))
    from metric_config where id = quoted.metric_config_id;
  end loop;
end $$;
comment on function erase_quotes is
  'Erases what guidelines quote from deleted records, in the stored answers and the audit log too. Configurations are not changed in any other way.';

create function delete_rows_of_records() returns trigger
  language plpgsql
  as $$
declare
  projects bigint[];
  shapes bigint[];
begin
  with deleted as (
    delete from record_text using gone where record_text.run_id = gone.run_id and record_text.n = gone.n
    returning record_text.project_id, record_text.shape)
  select array_agg(project_id), array_agg(shape) into projects, shapes
  from (select distinct project_id, shape from deleted where shape <> 0) used;
  -- After the texts: a process that writes numbers holds the text until its commit.
  delete from record_number using gone where record_number.run_id = gone.run_id and record_number.n = gone.n;
  -- Deleted in a statement after the lock, which sees the texts of processes that had the shape. A shape that one has now is in use.
  select array_agg(project_id), array_agg(shape) into projects, shapes from (
    select s.project_id, s.shape from record_shape s
    join unnest(projects, shapes) as used (project_id, shape) using (project_id, shape)
    order by s.project_id, s.shape for update of s skip locked) free;
  delete from record_shape using unnest(projects, shapes) as used (project_id, shape)
  where record_shape.project_id = used.project_id and record_shape.shape = used.shape
    and not exists (select from record_text t where t.project_id = used.project_id and t.shape = used.shape);
  perform delete_files_of_sessions(array_agg(project_id), array_agg(session_id))
  from (select distinct project_id, session_id from gone where session_id is not null) ended;
  -- Only if there is one: the trigger runs for each statement, also for one that deletes nothing.
  if exists (select from record copy join gone on copy.origin_run_id = gone.run_id and copy.origin_n = gone.n) then
    delete from record copy using gone where copy.origin_run_id = gone.run_id and copy.origin_n = gone.n;
  end if;
  if exists (select from record_quote quoted join gone using (run_id, n)) then
    perform erase_quotes(array_agg(run_id), array_agg(n)) from gone;
  end if;
  update idempotency_key set body = null from gone
  where idempotency_key.run_id = gone.run_id and idempotency_key.n = gone.n;
  return null;
end $$;
comment on function delete_rows_of_records is
  'Deletes the texts and numbers of deleted records, their copies in trials, the shapes that no other record has and the files of sessions that have ended, and erases the stored answers about them and what guidelines quote from them.';
create trigger record_deleted_rows after delete on record
  referencing old table as gone for each statement execute function delete_rows_of_records();

create function find_text(project bigint, searched text, most integer) returns table (run_id bigint, n integer)
  language plpgsql
  -- Estimates are rough under row-level security, and reading the whole table is never right here.
  set enable_seqscan = off
  as $$
declare
  waiting integer;
begin
  -- Compared without a pattern, which takes five times as long.
  return query
    select t.run_id, t.n from record_text t
    where t.project_id = project and not t.indexed and position(searched in t.content) > 0
    limit most;
  get diagnostics waiting = row_count;
  -- A literal text. LIKE takes quadratic time if much of a text nearly matches.
  perform set_config('dokima.pattern', '***=' || searched, true);
  return query
    select t.run_id, t.n from record_text t
    where t.project_id = project and t.indexed and t.content ~ ('***=' || searched)
    limit most - waiting;
  perform set_config('dokima.pattern', '', true);
end $$;
comment on function find_text is
  'Up to `most` records of a project whose text contains the searched one, in any order. Reads record_text_trigrams; the searched text must have a trigram.';

create table record_shape (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  shape bigint not null,
  fields text[] not null,
  primary key (project_id, shape)
);
comment on table record_shape is
  'The sets of fields that records of a project have. Many records share one. Written in the background; see index-texts.ts.';
comment on column record_shape.shape is 'Hash of the fields.';
comment on column record_shape.fields is 'Paths of all fields that are not null, those within arrays left out; see record-fields.ts.';
call own_rows_only('record_shape');

create table record_tag (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  text text not null,
  source text not null check (source in ('user', 'otel')),
  member_id uuid,
  created_at timestamptz not null default now(),
  primary key (run_id, n, text),
  foreign key (run_id, n) references record on delete cascade
);
comment on table record_tag is 'A tag of a record, from a member or from its trace.';
create index record_tag_text on record_tag (run_id, text, n);
create trigger tag_added_noted after insert on record_tag
  referencing new table as changed for each statement execute function note_records();
create trigger tag_deleted_noted after delete on record_tag
  referencing old table as changed for each statement execute function note_records();
call own_rows_only('record_tag');

create table record_assignment (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  assignee_id uuid not null references member on delete cascade,
  assigned_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (run_id, n, assignee_id),
  foreign key (run_id, n) references record on delete cascade
);
comment on table record_assignment is 'A member who should review a record.';
-- A member's assigned records in the order of the queue.
create index record_assignment_assignee on record_assignment (assignee_id, run_id, n);
create trigger assignment_added_noted after insert on record_assignment
  referencing new table as changed for each statement execute function note_records();
create trigger assignment_deleted_noted after delete on record_assignment
  referencing old table as changed for each statement execute function note_records();
call own_rows_only('record_assignment');

create table annotation (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  otel_trace_id text,
  span_id text,
  passage json,
  rating boolean not null,
  comment text not null,
  member_id uuid not null,
  made_by text not null default 'client' check (made_by in ('person', 'client', 'model')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid,
  primary key (run_id, n, id),
  foreign key (run_id, n) references record on delete cascade
);
comment on table annotation is 'A comment of a member on a record, one of its spans, or a passage of its text.';
comment on column annotation.made_by is 'Who made it: a person in a session, or what the sender said; else a client.';
comment on column annotation.otel_trace_id is 'OpenTelemetry''s id of the span''s trace: ids of spans are unique only within a trace.';
comment on column annotation.passage is 'The passage as its author saw it: { path, start, text }.';
create trigger annotation_noted after insert or update or delete on annotation
  for each row execute function note_record();
call own_rows_only('annotation');

create table annotation_reply (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  annotation_id uuid not null,
  comment text not null,
  member_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  primary key (run_id, n, annotation_id, id),
  foreign key (run_id, n, annotation_id) references annotation on delete cascade
);
comment on table annotation_reply is 'An answer to an annotation. It is resolved together with the annotation.';
create trigger annotation_reply_noted after insert or update or delete on annotation_reply
  for each row execute function note_record();
call own_rows_only('annotation_reply');

create table attachment (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  project_id bigint references project on delete cascade,
  session_id text not null,
  file_path text not null,
  filename text,
  content_type text not null,
  size_bytes bigint not null,
  sha256 text not null,
  status text not null check (status in ('pending', 'uploaded')),
  metadata json,
  member_id uuid,
  created_at timestamptz not null default now(),
  uploaded_at timestamptz
);
comment on table attachment is 'A file of a session in a project. Its bytes are in the attachment store.';
comment on column attachment.project_id is
  'Decides who may read the file. Null until the member who declared it stores a record or trace of the session: until then only they and admins see it.';
comment on column attachment.session_id is 'A label within the project: a session of the same id in another project has other files.';
comment on column attachment.member_id is 'Who declared it. No foreign key: the file outlives the member.';
create index attachment_session on attachment (organization_id, session_id, id);
create index attachment_newest on attachment (organization_id, id);
create index attachment_project on attachment (project_id, session_id);
call own_rows_only('attachment');

create table deleted_file (
  organization_id bigint not null,
  id uuid primary key,
  deleted_at timestamptz not null default now()
);
comment on table deleted_file is 'Attachments whose rows are deleted and whose bytes are still in the attachment store. A background job deletes the bytes.';
create index deleted_file_organization on deleted_file (organization_id);
call own_rows_only('deleted_file');

create function delete_rows_of_attachments() returns trigger
  language plpgsql
  as $$
begin
  insert into deleted_file (organization_id, id) select organization_id, id from gone on conflict do nothing;
  perform erase_audit_texts('Attachments', array_agg(organization_id), array_agg(id::text)) from gone;
  update idempotency_key set body = null from gone
  where idempotency_key.organization_id = gone.organization_id and idempotency_key.resource_id = gone.id::text;
  return null;
end $$;
comment on function delete_rows_of_attachments is
  'Notes that the bytes of deleted attachments must be deleted, and erases what the audit log and stored answers say about them.';
create trigger attachment_deleted after delete on attachment
  referencing old table as gone for each statement execute function delete_rows_of_attachments();

create function delete_files_of_sessions(projects bigint[], sessions text[]) returns void
  language plpgsql
  as $$
begin
  delete from attachment
  using unnest(projects, sessions) as ended (project_id, session_id)
  where attachment.project_id = ended.project_id and attachment.session_id = ended.session_id
    and not exists (select from record where record.project_id = ended.project_id and record.session_id = ended.session_id)
    and not exists (select from trace where trace.project_id = ended.project_id and trace.session_id = ended.session_id);
end $$;
comment on function delete_files_of_sessions is 'Deletes the files of sessions that have lost their last record and trace in a project.';


-- Traces

create table trace (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  otel_id bytea not null,
  session_id text,
  linked boolean not null default false,
  run_id bigint,
  n integer,
  input_order text collate "C",
  output_order text collate "C",
  testcase_id text collate "C",
  provisional boolean not null default false,
  user_id text,
  start_ns numeric,
  end_ns numeric,
  start_us bigint generated always as (floor(start_ns / 1000)::bigint) stored,
  duration_ms double precision generated always as (
    case when end_ns >= start_ns then ((end_ns - start_ns) / 1000000)::double precision end) stored,
  num_spans integer not null default 0,
  num_errors integer not null default 0,
  input_tokens bigint,
  output_tokens bigint,
  tokens double precision
    generated always as (coalesce(input_tokens + output_tokens, input_tokens, output_tokens)::double precision) stored,
  cost_usd double precision,
  root_order text collate "C",
  name text,
  service text,
  model text,
  input text,
  output text,
  created_at timestamptz not null default now(),
  unique (otel_id, project_id),
  foreign key (run_id, n) references record on delete cascade
);
comment on table trace is
  'A trace of OpenTelemetry. The id counts up, so that spans of new traces lie side by side however random otel_id is.';
comment on column trace.run_id is
  'With n, the record that was made for the trace or its session. Null for a linked trace: its records are those with its link as otel_link_id.';
comment on column trace.input_order is
  'Rank and id of the span that gives the record''s inputs; smaller is better. output_order is the same for its outputs.';
comment on column trace.testcase_id is
  'The testcase that a span names, as it was sent: it may not exist, or be in another project.';
comment on column trace.provisional is
  'Whether no span of the trace names a project. When one does, the trace joins those of its id in that project.';
comment on column trace.start_us is
  'Microseconds since 1970, to sort by: under row-level security an index is not entered with a numeric, whose comparisons are not leakproof.';
comment on column trace.duration_ms is
  'From the first start to the last end of its spans; null while none has ended. Times, counts and sums are kept up to date with the spans, so that traces can be sorted.';
comment on column trace.input_tokens is
  'Sum over the calls of models and embeddings: agents report the sums of their calls again. The same holds for output_tokens and cost_usd.';
comment on column trace.root_order is 'Rank and id of the span that gives the trace its name and service; smaller is better.';
comment on column trace.input is 'The beginning of its input as one line, for lists; output is the same of its output.';
create index trace_start on trace (project_id, start_us, id) where start_us is not null;
create index trace_duration on trace (project_id, duration_ms, id) where duration_ms is not null;
create index trace_tokens on trace (project_id, tokens, id) where tokens is not null;
create index trace_cost on trace (project_id, cost_usd, id) where cost_usd is not null;
create index trace_record on trace (run_id, n) where run_id is not null;
-- A session's record is that of its first trace: the id makes that one look-up.
create index trace_session on trace (project_id, session_id, id) where session_id is not null;
create index trace_created on trace (project_id, created_at);
create index trace_session_latest on trace (project_id, session_id, start_us, id) where session_id is not null;
create index trace_user_latest on trace (project_id, user_id, start_us, id) where user_id is not null;
-- A name, service or model of few or no traces is found without reading all traces of a project. Without these indexes, a search for it
-- would read each of them.
create index trace_name on trace (project_id, name) where name is not null;
create index trace_service on trace (project_id, service) where service is not null;
create index trace_model on trace (project_id, model) where model is not null;
call own_rows_only('trace');

create table trace_link (
  organization_id bigint not null,
  project_id bigint not null,
  link text not null,
  trace_id bigint not null references trace on delete cascade,
  primary key (project_id, link, trace_id)
);
comment on table trace_link is 'A link that spans of a trace carry, to the records with the same otel_link_id.';
create index trace_link_trace on trace_link (trace_id);
call own_rows_only('trace_link');

create table trace_run (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  day date not null,
  suite text not null default '',
  execution text not null default '',
  run_id bigint not null references run on delete cascade,
  primary key (project_id, suite, execution, day)
);
comment on table trace_run is
  'The run that takes a project''s traces of one UTC day, or of one execution of a test suite, that have no record yet.';
comment on column trace_run.suite is 'The test suite that the traces name; empty for traces of no suite.';
comment on column trace_run.execution is 'Names the execution of the suite; empty if its traces do not name it. It may last several days.';
create index trace_run_run on trace_run (run_id);
call own_rows_only('trace_run');

create table number_block (
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  block smallint not null,
  last_n integer not null default 0,
  end_n integer not null default 0,
  primary key (run_id, block)
);
comment on table number_block is
  'Record numbers that a run has given out in advance, so that requests that write traces of one day do not wait for each other. Locked before the run itself.';
comment on column number_block.last_n is 'The last number of the block that a record has.';
comment on column number_block.end_n is 'The last number of the block. When it has too few numbers left, it is given new ones.';
call own_rows_only('number_block');

create table span_source (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hash bytea not null,
  content json not null,
  unique (project_id, hash)
);
comment on table span_source is 'Resource and instrumentation scope, which thousands of spans share.';
comment on column span_source.hash is 'SHA-256 of the content.';
call own_rows_only('span_source');

create table span (
  organization_id bigint not null,
  project_id bigint not null,
  trace_id bigint not null,
  span_id bytea not null,
  parent_span_id bytea,
  source_id bigint not null,
  link text,
  name text not null,
  service text not null,
  kind smallint not null,
  operation text,
  model text,
  response_id text,
  failed boolean not null,
  start_ns numeric not null,
  end_ns numeric not null,
  start_us bigint not null generated always as (floor(start_ns / 1000)::bigint) stored,
  input_tokens bigint,
  output_tokens bigint,
  cost_usd double precision,
  chunk integer not null,
  content_bytes integer not null,
  content_hash bigint not null,
  primary key (trace_id, span_id)
);
comment on table span is 'A span of a trace.';
comment on column span.trace_id is
  'No foreign key: writers have locked the trace, and looking it up for each span took a sixth of PostgreSQL''s time.';
comment on column span.start_ns is
  'Nanoseconds since 1970, as in OTLP: an unsigned 64-bit number, which bigint cannot hold. So is end_ns.';
comment on column span.start_us is 'Microseconds since 1970, to sort by. See the same column of trace.';
comment on column span.chunk is
  'Its content, which is the rest as it was sent (attributes, events, links, status message), is in the pack of the trace with the smallest number that is not below this one.';
comment on column span.content_bytes is 'Length of the content as UTF-8, so that a reader knows its memory before it unpacks.';
comment on column span.content_hash is 'The first 64 bits of the content''s SHA-256: whether a span that is sent again has changed, and whether a pack is whole.';
-- A name, model or service of few or no spans is found without reading all spans of a project. Rows of an equal value
-- share one entry, so that such an index takes a tenth of span_start.
-- Whether a source still has spans, when some of them are deleted.
create index span_source_spans on span (source_id);
create index span_name on span (project_id, name);
create index span_service on span (project_id, service);
-- Whether a call of a model lies in another, which reports the same tokens once more.
create index span_calls on span (trace_id, parent_span_id)
  where operation = 'chat' and coalesce(input_tokens, output_tokens, cost_usd) is not null;
create index span_model on span (project_id, model) where model is not null;
create index span_start on span (project_id, start_us, trace_id, span_id);
create index span_root on span (project_id, start_us, trace_id, span_id) where parent_span_id is null;
create index span_failed on span (project_id, start_us, trace_id, span_id) where failed;
-- An evaluation may name the response that it is about, and no span.
create index span_response on span (project_id, response_id) where response_id is not null;
call own_rows_only('span');

create table span_content (
  organization_id bigint not null,
  trace_id bigint not null,
  chunk integer not null,
  merge_at timestamptz,
  packed bytea not null,
  primary key (trace_id, chunk)
);
comment on table span_content is
  'Contents of spans of a trace, packed by traces/store/pack.ts: those of one request, or of several that were packed again. One content alone is packed 1.3 times by PostgreSQL, ten of a trace together five times.';
comment on column span_content.chunk is
  'Counts up in the trace. A pack of several has the highest of their numbers, so the spans keep theirs.';
comment on column span_content.merge_at is
  'When the packs of the trace are merged. Null for the packs of its first request, and after that.';
-- Packed bytes cannot be packed again.
alter table span_content alter column packed set storage external;
create index span_content_merge on span_content (merge_at) where merge_at is not null;
call own_rows_only('span_content');

create table waiting_event (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  anywhere boolean not null,
  name text not null,
  trace_id bytea,
  span_id bytea,
  response_id text,
  content json not null,
  created_at timestamptz not null default now(),
  check (trace_id is not null or response_id is not null)
);
comment on table waiting_event is
  'An event that waits for the trace that it names. Then the result of an evaluation becomes a score of the trace''s record, and the details of a call of a model an event of its span.';
comment on column waiting_event.anywhere is
  'Whether the trace may be in another project: its sender named none, and may write in all.';
create index waiting_event_trace on waiting_event (trace_id) where trace_id is not null;
create index waiting_event_response on waiting_event (project_id, response_id) where trace_id is null;
create index waiting_event_age on waiting_event (project_id, created_at);
call own_rows_only('waiting_event');

create function delete_rows_of_traces() returns trigger
  language plpgsql
  as $$
declare
  sources bigint[];
begin
  with deleted as (
    delete from span where trace_id = any (array(select id from gone)) returning source_id),
  contents as (
    delete from span_content where trace_id = any (array(select id from gone)))
  select array_agg(distinct source_id) into sources from deleted;
  -- In a statement after the lock, which sees the spans of writers that had the source. A source that a writer has now is in use.
  select array_agg(id) into sources from (
    select id from span_source where id = any (sources) order by id for update skip locked) free;
  delete from span_source
  where id = any (sources) and not exists (select from span where span.source_id = span_source.id);
  perform delete_files_of_sessions(array_agg(project_id), array_agg(session_id))
  from (select distinct project_id, session_id from gone where session_id is not null) ended;
  return null;
end $$;
comment on function delete_rows_of_traces is
  'Deletes the spans of deleted traces with their contents, in place of a foreign key, the sources that no other span has, and the files of sessions that have ended.';
create trigger trace_deleted after delete on trace
  referencing old table as gone for each statement execute function delete_rows_of_traces();


-- Traces: what records took

create table record_measure (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null,
  n integer not null,
  latency_ms double precision,
  input_tokens bigint,
  output_tokens bigint,
  tokens double precision
    generated always as (coalesce(input_tokens + output_tokens, input_tokens, output_tokens)::double precision) stored,
  cost_usd double precision,
  num_errors integer not null,
  user_id text,
  primary key (run_id, n),
  foreign key (run_id, n) references record on delete cascade
);
comment on table record_measure is
  'Latency, tokens and cost of a record: the sums of its traces, or else those of the call of its system. Records without either have none.';
comment on column record_measure.num_errors is 'Number of failed spans.';
create index record_measure_latency on record_measure (project_id, latency_ms, run_id, n) where latency_ms is not null;
create index record_measure_tokens on record_measure (project_id, tokens, run_id, n) where tokens is not null;
create index record_measure_cost on record_measure (project_id, cost_usd, run_id, n) where cost_usd is not null;
create index record_measure_errors on record_measure (project_id, run_id, n) where num_errors > 0;
create index record_measure_user on record_measure (project_id, user_id) where user_id is not null;
call own_rows_only('record_measure');

create function measure_records(runs bigint[], numbers integer[]) returns void
  language plpgsql
  as $$
begin
  -- In one order, and before the sums are read: if two requests bring traces of one record, the later one sees both.
  perform from record r
  where (r.run_id, r.n) in (select * from unnest(runs, numbers))
  order by r.run_id, r.n
  for no key update;
  insert into record_measure as m (organization_id, project_id, run_id, n, latency_ms, input_tokens, output_tokens, cost_usd,
    num_errors, user_id)
  select r.organization_id, r.project_id, r.run_id, r.n, coalesce(traces.latency_ms, call.latency_ms),
    coalesce(traces.input_tokens, call.input_tokens), coalesce(traces.output_tokens, call.output_tokens),
    coalesce(traces.cost_usd, call.cost_usd), traces.num_errors, traces.user_id
  from (select distinct * from unnest(runs, numbers) as given (run_id, n)) key
  cross join lateral (select * from record where record.run_id = key.run_id and record.n = key.n limit 1) r
  cross join lateral (
    select sum(duration_ms) as latency_ms, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      sum(cost_usd) as cost_usd, coalesce(sum(num_errors), 0) as num_errors, min(user_id) as user_id
    from (
      select trace.* from trace where trace.run_id = r.run_id and trace.n = r.n
      union all
      select trace.* from trace_link link join trace on trace.id = link.trace_id
      where link.project_id = r.project_id and link.link = r.otel_link_id
        and (trace.run_id, trace.n) is distinct from (r.run_id, r.n)) carried) traces
  left join lateral (
    select latency_ms, input_tokens, output_tokens, cost_usd from execution
    where execution.run_id = r.run_id and execution.record_n = r.n limit 1) call on true
  order by r.run_id, r.n
  on conflict (run_id, n) do update
  set latency_ms = excluded.latency_ms, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    cost_usd = excluded.cost_usd, num_errors = excluded.num_errors, user_id = excluded.user_id
  where (m.latency_ms, m.input_tokens, m.output_tokens, m.cost_usd, m.num_errors, m.user_id)
    is distinct from (excluded.latency_ms, excluded.input_tokens, excluded.output_tokens, excluded.cost_usd,
      excluded.num_errors, excluded.user_id);
  -- Spans that come late: the hour of their record may have been counted for the last time. One record tells of its hour.
  insert into change (organization_id, project_id, run_id, n)
  select r.organization_id, r.project_id, r.run_id, min(r.n)
  from record r
  where (r.run_id, r.n) in (select * from unnest(runs, numbers)) and r.created_at < now() - interval '1 hour'
  group by r.organization_id, r.project_id, r.run_id, date_trunc('hour', r.created_at, 'UTC');
end $$;
comment on function measure_records is 'Recomputes record_measure of these records, and notes those of earlier hours.';

create function measure_linked_records() returns trigger
  language plpgsql
  as $$
declare runs bigint[]; numbers integer[];
begin
  select array_agg(run_id), array_agg(n) into runs, numbers from changed where otel_link_id is not null;
  if runs is not null then perform measure_records(runs, numbers); end if;
  return null;
end $$;
comment on function measure_linked_records is 'Measures new records whose traces may have arrived before them.';
create trigger record_added_measured after insert on record
  referencing new table as changed for each statement execute function measure_linked_records();

create function measure_records_of_traces() returns trigger
  language plpgsql
  as $$
declare runs bigint[]; numbers integer[];
begin
  select array_agg(found.run_id), array_agg(found.n) into runs, numbers
  from (
    select run_id, n from changed where run_id is not null
    union
    select r.run_id, r.n from changed
    join trace_link link on link.trace_id = changed.id
    join record r on r.project_id = link.project_id and r.otel_link_id = link.link
    where changed.linked) found;
  if runs is not null then perform measure_records(runs, numbers); end if;
  return null;
end $$;
comment on function measure_records_of_traces is 'Measures the records of inserted and deleted traces.';
create trigger trace_added_measured after insert on trace
  referencing new table as changed for each statement execute function measure_records_of_traces();
create trigger trace_deleted_measured after delete on trace
  referencing old table as changed for each statement execute function measure_records_of_traces();

create function measure_records_of_changed_traces() returns trigger
  language plpgsql
  as $$
declare runs bigint[]; numbers integer[];
begin
  select array_agg(found.run_id), array_agg(found.n) into runs, numbers
  from (
    select side.run_id, side.n
    from before_change join after_change on after_change.id = before_change.id
    cross join lateral (values (before_change.run_id, before_change.n), (after_change.run_id, after_change.n)) side (run_id, n)
    where side.run_id is not null and before_change is distinct from after_change
    union
    select r.run_id, r.n
    from before_change join after_change on after_change.id = before_change.id
    join trace_link link on link.trace_id = after_change.id
    join record r on r.project_id = link.project_id and r.otel_link_id = link.link
    where after_change.linked and before_change is distinct from after_change) found;
  if runs is not null then perform measure_records(runs, numbers); end if;
  return null;
end $$;
comment on function measure_records_of_changed_traces is 'Measures the records of changed traces, and those that a trace has left.';
create trigger trace_changed_measured after update on trace
  referencing old table as before_change new table as after_change
  for each statement execute function measure_records_of_changed_traces();

create function measure_records_of_links() returns trigger
  language plpgsql
  as $$
declare runs bigint[]; numbers integer[];
begin
  select array_agg(r.run_id), array_agg(r.n) into runs, numbers
  from changed join record r on r.project_id = changed.project_id and r.otel_link_id = changed.link;
  if runs is not null then perform measure_records(runs, numbers); end if;
  return null;
end $$;
comment on function measure_records_of_links is 'Measures the records whose link a trace carries.';
create trigger trace_link_added_measured after insert on trace_link
  referencing new table as changed for each statement execute function measure_records_of_links();

create function measure_executed_records() returns trigger
  language plpgsql
  as $$
declare runs bigint[]; numbers integer[];
begin
  select array_agg(run_id), array_agg(record_n) into runs, numbers from changed where record_n is not null;
  if runs is not null then perform measure_records(runs, numbers); end if;
  return null;
end $$;
comment on function measure_executed_records is 'Measures the records of calls that ended.';


-- Scoring: models

create table provider (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  name text not null,
  kind text not null check (kind in ('openai', 'anthropic', 'google', 'azure', 'bedrock', 'openai-compatible')),
  base_url text,
  options json not null,
  secret bytea,
  max_concurrency integer not null,
  requests_per_minute integer,
  prices json not null,
  max_output_tokens integer not null,
  timeout_ms integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, name)
);
comment on table provider is 'Address and access of an organization''s models.';
comment on column provider.secret is
  'Encrypted for its row: it cannot be decrypted in another row or with another base URL.';
comment on column provider.prices is 'Prices of its models, in USD per million tokens: {"model": {"input": 1, "output": 2}}.';
create trigger provider_noted after insert or update or delete on provider
  for each row execute function note_organization_resource('providers');
call own_rows_only('provider');

create table model_list (
  organization_id bigint not null references organization on delete cascade,
  provider text not null,
  models json not null,
  error text,
  read_at timestamptz not null,
  primary key (organization_id, provider)
);
comment on table model_list is 'The models of a provider by its own list, read once a day. A provider of the environment has a list in each organization.';
comment on column model_list.models is '[{"id": "…", "endsOn": "2026-01-31" or null}], of the last list that could be read.';
comment on column model_list.error is 'Why the newest reading failed; null if it succeeded.';
call own_rows_only('model_list');

create table price_list (
  address text primary key,
  list json,
  refused json not null default '[]',
  error text,
  read_at timestamptz,
  due_at timestamptz not null
);
comment on table price_list is
  'The list of prices that the operator''s DOKIMA_PRICES_URL names, for all organizations. One row; processes take turns to read the list.';
comment on column price_list.list is '{"date": "2026-01-31", "models": {…}}, as it was taken last; null before that.';
comment on column price_list.refused is '[{"modelName": "…", "reason": "…"}] of models whose earlier price stays in use.';
comment on column price_list.error is 'Why the newest list was not taken; null if it was.';
comment on column price_list.read_at is 'When the list in use was read.';
comment on column price_list.due_at is 'When a process may read the list again: after a day, or an hour after a failure.';


-- Scoring: calls of systems

create table execution (
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  n integer not null,
  testcase_n integer not null,
  trial smallint not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'failed', 'cancelled')),
  due_at timestamptz,
  fence integer not null default 0,
  attempts integer not null default 0,
  last_error text,
  record_n integer,
  latency_ms integer,
  input_tokens integer,
  output_tokens integer,
  cost_usd double precision,
  user_cost_usd double precision,
  evidence json,
  updated_at timestamptz not null default now(),
  primary key (run_id, n) include (state),
  unique (run_id, testcase_n, trial),
  check ((state = 'pending') = (due_at is not null)),
  check ((state = 'done') = (record_n is not null))
);
comment on table execution is
  'The job of calling a run''s system with one testcase. It makes its record in the transaction that ends it, so there is one record or none. Tokens and cost are the system''s, not the judges''.';
comment on column execution.due_at is
  'When a worker may take the job: at once, after a back-off, or when the lease of the worker that has it ends.';
comment on column execution.fence is
  'Rises whenever the job is taken, settled or reset. A worker whose lease ended finds another number and writes nothing.';
comment on column execution.user_cost_usd is
  'Cost of the simulated user. Null if unknown, and without a simulation.';
create index execution_due on execution (run_id, due_at, n) where state = 'pending';
create index execution_record on execution (run_id, record_n) where record_n is not null;
create trigger execution_changed_noted after update on execution
  referencing old table as before_change new table as after_change
  for each statement execute function note_changed_executions();
create trigger execution_added_measured after insert on execution
  referencing new table as changed for each statement execute function measure_executed_records();
create trigger execution_changed_measured after update on execution
  referencing new table as changed for each statement execute function measure_executed_records();
call own_rows_only('execution');

create table run_simulation (
  run_id bigint primary key references run on delete cascade,
  organization_id bigint not null,
  user_version_id uuid references system_version,
  replayed_run_id bigint references run on delete set null,
  max_turns smallint not null check (max_turns > 0)
);
comment on table run_simulation is 'The user in the conversations of a run: a prompt, or the messages of an earlier run.';
comment on column run_simulation.replayed_run_id is
  'The run whose user messages are sent again. Null with user_version_id, and after that run was deleted.';
create index run_simulation_user on run_simulation (user_version_id) where user_version_id is not null;
create index run_simulation_replayed on run_simulation (replayed_run_id) where replayed_run_id is not null;
call own_rows_only('run_simulation');


-- Scoring: scores

create function stop_at_budget() returns trigger
  language plpgsql
  as $$
begin
  new.stopped_at := case when new.spent_usd >= new.budget_usd then coalesce(new.stopped_at, now()) end;
  return new;
end $$;
comment on function stop_at_budget is
  'Notes when the budget of a study was used up. A trigger, so that no statement that spends or sets a budget can forget it.';

create table run_judging (
  run_id bigint primary key references run on delete cascade,
  organization_id bigint not null,
  budget_usd double precision check (budget_usd >= 0),
  spent_usd double precision not null default 0,
  stopped_at timestamptz,
  unpriced integer not null default 0
);
comment on table run_judging is
  'What the judges of a run cost: every call, including those of replaced verdicts, discarded proposals and lost leases. It never falls. Newer payments are in judge_payment: run_spending has the sum.';
comment on column run_judging.budget_usd is 'Null: no limit.';
comment on column run_judging.stopped_at is
  'When the budget was used up: no judge is asked until it is raised. Up to a minute later than judges_stopped says so.';
comment on column run_judging.unpriced is 'Verdicts of unknown cost, which spent_usd does not include.';

create table judge_payment (
  run_id bigint not null references run on delete cascade,
  lease_id uuid not null,
  organization_id bigint not null,
  number integer not null,
  spent_usd double precision not null default 0,
  unpriced integer not null default 0,
  at timestamptz not null default now(),
  primary key (run_id, lease_id)
);
comment on table judge_payment is
  'What each lease paid since its payments were last added to run_judging. A row a lease, so that workers of one run never wait for each other.';
comment on column judge_payment.number is
  'Number of the last payment. A worker whose commit had no answer sends its payments again. The row is deleted after a day.';
create index judge_payment_at on judge_payment (at);
create index judge_payment_new on judge_payment (run_id) where spent_usd > 0 or unpriced > 0;
call own_rows_only('judge_payment');

create function run_spending(run bigint) returns table (spent_usd double precision, unpriced integer)
  language sql stable
  as $$
  select coalesce(sum(part.spent_usd), 0), coalesce(sum(part.unpriced), 0)::integer
  from (
    select spent_usd, unpriced from run_judging where run_id = run
    union all
    select spent_usd, unpriced from judge_payment where run_id = run and (spent_usd > 0 or unpriced > 0)) part;
$$;
comment on function run_spending is 'What the judges of a run cost so far.';

create function judges_stopped(run bigint) returns boolean
  language sql stable
  as $$
  select exists (
    select from run_judging
    where run_id = run and (stopped_at is not null or budget_usd <= (select spent_usd from run_spending(run))));
$$;
comment on function judges_stopped is
  'Whether the judges of a run have used up their budget. Not stopped_at alone: of two payments that are committed at once, neither sees the other.';

create function stop_at_run_budget() returns trigger
  language plpgsql
  as $$
begin
  new.stopped_at := case when new.budget_usd is not null and new.budget_usd <= new.spent_usd + (
      select coalesce(sum(spent_usd), 0) from judge_payment where run_id = new.run_id and (spent_usd > 0 or unpriced > 0))
    then coalesce(new.stopped_at, now()) end;
  return new;
end $$;
comment on function stop_at_run_budget is
  'Notes when the budget was used up. A trigger, so that no statement that spends or sets a budget can forget it.';

create function stop_judges() returns trigger
  language plpgsql
  as $$
begin
  update run_judging set stopped_at = now()
  where run_id = new.run_id and stopped_at is null and budget_usd <= (select spent_usd from run_spending(new.run_id));
  return null;
end $$;
comment on function stop_judges is 'The same for a payment, which changes the row of its run only then.';
create trigger judge_payment_counted after insert or update of number on judge_payment
  for each row execute function stop_judges();

create function add_up_payments() returns void
  language sql
  as $$
  -- The runs first, as their deletion locks them: each statement that locks both does so in this order.
  with locked as materialized (
    select id, organization_id from run
    where id in (select run_id from judge_payment where spent_usd > 0 or unpriced > 0)
    for key share skip locked),
  old as materialized (
    select payment.run_id, payment.lease_id, payment.spent_usd, payment.unpriced
    from judge_payment payment join locked on locked.id = payment.run_id
    where (payment.spent_usd > 0 or payment.unpriced > 0) and payment.at < now() - interval '1 minute'
    for update of payment skip locked),
  emptied as (
    update judge_payment payment set spent_usd = 0, unpriced = 0
    from old where payment.run_id = old.run_id and payment.lease_id = old.lease_id)
  insert into run_judging as judging (run_id, organization_id, spent_usd, unpriced)
  select locked.id, locked.organization_id, sum(old.spent_usd), sum(old.unpriced)
  from old join locked on locked.id = old.run_id
  group by locked.id, locked.organization_id
  on conflict (run_id) do update set
    spent_usd = judging.spent_usd + excluded.spent_usd, unpriced = judging.unpriced + excluded.unpriced;
  delete from judge_payment where at < now() - interval '1 day' and spent_usd = 0 and unpriced = 0;
$$;
comment on function add_up_payments is
  'Adds payments that are older than a minute to run_judging, and deletes the rows of leases that ended long ago.';

create trigger run_judging_stopped before insert or update of budget_usd, spent_usd on run_judging
  for each row execute function stop_at_run_budget();
create trigger run_judging_stopped_noted after update on run_judging
  for each row when (old.stopped_at is distinct from new.stopped_at) execute function note_run_fact();
-- A budget of 0 stops a run that spent nothing yet.
create trigger run_judging_stopped_first_noted after insert on run_judging
  for each row when (new.stopped_at is not null) execute function note_run_fact();
call own_rows_only('run_judging');

-- score and proposed_score take these columns from here: the job to make a score, and its outcome.
create table scoring_job (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  lane text check (lane in ('code', 'judge')),
  state text not null check (state in ('pending', 'scored', 'unscored', 'failed')),
  due_at timestamptz,
  fence integer not null default 0,
  attempts integer not null default 0,
  last_error text,
  value double precision,
  score json,
  reason text,
  evidence json,
  input_hash bytea,
  cost_usd double precision,
  input_tokens integer,
  output_tokens integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'scored') = (score is not null))
);
-- The key would cost each insert a look-up, and each deleted configuration a scan of all scores.
comment on column scoring_job.metric_config_id is
  'No foreign key: configurations are only deleted with their project, and its runs go with it.';
comment on column scoring_job.lane is 'Which workers make it. Null for scores that people or clients give.';
comment on column scoring_job.due_at is
  'When a worker may take a pending score: at once, or after a back-off. Null if no worker makes it. What workers hold is in score_lease.';
comment on column scoring_job.fence is
  'Rises when a worker writes an outcome, and when a score that it may be making is cancelled, replaced or asked again: an outcome is only written under the number that its worker found.';
comment on column scoring_job.value is
  'The score''s value field as a number (true is 1); null while there is no score or it does not fit its metric.';
comment on column scoring_job.evidence is 'The last attempt: prompts, replies, errors.';
comment on column scoring_job.input_hash is 'Hash of the question to the judge. An equal question reuses the earlier verdict.';
comment on column scoring_job.cost_usd is
  'Known cost of the judge''s calls of all attempts; null while none is known. Not in evidence, which is too long to read when scores are summed.';

create table score (
  like scoring_job including defaults including constraints including comments,
  validation_errors json,
  scored_by uuid,
  in_session boolean not null default false,
  made_by text check (made_by in ('person', 'client', 'model')),
  sent boolean not null default false,
  reviewed_by uuid[],
  -- The state is in the key so that counting reads the index alone.
  primary key (run_id, n, metric_config_id) include (state),
  foreign key (run_id, n) references record on delete cascade
);
comment on table score is 'The score of a record by one configuration of a metric. A pending score is the job to make it.';
comment on column score.scored_by is
  'The member who gave it, or whose key a client sent it with; null for scores by the service''s workers.';
comment on column score.in_session is 'Whether the member gave it signed in: then a person gave it, whatever the metric is.';
comment on column score.made_by is
  'Who made it, where that does not follow from the other columns: the sender said so, or reviews made it. Else a person if it was given in a session, a client if it came with a key.';
comment on column score.sent is
  'Whether a client sent it with its record, for a metric that people do not score: then no person gave it. False once it is replaced.';
comment on column score.reviewed_by is
  'Members whose review stands; null without any. A copy of review_score: a fast reviewer skips thousands of records to the next one, without a look-up for each.';
create index score_pending on score (metric_config_id, run_id, n) where state = 'pending';
create index score_started on score (metric_config_id, run_id, n) where state = 'pending' and reviewed_by is not null;
create index score_due on score (lane, run_id, due_at, n) where state = 'pending' and lane is not null;
-- A judge's examples: the newest scores that people gave.
-- Without the scores of clients' machines: in this index they were a tenth of the size of their records.
create index score_by_person on score (metric_config_id, run_id, n) where scored_by is not null and not sent;
create index score_input_hash on score (organization_id, input_hash) where input_hash is not null;
-- A run's progress shows why scores failed, twice a second for each viewer.
create index score_failed on score (run_id, metric_config_id) where state = 'failed';
-- Records are sorted and filtered by the value of a score.
create index score_value on score (metric_config_id, value, run_id, n) where value is not null;
create index score_unscored on score (metric_config_id, run_id, n) where state = 'unscored' or validation_errors is not null;
create trigger score_added after insert on score
  referencing new table as changed for each statement execute function tally_added_scores();
create trigger score_changed after update on score
  referencing old table as before_change new table as after_change
  for each statement execute function tally_changed_scores();
create trigger score_deleted after delete on score
  referencing old table as changed for each statement execute function tally_deleted_scores();
create trigger score_changed_noted after update on score
  referencing old table as before_change new table as after_change
  for each statement execute function note_changed_scores();
call own_rows_only('score');

create table score_history (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  state text not null,
  score json,
  value double precision,
  validation_errors json,
  reason text,
  scored_by uuid,
  made_by text check (made_by in ('person', 'client', 'model')),
  evidence json,
  scored_at timestamptz not null,
  replaced_at timestamptz not null default now(),
  foreign key (run_id, n) references record on delete cascade
);
comment on table score_history is 'Every verdict that was replaced.';
create index score_history_record on score_history (run_id, n, id);
call own_rows_only('score_history');

create function keep_replaced_score() returns trigger
  language plpgsql
  as $$
begin
  insert into score_history (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, reason,
    scored_by, made_by, evidence, scored_at)
  values (old.organization_id, old.run_id, old.n, old.metric_config_id, old.state, old.score, old.value,
    old.validation_errors, old.reason, old.scored_by,
    coalesce(old.made_by, case when old.in_session then 'person' when old.scored_by is not null then 'client' end),
    old.evidence, old.updated_at);
  return null;
end $$;
comment on function keep_replaced_score is
  'Keeps a verdict that is replaced. A trigger, so that no statement that writes scores can forget it.';
create trigger score_replaced after update on score for each row
  when (old.state <> 'pending'
    and (old.state, old.score::text, old.reason, old.scored_by, old.made_by)
      is distinct from (new.state, new.score::text, new.reason, new.scored_by, new.made_by))
  execute function keep_replaced_score();

create table span_score (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  otel_trace_id bytea not null,
  span_id bytea not null,
  state text not null check (state in ('scored', 'unscored', 'failed')),
  value double precision,
  score json,
  validation_errors json,
  reason text,
  scored_by uuid,
  in_session boolean not null default false,
  made_by text check (made_by in ('person', 'client', 'model')),
  evidence json,
  content_hash bytea,
  cost_usd double precision,
  input_tokens integer,
  output_tokens integer,
  updated_at timestamptz not null default now(),
  check ((state = 'scored') = (score is not null)),
  primary key (run_id, n, metric_config_id, otel_trace_id, span_id),
  foreign key (run_id, n) references record on delete cascade
);
comment on table span_score is
  'The score of a span by one configuration of a metric that scores spans. The score of the record, the lowest of them, is the job to make them.';
comment on column span_score.otel_trace_id is
  'OpenTelemetry''s id, as span_id is. No foreign key: a score outlives its span, as that of a record outlives the trace.';
comment on column span_score.content_hash is
  'Hash of the span that a worker scored. The verdict stands until the span has another; null for scores that people and clients gave.';
call own_rows_only('span_score');

create table span_score_history (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  otel_trace_id bytea not null,
  span_id bytea not null,
  state text not null,
  score json,
  value double precision,
  validation_errors json,
  reason text,
  scored_by uuid,
  made_by text check (made_by in ('person', 'client', 'model')),
  evidence json,
  scored_at timestamptz not null,
  replaced_at timestamptz not null default now(),
  foreign key (run_id, n) references record on delete cascade
);
comment on table span_score_history is
  'Every verdict of a span that was replaced. Not rows of score_history: readers of that table would count them as verdicts of the record.';
create index span_score_history_record on span_score_history (run_id, n, metric_config_id, otel_trace_id, span_id, id);
call own_rows_only('span_score_history');

create function keep_replaced_span_score() returns trigger
  language plpgsql
  as $$
begin
  insert into span_score_history (organization_id, run_id, n, metric_config_id, otel_trace_id, span_id, state, score, value,
    validation_errors, reason, scored_by, made_by, evidence, scored_at)
  values (old.organization_id, old.run_id, old.n, old.metric_config_id, old.otel_trace_id, old.span_id, old.state, old.score,
    old.value, old.validation_errors, old.reason, old.scored_by,
    coalesce(old.made_by, case when old.in_session then 'person' when old.scored_by is not null then 'client' end),
    old.evidence, old.updated_at);
  return null;
end $$;
comment on function keep_replaced_span_score is
  'Keeps a verdict of a span that is replaced. A trigger, as for scores of records.';
create trigger span_score_replaced after update on span_score for each row
  when ((old.state, old.score::text, old.reason, old.scored_by, old.made_by)
    is distinct from (new.state, new.score::text, new.reason, new.scored_by, new.made_by))
  execute function keep_replaced_span_score();

create table score_lease (
  run_id bigint not null references run on delete cascade,
  id uuid not null,
  organization_id bigint not null,
  queue text not null check (queue in ('score', 'proposed_score')),
  lane text not null check (lane in ('code', 'judge')),
  numbers integer[] not null,
  until timestamptz not null,
  primary key (run_id, id)
);
comment on table score_lease is
  'Records of a run whose scores one worker is making. No other worker takes them in this queue and lane until the lease ends; the lease of a dead worker ends by itself. Not a column of score: marking each score would write its row and three index entries once more.';
call own_rows_only('score_lease');


-- Scoring: monitors

create table monitor (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  sampling_rate double precision not null check (sampling_rate > 0 and sampling_rate <= 1),
  settle_seconds integer not null check (settle_seconds between 0 and 86400),
  service text,
  span_name text,
  model text,
  error boolean,
  tag text,
  min_duration_ms integer,
  defined_at timestamptz not null default now(),
  paused_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table monitor is
  'Which traces of a project are scored as they arrive. The filter is service to min_duration_ms; a null column filters nothing.';
comment on column monitor.defined_at is
  'When rate, filter or metrics last changed. Only records that were drawn alike are counted together.';
create index monitor_project on monitor (project_id, id);
create trigger monitor_noted after insert or update or delete on monitor
  for each row execute function note_resource('monitors');
call own_rows_only('monitor');

create table monitor_metric (
  organization_id bigint not null,
  monitor_id uuid not null references monitor on delete cascade,
  position integer not null,
  metric_id bigint not null references metric on delete cascade,
  primary key (monitor_id, position),
  unique (monitor_id, metric_id)
);
comment on table monitor_metric is 'The metrics of a monitor.';
create index monitor_metric_metric on monitor_metric (metric_id);
call own_rows_only('monitor_metric');

create table monitor_record (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  monitor_id uuid not null references monitor on delete cascade,
  due_at timestamptz,
  decided_at timestamptz,
  inclusion_probability double precision check (inclusion_probability > 0 and inclusion_probability <= 1),
  drawn boolean,
  spans bigint,
  ends numeric,
  primary key (run_id, n, monitor_id),
  foreign key (run_id, n) references record on delete cascade,
  check ((decided_at is null) = (inclusion_probability is null) and (decided_at is null) = (drawn is null))
);
comment on table monitor_record is
  'A record of a trace that a monitor has decided or will decide. A record that matches the filter is drawn with the noted probability; rows of the others are deleted.';
comment on column monitor_record.due_at is 'When the monitor decides, unless more spans arrive before.';
comment on column monitor_record.inclusion_probability is
  'Probability that the record was drawn: the rate at that time; 1: every record was. Null: unknown, because nothing has been drawn.';
comment on column monitor_record.spans is
  'With ends (the sum of the ends of the spans), it shows whether the trace has changed since.';
create index monitor_record_due on monitor_record (due_at) where due_at is not null;
create index monitor_record_decided on monitor_record (monitor_id, decided_at) include (drawn) where decided_at is not null;
call own_rows_only('monitor_record');


-- Scoring: trials

create table pinned_set (
  metric_id bigint primary key references metric on delete cascade,
  organization_id bigint not null,
  metric_config_id uuid not null,
  served_models text[] not null,
  source text not null check (source in ('metric', 'overrides', 'thumbs')),
  automatic boolean not null,
  pinned_by uuid not null,
  pinned_at timestamptz not null default now()
);
comment on table pinned_set is
  'Labelled records on which a metric''s judge is tried repeatedly. Labels and verdicts are copied when the set is pinned: they must not change.';
comment on column pinned_set.automatic is 'Whether each new configuration and each new served model starts a drift trial.';
call own_rows_only('pinned_set');

create table pinned_label (
  organization_id bigint not null,
  metric_id bigint not null references pinned_set on delete cascade,
  run_id bigint not null,
  n integer not null,
  place integer not null,
  human_passed boolean not null,
  judge_passed boolean not null,
  primary key (run_id, n, metric_id),
  foreign key (run_id, n) references record on delete cascade
);
comment on table pinned_label is 'A record of a pinned set, with its label and the judge''s verdict at that time.';
comment on column pinned_label.place is 'Number of the record''s copy in the run of each candidate.';
create index pinned_label_metric on pinned_label (metric_id, place);
call own_rows_only('pinned_label');

create table trial (
  id uuid primary key,
  organization_id bigint not null,
  metric_id bigint not null references metric on delete cascade,
  n integer not null,
  kind text not null check (kind in ('drift', 'succession', 'alignment', 'battery', 'rescoring')),
  run_id bigint references run on delete cascade,
  metric_config_id uuid not null,
  margin double precision,
  seed integer,
  split text check (split in ('dev', 'test')),
  created_by uuid,
  created_at timestamptz not null default now(),
  outcome text check (outcome in ('adopted', 'discarded')),
  ended_by uuid,
  ended_at timestamptz,
  adopted_config_id uuid,
  evidence json,
  edits text[],
  verdict json,
  unique (metric_id, n),
  unique (run_id, id),
  check ((kind = 'rescoring') = (run_id is not null)),
  check ((kind in ('drift', 'rescoring')) = (margin is null)),
  check ((kind = 'alignment') = (num_nonnulls(seed, split) > 0)),
  check (num_nonnulls(seed, split) < 2),
  check ((kind = 'battery') = (edits is not null)),
  check (kind = 'battery' or verdict is null),
  check ((outcome is null) = (ended_at is null)),
  check ((adopted_config_id is null) = (outcome is distinct from 'adopted')),
  check ((evidence is null) = (outcome is distinct from 'adopted' or kind = 'rescoring'))
);
comment on table trial is
  'Configurations of a metric that decide records beside its judge. A rescoring decides those of its run, other trials copies of the pinned records. In a drift trial, the candidate is the judge in use.';
comment on column trial.n is 'Number of the trial within its metric.';
comment on column trial.run_id is 'The run that a rescoring scores again. Null for other trials: their candidates have runs.';
comment on column trial.metric_config_id is
  'The configuration in use: the one that gave the pinned verdicts or, for a rescoring, that of the run when it began.';
comment on column trial.margin is 'Largest difference of pass rates that counts as none.';
comment on column trial.seed is 'Splits the labels of an alignment: those for tuning, and those that are held out.';
comment on column trial.split is
  'Labels that an alignment of prompts by a person is tested on: those for tuning a judge, or those for testing it. Null for other trials.';
comment on column trial.created_by is 'Null if the service started the trial.';
comment on column trial.evidence is
  'Result of the trial for the adopted candidate; it anchors rates from before and after. It does not change with the pinned set. Null for a rescoring.';
comment on column trial.edits is 'Biases that a battery was asked to test, as in the API. Null for other trials.';
comment on column trial.verdict is
  'What a battery found, as BatteryVerdict in the API. Null while verdicts are pending. It outlives the runs and the pinned set of the trial.';
create index trial_metric on trial (metric_id, id);
create unique index trial_open_rescoring on trial (run_id, metric_id) where outcome is null;
call own_rows_only('trial');

create table trial_candidate (
  trial_id uuid not null references trial on delete cascade,
  position smallint not null,
  organization_id bigint not null,
  metric_id bigint not null references pinned_set on delete cascade,
  run_id bigint unique references run on delete set null,
  how text not null check (how in (
    'current', 'model', 'examples', 'rewrite', 'reference', 'placebo', 'padding', 'order', 'author', 'authority', 'format', 'language')),
  metric_config_id uuid not null,
  due_models text[] not null,
  drift json,
  primary key (trial_id, position)
);
comment on table trial_candidate is
  'A candidate that decides the pinned records. While its run exists, it has copies of the pinned records, scored like any other but never with earlier verdicts.';
comment on column trial_candidate.how is 'How the candidate was made: it is the judge in use, or made by model, examples or rewrite. In a battery: the records as they are, twice, or an edit of them.';
comment on column trial_candidate.run_id is 'Null after its run was deleted: the trial keeps its results.';
comment on column trial_candidate.due_models is 'Served models for which a drift trial was due when it was started.';
comment on column trial_candidate.drift is
  'Result of a drift trial, as Drift in the API, at the default level. Null while verdicts are pending, and in other trials.';
create index trial_candidate_metric on trial_candidate (metric_id);
create trigger trial_candidate_noted after update of drift on trial_candidate
  for each row execute function note_run_fact();
call own_rows_only('trial_candidate');

create table trial_run (
  trial_id uuid not null references trial on delete cascade,
  position integer not null,
  run_id bigint not null references run on delete cascade,
  organization_id bigint not null,
  primary key (trial_id, position)
);
comment on table trial_run is 'Stored runs on which the candidates of a trial are tried too.';
create index trial_run_run on trial_run (run_id);
call own_rows_only('trial_run');

create table trial_rescoring (
  trial_id uuid primary key references trial on delete cascade,
  organization_id bigint not null,
  metric_config_id uuid not null,
  record_numbers integer[],
  sample_size integer,
  sample_seed bigint,
  extended boolean not null,
  summary json,
  check ((sample_size is null) = (sample_seed is null))
);
comment on table trial_rescoring is
  'What only a rescoring has. Its scores are proposals: they count only once it is adopted.';
comment on column trial_rescoring.metric_config_id is 'The configuration that proposes.';
comment on column trial_rescoring.record_numbers is 'Null: every record of the run.';
comment on column trial_rescoring.sample_size is 'Number of records that are scored first.';
comment on column trial_rescoring.extended is 'Whether the other records followed the sample.';
comment on column trial_rescoring.summary is 'Its counts as they were when it ended.';
call own_rows_only('trial_rescoring');

create table proposed_score (
  like scoring_job including defaults including constraints including comments,
  trial_id uuid not null,
  applied boolean,
  before_config_id uuid,
  before_state text,
  before_score json,
  before_reason text,
  before_value double precision,
  before_given boolean,
  primary key (run_id, n, metric_config_id, trial_id),
  foreign key (run_id, n) references record on delete cascade,
  foreign key (run_id, trial_id) references trial (run_id, id) on delete cascade,
  check (lane is not null)
);
drop table scoring_job;
comment on table proposed_score is
  'A score that a rescoring proposes. As in score, a pending one is the job to make it. Apart from score, so that nothing that reads scores has to leave proposals out.';
comment on column proposed_score.applied is
  'Once the rescoring is adopted: whether it replaced the score that before_… describes. False: that score stayed.';
create index proposed_score_due on proposed_score (lane, run_id, due_at, n) where state = 'pending';
create index proposed_score_trial on proposed_score (run_id, trial_id, n);
call own_rows_only('proposed_score');


-- Scoring: preferences

create table preference_study (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  criterion text not null,
  seed integer not null,
  judge_model text,
  budget_usd double precision,
  spent_usd double precision not null default 0,
  stopped_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now()
);
comment on table preference_study is 'A question, "which is better?", asked about pairs of outputs of several runs.';
comment on column preference_study.seed is 'Draws the testcases, the order of the pairs and the sides on which a person sees the two outputs.';
comment on column preference_study.judge_model is 'The model that compares; null if only people do.';
comment on column preference_study.budget_usd is 'Budget of the model; null without a limit.';
comment on column preference_study.spent_usd is 'Cost of the model, including verdicts that were not written.';
comment on column preference_study.stopped_at is 'When the budget was used up, as in run_judging.';
create trigger preference_study_stopped before insert or update of budget_usd, spent_usd on preference_study
  for each row execute function stop_at_budget();
create index preference_study_project on preference_study (project_id, id);
call own_rows_only('preference_study');

create table preference_run (
  study_id uuid not null references preference_study on delete cascade,
  position smallint not null,
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  primary key (study_id, position)
);
comment on table preference_run is 'The runs of a study. Deleting a run deletes its pairs and votes.';
create index preference_run_run on preference_run (run_id);
call own_rows_only('preference_run');

create table preference_pair (
  study_id uuid not null references preference_study on delete cascade,
  n integer not null,
  organization_id bigint not null,
  unit integer not null,
  run_a smallint not null,
  n_a integer not null,
  run_b smallint not null,
  n_b integer not null,
  state text not null default 'unasked' check (state in ('unasked', 'pending', 'scored', 'unscored', 'failed')),
  due_at timestamptz,
  fence integer not null default 0,
  attempts integer not null default 0,
  last_error text,
  cost_usd double precision not null default 0,
  partial_verdict json,
  primary key (study_id, n),
  foreign key (study_id, run_a) references preference_run on delete cascade,
  foreign key (study_id, run_b) references preference_run on delete cascade,
  check (run_a < run_b),
  check ((state = 'pending') = (due_at is not null))
);
comment on table preference_pair is
  'Two outputs on one testcase, in random order, with the job of the model. n_a and n_b are records of the runs at run_a and run_b.';
comment on column preference_pair.unit is 'The testcase, or its group: pairs of one unit depend on each other.';
comment on column preference_pair.state is 'The model''s verdict; unasked if the study has no model. A pending pair is the job to ask it, held as in execution.';
comment on column preference_pair.partial_verdict is
  'Verdict on the first order, kept (it was paid for) while the second order is retried.';
create index preference_pair_due on preference_pair (study_id, due_at, n) where state = 'pending';
create index preference_pair_run_a on preference_pair (study_id, run_a);
create index preference_pair_run_b on preference_pair (study_id, run_b);
call own_rows_only('preference_pair');

create table preference_vote (
  study_id uuid not null,
  n integer not null,
  organization_id bigint not null,
  member_id uuid,
  left_run smallint not null,
  preferred smallint,
  rating_shown smallint,
  rating_swapped smallint,
  comment text not null default '',
  evidence json,
  created_at timestamptz not null default now(),
  unique nulls not distinct (study_id, n, member_id),
  foreign key (study_id, n) references preference_pair on delete cascade,
  check ((member_id is null) = (rating_shown is not null and rating_swapped is not null and evidence is not null))
);
comment on table preference_vote is 'Which output of a pair a member or the model preferred.';
comment on column preference_vote.member_id is 'No foreign key: it outlives its member. Null for the model.';
comment on column preference_vote.left_run is 'The run whose output the member saw on the left, or the model first.';
comment on column preference_vote.preferred is 'Null for a tie.';
comment on column preference_vote.rating_shown is
  'Rating by the model, from 1 (the first is clearly better) to 5 (the second is), when it saw left_run first; in rating_swapped it saw left_run last.';
call own_rows_only('preference_vote');


-- Reviews

create table review_claim (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  member_id uuid not null references member on delete cascade,
  expires_at timestamptz not null,
  skipped_at timestamptz,
  primary key (run_id, n, metric_config_id, member_id),
  foreign key (run_id, n, metric_config_id) references score on delete cascade
);
comment on table review_claim is 'The member who reviews a pending score, and until when; or a member who skipped it.';
create index review_claim_member on review_claim (member_id, metric_config_id, skipped_at);
call own_rows_only('review_claim');

create table review_score (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  member_id uuid not null,
  score json not null,
  value double precision not null,
  blind boolean not null,
  made_by text not null default 'client' check (made_by in ('person', 'client', 'model')),
  stands boolean not null default true,
  undone_at timestamptz,
  submitted_at timestamptz not null default clock_timestamp(),
  primary key (run_id, n, metric_config_id, id),
  foreign key (run_id, n) references record on delete cascade
);
comment on table review_score is
  'Every score that a member submitted. At most one of each member stands; the others were replaced or undone.';
comment on column review_score.member_id is 'No foreign key: a score outlives its reviewer.';
comment on column review_score.made_by is 'person: it was submitted in a session, or its sender said so. client: with a key.';
comment on column review_score.blind is 'Whether the member could not have seen another person''s review of the record when submitting. It says nothing about verdicts of a judge.';
comment on column review_score.submitted_at is
  'By the clock, not the start of the transaction: if two reviewers wait for each other, the second is the later one.';
create unique index review_score_own on review_score (run_id, n, metric_config_id, member_id) where stands;
create index review_score_last on review_score (member_id, submitted_at) where stands;
create index review_score_metric on review_score (metric_config_id, run_id, n) where stands;
call own_rows_only('review_score');

create table review_sample (
  id uuid primary key,
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  metric_id bigint not null references metric on delete cascade,
  metric_config_id uuid not null,
  seed bigint not null,
  strata_of text check (strata_of in ('tag', 'inputField', 'testcaseField', 'metricId')),
  strata_name text,
  allocation text not null check (allocation in ('proportional', 'equal')),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  unique (run_id, metric_config_id),
  check ((strata_of is null) = (strata_name is null))
);
comment on table review_sample is
  'A random sample of a run''s records for people to score. One for each run and configuration: only the design that drew a sample can extend it.';
create index review_sample_metric on review_sample (metric_id);
call own_rows_only('review_sample');

create table review_stratum (
  organization_id bigint not null,
  sample_id uuid not null references review_sample on delete cascade,
  position integer not null,
  wave integer not null,
  value text,
  num_records integer not null check (num_records > 0),
  num_drawn integer not null default 0 check (num_drawn between 0 and num_records),
  inclusion_probability double precision not null generated always as (num_drawn::double precision / num_records) stored,
  primary key (sample_id, position)
);
comment on table review_stratum is
  'A stratum of a sample. Records that came to the run after a draw form separate strata, in the next wave.';
comment on column review_stratum.inclusion_probability is
  'Probability that a record of the stratum is in the sample; 1: every record is. In any table, null means that it is unknown, because nothing was drawn at random.';
call own_rows_only('review_stratum');

create table review_sample_record (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  sample_id uuid not null,
  stratum integer not null,
  place integer not null,
  primary key (run_id, n, sample_id),
  foreign key (run_id, n) references record on delete cascade,
  foreign key (sample_id, stratum) references review_stratum on delete cascade
);
comment on table review_sample_record is
  'A record that could be drawn, with its place in the random order of its stratum. The first num_drawn are drawn.';
create index review_sample_record_stratum on review_sample_record (sample_id, stratum, place);
call own_rows_only('review_sample_record');


-- Insights: series

create function user_group(user_id text) returns smallint
  language sql immutable parallel safe
  as $$ select (hashtextextended(user_id, 0) & 63)::smallint $$;
comment on function user_group is 'One of 64 groups of users, by a hash; null for no user.';

create table series_hour (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  due_at timestamptz,
  changed boolean not null default true,
  counted_at timestamptz,
  took_ms double precision not null default 0,
  primary key (project_id, hour)
);
comment on table series_hour is 'An hour in which a project got records, and when they are counted again.';
comment on column series_hour.due_at is 'When its records are counted again. Null: only after a record changes.';
comment on column series_hour.changed is 'Whether a record may have changed since the count.';
comment on column series_hour.took_ms is 'Time that the last count took. Hours that take long are counted less often.';
create index series_hour_due on series_hour (due_at) where due_at is not null;
call own_rows_only('series_hour');

create table series_run (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  run_id bigint not null,
  primary key (run_id, hour)
);
comment on table series_run is 'The runs whose records were counted in an hour: it is counted again if one of them changes or is deleted.';
comment on column series_run.run_id is 'No foreign key: the hours of a deleted run must still be found.';
create index series_run_hour on series_run (project_id, hour);
call own_rows_only('series_run');

create table series_measure (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  source text not null check (source in ('traces', 'runs')),
  dimension text not null check (dimension in ('all', 'model', 'version', 'tag', 'monitor')),
  value text not null,
  records integer not null,
  measured integer not null,
  failed integer not null,
  input_tokens double precision not null,
  output_tokens double precision not null,
  tokens_n integer not null,
  tokens_sum double precision not null,
  tokens_squares double precision not null,
  tokens_cubes double precision not null,
  cost_n integer not null,
  cost_sum double precision not null,
  cost_squares double precision not null,
  cost_cubes double precision not null,
  latency_bins smallint[] not null,
  latency_counts integer[] not null,
  user_groups smallint[] not null,
  user_measured integer[] not null,
  user_failed integer[] not null,
  primary key (project_id, dimension, hour, source, value)
);
comment on table series_measure is
  'Counts and sums over the records that a project got in an hour: over all of them, and over those of each model, system version, tag and monitor.';
comment on column series_measure.value is 'The model, version, tag or monitor; empty for all, and for records without one.';
comment on column series_measure.measured is 'Records with a measure; failed counts those with a failed span.';
comment on column series_measure.user_groups is
  'Groups of users (user_group) of the records that have one. user_measured and user_failed count their records: the records of a user depend on each other, and the sums of groups add up over hours, whatever users an hour had.';
comment on column series_measure.latency_bins is
  'Bins with records, ascending. Bin b holds latencies from 1.04^b to 1.04^(b+1) milliseconds, so that percentiles of hours can be merged. latency_counts has the records in each bin.';
-- A series reads the counts of a few values over many hours. The primary key has the hour before the value: by it, such a read
-- took every value of each hour, 142,800 rows for 8 of 100 tags in a month.
create index series_measure_value on series_measure (project_id, dimension, value, hour);
-- Which values have most records is read from this index alone.
create index series_measure_records on series_measure (project_id, dimension, hour) include (organization_id, source, value, records);
call own_rows_only('series_measure');

create table series_score (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  source text not null,
  dimension text not null,
  value text not null,
  metric_config_id uuid not null,
  label smallint not null default -1,
  scored integer not null,
  counted integer not null,
  passed integer not null,
  pending integer not null,
  unscored integer not null,
  failed integer not null,
  score_sum double precision not null,
  score_squares double precision not null,
  user_groups smallint[] not null,
  user_scored integer[] not null,
  user_passed integer[] not null,
  user_sums double precision[] not null,
  user_squares double precision not null,
  primary key (project_id, dimension, hour, source, value, metric_config_id, label)
);
comment on table series_score is 'The scores of the same records, by configuration of a metric.';
comment on column series_score.label is
  'For a category there is a row for each label too, by its place: the same counts over the scores with that label. -1: all scores.';
comment on column series_score.counted is
  'What the passes and sums are over: the scored records, or the spans of these records if the metric scores spans. user_scored counts the same.';
comment on column series_score.user_groups is
  'As in series_measure. For a metric that scores spans, a record without a user has a group too, by a hash of its id: the spans of a record depend on each other.';
create index series_score_value on series_score (project_id, dimension, value, hour);
call own_rows_only('series_score');


-- Signals

create table alert (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  kind text not null check (kind in ('webhook', 'slack', 'email', 'otlp')),
  target text not null,
  secret bytea,
  events text[] not null check (events <> '{}'),
  min_pass_rate double precision check (min_pass_rate > 0 and min_pass_rate < 1),
  label_metric_id bigint,
  label text,
  max_label_share double precision check (max_label_share > 0 and max_label_share < 1),
  false_alarms_per_year double precision not null default 1 check (false_alarms_per_year > 0),
  traffic_window text not null default 'hour' check (traffic_window in ('hour', 'day')),
  max_error_rate double precision check (max_error_rate > 0 and max_error_rate < 1),
  max_latency_ms double precision check (max_latency_ms > 0),
  max_cost_usd double precision check (max_cost_usd > 0),
  active_since timestamptz default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'email') = (secret is null)),
  check (not 'monitor.worse' = any(events) or coalesce(min_pass_rate, max_label_share) is not null),
  check (num_nulls(label_metric_id, label, max_label_share) in (0, 3)),
  check (not 'traffic.worse' = any(events) or coalesce(max_error_rate, max_latency_ms, max_cost_usd) is not null)
);
comment on table alert is 'A destination to which a project sends events.';
comment on column alert.target is
  'The public part of the destination: the addresses of an email, or the origin of a URL, whose path may be a credential.';
comment on column alert.secret is 'URL with its signing key or headers, encrypted for this row: they cannot be decrypted in another one.';
comment on column alert.min_pass_rate is 'monitor.worse: the lowest acceptable pass rate.';
comment on column alert.max_label_share is
  'monitor.worse: the highest acceptable share of a label of a category. No foreign key: an alert whose metric is deleted watches nothing.';
comment on column alert.false_alarms_per_year is 'monitor.worse and traffic.worse: the highest average number of false alarms a year while every figure is acceptable.';
comment on column alert.traffic_window is 'traffic.worse: the length of the windows, of UTC, whose traffic is held against the limits.';
comment on column alert.max_latency_ms is 'traffic.worse: the highest acceptable 95th percentile.';
comment on column alert.max_cost_usd is 'traffic.worse: the highest acceptable sum in a window.';
comment on column alert.active_since is 'Null while it is paused. Earlier events are not sent.';
create index alert_project on alert (project_id, id);
create trigger alert_noted after insert or update or delete on alert
  for each row execute function note_resource('alerts');
call own_rows_only('alert');

create table alert_delivery (
  id uuid primary key,
  organization_id bigint not null,
  alert_id uuid not null references alert on delete cascade,
  event text not null,
  about text not null,
  message json not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  due_at timestamptz default now(),
  fence integer not null default 0,
  attempts integer not null default 0,
  last_error text,
  status integer,
  delivered_to text[] not null default '{}',
  unconfirmed text[] not null default '{}',
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (alert_id, about),
  check ((state = 'pending') = (due_at is not null)),
  check ((state = 'pending') = (ended_at is null))
);
comment on table alert_delivery is
  'An event for an alert. A pending one is the job to send it, held as in execution; the others are the log.';
comment on column alert_delivery.about is 'The event, such as one complete run: each alert is notified once.';
comment on column alert_delivery.delivered_to is 'email: the addresses that have it. Another attempt leaves them out.';
comment on column alert_delivery.unconfirmed is 'email: the addresses that did not get it, because their owners have not confirmed them.';
comment on column alert_delivery.status is 'HTTP status of the receiver''s answer to the last attempt.';
create index alert_delivery_due on alert_delivery (alert_id, due_at, id) where state = 'pending';
create index alert_delivery_ended on alert_delivery (ended_at) where state <> 'pending';
create index alert_delivery_alert on alert_delivery (alert_id, created_at, id);
call own_rows_only('alert_delivery');

create table mail_address (
  organization_id bigint not null references organization on delete cascade,
  key text not null,
  address text not null,
  version integer not null default 1,
  asked_at timestamptz[] not null default '{}',
  confirmed_at timestamptz,
  stopped_at timestamptz,
  primary key (organization_id, key),
  check (confirmed_at is null or stopped_at is null)
);
comment on table mail_address is
  'What the owner of an address has said about mails of the organization. Addresses of members need no row.';
comment on column mail_address.key is 'The address in lower case, as the database folds it.';
comment on column mail_address.version is 'Raised by each stop, so that no earlier link confirms the address again.';
comment on column mail_address.asked_at is 'When its owner was asked in the last month, newest first.';
create index mail_address_key on mail_address (key);
call own_rows_only('mail_address');

create table schedule (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  cron text not null,
  time_zone text not null,
  task json not null,
  paused boolean not null default false,
  next_at timestamptz,
  due_at timestamptz,
  attempts integer not null default 0,
  last_at timestamptz,
  last_run_id bigint references run on delete set null,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table schedule is 'A run or a drift trial that the service starts by itself, and when.';
comment on column schedule.task is
  'The run or the drift trial, as ScheduleTask in the API. It names a testset, a system and metrics, which may have been deleted: last_error then says so.';
comment on column schedule.next_at is
  'The next time. The process that starts it sets the next time in the same transaction, so that each time counts once. Null if the expression has no further time.';
comment on column schedule.due_at is 'When it is started: at next_at, or after a back-off if the service failed to start it then.';
comment on column schedule.attempts is 'Failed attempts to start it at next_at.';
create index schedule_project on schedule (project_id, id);
create index schedule_due on schedule (due_at) where not paused;
create index schedule_last_run on schedule (last_run_id) where last_run_id is not null;
create trigger schedule_noted after insert or update or delete on schedule
  for each row execute function note_resource('schedules');
call own_rows_only('schedule');


-- Operation

create table project_import (
  project_id bigint primary key references project on delete cascade,
  organization_id bigint not null,
  lines integer not null default 0,
  digest bytea not null,
  counts json not null,
  started_at timestamptz not null default now(),
  completed_at timestamptz
);
comment on table project_import is 'The import of an archive into a project. The API shows it, complete or not.';
comment on column project_import.lines is 'Lines of the archive that are stored.';
comment on column project_import.digest is
  'Hash of these lines: an archive that is sent again continues only where its first lines are the same.';
comment on column project_import.counts is 'Number of imported rows of each part, for the answer.';
call own_rows_only('project_import');

create table import_id (
  organization_id bigint not null,
  project_id bigint not null references project_import on delete cascade,
  kind text not null,
  given text not null,
  id text not null,
  primary key (project_id, kind, given)
);
comment on table import_id is
  'Ids in the archive, and the ids that resources and members have here; kept until the import is complete.';
call own_rows_only('import_id');

create table idempotency_key (
  organization_id bigint not null references organization on delete cascade,
  key text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  project_id bigint,
  run_id bigint,
  n integer,
  testset_id bigint,
  resource_id text,
  created_at timestamptz not null default now(),
  primary key (organization_id, key)
);
comment on table idempotency_key is 'Answers to requests with an Idempotency-Key. Kept for 24 hours.';
comment on column idempotency_key.body is 'Null once what the answer tells about was deleted: a repeated request then learns that.';
comment on column idempotency_key.project_id is
  'What the answer tells about, as far as it is known: a project, a run, a record (n), a testset, and any resource by its id.';
create index idempotency_key_created on idempotency_key (created_at);
create index idempotency_key_project on idempotency_key (project_id) where project_id is not null;
create index idempotency_key_run on idempotency_key (run_id, n) where run_id is not null;
create index idempotency_key_testset on idempotency_key (testset_id) where testset_id is not null;
create index idempotency_key_resource on idempotency_key (organization_id, resource_id);
call own_rows_only('idempotency_key');

create table worker (
  id uuid primary key,
  description text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
comment on table worker is
  'Processes that score, of all organizations. Each sets seen_at every 10 s; a process that has not set it for a minute counts as dead.';
comment on column worker.description is 'Machine and process number.';
create index worker_seen on worker (seen_at);
