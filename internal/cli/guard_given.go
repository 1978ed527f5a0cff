package cli

import (
	"dormouse/host"
	"dormouse/trust"
)

// Guard is what judges notes, by the settings of the person of an environment: for
// programs beside this one.
func Guard(env host.Env) (*trust.Guard, error) {
	c := &common{io: &IO{Env: env}}
	return c.guard()
}
