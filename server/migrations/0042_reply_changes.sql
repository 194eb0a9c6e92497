-- Whoever has a record open sees what is answered there, as they see the comments. A thread that is settled or opened again
-- is an annotation that changes, which is told already; so is one that is deleted with its replies.
create trigger reply_added_noted after insert on annotation_reply
  referencing new table as changed for each statement execute function note_records();
create trigger reply_changed_noted after update on annotation_reply
  referencing new table as changed for each statement execute function note_records();
create trigger reply_deleted_noted after delete on annotation_reply
  referencing old table as changed for each statement execute function note_records();
