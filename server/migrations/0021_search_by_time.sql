-- Under row-level security an index is not entered with a numeric, whose comparisons are not leakproof: a search of spans by time, and each page after
-- the first, read all later spans of the project. This rewrites the table of spans, a minute for ten million.

alter table span add column start_us bigint not null generated always as (floor(start_ns / 1000)::bigint) stored;
comment on column span.start_us is 'Microseconds since 1970, to sort by. See the same column of trace.';
drop index span_start;
drop index span_root;
drop index span_failed;
create index span_start on span (project_id, start_us, trace_id, span_id);
create index span_root on span (project_id, start_us, trace_id, span_id) where parent_span_id is null;
create index span_failed on span (project_id, start_us, trace_id, span_id) where failed;

-- What few traces or records have, or none, would be looked for in each of them.
create index trace_name on trace (project_id, name) where name is not null;
create index trace_service on trace (project_id, service) where service is not null;
create index trace_model on trace (project_id, model) where model is not null;
create index record_testcase on record (testset_id, testcase_n) where testset_id is not null;
