package setting

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"unicode/utf8"

	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/store/setting"
)

// AppearanceChange describes what to change in the appearance. Members that are not set stay as they are.
type AppearanceChange struct {
	Texts    map[string]*string                                // by the name of the setting
	Pictures map[model.AppearancePicture]wire.Optional[[]byte] // null or no bytes remove the picture
	Refused  []string                                          // members that this service cannot have
}

// maxAppearance are the largest numbers of characters of texts.
var maxAppearance = map[string]int{
	"title": 255, "description": maxLongText, "member_guidelines": maxLongText, "new_project_guidelines": maxLongText,
	"profile_image_guidelines": maxLongText, "header_message": 255, "footer_message": 255,
}

// Color is the form of colors: #rgb or #rrggbb.
var Color = regexp.MustCompile(`\A#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\z`)

// ChangeAppearance changes the appearance of the pages. If one value breaks a rule, nothing changes.
func (s *Service) ChangeAppearance(ctx context.Context, c AppearanceChange) error {
	chosen, broken := setting.Content{}, fieldErrors{}
	for name, text := range c.Texts {
		if text == nil {
			continue
		}
		value, err := json.Marshal(*text)
		if err != nil {
			return err
		}
		chosen[name] = value
		checkAppearance(name, *text, broken)
	}
	for _, name := range c.Refused {
		broken.add(name, "is not supported by this instance")
	}
	pictures := map[model.AppearancePicture]*model.Avatar{}
	for kind, given := range c.Pictures {
		picture, err := avatar.Read(given)
		if err != nil {
			return err
		}
		if picture == nil {
			continue
		}
		pictures[kind] = picture
		if chosen[string(kind)], err = json.Marshal(picture.FileName); err != nil {
			return err
		}
	}
	if err := broken.err(); err != nil || len(chosen) == 0 {
		return err
	}
	return s.change(ctx, setting.AppearanceKind, chosen, s.appearance, func(ctx context.Context) error {
		for kind, picture := range pictures {
			if err := s.store.Avatars.PutAppearance(ctx, kind, picture); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkAppearance checks a text or a color.
func checkAppearance(name, text string, broken fieldErrors) {
	most, limited := maxAppearance[name]
	switch {
	case limited && utf8.RuneCountInString(text) > most:
		broken.add(name, fmt.Sprintf("is too long (maximum is %d characters)", most))
	case !limited && !Color.MatchString(text):
		broken.add(name, "must be a valid color code")
	}
}

// appearance returns the appearance by name.
func (s *Service) appearance() (setting.Content, error) {
	return setting.All(s.store.Settings.Current().Appearance)
}

// Picture returns a picture of the appearance. The file name of an older picture is a 404.
func (s *Service) Picture(ctx context.Context, kind model.AppearancePicture, file string) (model.Avatar, error) {
	row, err := s.store.Avatars.Appearance(ctx, kind)
	if err == nil && file != row.FileName {
		err = apierr.NotFound("Picture")
	}
	return row, err
}
