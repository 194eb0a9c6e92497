-- The passage of a text that an annotation is on, as its author saw it: { path, start, text }.
alter table annotation add column passage json;

-- Traces are searched by their roots, which are few among their spans.
create index span_root on span (project_id, start_ns, trace_id, span_id) where parent_span_id is null;
