-- The configuration to compare by: jsonb ignores key order and how numbers are written. Its text where jsonb cannot hold it, as with
-- \u0000 or numbers beyond numeric.
create function comparable_json(value json) returns jsonb
  language plpgsql immutable
  as $$
begin
  return value::jsonb;
exception when data_exception or program_limit_exceeded then
  return to_jsonb(value::text);
end $$;

-- A column rather than an index expression: row-level security would keep the index from being used.
alter table system_version drop column config_hash;
alter table system_version add column config_hash bigint not null
  generated always as (jsonb_hash_extended(comparable_json(config), 0)) stored;
create index system_version_config on system_version (system_id, config_hash);
