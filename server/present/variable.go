package present

import (
	"svc/gen"
	"svc/store/model"
)

// InstanceVariable shows a CI/CD variable of the instance.
func InstanceVariable(v model.InstanceVariable) gen.InstanceVariable {
	return gen.InstanceVariable{
		Key:          v.Key,
		Description:  v.Description,
		VariableType: gen.VariableType(v.VariableType),
		Value:        v.Value,
		Protected:    v.Protected,
		Masked:       v.Masked,
		Raw:          v.Raw,
	}
}
