-- Whoever opens a page is told the changes of the last seconds: without this, all that are kept were read for it.
create index change_time on change (project_id, noted_at);
