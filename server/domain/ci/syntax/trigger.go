package syntax

const maxTriggerFiles = 3

// trigger reads which pipeline a bridge starts.
func (d decoder) trigger(path string, v *value) *Trigger {
	t := &Trigger{ForwardYAML: true}
	if v.isScalar() {
		t.Project = v.text
		return t
	}
	if v.kind != dict {
		d.fail(v.at, "%s config has to be either a string or a hash", path)
		return t
	}
	d.object(path, v, fields{
		"project":  func(v *value) { t.Project = d.text(path+" project", v) },
		"branch":   func(v *value) { t.Branch = d.text(path+" branch", v) },
		"strategy": func(v *value) { t.Strategy = d.choice(path+" strategy", v, "depend", "mirror") },
		"include":  func(v *value) { t.Include = d.triggerFiles(path+":include", v) },
		"inputs":   func(v *value) { t.Inputs = d.triggerInputs(path+":inputs", v) },
		"forward": func(v *value) {
			d.object(path+":forward", v, fields{
				"yaml_variables":     func(v *value) { t.ForwardYAML = d.boolean(path+":forward yaml variables", v) },
				"pipeline_variables": func(v *value) { t.ForwardPipeline = d.boolean(path+":forward pipeline variables", v) },
			})
		},
	})
	hasFiles := v.get("include") != nil
	switch {
	case hasFiles && (t.Project != "" || t.Branch != ""):
		d.fail(v.at, "%s config contains unknown keys: %s", path, firstOf(t.Project != "", "project", "branch"))
	case !hasFiles && t.Project == "":
		d.fail(v.at, "%s project can't be blank", path)
	}
	return t
}

func firstOf(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// triggerFiles reads the origin of a child pipeline's CI file: a path, or a list of up to three files.
func (d decoder) triggerFiles(path string, v *value) []TriggerFile {
	items := []*value{v}
	if v.kind == list {
		items = v.items
	}
	if len(items) > maxTriggerFiles || len(items) == 0 {
		d.fail(v.at, "%s config is too long (maximum is %d)", path, maxTriggerFiles)
		return nil
	}
	files := make([]TriggerFile, 0, len(items))
	for _, item := range items {
		if item.isScalar() {
			files = append(files, TriggerFile{Local: item.text})
			continue
		}
		files = append(files, d.triggerFile(path, item))
	}
	return files
}

func (d decoder) triggerFile(path string, v *value) TriggerFile {
	var f TriggerFile
	d.object(path, v, fields{
		"local":    func(v *value) { f.Local = d.text(path+" local", v) },
		"artifact": func(v *value) { f.Artifact = d.text(path+" artifact", v) },
		"job":      func(v *value) { f.Job = d.text(path+" job", v) },
		"template": func(v *value) { f.Template = d.text(path+" template", v) },
		"project":  func(v *value) { f.Project = d.text(path+" project", v) },
		"ref":      func(v *value) { f.Ref = d.text(path+" ref", v) },
		"inputs":   func(v *value) { f.Inputs = d.triggerInputs(path+":inputs", v) },
		"file": func(v *value) {
			if all := d.textOrTexts(path+" file", v); len(all) == 1 {
				f.File = all[0]
			} else {
				d.fail(v.at, "%s file should be a string", path)
			}
		},
		"remote": func(v *value) {
			d.fail(v.at, "%s remote is not supported: a child pipeline's file must come from this service", path)
		},
	})
	places := 0
	for _, given := range []string{f.Local, f.Artifact, f.Template, f.Project} {
		if given != "" {
			places++
		}
	}
	switch {
	case v.kind != dict || v.get("remote") != nil:
	case places != 1:
		d.fail(v.at, "%s config must specify the file where to fetch the config from", path)
	case f.Artifact != "" && f.Job == "":
		d.fail(v.at, "%s job must specify the job where to fetch the artifact from", path)
	case f.Project != "" && f.File == "":
		d.fail(v.at, "%s config must specify the file where to fetch the config from", path)
	}
	return f
}

func (d decoder) triggerInputs(path string, v *value) map[string]string {
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash", path)
		return nil
	}
	inputs := make(map[string]string, len(v.entries))
	for _, e := range v.entries {
		inputs[e.key] = d.text(path+" "+clip(e.key), e.value)
	}
	return inputs
}
