//! Plans against numbers computed by hand, and a simulated clock.

use super::*;
use crate::{OwnerCounts, OwnerTally, Player, Progress, Rng, RootStats, Spec};
use std::time::Duration;

/// Expected moves of a short game: 20 at the start, one less every two plies.
const TABLE: &str = "moves 20 20 19 19 18 18 17 17 16 16 15 15 14 14 13 13 12 12 11 11 10\n\
                     stones 40 39 38\nlengths 5 10 15\ncriticality 0.1 0.3";

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn manager(spec: &str) -> TimeManager {
    let spec: Spec = spec.parse().unwrap();
    TimeManager::new(&spec, &TimeFacts { table: TABLE, manager: "stop:f=5,p=0.9" }).unwrap()
}

/// The budget in milliseconds with 20 s left.
fn budget(spec: &str, turn: Turn) -> u128 {
    let plan = manager(spec).plan(&Clock::sudden_death(ms(20_000)), &turn);
    assert_eq!(plan.most, ms(19_600));
    (plan.budget.as_nanos() + 500_000) / 1_000_000
}

fn ply(ply: usize) -> Turn {
    Turn { ply, players: 2, stones: ply, length: None }
}

#[test]
fn bases_share_the_time_by_the_moves_they_expect() {
    assert_eq!(budget("fixed", ply(0)), 800); // 20 s / 25
    assert_eq!(budget("fixed:moves=40", ply(30)), 500);
    assert_eq!(budget("exp-moves", ply(0)), 1000); // 20 s / 20
    assert_eq!(budget("exp-moves", ply(10)), 1333); // 20 s / 15
    assert_eq!(budget("exp-moves", ply(500)), 2000); // the last entry, 10
    assert_eq!(budget("exp-stones", ply(1)), 513); // 20 s / 39
    assert_eq!(budget("exp-sim", Turn { length: Some(4.0), ..ply(0) }), 2000); // 4 / 4 = entry 1
    assert_eq!(budget("exp-sim", Turn { length: Some(3.9), ..ply(0) }), 4000);
    assert_eq!(budget("exp-sim", ply(0)), 1000); // nothing is known: exp-moves
    assert_eq!(budget("erica:form=basic", ply(0)), 667); // 20 s / 30
    assert_eq!(budget("erica", ply(0)), 333); // 20 s / (20 + 40)
    assert_eq!(budget("erica", ply(30)), 667); // 20 s / (20 + 10)
    assert_eq!(budget("erica", ply(90)), 1000);
}

#[test]
fn rules_multiply_the_share() {
    assert_eq!(budget("open:f=2.5", ply(0)), 2500);
    assert_eq!(budget("mid:a=2,b=40,c=20,base=fixed", ply(40)), 2400); // 3 * 800
    assert_eq!(budget("mid:a=2,b=40,c=20,base=fixed", ply(20)), 1770); // 1 + 2 e^-0.5 = 2.213
    assert_eq!(budget("stop:f=5,p=0.9", ply(0)), 5000);
    assert_eq!(budget("stop:f=100", ply(0)), 19_600); // all but the reserve
    assert_eq!(budget("auto", ply(0)), 5000);
    assert_eq!(budget("stop:f=2,base=[open:f=1.5]", ply(0)), 3000);
    assert_eq!(budget("unst:f=1.5", ply(0)), 1000);
}

#[test]
fn criticality_multiplies_the_share_within_bounds() {
    // 0.3 * 8.33 - 0.67 = 1.829; the table has 0.1 at ply 0 and 0.3 from ply 1 on.
    assert_eq!(budget("kappa-exp:base=fixed", ply(1)), 1463);
    // 0.1 * 8.33 - 0.67 = 0.163 is below the bound 0.5.
    assert_eq!(budget("kappa-exp:base=fixed", ply(0)), 400);
}

/// Counts ten playouts in which the owner of the only cell wins `agreeing` times. Each side wins
/// half of the games, so E = 1/2 and kappa = agreeing / 5 - 1.
fn count(owners: &OwnerCounts, agreeing: usize) {
    let mut tally = OwnerTally::new(owners);
    for number in 0..10 {
        let winner = Player(number as u8 % 2);
        let owner = if number < agreeing { winner } else { winner.opponent() };
        tally.owners().push(Some(owner));
        tally.count(Some(winner));
    }
}

