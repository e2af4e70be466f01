/// A clock that stands still, for programs that tests run. Preload the library: then `clock_gettime`, `gettimeofday` and `time` of
/// the program, and of all that it starts, give the time in the environment variable `CLOCK`, such as `2026-11-20 10:00:00`, in
/// UTC. After `2026-11-20 10:00:00 -60` it goes back by 60 seconds whenever a program reads it. The times of files are the real ones,
/// and so are clocks that measure durations; with `HASTE=20` they go twenty times as fast.
///
/// With `KILL_AT=3` the program is killed before it renames or removes a file for the third time.
///
/// The package faketime does this too, but its processes share a lock: one that ends while a thread reads the time lets all the
/// others hang.
