-- A search for a name, model or service that few spans have, or none, would read all spans of a project. Rows of an equal value share one entry,
-- so that such an index takes a tenth of span_start.

create index span_name on span (project_id, name);
create index span_service on span (project_id, service);
create index span_model on span (project_id, model) where model is not null;
create index span_failed on span (project_id, start_ns, trace_id, span_id) where failed;
