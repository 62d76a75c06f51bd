package syntax

// jobWhen reads the keyword when.
func (d decoder) jobWhen(j *jobEntry, _ string, v *value) {
	j.When = d.choice(j.path+" when", v, "on_success", "on_failure", "always", "manual", "delayed", "never")
}

// maxStartIn is the longest delay of a delayed job.
const maxStartIn = week

func (d decoder) jobStartIn(j *jobEntry, _ string, v *value) {
	j.StartIn = d.duration(j.path+" start in", v, maxStartIn)
}

// jobAllowFailure reads a boolean, or a list of allowed exit codes.
func (d decoder) jobAllowFailure(j *jobEntry, path string, v *value) {
	switch v.kind {
	case boolean:
		allowed := isTrue(v)
		j.allowFailure = &allowed
	case dict:
		d.object(path, v, fields{
			"exit_codes": func(v *value) { j.AllowFailureExitCodes = d.exitCodes(path+" exit codes", v) },
		})
	default:
		d.fail(v.at, "%s config should be a hash or a boolean value", path)
	}
}

// exitCodes reads one number or several.
func (d decoder) exitCodes(subject string, v *value) []int {
	items := []*value{v}
	if v.kind == list {
		items = v.items
	}
	codes := make([]int, 0, len(items))
	for _, item := range items {
		if item.kind != integer {
			d.fail(item.at, "%s should be an array of integers or an integer", subject)
			return nil
		}
		if code, ok := d.wholeNumber(subject, item); ok {
			codes = append(codes, code)
		}
	}
	return codes
}

func (d decoder) jobManualConfirmation(j *jobEntry, _ string, v *value) {
	j.ManualConfirmation = d.text(j.path+" manual confirmation", v)
}
