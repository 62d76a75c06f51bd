package present

import (
	"svc/gen"
	"svc/store/model"
)

// InstanceVariable presents a CI/CD variable of the instance.
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

// Variable presents a CI/CD variable of a project or group; a hidden variable has no value.
func Variable(v model.OwnedVariable) gen.Variable {
	shown := gen.Variable{
		VariableType: gen.VariableType(v.VariableType), Key: v.Key, Hidden: v.Hidden, Protected: v.Protected, Masked: v.Masked, Raw: v.Raw,
		EnvironmentScope: v.EnvironmentScope, Description: v.Description,
	}
	if !v.Hidden {
		shown.Value = &v.Value
	}
	return shown
}
