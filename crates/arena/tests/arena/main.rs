//! Tests of matches and experiments.

mod experiments;
mod matches;
mod published;
