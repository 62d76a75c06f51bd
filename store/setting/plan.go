package setting

import "math"

// PlanLimits are the limits of the plan that have an effect; 0 means no limit.
type PlanLimits struct {
	CIInstanceLevelVariables int64 `json:"ci_instance_level_variables"`
	CIPipelineSchedules      int64 `json:"ci_pipeline_schedules"`
	DotenvSize               int64 `json:"dotenv_size"`
	DotenvVariables          int64 `json:"dotenv_variables"`
	GenericPackages          int64 `json:"generic_packages_max_file_size"`
	Maven                    int64 `json:"maven_max_file_size"`
	NPM                      int64 `json:"npm_max_file_size"`
	PyPI                     int64 `json:"pypi_max_file_size"`
}

// DefaultPlanLimits returns the limits of an instance on which nobody has set anything.
func DefaultPlanLimits() PlanLimits {
	return PlanLimits{
		CIInstanceLevelVariables: 25, CIPipelineSchedules: 50,
		DotenvSize: 5120, DotenvVariables: 150, GenericPackages: 5 << 30, Maven: 3 << 30, NPM: 500 << 20, PyPI: 3 << 30,
	}
}

// Most returns a limit as a number of rows: a very large one if there is no limit.
func Most(limit int64) int {
	if limit == 0 || limit > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(limit)
}
