#ifndef EXPORTS_H
#define EXPORTS_H

#include <stddef.h>
#include <stdint.h>

/* Files in one, each after a line "== NAME". */
typedef struct {
    const uint8_t *bytes;
    size_t count;
} exports_files;

/* What `pushetl export` writes for a tool, but for paths: {{path of push.db}}, {{url of push.db}} and {{folder}}.
   Tests/Fixtures/make-exports.py makes it. */
exports_files exports_datasette(void);
exports_files exports_dbt(void);
exports_files exports_grafana(void);
exports_files exports_superset(void);

#endif
