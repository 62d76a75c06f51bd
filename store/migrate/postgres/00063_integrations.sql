-- +goose Up
-- Integrations with chats, mails, wikis and issue trackers are rows of hooks that name a receiver: integration is its slug.
-- settings has the settings that are not secret, as JSON. An integration that is switched off stays, without settings, so
-- that the project does not use that of its group.
ALTER TABLE hooks ADD COLUMN integration text;
ALTER TABLE hooks ADD COLUMN settings text;
ALTER TABLE hooks ADD COLUMN inactive boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX hooks_project_integration ON hooks (project_id, integration) WHERE integration IS NOT NULL;
CREATE UNIQUE INDEX hooks_group_integration ON hooks (group_id, integration) WHERE integration IS NOT NULL;

-- +goose Down
DROP INDEX hooks_group_integration;
DROP INDEX hooks_project_integration;
DELETE FROM hooks WHERE integration IS NOT NULL;
ALTER TABLE hooks DROP COLUMN inactive;
ALTER TABLE hooks DROP COLUMN settings;
ALTER TABLE hooks DROP COLUMN integration;
