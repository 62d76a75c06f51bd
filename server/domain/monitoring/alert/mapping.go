package alert

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"svc/openapi/wire"
	"svc/server/domain/monitoring/alert/format"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// maxSample is the maximum size of a sample in bytes, encoded as JSON.
const maxSample = 64 << 10

// sampleAndMapping returns the sample and the mapping that an integration gets: the new ones, or else those that it
// already has. Removing the sample also removes the mapping, unless a new mapping is set.
func (s *Service) sampleAndMapping(
	before model.AlertIntegration, newSample, newMapping wire.Optional[string],
) (sample, mapping *string, err error) {
	sample, mapping = before.Sample, before.Mapping
	if newSample.IsSet() {
		sample = newSample.Ptr()
		if sample != nil && len(*sample) > maxSample {
			return nil, nil, apierr.Invalid("sample", fmt.Sprintf("is too long (maximum is %d bytes)", maxSample))
		}
		if sample == nil && !newMapping.IsSet() {
			mapping = nil
		}
	}
	if newMapping.IsSet() {
		mapping = newMapping.Ptr()
		if mapping != nil && !s.paid {
			return nil, nil, apierr.TierTooLow("mappings are available in paid tiers only")
		}
	}
	return sample, mapping, checkMapping(sample, mapping)
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
	var paths format.Mapping
	if err := json.Unmarshal([]byte(*sample), &payload); err != nil {
		return apierr.Invalid("sample", "is invalid")
	}
	if err := json.Unmarshal([]byte(*mapping), &paths); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		switch format.Find(payload, paths[name]).(type) {
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
