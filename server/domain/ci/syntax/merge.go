package syntax

// merge lays one dictionary over another. Dictionaries in both are merged recursively. Everything else is replaced.
func merge(under, over *value) *value {
	if under == nil {
		return over
	}
	if over == nil {
		return under
	}
	if under.kind != dict || over.kind != dict {
		return over
	}
	entries := make([]entry, 0, len(under.entries)+len(over.entries))
	for _, e := range under.entries {
		if i := over.find(e.key); i >= 0 {
			above := over.entries[i]
			above.value = merge(e.value, above.value)
			e = above
		}
		entries = append(entries, e)
	}
	for _, e := range over.entries {
		if under.find(e.key) < 0 {
			entries = append(entries, e)
		}
	}
	return newDict(entries, over.at)
}
