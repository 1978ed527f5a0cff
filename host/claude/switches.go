package claude

import (
	"fmt"
	"strings"

	"dormouse/startup"
)

// truth reads a switch variable as the client does: white space around it and
// case do not count. known is false for every other value, which then counts
// as unset. Measured on 2.1.332.
func truth(v string) (on, known bool) {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "1", "true", "yes", "on":
		return true, true
	case "0", "false", "no", "off":
		return false, true
	}
	return false, false
}

// variable returns a variable's value as the client sees it, env blocks of
// settings included, and what set it.
func (c *client) variable(name string) (string, startup.Decision, bool) {
	if v, from, ok := c.settings.envBlock(name); ok {
		return v, from, true
	}
	v, ok := c.s.Env.Lookup(name)
	return v, startup.Decision{Value: v, By: name}, ok
}

// switchedOn tells whether a variable holds one of the values for yes.
func (c *client) switchedOn(name string) (startup.Decision, bool) {
	v, from, _ := c.variable(name)
	on, _ := truth(v)
	return from, on
}

// instructionsOff tells what keeps every instruction file out, or nil.
func (c *client) instructionsOff() *startup.Decision {
	if c.s.Flags.Bare {
		return &startup.Decision{Value: "given", By: "--bare"}
	}
	if from, on := c.switchedOn(envSimple); on {
		return &from
	}
	if c.s.Flags.SafeMode {
		return &startup.Decision{Value: "given", By: "--safe-mode"}
	}
	if from, on := c.switchedOn(envSafeMode); on {
		return &from
	}
	if from, on := c.switchedOn(envNoInstr); on {
		return &from
	}
	return nil
}

// memorySwitch decides whether memory is on. The order is the client's, from
// strong to weak: what keeps all instructions out, the variable, a remote
// session without a folder, the setting, the default. Measured on 2.1.332.
func (c *client) memorySwitch() (bool, startup.Decision) {
	if off := c.instructionsOff(); off != nil {
		return false, *off
	}
	if v, from, ok := c.variable(envNoMemory); ok {
		if off, known := truth(v); known {
			return !off, from
		}
		if v != "" {
			c.notice(from.File, from.Line, fmt.Sprintf(
				"%s=%s is no value the client knows; it counts as unset (use 1 for off, 0 for on)", envNoMemory, v))
		}
	}
	if from, on := c.switchedOn(envRemote); on {
		if v, _, _ := c.variable(envRemoteMemory); v == "" {
			return false, from
		}
	}
	if l, v, ok := c.settings.strongest(keyMemoryOn); ok {
		return string(v) == "true", l.decision(keyMemoryOn, string(v))
	}
	return true, startup.Decision{Value: "on", By: "default"}
}
