package settingspages

import (
	"io"

	"svc/openapi/wire"
	"svc/server/domain/group"
	"svc/server/domain/project"
	"svc/server/transport/web/page"
)

// pictureForm is the form that changes a picture.
func pictureForm(v *page.Visit) page.Form {
	return page.Form{Action: at(v, general+"/avatar"), Submit: "Upload", Files: true, Fields: []page.Field{
		{Name: "avatar", Label: "Picture", Type: "file", Hint: "PNG, JPEG, GIF, WebP, BMP or ICO, at most 200 KiB"},
	}}
}

// pictureOf reads the picture of a form. An empty picture removes the present one.
func pictureOf(v *page.Visit) (wire.Optional[[]byte], error) {
	if v.Value("remove") != "" {
		return wire.Some([]byte{}), nil
	}
	missing := page.Broken(map[string][]string{"avatar": {"is missing"}})
	file, _, err := v.Request().FormFile("avatar")
	if err != nil {
		return wire.Optional[[]byte]{}, missing
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return wire.Optional[[]byte]{}, page.BadForm(err)
	}
	if len(content) == 0 {
		return wire.Optional[[]byte]{}, missing
	}
	return wire.Some(content), nil
}

// changeProjectPicture changes or removes the picture of a project.
// POST /{project}/-/edit/avatar
func (p *Pages) changeProjectPicture(v *page.Visit) error {
	picture, err := pictureOf(v)
	if err == nil {
		err = p.Projects.Apply(v.Request().Context(), *v.Project, project.Change{Avatar: picture})
	}
	if err != nil {
		return p.showProject(v, err)
	}
	return v.Done(at(v, general), "The picture was saved.")
}

// changeGroupPicture changes or removes the picture of a group.
// POST /groups/{group}/-/edit/avatar
func (p *Pages) changeGroupPicture(v *page.Visit) error {
	picture, err := pictureOf(v)
	if err == nil {
		err = p.Groups.Apply(v.Request().Context(), v.Group.Namespace, group.Change{Avatar: picture})
	}
	if err != nil {
		return p.showGroup(v, err)
	}
	return v.Done(at(v, general), "The picture was saved.")
}