#[test]
fn the_last_search_decides_about_the_criticality_of_kappa_lm() {
    let mut last = manager("kappa-lm:base=fixed");
    let clock = Clock::sudden_death(ms(20_000));
    assert!(manager("kappa-exp").plan(&clock, &ply(6)).owners.is_none(), "tables need no counts");
    let first = last.plan(&clock, &ply(6));
    assert_eq!(first.budget, ms(800), "there is no last move");
    count(&first.owners.unwrap(), 6);
    // kappa = 0.2: 0.2 * 8.33 - 0.67 = 0.996.
    let next = last.plan(&clock, &ply(8));
    assert!(next.budget.abs_diff(Duration::from_micros(796_800)) < ms(1), "{:?}", next.budget);
    count(&next.owners.unwrap(), 8);
    // kappa = 0.6: 0.6 * 8.33 - 0.67 = 4.328.
    let next = last.plan(&clock, &ply(10));
    assert!(next.budget.abs_diff(Duration::from_micros(3_462_400)) < ms(1), "{:?}", next.budget);
    assert_eq!(last.plan(&clock, &ply(12)).budget, ms(800), "the last search has counted nothing");
}

#[test]
fn kappa_cm_sets_the_time_during_the_search() {
    let clock = Clock { increment: ms(500), ..Clock::sudden_death(ms(20_000)) };
    // The share is 800 ms, and 400 ms are added for the increment.
    for (spec, agreeing, time) in [
        // kappa = 0.6: 0.6 * 8.33 - 1.33 = 3.668, times 800 ms.
        ("kappa-cm:base=fixed", Some(8), 3334),
        // kappa = 0 is below the bound 0.6.
        ("kappa-cm:base=fixed", Some(5), 880),
        ("kappa-cm:least=0,i=0,base=fixed", Some(5), 400),
        ("kappa-cm:base=fixed", None, 1200),
    ] {
        let plan = manager(spec).plan(&clock, &ply(6));
        assert_eq!(plan.budget, ms(1200));
        if let Some(agreeing) = agreeing {
            count(plan.owners.as_ref().unwrap(), agreeing);
        }
        let chain = plan.chain(None);
        let at = |elapsed| Progress {
            elapsed: ms(elapsed),
            searched: ms(elapsed),
            deadline: Some(chain.deadline()),
            playout_limit: None,
        };
        assert_eq!(chain.consult(&RootStats::default(), &at(99)), None);
        assert_eq!(chain.deadline(), ms(1200), "it still counts");
        assert_eq!(chain.consult(&RootStats::default(), &at(100)), None);
        assert!(chain.deadline().abs_diff(ms(time)) < ms(1), "{spec}: {:?}", chain.deadline());
    }
}

#[test]
fn increments_byo_yomi_and_moves_to_go_are_used() {
    let mut fixed = manager("fixed");
    let mut plan = |clock: Clock| fixed.plan(&clock, &ply(0)).budget;
    let clock = Clock::sudden_death(ms(50_000));
    assert_eq!(plan(Clock { increment: ms(1000), ..clock }), ms(2800));
    assert_eq!(plan(Clock { byoyomi: ms(1000), ..clock }), ms(3000));
    assert_eq!(plan(Clock { moves_to_go: Some(10), ..clock }), ms(5000));
    assert_eq!(plan(Clock { moves_to_go: Some(100), ..clock }), ms(2000));
    assert_eq!(plan(Clock { moves_to_go: Some(1), ..clock }), ms(49_000));
    assert_eq!(plan(Clock { byoyomi: ms(1000), lag: ms(50), ..Clock::default() }), ms(930));
}

#[test]
fn a_search_ends_by_its_stoppers() {
    let plan = manager("stop:f=2,p=1,base=[unst:f=0.5]").plan(&Clock::sudden_death(ms(20_000)), &ply(0));
    let (budget, chain) = (plan.budget, plan.chain(None));
    assert_eq!((budget, chain.deadline(), chain.most()), (ms(2000), ms(2000), ms(19_600)));
    let at = |elapsed: Duration| Progress {
        elapsed,
        searched: elapsed,
        deadline: Some(chain.deadline()),
        playout_limit: None,
    };
    let even = RootStats { playouts: 1000, best_visits: 500, second_visits: 500, ..RootStats::default() };
    assert_eq!(chain.consult(&even, &at(ms(2000))), None);
    assert_eq!(chain.deadline(), ms(3000), "unstable: half of the regular time more");
    // 1000 playouts in 2.5 s leave 200 in 0.5 s: a lead of 201 cannot be caught up.
    let settled = RootStats { best_visits: 600, second_visits: 399, ..even };
    assert_eq!(chain.consult(&RootStats { best_visits: 599, ..settled }, &at(ms(2500))), None);
    assert_eq!(chain.consult(&settled, &at(ms(2500))), Some(crate::StopReason::Settled));
}

