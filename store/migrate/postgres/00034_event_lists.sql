-- +goose Up
-- Lists of events go by their time. What is not a push is rare among pushes, and has indexes of its own.
DROP INDEX events_author_id;
DROP INDEX events_project_id;
DROP INDEX events_created_at;
CREATE INDEX events_author ON events (author_id, created_at, id);
CREATE INDEX events_project ON events (project_id, created_at, id);
CREATE INDEX events_created_at ON events (created_at, id);
CREATE INDEX events_author_project ON events (author_id, project_id);
CREATE INDEX events_author_action ON events (author_id, action, created_at, id) WHERE action <> 'pushed';
CREATE INDEX events_project_action ON events (project_id, action, created_at, id) WHERE action <> 'pushed';
CREATE INDEX events_author_target ON events (author_id, target_type, created_at, id) WHERE target_type IS NOT NULL;
CREATE INDEX events_project_target ON events (project_id, target_type, created_at, id) WHERE target_type IS NOT NULL;

DROP INDEX audit_events_created_at;
CREATE INDEX audit_events_created_at ON audit_events (created_at, id);
CREATE INDEX audit_events_entity_type ON audit_events (entity_type, id);

-- +goose Down
DROP INDEX audit_events_entity_type;
DROP INDEX audit_events_created_at;
CREATE INDEX audit_events_created_at ON audit_events (created_at);
DROP INDEX events_project_target;
DROP INDEX events_author_target;
DROP INDEX events_project_action;
DROP INDEX events_author_action;
DROP INDEX events_author_project;
DROP INDEX events_created_at;
DROP INDEX events_project;
DROP INDEX events_author;
CREATE INDEX events_project_id ON events (project_id, id);
CREATE INDEX events_author_id ON events (author_id, id);
CREATE INDEX events_created_at ON events (created_at);
