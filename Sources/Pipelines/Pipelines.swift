// Pipelines
