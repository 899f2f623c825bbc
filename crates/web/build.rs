//! Rebuilds the crate when a file of the embedded page changes.

fn main() {
    println!("cargo:rerun-if-changed=assets");
}
