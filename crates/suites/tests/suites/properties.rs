//! The laws of texts and games on random inputs; a failing input is shrunk.
//!
//! The inputs are the same in every run; fuzzing (`cargo xtask fuzz`) tries others.
//! `PROPTEST_CASES` sets the number of inputs of each test.

use libtest_mimic::{Failed, Trial};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::fmt::Debug;
use tesuji_suites::data;
use tesuji_suites::laws::{self, Edit, Insert};

/// Letters that occur in specs, positions or moves.
const LETTERS: &str = "abcdefghijklmnopqrstABCGHKLMNPRSXO0123456789 .,:;=+-*/|@#'()[]xwb";

/// A test of a spec.
type Property = fn(&str) -> Result<(), Failed>;

/// Returns the number of inputs. Variants share the code of their game and get fewer.
fn cases(spec: &str) -> u32 {
    let cases = ProptestConfig::default().cases;
    if spec.contains(':') { cases.div_ceil(4) } else { cases }
}

/// Checks a law on random inputs; the failure names the smallest input found that breaks it.
fn holds<S: Strategy<Value: Debug>>(cases: u32, inputs: S, law: impl Fn(S::Value)) -> Result<(), Failed> {
    // A failure is fixed and becomes a named test, so failing inputs are not stored in files.
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&inputs, |input| {
        law(input);
        Ok(())
    });
    outcome.map_err(|error| Failed::from(error.to_string()))
}

fn letter() -> impl Strategy<Value = char> {
    let known: Vec<char> = LETTERS.chars().collect();
    prop_oneof![8 => proptest::sample::select(known), 1 => any::<char>()]
}

fn any_text() -> impl Strategy<Value = String> {
    vec(letter(), 0..60).prop_map(String::from_iter)
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let inserts = prop_oneof![
        1 => Just(Insert::Nothing),
        1 => letter().prop_map(Insert::Letter),
        4 => any::<usize>().prop_map(Insert::Copy),
    ];
    // Most position texts of a game have the same length, so most edits replace a letter.
    let edit = (any::<usize>(), proptest::bool::weighted(0.8), inserts);
    vec(edit.prop_map(|(at, removes, inserts)| Edit { at, removes, inserts }), 1..4)
}

fn specs_are_parsed_or_rejected() -> Result<(), Failed> {
    let cases = ProptestConfig::default().cases;
    holds(cases, any_text(), |text| laws::spec_law(&text))?;
    let named = (proptest::sample::select(data::specs()), any_text());
    holds(cases, named, |(spec, text)| {
        let joint = if spec.contains(':') { ',' } else { ':' };
        laws::spec_law(&format!("{spec}{joint}{text}"));
    })?;
    let changed = (proptest::sample::select(data::specs()), edits());
    holds(cases, changed, |(spec, edits)| laws::spec_law(&laws::edited(&spec, &edits)))
}

fn positions_are_parsed_or_rejected(spec: &str) -> Result<(), Failed> {
    holds(cases(spec), any_text(), |text| laws::position_law(spec, &text))?;
    holds(cases(spec), (any::<u64>(), edits()), |(seed, edits)| {
        let (text, _) = laws::valid_texts(spec, seed);
        laws::position_law(spec, &laws::edited(&text, &edits));
    })
}

fn moves_are_legal_or_rejected(spec: &str) -> Result<(), Failed> {
    holds(cases(spec), (any::<u64>(), any_text()), |(seed, text)| laws::move_law(spec, seed, &text))?;
    let changed = (any::<u64>(), any::<prop::sample::Index>(), edits());
    holds(cases(spec), changed, |(seed, which, edits)| {
        let (_, moves) = laws::valid_texts(spec, seed);
        if !moves.is_empty() {
            laws::move_law(spec, seed, &laws::edited(which.get::<String>(&moves), &edits));
        }
    })
}

fn certificates_are_rejected_or_true() -> Result<(), Failed> {
    let cases = ProptestConfig::default().cases;
    let changes = vec((any::<usize>(), any::<u8>()), 0..4);
    holds(cases, (any::<u64>(), changes), |(seed, changes)| laws::forgery_law(seed, &changes))?;
    holds(cases, vec(any::<u8>(), 0..200), |bytes| laws::certificate_law(&bytes))
}

fn games_obey_the_laws(spec: &str) -> Result<(), Failed> {
    holds(cases(spec), vec(any::<u16>(), 0..80), |choices| laws::game_law(spec, &choices))
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("specs", specs_are_parsed_or_rejected),
        Trial::test("certificates", certificates_are_rejected_or_true),
    ];
    for spec in data::specs() {
        let properties: [(&str, Property); 3] = [
            ("positions", positions_are_parsed_or_rejected),
            ("moves", moves_are_legal_or_rejected),
            ("games", games_obey_the_laws),
        ];
        for (name, property) in properties {
            let spec = spec.clone();
            trials.push(Trial::test(format!("{name} of {spec}"), move || property(&spec)));
        }
    }
    trials
}
