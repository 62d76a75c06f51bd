package syntax

// script reads commands: one string, or nested lists of strings.
func (d decoder) script(path string, v *value) []string {
	const complaint = "%s config should be a string or a nested array of strings up to 10 levels deep"
	commands, ok := flatten(v, 1, nil)
	if !ok {
		d.fail(v.at, complaint, path)
		return nil
	}
	script := make([]string, 0, len(commands))
	for _, command := range commands {
		if !command.isScalar() {
			d.fail(command.at, complaint, path)
			return nil
		}
		script = append(script, command.text)
	}
	return script
}

// hooks reads the scripts of hooks.
func (d decoder) hooks(path string, v *value) Hooks {
	var h Hooks
	d.object(path, v, fields{
		"pre_get_sources_script": func(v *value) { h.PreGetSources = d.script(path+":pre_get_sources_script", v) },
	})
	return h
}
