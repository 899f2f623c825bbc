//! Memory hints for large tables: huge pages, populated pages and prefetched cache lines.
//!
//! Tables are accessed at random, so with 4 KiB pages nearly every access misses the TLB. With huge
//! pages the depth-first solvers visit up to twice as many positions per second. Trees are filled
//! sequentially; huge pages gave them no measurable gain.

/// Advises the system to back memory that has not been touched yet with huge pages.
///
/// The system may ignore the advice.
#[cfg(target_os = "linux")]
pub fn advise_huge_pages<T>(memory: &[T]) {
    const HUGE_PAGE: usize = 2 << 20;
    if size_of_val(memory) >= HUGE_PAGE {
        advise(memory, rustix::mm::Advice::LinuxHugepage);
    }
}

/// Faults in the pages of memory that is about to be used.
///
/// A page that is read before it is written faults twice otherwise, and the second fault interrupts
/// every other worker. The system may ignore the advice.
#[cfg(target_os = "linux")]
pub fn populate<T>(memory: &[T]) {
    advise(memory, rustix::mm::Advice::LinuxPopulateWrite);
}

/// Calls `madvise` on the pages that lie entirely inside `memory`.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise<T>(memory: &[T], advice: rustix::mm::Advice) {
    const PAGE: usize = 4096;
    let start = (memory.as_ptr() as usize).next_multiple_of(PAGE);
    let length = (memory.as_ptr_range().end as usize / PAGE * PAGE).saturating_sub(start);
    if length == 0 {
        return;
    }
    // SAFETY: neither advice changes the contents of memory, and the range lies inside the
    // borrowed slice.
    unsafe {
        let _ = rustix::mm::madvise(start as *mut std::ffi::c_void, length, advice);
    }
}

/// Does nothing: huge pages are requested on Linux only.
#[cfg(not(target_os = "linux"))]
pub fn advise_huge_pages<T>(_memory: &[T]) {}

/// Does nothing: pages are populated in advance on Linux only.
#[cfg(not(target_os = "linux"))]
pub fn populate<T>(_memory: &[T]) {}

/// Prefetches the cache lines of `memory` without waiting for them.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline]
pub fn prefetch<T>(memory: &[T]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    const CACHE_LINE: usize = 64;
    for offset in (0..size_of_val(memory)).step_by(CACHE_LINE) {
        // SAFETY: a prefetch has no visible effect, and the address lies inside the borrowed slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(memory.as_ptr().cast::<i8>().add(offset)) };
    }
}

/// Does nothing: prefetching is implemented for x86-64 only.
#[cfg(not(target_arch = "x86_64"))]
pub fn prefetch<T>(_memory: &[T]) {}
