// Package cipages shows pipelines, jobs and what belongs to them, and lets people run and set them up.
//
//	pages.go             dependencies, routes, and the side navigation
//	badge.go             statuses and durations as pages show them
//	filter.go            filters of lists, which are in the address
//	pipelines.go         the list of pipelines
//	pipeline.go          the page of a pipeline
//	pipeline_actions.go  cancel, retry and delete a pipeline
//	pipeline_new.go      run a pipeline
//	graph.go             the graph of a pipeline
//	tests.go             the test report of a pipeline
//	jobs.go              the list of jobs
//	job.go               the page of a job
//	job_actions.go       run, cancel, retry and erase a job
//	failure.go           why a job failed, in words
//	job_log.go           the part of a log that a page shows, and the search in it
//	job_follow.go        the live log of a job
//	log_nodes.go         lines and sections of a log
//	artifacts.go         folders of artifacts, and what people do with artifacts
//	artifacts_file.go    one file or picture inside an archive
//	artifacts_folder.go  the entries of a folder inside an archive
//	schedules.go         pipeline schedules
//	schedule.go          one schedule: change it and its variables
//	environments.go      environments and deployments
//	environment_form.go  make and change an environment
//	lint.go              check the CI file
//	lint_save.go         commit the CI file
//	variables.go         CI/CD variables of projects, groups and the instance
//	variable_form.go     make and change a variable
//	variable_owner.go    where variables belong
//	runners.go           runners of projects, groups and the instance
//	runner.go            one runner
//	runner_form.go       make and change a runner
//	runner_projects.go   the projects of a runner
//	runner_owner.go      where runners belong
//	picture.go           the status of a branch as a small picture
//	triggers.go          trigger tokens
package cipages
