package sarif

import "dormouse/doctor"

// The parts of SARIF's object model that are printed, in the order in which the
// standard describes them.

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool            `json:"tool"`
	Invocations []invocation    `json:"invocations"`
	Automation  automation      `json:"automationDetails"`
	Bases       map[string]base `json:"originalUriBaseIds"`
	ColumnKind  string          `json:"columnKind"`
	Results     []result        `json:"results"`
	Properties  *runProperties  `json:"properties,omitempty"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name     string `json:"name"`
	FullName string `json:"fullName"`
	Version  string `json:"version,omitempty"`
	Rules    []rule `json:"rules"`
}

type rule struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Short      message        `json:"shortDescription"`
	Full       message        `json:"fullDescription"`
	Help       helpText       `json:"help"`
	Default    configuration  `json:"defaultConfiguration"`
	Properties ruleProperties `json:"properties"`
}

type message struct {
	Text string `json:"text"`
}

type helpText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type configuration struct {
	Level string `json:"level"`
}

type ruleProperties struct {
	Tags []string `json:"tags"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level   string  `json:"level"`
	Message message `json:"message"`
}

type automation struct {
	ID string `json:"id"`
}

type base struct {
	URI         string  `json:"uri,omitempty"`
	Description message `json:"description"`
}

// runProperties say what a run without results rests on.
type runProperties struct {
	Checked doctor.Checked `json:"checked"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    *int              `json:"ruleIndex,omitempty"`
	Level        string            `json:"level"`
	Message      message           `json:"message"`
	Locations    []location        `json:"locations,omitempty"`
	Related      []location        `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Suppressions []suppression     `json:"suppressions,omitempty"`
	Properties   *resultProperties `json:"properties,omitempty"`
}

type location struct {
	ID       *int      `json:"id,omitempty"`
	Physical *physical `json:"physicalLocation,omitempty"`
	Message  *message  `json:"message,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI    string `json:"uri"`
	BaseID string `json:"uriBaseId,omitempty"`
}

type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type suppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

type resultProperties struct {
	Quoted   string         `json:"text,omitempty"`
	Evidence []string       `json:"evidence,omitempty"`
	Fix      *fixProperties `json:"fix,omitempty"`
}

type fixProperties struct {
	Title   string `json:"title"`
	Command string `json:"command,omitempty"`
	Safe    bool   `json:"safe"`
	Applies bool   `json:"applies"`
}
