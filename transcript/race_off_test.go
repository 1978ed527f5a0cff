//go:build !race

package transcript

const shadow = 1
