-- What a project was made of by an import, so that the same archive makes no second one; null for all others.
alter table project
  add column import_key text,
  add column import_completed_at timestamptz;
create unique index project_import_key on project (organization_id, import_key) where import_key is not null;
