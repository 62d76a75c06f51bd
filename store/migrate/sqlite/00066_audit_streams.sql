-- +goose Up
-- The audit events that still have to be written to a file or sent to a URL. A row is written with its event and deleted
-- when the event has been delivered.
CREATE TABLE audit_stream_events (
  target text NOT NULL,
  event_id integer NOT NULL REFERENCES audit_events (id) ON DELETE CASCADE,
  PRIMARY KEY (target, event_id)
);
CREATE INDEX audit_stream_events_event_id ON audit_stream_events (event_id);

-- How far each target has come, and until when one process has it for itself.
CREATE TABLE audit_streams (
  target text NOT NULL PRIMARY KEY,
  last_event_id integer NOT NULL DEFAULT 0,
  delivered_at datetime,
  leased_until datetime
);

-- +goose Down
DROP TABLE audit_streams;
DROP TABLE audit_stream_events;
