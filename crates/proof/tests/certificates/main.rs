//! Certificates of small games, right and wrong ones.

mod games;
mod hostile;
mod loops;
mod oracle;
