package store

// PipelineTriggers are tokens that start pipelines.
type PipelineTriggers struct{ *base }

const pipelineTrigger = "Trigger"
