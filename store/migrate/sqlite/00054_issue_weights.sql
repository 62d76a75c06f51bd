-- +goose Up
ALTER TABLE issues ADD COLUMN weight bigint;

-- +goose Down
ALTER TABLE issues DROP COLUMN weight;
