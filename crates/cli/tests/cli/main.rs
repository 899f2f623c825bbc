//! Tests of the program `tesuji`, as a user runs it.

mod cluster;
mod commands;
mod matches;
mod points;
mod program;
mod solving;
mod studio;
mod terminal;
mod tsumego;
