//! Large pages for tables.
//!
//! A table is looked at in random places, and with small pages nearly every look asks for the page's address first. With large ones the
//! depth-first solvers see up to twice as many positions a second. Trees are filled from one end to the other: for them large pages gained
//! nothing that could be measured.

/// Asks the system for large pages behind some memory that was not used yet. It may not have them; nothing else changes.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub fn make_large<T>(memory: &[T]) {
    /// What is smaller than a large page.
    const LEAST: usize = 2 << 20;
    const PAGE: usize = 4096;
    let (begin, end) = (memory.as_ptr() as usize, memory.as_ptr_range().end as usize);
    if end - begin < LEAST {
        return;
    }
    let begin = begin.next_multiple_of(PAGE);
    let length = end / PAGE * PAGE - begin;
    // SAFETY: the advice changes nothing that a program can see, and the range is inside of memory that is borrowed here.
    unsafe {
        let _ = rustix::mm::madvise(begin as *mut std::ffi::c_void, length, rustix::mm::Advice::LinuxHugepage);
    }
}

/// Asks the system for large pages behind some memory: here there is nobody to ask.
#[cfg(not(target_os = "linux"))]
pub fn make_large<T>(_memory: &[T]) {}
