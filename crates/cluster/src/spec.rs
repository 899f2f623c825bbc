//! Specs of clusters.

use crate::proving::Proving;
use crate::searching::Searching;
use crate::settings::Settings;
use crate::team::Team;
use std::io::{self, Read, Write};
use std::sync::Arc;
use tesuji_catalog::{AUTO, Crew, CrewPlan, CrewTask, Crews, Session, Vote};
use tesuji_core::{Options, Question, Report, Spec, SpecError};

/// The name of the specs.
pub const NAME: &str = "cluster";

/// The clusters of a program.
pub struct Clusters(pub Arc<Settings>);

impl Crews for Clusters {
    fn name(&self) -> &'static str {
        NAME
    }

    fn read(&self, spec: &Spec) -> Result<CrewPlan, SpecError> {
        let mut options = Options::new(spec);
        let specs =
            options.specs("the searches or solvers of the workers, which repeat them in order; default [auto]")?;
        let vote = Vote::read(&mut options)?;
        let slice = options.integer("slice", 1_000_000, 1_000..=1 << 40, "most nodes of a job between two reports")?;
        let slices = options.integer("slices", 4, 1..=1 << 20, "reports after which a job is split")? as u32;
        options.finish()?;
        if self.0.workers.is_empty() {
            return Err(SpecError::Syntax {
                spec: spec.to_string(),
                reason: "a cluster needs workers: add --workers 2, or --workers \"ssh HOST tesuji worker\"".to_string(),
            });
        }
        let specs = if specs.is_empty() { vec![AUTO.parse()?] } else { specs };
        Ok(CrewPlan { specs, vote, slice, slices })
    }

    fn crew(&self, plan: &CrewPlan) -> Box<dyn Crew> {
        let team = Team::new(Arc::clone(&self.0));
        Box::new(Cluster { team, searching: Searching::new(plan.clone()), proving: Proving::new(plan.clone()) })
    }
}

/// A team, as a search and as a solver.
struct Cluster {
    team: Team,
    searching: Searching,
    proving: Proving,
}

impl Crew for Cluster {
    fn search(
        &mut self,
        game: &dyn Session,
        task: &CrewTask,
        watch: &mut dyn FnMut(&[Report<String>]) -> bool,
    ) -> Vec<Report<String>> {
        self.searching.run(&mut self.team, game, task, watch)
    }

    fn ask(
        &mut self,
        game: &dyn Session,
        question: Question,
        task: &CrewTask,
        watch: &mut dyn FnMut(&Report<String>) -> bool,
    ) -> Option<Report<String>> {
        self.proving.ask(&mut self.team, game, question, task, watch)
    }

    fn forget(&mut self) {
        self.team.forget();
        self.proving.forget();
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.proving.save(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.proving.restore(input)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tesuji_catalog::{Engine, check_untrusted, open};
    use tesuji_gtp::Children;

    #[test]
    fn specs_from_outside_start_no_workers() {
        crate::register(crate::Settings {
            workers: vec![Arc::new(crate::Process("no-such-program".to_string()))],
            timeout: Duration::from_secs(1),
            children: Children::default(),
            notice: Box::new(|_| ()),
            totals: Arc::default(),
        });
        let game = open("hex:3", "start").unwrap();
        assert!(Engine::new("cluster:[mcts]", game.as_ref()).is_ok());
        for spec in ["cluster", "cluster:[mcts]", "root:[cluster:[mcts]]", "cluster:[mcts]@time=stop"] {
            let error = check_untrusted(spec).unwrap_err().to_string();
            assert!(error.contains("accepted on the command line only"), "{spec}: {error}");
        }
        assert!(check_untrusted("root:[mcts]").is_ok());
    }
}
