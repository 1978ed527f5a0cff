package main

// english are the slots of English: name, type of note, kind of value, what part of
// the run has it ("" both), wordings, and for rules the same said the other way
// round. In a wording S is the subject, V the value, C the place or the condition,
// if there is one. Wordings are parted by "|"; the even ones are the half that rules
// were written on, the odd ones are held out.
func english() []slot {
	return []slot{
		slotOf("port", "project", number4, "", "S listens on port V{C}.|S is reachable on port V{C}.|Port of S{C}: V|The port that S binds{C} is V.|For S{C} we settled on port V.|Connect to S{C} through port V.|S takes its traffic on port V{C}.|S answers on V as its port{C}.", ""),
		slotOf("timeout", "project", seconds, "", "The timeout of S is V seconds{C}.|S gives up after V seconds{C}.|Timeout of S{C}: V seconds|Requests to S are cut off after V seconds{C}.|S waits V seconds before it times out{C}.|Calls to S time out at V seconds{C}.|We set the timeout for S to V seconds{C}.|S drops a request that takes more than V seconds{C}.", ""),
		slotOf("owner", "project", person, "", "V owns S.|V is in charge of S.|Owner of S: V|S belongs to V.|S is owned by V.|V looks after S.|The owner of S is V.|The person responsible for S is V.", ""),
		slotOf("grpc", "project", version, "", "S pins grpc at V{C}.|S stays on grpc V{C}.|grpc in S{C}: V|The grpc version that S uses{C} is V.|S is built against grpc V{C}.|S depends on grpc V{C}.|The grpc version of S is V{C}.|In S grpc is held at V{C}.", ""),
		slotOf("backup", "project", clock, "", "Backups of S start at V{C}.|S is backed up at V{C}.|Backup time of S{C}: V|S gets its nightly backup at V{C}.|The backup of S runs at V{C}.|The daily dump of S is taken at V{C}.|S backups run daily at V{C}.|At V the backup job saves S{C}.", ""),
		slotOf("bucket", "project", bucket, "", "S writes its exports to the bucket `V`{C}.|Exports of S land in the bucket `V`{C}.|Export bucket of S{C}: `V`|The bucket for exports of S is `V`{C}.|S exports into the bucket `V`{C}.|S puts export files in bucket `V`{C}.|The exports of S go to the bucket `V`{C}.|Look for exports of S in the bucket `V`{C}.", ""),
		slotOf("dashboard", "reference", link, "", "The dashboard of S is V.|S is watched on V.|Dashboard of S: V|Graphs for S are at V.|Find the dashboard of S at V.|For metrics of S open V.|S has its dashboard at V.|Numbers about S are shown on V.", ""),
		slotOf("tests", "project", command, "", "Run the tests of S with `V`{C}.|S is tested with `V`{C}.|Test command of S{C}: `V`|To test S{C}, call `V`.|The tests of S are run by `V`{C}.|The suite of S starts with `V`{C}.|Use `V` to test S{C}.|Test S by running `V`{C}.", ""),
		slotOf("retention", "project", days, "build", "Logs of S are kept for V days{C}.|S keeps its logs V days{C}.|Log retention of S{C}: V days|The logs of S are deleted after V days{C}.|S retains logs for V days{C}.|We keep logs of S for V days{C}.|The log retention of S is V days{C}.|After V days logs of S go away{C}.", ""),
		slotOf("flag", "project", switchName, "build", "S is switched on by the flag `V`{C}.|The flag `V` turns S on{C}.|Feature flag of S{C}: `V`|Set `V` to enable S{C}.|S hides behind the flag `V`{C}.|S is enabled with `V`{C}.|The flag for S is `V`{C}.|`V` is the switch for S{C}.", ""),
		slotOf("channel", "reference", channel, "held", "Questions about S go to V.|Ask about S in V.|Channel of S: V|V is the channel for S.|Trouble with S is reported in V.|Post in V when S has problems.|The team of S reads V.|People who know S are in V.", ""),
		slotOf("replicas", "project", count, "held", "S runs with V replicas{C}.|There are V replicas of S{C}.|Replicas of S{C}: V|S is scaled to V replicas{C}.|S has V replicas{C}.|We run V replicas of S{C}.|The replica count of S is V{C}.|Keep S at V replicas{C}.", ""),
		slotOf("before push", "feedback", command, "", "Always run `V` before you push S{C}.|Run `V` before every push to S{C}.|Before a push to S{C}, run `V`.|A push to S needs `V` first{C}.|Do run `V` before pushing S{C}.|Before you push S{C}, `V` must pass.|`V` has to run before each push of S{C}.|Make sure to run `V` ahead of a push to S{C}.",
			"Never run `V` before you push S{C}.|Do not run `V` before a push to S{C}.|Before a push to S{C}, don't run `V`.|A push to S needs no `V`{C}.|Don't run `V` before pushing S{C}.|Before you push S{C}, `V` must not run.|`V` must never run before a push of S{C}.|Make sure not to run `V` ahead of a push to S{C}."),
		slotOf("ask first", "feedback", folder, "", "Ask me before you change `V` of S{C}.|Check with me before editing `V` in S{C}.|Changes to `V` of S{C} need my approval.|`V` of S may be changed only after asking{C}.|Always ask before touching `V` in S{C}.|Get my okay first for edits of `V` in S{C}.|In S{C}, ask before any edit of `V`.|Edits to `V` of S want a question first{C}.",
			"Don't ask me before you change `V` of S{C}.|No need to check with me before editing `V` in S{C}.|Changes to `V` of S{C} don't need my approval.|`V` of S may be changed without asking{C}.|Never ask before touching `V` in S{C}.|You don't need my okay for edits of `V` in S{C}.|In S{C}, do not ask before an edit of `V`.|Edits to `V` of S want no question first{C}."),
		slotOf("city", "user", city, "", "P works from V.|P lives in V.|P's home base: V|P is based in V.|The city of P is V.|P sits in V.|P has moved to V.|You will find P in V.", ""),
		slotOf("editor", "user", editor, "", "P edits code in V.|P uses V as editor.|Editor of P: V|The editor of P is V.|P's editor is V.|P writes code with V.|P has V set up as the editor.|For editing P relies on V.", ""),
	}
}

