//! Tests of the catalog, as one program.

mod comparing;
mod ending;
mod engines;
mod file;
mod learn;
mod limits;
mod log;
mod solutions;
mod solving;
mod traps;
mod untrusted;
