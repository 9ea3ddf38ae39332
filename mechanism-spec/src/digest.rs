//! The round digest: equal for two validators with the same draw and deterministic agents (SPEC.md G-1 to G-4; `mechanism.md §4`).
//!
//! It holds what was judged and nothing that depends on a host: no failure names, times, CPU figures, nonces, secret or paths.

use crate::bytes::Fields;
use crate::ids::{Hash32, Hotkey, Pin};
use crate::scored::ScoredFinding;
use crate::track::Track;
use crate::verdict::Verdict;

/// What the digest covers. The order inside of `agents` and `runs` changes nothing.
#[derive(Debug, Clone)]
pub struct DigestInput<'a> {
    /// Spec id.
    pub spec_id: Hash32,
    /// Corpus root.
    pub corpus_root: Hash32,
    /// Every frozen agent with its score.
    pub agents: Vec<DigestAgent<'a>>,
    /// Every run.
    pub runs: Vec<DigestRun<'a>>,
    /// The (uid, value) pairs of the vector by uid; `None` when the validator abstains.
    pub vector: Option<&'a [(u16, u16)]>,
}

/// One frozen agent.
#[derive(Debug, Clone)]
pub struct DigestAgent<'a> {
    /// Who.
    pub hotkey: &'a Hotkey,
    /// On which track.
    pub track: Track,
    /// Which agent.
    pub pin: &'a Pin,
    /// The published score; `None` when the agent could not be had.
    pub score: Option<f64>,
}

/// One run.
#[derive(Debug, Clone)]
pub struct DigestRun<'a> {
    /// The track.
    pub track: Track,
    /// Whose agent.
    pub hotkey: &'a Hotkey,
    /// Repetition, from 0.
    pub rep: u32,
    /// Rank of the task, from 0.
    pub rank: u32,
    /// What a completed run said; `None` when it failed, whatever the failure.
    pub completed: Option<Completed<'a>>,
}

/// What a completed run said.
#[derive(Debug, Clone)]
pub struct Completed<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// The findings of its report that were scored, in the order reported.
    pub findings: &'a [ScoredFinding],
}

/// The round digest.
#[must_use]
pub fn round_digest(input: &DigestInput<'_>) -> Hash32 {
    layout(input).hash()
}

fn layout(input: &DigestInput<'_>) -> Fields {
    let mut agents: Vec<_> = input.agents.iter().collect();
    agents.sort_by_key(|agent| (agent.hotkey, agent.track.as_str()));
    let mut runs: Vec<_> = input.runs.iter().collect();
    runs.sort_by_key(|run| (run.track.as_str(), run.hotkey, run.rep, run.rank));

    let mut fields = Fields::new()
        .text("assay/v1/round")
        .hash32(&input.spec_id)
        .hash32(&input.corpus_root);
    fields = count(fields, agents.len());
    for agent in &agents {
        fields = fields
            .text(agent.hotkey.as_str())
            .text(agent.track.as_str())
            .text(agent.pin.as_str());
    }
    fields = count(fields, runs.len());
    for run in &runs {
        fields = fields
            .text(run.track.as_str())
            .text(run.hotkey.as_str())
            .u32(run.rep)
            .u32(run.rank);
        fields = outcome(fields, run.completed.as_ref());
    }
    for agent in &agents {
        fields = match agent.score {
            // One zero: -0.0 and 0.0 are the same score.
            Some(score) => fields.tag(1).f64(score + 0.0),
            None => fields.tag(0),
        };
    }
    match input.vector {
        None => fields.tag(0),
        Some(pairs) => {
            let mut fields = count(fields.tag(1), pairs.len());
            for (uid, value) in pairs {
                fields = fields.u32((*uid).into()).u32((*value).into());
            }
            fields
        }
    }
}

fn outcome(fields: Fields, completed: Option<&Completed<'_>>) -> Fields {
    let Some(completed) = completed else {
        return fields.tag(0);
    };
    let fields = fields.tag(1).text(completed.verdict.as_str());
    let mut fields = count(fields, completed.findings.len());
    for finding in completed.findings {
        fields = fields.text(&finding.class).text(&finding.location);
        fields = match finding.lines {
            None => fields.tag(0),
            Some((first, last)) => fields
                .tag(1)
                .u64(first.unsigned_abs())
                .u64(last.unsigned_abs()),
        };
    }
    fields
}

