//! Functions of a game that a search uses by name: `eval=` and `order=`.

use tesuji_core::{Knowledge, Options, SpecError};

/// A function of the game chosen by its name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Named {
    /// The name; `None` for the game's own.
    name: Option<String>,
    /// Its number, once the game is known; 0 for the game's own.
    number: usize,
}

/// The evaluation function and the move ordering of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Functions {
    evaluation: Named,
    order: Named,
}

impl Functions {
    /// Reads the options `eval` and `order`.
    pub fn read(options: &mut Options<'_>) -> Result<Functions, SpecError> {
        let evaluation = options.text("eval", "a name", "the evaluation function, if the game has several")?;
        let order = options.text("order", "a name", "the move ordering, if the game has several")?;
        Ok(Functions { evaluation: Named { name: evaluation, number: 0 }, order: Named { name: order, number: 0 } })
    }

    /// Finds the functions of the game that the names denote. `search` is the name of the search.
    pub fn resolve<G: Knowledge>(&mut self, search: &str) -> Result<(), SpecError> {
        for (key, named, names) in
            [("eval", &mut self.evaluation, G::EVALUATIONS), ("order", &mut self.order, G::MOVE_ORDERS)]
        {
            let Some(name) = &named.name else { continue };
            let Some(at) = names.iter().position(|known| known == name) else {
                let accepted = match names {
                    [] => format!("no name in {}, which has only its own", G::INFO.name),
                    names => format!("{} in {}", names.join(", "), G::INFO.name),
                };
                let (search, key) = (search.to_string(), key.to_string());
                return Err(SpecError::BadValue { name: search, key, value: name.clone(), accepted });
            };
            named.number = at + 1;
        }
        Ok(())
    }

    /// The number of the evaluation function, for [`Knowledge::evaluation_by`].
    #[inline]
    pub fn evaluation(&self) -> usize {
        self.evaluation.number
    }

    /// The number of the move ordering, for [`Knowledge::move_order_by`].
    #[inline]
    pub fn order(&self) -> usize {
        self.order.number
    }
}
