//! Tests of SGF files.

mod data;
mod law;
mod reading;
mod round_trip;