/// A random clock, of any kind that occurs.
fn random_clock(rng: &mut Rng) -> Clock {
    let left = Duration::from_secs_f64(10f64.powf(rng.unit() * 4.0 - 1.0));
    let clock = Clock::sudden_death(left);
    let extra = Duration::from_secs_f64(0.05 + rng.unit() * 2.0);
    match rng.below(4) {
        0 => Clock { increment: extra, ..clock },
        1 => Clock { byoyomi: extra, ..clock },
        2 => Clock { moves_to_go: Some(1 + rng.below(40) as u32), ..clock },
        _ => clock,
    }
}

/// Plays one game's worth of plans on a simulated clock, with searches as long as random statistics
/// make them and a little longer, and fails if the clock is overrun.
fn play(manager: &mut TimeManager, rng: &mut Rng) {
    let start = random_clock(rng);
    let mut clock = start;
    for ply in (0..2 * (1 + rng.below(100))).step_by(2) {
        let turn = Turn { ply, players: 2, stones: rng.below(50), length: Some(rng.unit() * 100.0) };
        let plan = manager.plan(&clock, &turn);
        if let Some(owners) = &plan.owners {
            count(owners, rng.below(11));
        }
        let chain = plan.chain(None);
        let used = search(&chain, rng);
        let available = clock.left + clock.byoyomi;
        // A search stops up to 5 ms late, which the last reserve absorbs. When nothing else is
        // left, moves are made at once.
        let late = if chain.most().is_zero() { Duration::from_micros(100) } else { ms(rng.below(6) as u64) };
        let used = used + late;
        assert!(used <= available, "{manager:?}: {used:?} of {clock:?}");
        clock.left = clock.left.saturating_sub(used) + clock.increment;
        if let Some(moves) = &mut clock.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                clock = start;
            }
        }
    }
}

/// The time of a search with random statistics.
fn search(chain: &crate::StopChain, rng: &mut Rng) -> Duration {
    let share = rng.unit();
    let mut stats = RootStats { best_value: rng.unit() * 2.0 - 1.0, ..RootStats::default() };
    loop {
        // The search is polled ten times before each deadline, and at it.
        let deadline = chain.deadline();
        for step in 1..=10 {
            let elapsed = deadline * step / 10;
            let playouts = (elapsed.as_secs_f64() * 10_000.0) as u64;
            stats.playouts = playouts;
            stats.best_visits = (playouts as f64 * share) as u64;
            stats.second_visits = (stats.best_visits as f64 * rng.unit()) as u64;
            stats.is_robust = rng.below(2) == 0;
            let progress = Progress { elapsed, searched: elapsed, deadline: Some(deadline), playout_limit: None };
            if chain.consult(&stats, &progress).is_some() {
                return elapsed;
            }
        }
        if chain.deadline() == deadline {
            return deadline;
        }
    }
}

#[test]
fn the_clock_is_never_overrun() {
    let specs = [
        "fixed",
        "exp-moves",
        "exp-sim",
        "exp-stones",
        "open:f=5",
        "mid",
        "kappa-exp",
        "kappa-lm",
        "kappa-cm",
        "behind:f=1.5,l=3",
        "unst:l=4",
        "close:f=1.5,d=0.8,l=3",
        "stop:f=5,p=0.2",
        "stop:f=5,p=0.9,base=[unst:f=2,l=3,base=[close:l=4,base=exp-stones]]",
        "erica",
        "erica:form=basic",
        "auto",
    ];
    let mut rng = Rng::new(1);
    let mut profile = manager("fixed");
    profile.base = manager::Base::Profile(vec![0.5, 3.0, 0.1, 40.0]);
    let mut managers: Vec<TimeManager> = specs.iter().map(|spec| manager(spec)).chain([profile]).collect();
    for game in 0..100_000 {
        let number = game % managers.len();
        play(&mut managers[number], &mut rng);
    }
}
