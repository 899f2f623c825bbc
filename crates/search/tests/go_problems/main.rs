//! Problems inside Go: known ko verdicts, and random corners, by an exhaustive solver and by df-pn.

mod corners;
mod reference;
mod verdicts;
mod zones;
