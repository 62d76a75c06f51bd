package model

// How much somebody wants to be told of.
const (
	LevelDisabled      = "disabled"
	LevelParticipating = "participating"
	LevelWatch         = "watch"
	LevelGlobal        = "global" // as it is set further out
	LevelMention       = "mention"
	LevelCustom        = "custom"
)
