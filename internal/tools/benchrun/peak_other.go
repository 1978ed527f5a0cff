//go:build !unix

package main

import "os"

func peakBytes(*os.ProcessState) int64 { return 0 }

func selfPeak() int64 { return 0 }
