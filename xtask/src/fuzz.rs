//! To be written.

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// How many inputs each target gets
    #[arg(long, default_value_t = 100_000)]
    pub runs: u64,
}

pub fn run(_: &Args) -> anyhow::Result<()> {
    Ok(())
}
