/// A clock that stands still, for programs that tests run. Preload the library: then `clock_gettime`, `gettimeofday` and `time` of
/// the program, and of all that it starts, give the time in the environment variable `CLOCK`, such as `2026-11-20 10:00:00`, in
/// UTC. With seconds behind it, `2026-11-20 10:00:00 -60`, it moves by them each time that it is asked. Clocks that measure
/// durations, and the times of files, are the real ones.
///
/// The package faketime does this too, but its processes share a lock: one that ends while a thread reads the time lets all the
/// others hang.
