package codex

import "path/filepath"

// Every fact about the client that a later version may change stands in this
// file. "measured" means: seen on Client, run against a scripted model on
// 2026-11-30. Where that and a document differ, the client wins and the
// document is named.
const (
	// Client is the version everything here was measured on.
	Client = "Codex CLI 0.171.0"

	// Documented in developers.openai.com/codex/guides/agents-md and in
	// openai/codex codex-rs/core/src/agents_md.rs (commit 0cf644af); measured.
	overrideName = "AGENTS.override.md"
	docName      = "AGENTS.md"
	docMaxBytes  = 32 << 10 // bytes, for all project files together; the user's file does not count
	gitMarker    = ".git"

	envHome    = "CODEX_HOME"
	homeName   = ".codex" // below the home folder; in a project the folder of its own config.toml
	configName = "config.toml"
	maxConfig  = 1 << 20 // bytes; ours, not the client's

	// Keys of config.toml (openai/codex codex-rs/config/src/config_toml.rs); measured.
	keyMaxBytes  = "project_doc_max_bytes"
	keyFallbacks = "project_doc_fallback_filenames"
	keyMarkers   = "project_root_markers" // of a project's own config.toml ignored
	keyProfile   = "profile"              // refused since profiles are files of their own
	keyProjects  = "projects"             // [projects."PATH"] trust_level = "trusted" | "untrusted"
	keyTrust     = "trust_level"
	trusted      = "trusted"
	untrusted    = "untrusted"
	keyFeatures  = "features"
	keyMemories  = "memories" // both the feature and the table with use_memories
	keyUse       = "use_memories"
	// The feature's older name. Where both are set, it wins: the client applies
	// the keys of [features] in the order of their names. Measured.
	keyOldMemories = "memory_tool"

	// Memory: developers.openai.com/codex/memories.md and openai/codex
	// codex-rs/ext/memories/src/prompts.rs (commit 247e7409); measured. Off by
	// default.
	memoriesName   = "memories"
	summaryName    = "memory_summary.md" // the only file of the folder that loads by itself
	handbookName   = "MEMORY.md"
	rolloutsName   = "rollout_summaries"
	sessionsName   = "sessions"
	summaryBytes   = 10_000 // 2,500 tokens of 4 bytes each; a longer summary loses its middle
	bytesPerToken  = 4
	middleCutWords = "…%d tokens truncated…"
)

// systemFiles are the machine's config.toml, requirements.toml and
// managed_config.toml (openai/codex codex-rs/config/src/loader; measured on
// Linux). The first is weaker than the user's; managed_config.toml, which is
// being phased out, beats everything; [features] of requirements.toml pins
// features.
func systemFiles(goos, programData string) (config, requirements, managed string) {
	dir := "/etc/codex"
	if goos == "windows" {
		if programData == "" {
			programData = `C:\ProgramData`
		}
		dir = filepath.Join(programData, "OpenAI", "Codex")
	}
	return filepath.Join(dir, configName), filepath.Join(dir, "requirements.toml"), filepath.Join(dir, "managed_config.toml")
}
