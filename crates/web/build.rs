//! Files that are added to the page are noticed.

fn main() {
    println!("cargo:rerun-if-changed=assets");
}
