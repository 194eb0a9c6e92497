-- Records are found by an index when they have a field, or lack it, and when a score gave no result.

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
comment on column record_shape.fields is 'Paths of all fields that are not null, those within arrays left out; see field_paths.';
alter table record_shape enable row level security, force row level security;
create policy own_organization on record_shape using (in_scope(organization_id));

alter table record_text add column shape bigint;
comment on column record_text.shape is
  'The fields of the record: a row of record_shape. 0 if they are not known. Null until the text and the numbers are indexed.';
create index record_text_shape on record_text (project_id, shape) where shape is not null;
create index record_text_waiting on record_text (project_id) where shape is null;
-- "shape is null" says the same, and older records get their shape by it.
alter table record_text drop column numbered;

create function field_paths(inputs json, expected json, outputs json) returns text[]
  language plpgsql
  immutable
  as $$
begin
  if length(inputs::text) + length(expected::text) + length(outputs::text) > 1000000 then
    return null;
  end if;
  -- path_text has no value for some of such texts.
  if inputs::text || expected::text || outputs::text ~ '\\u(0000|[dD][89a-fA-F])' then
    return null;
  end if;
  return (
    with recursive part (path, depth, value, plain) as (
      select given.*, true from (values ('inputs', 0, inputs), ('expected', 0, expected), ('outputs', 0, outputs)) given
      union all
      select part.path || chr(31) || each.key, part.depth + 1, each.value, position(chr(31) in each.key) = 0
      from part
      cross join lateral json_each(case json_typeof(part.value) when 'object' then part.value else '{}' end) each
      where part.depth < 8)
    select case when count(*) <= 100 and count(*) = count(distinct path) and bool_and(plain)
      then array_agg(path order by path) filter (where json_typeof(value) <> 'null') end
    from part);
exception when untranslatable_character or invalid_text_representation then
  return null;
end $$;
comment on function field_paths is
  'The paths of the fields of a record that are not null, at most 8 names deep, their names joined by the unit separator. Null when the record is large, has more than 100 fields or the same one twice, or escapes of what text may not hold.';

create index score_unscored on score (metric_config_id, run_id, n) where state = 'unscored' or validation_errors is not null;
