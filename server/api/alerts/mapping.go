package alerts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/monitoring/alert"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// maxSample is the maximum size of a sample in bytes, encoded as JSON.
const maxSample = 64 << 10

// sampleAndMapping returns the sample and the mapping that an integration gets: those of the request, or else those that it
// already has. Removing the sample also removes the mapping, unless the request sets a mapping.
func (s *Alerts) sampleAndMapping(
	before model.AlertIntegration, sample wire.Optional[any], mapping wire.Optional[gen.AlertMapping],
) (sampleText, mappingText *string, err error) {
	sampleText, mappingText = before.Sample, before.Mapping
	if sample.IsSet() {
		if sampleText, err = encodeJSON(sample.Ptr()); err != nil {
			return nil, nil, err
		}
		if sampleText != nil && len(*sampleText) > maxSample {
			return nil, nil, apierr.Invalid("sample", fmt.Sprintf("is too long (maximum is %d bytes)", maxSample))
		}
		if sampleText == nil && !mapping.IsSet() {
			mappingText = nil
		}
	}
	if mapping.IsSet() {
		if mapping.Ptr() != nil && !s.show.Paid {
			return nil, nil, apierr.Forbidden("mappings are available in paid tiers only")
		}
		if mappingText, err = encodeJSON(mapping.Ptr()); err != nil {
			return nil, nil, err
		}
	}
	return sampleText, mappingText, checkMapping(sampleText, mappingText)
}

// encodeJSON encodes a value as JSON for the database. A nil value stays nil.
func encodeJSON[T any](value *T) (*string, error) {
	if value == nil {
		return nil, nil // there is nothing to store
	}
	b, err := json.Marshal(value)
	kept := string(b)
	return &kept, err
}

// checkMapping rejects a mapping whose path is not in the sample. It also rejects a path that leads to an object, or to an
// array where the property cannot be one.
func checkMapping(sample, mapping *string) error {
	if mapping == nil {
		return nil
	}
	if sample == nil {
		return apierr.Invalid("mapping", "requires a sample")
	}
	var payload map[string]any
	var paths alert.Mapping
	if err := json.Unmarshal([]byte(*sample), &payload); err != nil {
		return apierr.Invalid("sample", "is invalid")
	}
	if err := json.Unmarshal([]byte(*mapping), &paths); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		switch alert.Find(payload, paths[name]).(type) {
		case nil:
			return apierr.Invalid("mapping", name+" must be a path in the sample")
		case map[string]any:
			return apierr.Invalid("mapping", name+" must not be the path of an object")
		case []any:
			if name != "hosts" && name != "fingerprint" {
				return apierr.Invalid("mapping", name+" must not be the path of an array")
			}
		}
	}
	return nil
}
