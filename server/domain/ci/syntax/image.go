package syntax

// image reads the name of an image, or a dictionary.
func (d decoder) image(path string, v *value) *Image {
	if v.isScalar() {
		return &Image{Name: v.text}
	}
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash or a string", path)
		return nil
	}
	image := &Image{}
	d.object(path, v, d.imageFields(path, image))
	d.imageName(path, image, v)
	return image
}

func (d decoder) imageName(path string, image *Image, v *value) {
	if image.Name == "" && (v.get("name") == nil || v.get("name").isScalar()) {
		d.fail(v.at, "%s name can't be blank", path)
	}
}

func (d decoder) imageFields(path string, image *Image) fields {
	return fields{
		"name":        func(v *value) { image.Name = d.text(path+" name", v) },
		"entrypoint":  func(v *value) { image.Entrypoint = d.texts(path+" entrypoint", v) },
		"pull_policy": func(v *value) { image.PullPolicy = d.pullPolicy(path+":pull_policy", v) },
		"docker": func(v *value) {
			d.object(path+":docker", v, fields{
				"platform": func(v *value) { image.Platform = d.text(path+":docker platform", v) },
				"user":     func(v *value) { image.User = d.text(path+":docker user", v) },
			})
		},
		"kubernetes": func(v *value) {
			d.object(path+":kubernetes", v, fields{
				"user": func(v *value) { image.KubeUser = d.text(path+":kubernetes user", v) },
			})
		},
	}
}

func (d decoder) pullPolicy(path string, v *value) []string {
	return d.choices(path+" config", v, "always", "never", "if-not-present")
}

const maxServices = 50

// services reads a list of images, each with its own alias, command and variables.
func (d decoder) services(path string, v *value) []Service {
	if v.kind != list {
		d.fail(v.at, "%s config should be a array", path)
		return nil
	}
	if len(v.items) > maxServices {
		d.fail(v.at, "%s config has more than %d services", path, maxServices)
		return nil
	}
	services := make([]Service, 0, len(v.items))
	for _, item := range v.items {
		services = append(services, d.service(path+":service", item))
	}
	return services
}

func (d decoder) service(path string, v *value) Service {
	var s Service
	if v.isScalar() {
		s.Name = v.text
		return s
	}
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash or a string", path)
		return s
	}
	known := d.imageFields(path, &s.Image)
	known["alias"] = func(v *value) { s.Alias = d.text(path+" alias", v) }
	known["command"] = func(v *value) { s.Command = d.texts(path+" command", v) }
	known["variables"] = func(v *value) { s.Variables = d.jobVariables(path+":variables", v) }
	d.object(path, v, known)
	d.imageName(path, &s.Image, v)
	return s
}
