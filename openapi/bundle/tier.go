package main

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// tiers are the values of x-tier with the sentence that readers find in the description.
var tiers = map[string]string{
	"premium":  "On the tiers premium and ultimate only.",
	"ultimate": "On the tier ultimate only.",
}

// describeTiers adds the sentence of the tier to the description of everything that has an x-tier.
func describeTiers(n *yaml.Node) error {
	if tier := get(n, "x-tier"); tier != nil {
		sentence, known := tiers[tier.Value]
		if !known {
			return fmt.Errorf("line %d: x-tier %q is not premium or ultimate", tier.Line, tier.Value)
		}
		if before := get(n, "description"); before != nil {
			sentence = strings.TrimSpace(before.Value) + " " + sentence
		}
		set(n, "description", text(sentence))
	}
	for _, child := range n.Content {
		if err := describeTiers(child); err != nil {
			return err
		}
	}
	return nil
}
