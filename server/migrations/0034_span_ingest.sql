-- A session's record is that of its first trace: read at once, however many traces the session has.
drop index trace_session;
create index trace_session on trace (project_id, session_id, id) where session_id is not null;
