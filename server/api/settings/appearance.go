package settings

import (
	"context"
	"encoding/base64"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/setting"
	"svc/server/platform/access"
	"svc/server/platform/respond"
	"svc/store/model"
)

// GetApplicationAppearance shows the appearance of the pages.
// GET /application/appearance
func (s *Settings) GetApplicationAppearance(
	ctx context.Context, _ gen.GetApplicationAppearanceRequestObject,
) (gen.GetApplicationAppearanceResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSettings); err != nil {
		return nil, err
	}
	return gen.GetApplicationAppearance200JSONResponse(s.appearance()), nil
}

// UpdateApplicationAppearance changes the appearance of the pages.
// PUT /application/appearance
func (s *Settings) UpdateApplicationAppearance(
	ctx context.Context, req gen.UpdateApplicationAppearanceRequestObject,
) (gen.UpdateApplicationAppearanceResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSettings); err != nil {
		return nil, err
	}
	if err := s.settings.ChangeAppearance(ctx, appearanceChange(*req.Body)); err != nil {
		return nil, err
	}
	return gen.UpdateApplicationAppearance200JSONResponse(s.appearance()), nil
}

// appearanceChange reads a change of the appearance.
func appearanceChange(b gen.AppearanceUpdate) setting.AppearanceChange {
	c := setting.AppearanceChange{
		Texts: map[string]*string{
			"title": b.Title, "description": b.Description, "member_guidelines": b.MemberGuidelines,
			"new_project_guidelines": b.NewProjectGuidelines, "profile_image_guidelines": b.ProfileImageGuidelines,
			"header_message": b.HeaderMessage, "footer_message": b.FooterMessage,
			"message_background_color": b.MessageBackgroundColor, "message_font_color": b.MessageFontColor,
		},
		Pictures: map[model.AppearancePicture]wire.Optional[[]byte]{
			model.AppearanceLogo: b.Logo, model.AppearanceHeaderLogo: b.HeaderLogo, model.AppearanceFavicon: b.Favicon,
		},
	}
	for name, text := range map[string]*string{
		"pwa_name": b.PwaName, "pwa_short_name": b.PwaShortName, "pwa_description": b.PwaDescription, "pwa_icon": b.PwaIcon,
	} {
		if wire.Value(text) != "" {
			c.Refused = append(c.Refused, name)
		}
	}
	if wire.Value(b.EmailHeaderAndFooterEnabled) {
		c.Refused = append(c.Refused, "email_header_and_footer_enabled")
	}
	return c
}

// appearance presents the appearance of the pages.
func (s *Settings) appearance() gen.Appearance {
	a := s.settings.Appearance()
	return gen.Appearance{
		Title: a.Title, Description: a.Description, MemberGuidelines: a.MemberGuidelines,
		NewProjectGuidelines: a.NewProjectGuidelines, ProfileImageGuidelines: a.ProfileImageGuidelines,
		HeaderMessage: a.HeaderMessage, FooterMessage: a.FooterMessage, MessageBackgroundColor: a.MessageBackgroundColor,
		MessageFontColor: a.MessageFontColor, Logo: model.AppearanceLogo.Path(a.Logo),
		HeaderLogo: model.AppearanceHeaderLogo.Path(a.HeaderLogo), Favicon: model.AppearanceFavicon.Path(a.Favicon),
	}
}

// GetUploadsSystemAppearance sends a picture of the appearance to everybody.
// GET /uploads/-/system/appearance/{kind}/{id}/{filename}
func (s *Settings) GetUploadsSystemAppearance(
	ctx context.Context, req gen.GetUploadsSystemAppearanceRequestObject,
) (gen.GetUploadsSystemAppearanceResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadAppearance); err != nil {
		return nil, err
	}
	row, err := s.settings.Picture(ctx, model.AppearancePicture(req.Kind), req.Filename)
	if err != nil {
		return nil, err
	}
	return picture{respond.Stream{
		Context: ctx, Type: row.ContentType, Disposition: `inline; filename="` + row.FileName + `"`, CacheControl: respond.Public,
		ETag: `"` + base64.RawURLEncoding.EncodeToString(row.Digest) + `"`, Size: int64(len(row.Data)), Sandboxed: true,
		Write: respond.Bytes(row.Data),
	}}, nil
}

// picture is the response with a picture.
type picture struct{ respond.Stream }

// VisitGetUploadsSystemAppearanceResponse sends the picture.
func (p picture) VisitGetUploadsSystemAppearanceResponse(w http.ResponseWriter) error {
	return p.Send(w)
}
