//! To be written.

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Put the counts found on record
    #[arg(long)]
    pub bless: bool,
}

pub fn run(_: &Args) -> anyhow::Result<()> {
    Ok(())
}
