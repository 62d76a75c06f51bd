package settings

import (
	"context"
	"encoding/json"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/store/setting"
)

// GetApplicationSettings shows the settings of the application.
// GET /application/settings
func (s *Settings) GetApplicationSettings(
	ctx context.Context, _ gen.GetApplicationSettingsRequestObject,
) (gen.GetApplicationSettingsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSettings); err != nil {
		return nil, err
	}
	shown, err := s.application()
	if err != nil {
		return nil, err
	}
	return gen.GetApplicationSettings200JSONResponse(shown), nil
}

// UpdateApplicationSettings changes settings of the application.
// PUT /application/settings
func (s *Settings) UpdateApplicationSettings(
	ctx context.Context, req gen.UpdateApplicationSettingsRequestObject,
) (gen.UpdateApplicationSettingsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSettings); err != nil {
		return nil, err
	}
	if err := s.settings.ChangeApplication(ctx, setting.Content(*req.Body)); err != nil {
		return nil, err
	}
	shown, err := s.application()
	if err != nil {
		return nil, err
	}
	return gen.UpdateApplicationSettings200JSONResponse(shown), nil
}

// application presents the settings of the application.
func (s *Settings) application() (wire.Members, error) {
	all, err := s.settings.Application()
	if err != nil {
		return nil, err
	}
	created, updated := s.settings.Changed(setting.ApplicationKind)
	all["id"] = json.RawMessage("1")
	for name, at := range map[string]*time.Time{"created_at": created, "updated_at": updated} {
		all[name] = json.RawMessage("null")
		if at != nil {
			if all[name], err = json.Marshal(wire.NewTime(*at)); err != nil {
				return nil, err
			}
		}
	}
	return wire.Members(all), nil
}
