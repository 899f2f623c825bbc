//! Certificates of small games, valid and invalid.

mod games;
mod hostile;
mod loops;
mod oracle;
