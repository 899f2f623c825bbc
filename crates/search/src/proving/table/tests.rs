//! Tests of the transposition table.

use super::*;

fn entry(work: u32) -> Entry {
    Entry {
        numbers: ProofNumbers { proof: 3, disproof: 7 },
        work,
        best: 2,
        length: Length::Distance(9),
        proven_on_a_path: false,
        disproven_on_a_path: true,
    }
}

#[test]
fn a_table_that_grows_keeps_its_entries() {
    let table = TranspositionTable::new(64 << 20);
    let key = |number: u64| (number + 1).wrapping_mul(0xD129_0C1E_9E4D_2B67);
    let count = table.capacity() as u64 / 4;
    let (mut grown, mut active) = (0, table.active.load(Relaxed));
    for number in 0..count {
        table.put(key(number), entry(number as u32 + 1));
        if table.active.load(Relaxed) != active {
            active = table.active.load(Relaxed);
            grown += 1;
            let known = (0..=number).filter(|&number| table.get(key(number)).is_some()).count() as u64;
            let mut counted = 0;
            table.for_each(|_, _| counted += 1);
            assert_eq!((known, table.occupied.load(Relaxed)), (counted, counted));
            assert!(known * 100 > number * 98, "{known} of {number}");
        }
    }
    assert_eq!((grown, active), (2, table.buckets));
}

#[test]
fn an_entry_is_read_as_it_was_stored() {
    let table = TranspositionTable::new(1 << 16);
    for key in [0, 1, u64::MAX, 0x1234_5678_9ABC_DEF0] {
        assert_eq!(table.get(key), None);
        table.put(key, entry(5));
        assert_eq!(table.get(key), Some(entry(5)));
        table.put(key, entry(6));
        assert_eq!(table.get(key), Some(entry(6)));
    }
}

#[test]
fn large_work_outlives_small_work_and_the_table_never_grows() {
    let table = TranspositionTable::new(1 << 16);
    let bytes = table.bytes();
    assert!(bytes <= 1 << 16);
    let key = |number: u64| number.wrapping_mul(0x2545_F491_4F6C_DD1D);
    let large: Vec<u64> = (0..table.capacity() as u64 / 10).map(key).collect();
    large.iter().for_each(|&key| table.put(key, entry(1_000_000)));
    (1_000_000..1_100_000).map(key).for_each(|key| table.put(key, entry(1)));
    let kept = large.iter().filter(|&&key| table.get(key).is_some()).count();
    assert!(kept * 20 > large.len() * 19, "{kept} of {}", large.len());
    assert!(table.swept() > 0);
    assert!(table.load_factor() <= 1.0);
    assert_eq!(table.bytes(), bytes);
}

fn save(table: &TranspositionTable) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = CheckpointWriter::new(&mut file, "a table").unwrap();
    table.save(&mut writer).unwrap();
    writer.finish().unwrap();
    file
}

fn restore(mut file: &[u8], bytes: usize) -> TranspositionTable {
    let mut reader = CheckpointReader::new(&mut file, "a table").unwrap();
    let loaded = TranspositionTable::load_entries(&mut reader).unwrap();
    reader.verify().unwrap();
    TranspositionTable::restored(bytes, loaded)
}

#[test]
fn a_saved_table_is_restored() {
    let table = TranspositionTable::new(1 << 14);
    (1..100).for_each(|key| table.put(key * 77, entry(key as u32)));
    let other = restore(&save(&table), 1 << 15);
    assert!((1..100).all(|key| other.get(key * 77) == table.get(key * 77)));
}

#[test]
fn a_large_table_survives_nearly_whole_in_a_table_of_any_size() {
    let table = TranspositionTable::new(64 << 20);
    let key = |number: u64| (number + 1).wrapping_mul(0xD129_0C1E_9E4D_2B67);
    // Before and after all buckets are in use.
    for count in [100_000, 300_000, 700_000] {
        (0..count).for_each(|number| table.put(key(number), entry(number as u32 + 1)));
        let known: Vec<u64> = (0..count).map(key).filter(|&key| table.get(key).is_some()).collect();
        let file = save(&table);
        for bytes in [table.bytes(), 40 << 20, 200 << 20] {
            let other = restore(&file, bytes);
            let kept = known.iter().filter(|&&key| other.get(key) == table.get(key)).count();
            assert!(kept * 100 >= known.len() * 98, "{kept} of {} in {bytes} bytes", known.len());
        }
    }
}

#[test]
fn a_table_is_smaller_if_the_system_refuses_the_memory() {
    let table = TranspositionTable::new(usize::MAX);
    assert!(table.bytes() < table.limit());
    table.put(7, entry(5));
    assert_eq!(table.get(7), Some(entry(5)));
}

#[test]
fn a_length_has_the_meaning_of_its_entry() {
    let table = TranspositionTable::new(1 << 16);
    table.put(1, entry(5));
    assert_eq!((table.get(1).unwrap().length, table.get(1).unwrap().rank()), (Length::Distance(9), 0));
    assert_eq!(table.get_for_path(1), None, "an unsolved entry is not a result");
    let solved = Entry { numbers: numbers::PROVEN, length: Length::Rank(7), ..entry(5) };
    table.put(2, solved);
    assert_eq!(table.get(2), Some(solved));
    assert_eq!(table.get(2).unwrap().rank(), 7);
    for dependency in [Dependency::BEFORE_ROOT, Dependency::on_ply(0), Dependency::on_ply(12)] {
        let result = Entry { length: Length::of_dependency(dependency), ..solved };
        table.put(3, result);
        assert_eq!(table.get_for_path(3), Some((result, dependency)));
    }
    table.put(4, Entry { length: Length::Distance(u16::MAX), ..entry(5) });
    assert_eq!(table.get(4).unwrap().length, Length::Distance(MAX_LENGTH));
}
