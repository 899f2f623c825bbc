//! The worker threads of a connection, started on first use.

use super::Input;
use crate::outbox::Outbox;
use crate::owners::Owners;
use crate::proof_worker::{ProofJob, ProofTask, ProofWorker};
use crate::search_worker::{SearchCommand, SearchWorker};
use crate::server::{ConnectionPermit, Shared};
use crate::tree_queries::TreeQueries;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};

/// The most pending proof requests; each may hold a certificate.
const MAX_PROOF_JOBS: usize = 8;

/// The stack of a worker: solvers recurse along lines of a thousand plies.
const STACK: usize = 64 << 20;

/// The workers of a connection and what they share with it.
pub struct Workers {
    shared: Arc<Shared>,
    outbox: Arc<Outbox>,
    /// Held by every thread of the connection, so that it counts until the last one ends.
    permit: Arc<ConnectionPermit>,
    /// The channel for the results of searches.
    inputs: Sender<Input>,
    /// The tree queries that the search worker answers.
    pub queries: Arc<TreeQueries>,
    /// The owners of the cells, if the page shows them.
    pub owners: Arc<Owners>,
    /// Set when the connection ends.
    pub disconnected: Arc<AtomicBool>,
    search: Option<Sender<SearchCommand>>,
    proof: Option<Sender<ProofJob>>,
    /// Every pending proof job holds a reference.
    pending_proofs: Arc<()>,
}

impl Workers {
    pub fn new(shared: Arc<Shared>, outbox: Arc<Outbox>, permit: ConnectionPermit, inputs: Sender<Input>) -> Workers {
        Workers {
            shared,
            outbox,
            permit: Arc::new(permit),
            inputs,
            queries: Arc::default(),
            owners: Arc::default(),
            disconnected: Arc::default(),
            search: None,
            proof: None,
            pending_proofs: Arc::new(()),
        }
    }

    /// Sends a command to the search worker.
    pub fn search(&mut self, command: SearchCommand) -> Result<(), String> {
        if self.search.is_none() {
            self.search = Some(self.start_search_worker().map_err(no_thread)?);
        }
        let worker = self.search.as_ref().expect("it was just started");
        worker.send(command).map_err(|_| "the search thread has ended; reload the page".to_string())
    }

    /// Unloads the engines of the search worker, if it runs.
    pub fn reset_search(&self) {
        if let Some(worker) = &self.search {
            // A worker that has ended has no engines.
            let _ = worker.send(SearchCommand::Reset);
        }
    }

    /// Sends a job to the proof worker, which answers the request `id`.
    pub fn prove(&mut self, id: u64, task: ProofTask) -> Result<(), String> {
        if Arc::strong_count(&self.pending_proofs) > MAX_PROOF_JOBS {
            return Err(format!("{MAX_PROOF_JOBS} proof requests are pending; ask again after one is answered"));
        }
        if self.proof.is_none() {
            self.proof = Some(self.start_proof_worker().map_err(no_thread)?);
        }
        let worker = self.proof.as_ref().expect("it was just started");
        let job = ProofJob { id, task, _pending: self.pending_proofs.clone() };
        worker.send(job).map_err(|_| "the proof thread has ended; reload the page".to_string())
    }

    fn start_search_worker(&self) -> std::io::Result<Sender<SearchCommand>> {
        let (sender, commands) = channel();
        let (queries, owners) = (self.queries.clone(), self.owners.clone());
        let worker = SearchWorker::new(self.shared.clone(), self.outbox.clone(), queries, owners);
        let (inputs, permit) = (self.inputs.clone(), self.permit.clone());
        let run = move || {
            let _permit = permit;
            // An error means that the connection has ended.
            worker.run(&commands, &|search| drop(inputs.send(Input::Finished(search))));
        };
        thread("search").stack_size(STACK).spawn(run)?;
        Ok(sender)
    }

    fn start_proof_worker(&self) -> std::io::Result<Sender<ProofJob>> {
        let (sender, jobs) = channel();
        let (shared, outbox) = (self.shared.clone(), self.outbox.clone());
        let (disconnected, permit) = (self.disconnected.clone(), self.permit.clone());
        let run = move || {
            let _permit = permit;
            ProofWorker::new(shared, outbox, disconnected).run(&jobs);
        };
        thread("proofs").stack_size(STACK).spawn(run)?;
        Ok(sender)
    }
}

/// Returns a builder of a named thread.
pub fn thread(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(format!("tesuji {name}"))
}

fn no_thread(error: std::io::Error) -> String {
    format!("cannot start a thread: {error}")
}
