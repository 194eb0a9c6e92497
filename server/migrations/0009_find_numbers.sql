-- Numbers in the fields of records, and the latest trace of sessions and users, are found by an index.

create table record_number (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null,
  n integer not null,
  field text not null,
  value double precision not null
);
comment on table record_number is
  'Numbers in the fields of a record, to be searched. Written in the background with the record''s text; see index-texts.ts.';
comment on column record_number.run_id is
  'With n, the record. No foreign key: it would cost each new record a look-up. A trigger on record deletes its numbers.';
comment on column record_number.field is
  'Path of the field, such as outputs.count, at most 200 characters. Empty: the record may have any number in any field.';
create index record_number_value on record_number (project_id, field, value, run_id, n);
create index record_number_record on record_number (run_id, n);
alter table record_number enable row level security, force row level security;
create policy own_organization on record_number using (in_scope(organization_id));

alter table record_text add column numbered boolean not null default false;
comment on column record_text.numbered is
  'Whether record_number has the numbers of the record. False whenever "indexed" is.';
create index record_text_unnumbered on record_text (project_id) where not numbered;

create function number_fields(inputs json, expected json, outputs json) returns table (field text, value double precision)
  language plpgsql
  immutable
  as $$
begin
  -- The limits keep one large record from holding up the others. Such a record is tested itself.
  if length(inputs::text) + length(expected::text) + length(outputs::text) > 1000000 then
    return query select '', 0::double precision;
    return;
  end if;
  return query
  with recursive part (path, depth, value) as (
    select * from (values ('inputs', 0, inputs), ('expected', 0, expected), ('outputs', 0, outputs)) given
    union all
    select part.path || '.' || each.key, part.depth + 1, each.value
    from part
    cross join lateral json_each(case json_typeof(part.value) when 'object' then part.value else '{}' end) each
    where part.depth < 8),
  leaf as (
    select left(part.path, 200) as path, part.value #>> '{}' as content from part
    where json_typeof(part.value) in ('number', 'string') and length(part.value::text) <= 202),
  number as (
    select leaf.path, leaf.content::double precision as value from leaf
    where leaf.content ~ '^-?[0-9]+\.?[0-9]*([eE][-+]?[0-9][0-9]?)?$'
    limit 101),
  counted as (select count(*) as numbers from number)
  select number.path, number.value from number, counted where counted.numbers <= 100
  union all
  select '', 0::double precision from counted where counted.numbers > 100;
exception when untranslatable_character or invalid_text_representation or numeric_value_out_of_range then
  return query select '', 0::double precision;
end $$;
comment on function number_fields is
  'The fields of a record that hold a number or the text of one, those within arrays left out. One row with an empty field when the record is large, has more than 100 numbers, or holds what text cannot.';

create or replace function forget_texts() returns trigger
  language plpgsql
  as $$
begin
  delete from record_text using changed where record_text.run_id = changed.run_id and record_text.n = changed.n;
  -- After the texts: a process that writes numbers holds the text until its commit.
  delete from record_number using changed where record_number.run_id = changed.run_id and record_number.n = changed.n;
  return null;
end $$;
comment on function forget_texts is 'Deletes the texts and the numbers of deleted records.';

create index trace_session_latest on trace (project_id, session_id, start_us, id) where session_id is not null;
create index trace_user_latest on trace (project_id, user_id, start_us, id) where user_id is not null;
drop index trace_user;