// frames of English are sentences around facts.
func englishFrames() frames {
	return frames{
		why:     list("The outage in OPS-# came from guessing this.|We lost an afternoon to it in OPS-#.|It was agreed in the review of PR #.|A customer noticed in ticket HD-#.|Nobody remembered it when OPS-# came up.|Last time the rollback of OPS-# took hours.|The auditors wrote it into finding #."),
		how:     list("Look it up again before closing a ticket such as OPS-#.|Applies to whatever touches the code of OPS-#.|Mention it in reviews, as in PR #.|When in doubt, read the thread of HD-#.|Say so in the hand-over, as was done for OPS-#."),
		why1:    "Why:",
		how1:    "How to apply:",
		chatty:  list("btw, |FYI: |Note: |As agreed, "),
		scopes:  []pair{{" in staging", " in production"}, {" on Windows", " on macOS"}, {" on the release branch", " on the main branch"}, {" for contractors", " for employees"}, {" in the EU region", " in the US region"}},
		extra:   list(", and a restart is needed after a change of it|, and the docs say the same|, which is checked at startup|, and the proxy has to know"),
		history: list("Until spring this was different for S: it was V then.|Before the rewrite of S the value was V.|An old screenshot of S still shows V.|The retired version of S had V."),
		expire:  "Until D, use V for S.",
		path:    list("The parser of S lives in `V`.|See `V` for how S signs requests.|S reads its defaults from `V`.|The retry loop of S is in `V`.|`V` holds the schema of S.|Start at `V` when S misbehaves."),
		dated:   list("D we moved S to the new cluster.|S was migrated D.|The freeze of S was lifted D.|D the team of S agreed on the plan.|The licence of S was renewed D.|S went live in the new region D."),
		ahead:   list("S gets its new certificate D.|The contract for S ends D.|S is switched off D.|The release of S is planned D.|The audit of S has to be closed D.|D the freeze of S begins."),
		vague:   "S was recently rewritten, and some day it will move.",
		quoted:  "List the work on S with `git log --since=yesterday -- V`.",
		link:    "More on S is in [[V]].",
		other:   list("S took # requests on its busiest day.|S cost # euros in the first quarter.|The first commit of S has # lines.|S was started by a team of #."),
		said:    "S uses the sandbox account V for demos.",
		secret:  list("The deploy token of S is V.|Log in to S with V.|S authenticates with V."),
		heading: list("Facts|What to know|Setup|Collected"),
	}
}
