#include "sqlite_settings.h"

// In C, since Swift cannot call functions with a variable number of arguments.
void sqlite_keep_no_memory_statistics(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
