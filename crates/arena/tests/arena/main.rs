//! Tests of matches and experiments.

mod boards;
mod experiments;
mod matches;
mod published;
