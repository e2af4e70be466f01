#ifndef SQLITE_SETTINGS_H
#define SQLITE_SETTINGS_H

#include <sqlite3.h>

/// Has SQLite keep no account of the memory that it takes, which nobody asks for: the account has a lock, taken at every
/// allocation. To be called before the first database is opened; afterwards it does nothing.
void sqlite_keep_no_memory_statistics(void);

#endif