/// Lists are preceded by their length, so that no two inputs share their bytes.
fn count(fields: Fields, length: usize) -> Fields {
    fields.u32(u32::try_from(length).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn finding(class: &str, location: &str, lines: Option<(i64, i64)>) -> ScoredFinding {
        ScoredFinding {
            class: class.to_owned(),
            location: location.to_owned(),
            lines,
        }
    }

    struct World {
        hotkeys: [Hotkey; 2],
        pin: Pin,
        findings: Vec<ScoredFinding>,
    }

    impl World {
        fn new() -> Self {
            World {
                hotkeys: [Hotkey::new("5A"), Hotkey::new("5B")],
                pin: Pin::blake3_of(b"agent"),
                findings: vec![
                    finding("data", "run.sh", Some((3, 3))),
                    finding("89", "a.py", None),
                ],
            }
        }

        fn input(&self) -> DigestInput<'_> {
            let run = |hotkey, rep, rank, completed| DigestRun {
                track: Track::Skills,
                hotkey,
                rep,
                rank,
                completed,
            };
            let said = Completed {
                verdict: Verdict::Block,
                findings: &self.findings,
            };
            DigestInput {
                spec_id: Hash32([1; 32]),
                corpus_root: Hash32([2; 32]),
                agents: self
                    .hotkeys
                    .iter()
                    .map(|hotkey| DigestAgent {
                        hotkey,
                        track: Track::Skills,
                        pin: &self.pin,
                        score: Some(0.5),
                    })
                    .collect(),
                runs: vec![
                    run(&self.hotkeys[0], 0, 0, Some(said)),
                    run(&self.hotkeys[0], 0, 1, None),
                    run(&self.hotkeys[1], 0, 0, None),
                ],
                vector: Some(&[(1, 65535), (2, 7)]),
            }
        }
    }

    #[test]
    fn every_part_is_covered() {
        let mut world = World::new();
        let base = round_digest(&world.input());
        type Change = fn(&mut DigestInput<'_>);
        let changes: [Change; 9] = [
            |i| i.spec_id = Hash32([9; 32]),
            |i| i.corpus_root = Hash32([9; 32]),
            |i| i.agents[0].track = Track::Packages,
            |i| i.agents[1].score = None,
            |i| i.agents[1].score = Some(0.500_000_000_000_000_1),
            |i| {
                i.runs[1].completed = Some(Completed {
                    verdict: Verdict::Allow,
                    findings: &[],
                })
            },
            |i| i.runs[2].rep = 1,
            |i| i.vector = None,
            |i| i.vector = Some(&[(1, 65535)]),
        ];
        for (n, change) in changes.iter().enumerate() {
            let mut input = world.input();
            change(&mut input);
            assert_ne!(round_digest(&input), base, "change {n}");
        }
        for changed in [
            finding("datas", "run.sh", Some((3, 3))),
            finding("data", "run.s", Some((3, 3))),
            finding("data", "run.sh", Some((3, 4))),
            finding("data", "run.sh", None),
        ] {
            world.findings[0] = changed;
            assert_ne!(round_digest(&world.input()), base);
        }
    }

    #[test]
    fn the_layout_is_the_documented_one() {
        let world = World::new();
        let text = |out: &mut Vec<u8>, s: &str| {
            out.extend(u32::try_from(s.len()).unwrap().to_le_bytes());
            out.extend(s.bytes());
        };
        let mut out = Vec::new();
        text(&mut out, "assay/v1/round");
        out.extend([1; 32]);
        out.extend([2; 32]);
        out.extend(2u32.to_le_bytes());
        for hotkey in ["5A", "5B"] {
            text(&mut out, hotkey);
            text(&mut out, "skills");
            text(&mut out, world.pin.as_str());
        }
        out.extend(3u32.to_le_bytes());
        for (hotkey, rank) in [("5A", 0u32), ("5A", 1), ("5B", 0)] {
            text(&mut out, "skills");
            text(&mut out, hotkey);
            out.extend(0u32.to_le_bytes());
            out.extend(rank.to_le_bytes());
            if (hotkey, rank) != ("5A", 0) {
                out.push(0);
                continue;
            }
            out.push(1);
            text(&mut out, "BLOCK");
            out.extend(2u32.to_le_bytes());
            text(&mut out, "data");
            text(&mut out, "run.sh");
            out.push(1);
            out.extend(3u64.to_le_bytes());
            out.extend(3u64.to_le_bytes());
            text(&mut out, "89");
            text(&mut out, "a.py");
            out.push(0);
        }
        for _ in 0..2 {
            out.push(1);
            out.extend(0.5f64.to_bits().to_le_bytes());
        }
        out.push(1);
        for number in [2u32, 1, 65535, 2, 7] {
            out.extend(number.to_le_bytes());
        }
        assert_eq!(layout(&world.input()).as_slice(), out);
    }

    proptest! {
        #[test]
        fn the_order_in_which_runs_ended_changes_nothing(turn in 0usize..3, swap: bool) {
            let world = World::new();
            let mut input = world.input();
            input.runs.rotate_left(turn);
            if swap {
                input.agents.reverse();
            }
            prop_assert_eq!(round_digest(&input), round_digest(&world.input()));
        }
    }
}
