#include "exports.h"

/* SwiftPM would embed them as array literals of Swift, which take a minute to compile. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t datasette[] = {
#embed "files/datasette.txt"
};
static const uint8_t dbt[] = {
#embed "files/dbt.txt"
};
static const uint8_t grafana[] = {
#embed "files/grafana.txt"
};
static const uint8_t superset[] = {
#embed "files/superset.txt"
};

exports_files exports_datasette(void) { return (exports_files){datasette, sizeof datasette}; }
exports_files exports_dbt(void) { return (exports_files){dbt, sizeof dbt}; }
exports_files exports_grafana(void) { return (exports_files){grafana, sizeof grafana}; }
exports_files exports_superset(void) { return (exports_files){superset, sizeof superset}; }
