//! What a table asks of the memory: large pages, and cache lines ahead of time.
//!
//! A table is looked at in random places, and with small pages nearly every look asks for the page's address first. With large ones the
//! depth-first solvers see up to twice as many positions a second. Trees are filled from one end to the other: for them large pages gained
//! nothing that could be measured.

/// Asks the system for large pages behind some memory that was not used yet. It may not have them; nothing else changes.
#[cfg(target_os = "linux")]
pub fn make_large<T>(memory: &[T]) {
    /// The size of a large page: what is smaller needs none.
    const LEAST: usize = 2 << 20;
    if size_of_val(memory) >= LEAST {
        advise(memory, rustix::mm::Advice::LinuxHugepage);
    }
}

/// Takes memory from the system that is about to be used. A page that is read before it is written is otherwise asked for twice, and the second
/// time every other worker is interrupted. It may be refused; nothing else changes.
#[cfg(target_os = "linux")]
pub fn take<T>(memory: &[T]) {
    advise(memory, rustix::mm::Advice::LinuxPopulateWrite);
}

/// Tells the system something about the whole pages of some memory.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise<T>(memory: &[T], advice: rustix::mm::Advice) {
    const PAGE: usize = 4096;
    let begin = (memory.as_ptr() as usize).next_multiple_of(PAGE);
    let length = (memory.as_ptr_range().end as usize / PAGE * PAGE).saturating_sub(begin);
    if length == 0 {
        return;
    }
    // SAFETY: neither advice changes anything that a program can see, and the range is inside of memory that is borrowed here.
    unsafe {
        let _ = rustix::mm::madvise(begin as *mut std::ffi::c_void, length, advice);
    }
}

/// Asks the system for large pages behind some memory: here there is nobody to ask.
#[cfg(not(target_os = "linux"))]
pub fn make_large<T>(_memory: &[T]) {}

/// Takes memory from the system that is about to be used: here that happens by itself.
#[cfg(not(target_os = "linux"))]
pub fn take<T>(_memory: &[T]) {}

/// Asks for the cache lines of some memory before it is looked at, and waits for none of them.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline]
pub fn fetch<T>(memory: &[T]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    const LINE: usize = 64;
    for offset in (0..size_of_val(memory)).step_by(LINE) {
        // SAFETY: the hint changes nothing that a program can see, and the address is inside of memory that is borrowed here.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(memory.as_ptr().cast::<i8>().add(offset)) };
    }
}

/// Asks for the cache lines of some memory before it is looked at: elsewhere the processor has to see for itself.
#[cfg(not(target_arch = "x86_64"))]
pub fn fetch<T>(_memory: &[T]) {}
